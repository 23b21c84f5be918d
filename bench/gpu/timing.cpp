#include "bench/gpu/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace xorloom::gpu_bench {
namespace {

constexpr double kRoundSeconds = 0.004;
constexpr std::size_t kMostCalls = 10'000;

void nothing() {}

double seconds_of_round(const std::function<void()>& call, const std::function<void()>& finish,
                        std::size_t count) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) call();
  finish();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

double seconds_of_call(const std::function<void()>& call, const std::function<void()>& finish,
                       const Effort& effort) {
  seconds_of_round(call, finish, 1);
  const double first = std::max(seconds_of_round(call, finish, 1), 1e-9);
  const auto count = static_cast<std::size_t>(
      std::clamp(std::ceil(kRoundSeconds / first), 1.0, static_cast<double>(kMostCalls)));
  std::vector<double> seconds;
  for (double sum = 0; sum < effort.seconds || seconds.size() < effort.rounds;) {
    const double round = seconds_of_round(call, finish, count);
    sum += round;
    seconds.push_back(round / static_cast<double>(count));
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::ranges::nth_element(seconds, middle);
  return *middle;
}

double seconds_of_call(const std::function<void()>& call, const Effort& effort) {
  return seconds_of_call(call, nothing, effort);
}

std::vector<double> seconds_of_single_calls(const std::function<void()>& call, std::size_t count) {
  call();
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i) seconds.push_back(seconds_of_round(call, nothing, 1));
  std::ranges::sort(seconds);
  return seconds;
}

}  // namespace xorloom::gpu_bench
