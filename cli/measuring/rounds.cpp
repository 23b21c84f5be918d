#include "cli/measuring/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "cli/shell/running.hpp"

namespace xorloom::cli {
namespace {

constexpr double kTurnSeconds = 1e-3;
constexpr double kSharedTurnSeconds = 4e-3;
constexpr double kGatherSeconds = 30e-3;
constexpr int kMostTries = 6;  // tries to find the number of calls in a turn
constexpr double kLatencySeconds = 0.25;
constexpr std::size_t kLeastCalls = 1000;
constexpr std::size_t kMostCalls = 20'000;

double seconds_of_call(const std::function<void(std::size_t calls)>& run) {
  const Stopwatch watch;
  run(1);
  return std::max(watch.seconds(), 1e-9);
}

std::size_t calls_within(double turn_seconds, double seconds_of_call) {
  return static_cast<std::size_t>(std::max(1.0, turn_seconds / seconds_of_call));
}

/// Keeps the threads busy until the system has given each a processor of its own.
void gather(const std::function<void(std::size_t calls)>& run, std::size_t threads) {
  if (threads == 1) return;
  const Stopwatch watch;
  while (watch.seconds() < kGatherSeconds) run(1);
}

}  // namespace

double warm_up(Contender& contender) {
  const double turn_seconds = contender.threads == 1 ? kTurnSeconds : kSharedTurnSeconds;
  gather(contender.run, contender.threads);
  double seconds = seconds_of_call(contender.run);
  if (seconds < turn_seconds) seconds = seconds_of_call(contender.run);
  contender.calls = calls_within(turn_seconds, seconds);
  // A turn has costs of its own, such as starting threads, so it is timed as a whole.
  for (int i = 0; i < kMostTries && contender.calls > 1; ++i) {
    const Stopwatch watch;
    contender.run(contender.calls);
    const double turn = watch.seconds();
    seconds = turn / static_cast<double>(contender.calls);
    if (turn > turn_seconds / 2) break;
    contender.calls = calls_within(turn_seconds, seconds);
  }
  return seconds;
}

void take_turn(Contender& contender) {
  // Warm the caches, from which other contenders evicted our lines. The second call is for lines
  // that the first one stored past the caches.
  if (!contender.begins_cold) contender.run(2);
  const Stopwatch watch;
  contender.run(contender.calls);
  contender.seconds_of.push_back(watch.seconds() / static_cast<double>(contender.calls));
}

double median_seconds(const Contender& contender) {
  if (contender.seconds_of.empty()) return 0;
  std::vector<double> seconds = contender.seconds_of;
  std::ranges::sort(seconds);
  return share_of(seconds, 0.5);
}

double timed_alone(std::function<void(std::size_t calls)> run, bool begins_cold, std::size_t rounds,
                   std::size_t threads) {
  Contender contender{"", std::move(run), threads};
  contender.begins_cold = begins_cold;
  warm_up(contender);
  for (std::size_t round = 0; round < rounds; ++round) take_turn(contender);
  return median_seconds(contender);
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double processor_seconds(const std::function<void()>& call, std::size_t calls) {
  std::vector<double> seconds(calls);
  for (double& value : seconds) {
    const double begin = thread_seconds();
    call();
    value = thread_seconds() - begin;
  }
  std::ranges::sort(seconds);
  return share_of(seconds, 0.5);
}

void keep_fastest(std::vector<Contender>& contenders, std::size_t count) {
  constexpr int kRounds = 3;
  for (Contender& contender : contenders) {
    const double seconds = warm_up(contender);
    if (contender.begins_cold) contender.seconds_of.push_back(seconds);
  }
  if (contenders.size() > count) {
    for (int round = 0; round < kRounds; ++round) {
      for (Contender& contender : contenders) {
        if (!contender.begins_cold) take_turn(contender);
      }
    }
    std::ranges::stable_sort(contenders, {}, [](const Contender& contender) {
      return std::ranges::min(contender.seconds_of);
    });
    contenders.resize(count);
  }
  for (Contender& contender : contenders) contender.seconds_of.clear();
}

const std::vector<double>& latency_shares() {
  static const std::vector<double> shares = [] {
    std::vector<double> values;
    for (int i = 1; i <= 99; ++i) values.push_back(i / 100.0);
    for (int i = 991; i <= 999; ++i) values.push_back(i / 1000.0);
    return values;
  }();
  return shares;
}

double share_of(const std::vector<double>& ascending, double share) {
  const auto rank =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(ascending.size())));
  return ascending[std::max<std::size_t>(rank, 1) - 1];
}

std::vector<double> seconds_of_calls(const std::function<void(std::size_t calls)>& run,
                                     std::size_t threads) {
  gather(run, threads);
  run(1);
  const double estimate = seconds_of_call(run);
  std::vector<double> seconds(static_cast<std::size_t>(
      std::clamp(kLatencySeconds / estimate, double{kLeastCalls}, double{kMostCalls})));
  for (double& value : seconds) value = seconds_of_call(run);
  return seconds;
}

Latency latency_of(const std::function<void(std::size_t calls)>& run) {
  std::vector<double> seconds = seconds_of_calls(run);
  std::ranges::sort(seconds);
  Latency latency{seconds.size(),
                  share_of(seconds, 0.5),
                  share_of(seconds, 0.9),
                  share_of(seconds, 0.99),
                  share_of(seconds, 0.999),
                  seconds.back(),
                  {}};
  for (const double share : latency_shares()) latency.curve.push_back(share_of(seconds, share));
  return latency;
}

}  // namespace xorloom::cli
