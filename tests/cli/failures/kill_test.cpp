#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/cli/num_kills.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/shard_scene.hpp"

// The commands that write shards, killed at random moments. XORLOOM_KILLS is the number of kills,
// over the first three of them, that are to hit a running program.

namespace xorloom::test {
namespace {

using ShardCommand = ShardScene::Command;
using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr std::array<std::size_t, 4> kEncodedFileBytes = {100'000, 0, 3'000'000, 1};
const std::size_t kShardKills = num_kills("XORLOOM_KILLS", 24);
constexpr std::array<const char*, 2> kThreads = {"1", "2"};

/// A scene, and how long its command takes if nobody ends it.
struct TimedShards {
  explicit TimedShards(ShardCommand command, std::size_t file_bytes, const char* threads)
      : scene(command, file_bytes, threads) {
    const auto begin = steady_clock::now();
    REQUIRE(xorloom(scene.arguments()).status == 0);
    duration = std::chrono::duration_cast<microseconds>(steady_clock::now() - begin);
  }
  ShardScene scene;
  microseconds duration{};
};

/// Ends commands, each with a file and threads of its own, until `kills` ends have hit a running
/// one. Checks what each leaves.
class Killer {
 public:
  explicit Killer(std::vector<ShardCommand> commands) : commands_(std::move(commands)) {}

  void run(std::size_t kills, const std::vector<int>& signals) {
    std::size_t hits = 0;
    std::size_t tries = 0;
    while (hits < kills) {
      REQUIRE(++tries <= 20 + 10 * kills);
      const ShardCommand command = commands_[hits % commands_.size()];
      TimedShards& timed = scene(command, hits / commands_.size());
      timed.scene.prepare(random_() % 2 == 0);
      const int signal = signals[hits % signals.size()];
      const Ending ending = draw_ending(timed, command, signal);
      const Outcome outcome = xorloom_ended(timed.scene.arguments(), ending);
      if (outcome.status == 0) continue;  // ended before the signal
      ++hits;
      const std::string what = fmt::format(
          "seed {}, kill {}: signal {} after {} of {} us{}: {}", kSeed, hits, signal,
          ending.after.count(), timed.duration.count(),
          ending.once ? " of giving or taking names" : "", fmt::join(timed.scene.arguments(), " "));
      CAPTURE(what);
      CHECK(outcome.status == -signal);
      const std::string phase = timed.scene.phase();
      CAPTURE(phase);
      ++phases_[phase];
      if (signal != SIGKILL) CHECK(timed.scene.litter() == "");
      CHECK(timed.scene.flaw() == "");
    }
    report(hits, tries);
  }

 private:
  TimedShards& scene(ShardCommand command, std::size_t round) {
    const std::size_t file_bytes = kEncodedFileBytes[round % kEncodedFileBytes.size()];
    const char* const threads = kThreads[round / kEncodedFileBytes.size() % kThreads.size()];
    auto& found = scenes_[{command, file_bytes, threads}];
    if (!found) found = std::make_unique<TimedShards>(command, file_bytes, threads);
    return *found;
  }

  /// A moment of the whole time; or, every third, one soon after the first shard has got its name,
  /// or the first of those that were there is gone, since these things take little of it.
  Ending draw_ending(const TimedShards& timed, ShardCommand command, int signal) {
    const auto draw = [this](microseconds::rep most) {
      return microseconds(std::uniform_int_distribution<microseconds::rep>(0, most)(random_));
    };
    const ShardScene& scene = timed.scene;
    const auto kind = random_() % 6;
    if (kind == 0) return {signal, draw(50), [&scene] { return scene.is_naming(); }};
    if (kind == 1 && (command == ShardCommand::kReplace || command == ShardCommand::kConvert)) {
      return {signal, draw(200), [&scene] { return scene.is_removing(); }};
    }
    return {signal, draw(timed.duration.count()), {}};
  }

  void report(std::size_t hits, std::size_t tries) const {
    std::string text = fmt::format("{} of {} hit a running program", hits, tries);
    for (const auto& [phase, count] : phases_) text += fmt::format("\n{:>6}  {}", count, phase);
    MESSAGE(text);
  }

  std::vector<ShardCommand> commands_;
  std::mt19937 random_{kSeed};
  std::map<std::tuple<ShardCommand, std::size_t, std::string>, std::unique_ptr<TimedShards>>
      scenes_;
  std::map<std::string, std::size_t> phases_;
};

}  // namespace

TEST_CASE("encode killed at any moment leaves its file, or a directory without a set") {
  Killer({ShardCommand::kEncode}).run(kShardKills / 3, {SIGKILL});
}

TEST_CASE("encode --replace killed at any moment leaves the old file or the new one") {
  Killer({ShardCommand::kReplace}).run(kShardKills - kShardKills / 3 * 2, {SIGKILL});
}

TEST_CASE("repair killed at any moment has lost nothing") {
  Killer({ShardCommand::kRepair, ShardCommand::kRepairTo}).run(kShardKills / 3, {SIGKILL});
}

TEST_CASE("convert killed at any moment leaves the file, with its old code or the new one") {
  Killer({ShardCommand::kConvert}).run(kShardKills / 3, {SIGKILL});
}

TEST_CASE("What asks the program to end leaves no litter at any moment") {
  Killer({ShardCommand::kEncode, ShardCommand::kReplace, ShardCommand::kRepair,
          ShardCommand::kRepairTo, ShardCommand::kConvert})
      .run(std::max<std::size_t>(12, kShardKills / 5), {SIGTERM, SIGINT, SIGHUP});
}

}  // namespace xorloom::test
