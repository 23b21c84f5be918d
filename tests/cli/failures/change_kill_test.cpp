#include <doctest/doctest.h>
#include <fmt/format.h>

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

#include "tests/cli/change_scene.hpp"
#include "tests/cli/num_kills.hpp"
#include "tests/cli/program.hpp"

// The commands that change a set in place, killed at random moments. XORLOOM_CHANGE_KILLS is the
// number of kills of each of them that are to hit a running program.

namespace xorloom::test {
namespace {

using ChangeCommand = ChangeScene::Command;
using Layout = ChangeScene::Layout;
using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr std::array kLayouts = {Layout::kWhole, Layout::kMissing, Layout::kSpread};
constexpr std::array<std::size_t, 2> kChangedFileBytes = {100'000, 3'000'000};
const std::size_t kChangeKills = num_kills("XORLOOM_CHANGE_KILLS", 6);

/// A scene, and how long its command takes if nobody ends it.
struct TimedChange {
  TimedChange(ChangeCommand command, Layout layout, std::size_t file_bytes)
      : scene(command, layout, file_bytes) {
    const auto begin = steady_clock::now();
    const Outcome outcome = xorloom(scene.arguments());
    duration = std::chrono::duration_cast<microseconds>(steady_clock::now() - begin);
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    std::mt19937 random(kSeed);
    CHECK(scene.flaw(random) == "");
  }
  ChangeScene scene;
  microseconds duration{};
};

/// Kills a command until kChangeKills kills have hit a running one, and checks what is left.
void kill_at_random(ChangeCommand command) {
  std::mt19937 random(kSeed);
  std::map<std::tuple<Layout, std::size_t>, std::unique_ptr<TimedChange>> scenes;
  std::map<std::string, std::size_t> phases;
  std::size_t hits = 0;
  for (std::size_t tries = 0; hits < kChangeKills; ++tries) {
    REQUIRE(tries <= 20 + 10 * kChangeKills);
    // The first kills of a command are of one size in each layout, which takes turns by command.
    const std::size_t round = hits / 2 / kLayouts.size();
    const std::size_t turn = hits / 2 % kLayouts.size() + static_cast<std::size_t>(command);
    const Layout layout = kLayouts[hits / 2 % kLayouts.size()];
    const std::size_t file_bytes = kChangedFileBytes[(turn + round) % kChangedFileBytes.size()];
    auto& timed = scenes[{layout, file_bytes}];
    if (!timed) timed = std::make_unique<TimedChange>(command, layout, file_bytes);
    ChangeScene& scene = timed->scene;
    scene.prepare();
    const auto draw = [&](microseconds::rep most) {
      return microseconds(std::uniform_int_distribution<microseconds::rep>(0, most)(random));
    };
    // Every third soon after the first journal has its name, when the shards are being changed.
    Ending ending{SIGKILL, draw(timed->duration.count()), {}};
    if (random() % 3 == 0) ending = {SIGKILL, draw(4000), [&] { return scene.is_committed(); }};
    const Outcome outcome = xorloom_ended(scene.arguments(), ending);
    if (outcome.status == 0) continue;  // ended before the kill
    ++hits;
    const std::string what =
        fmt::format("seed {}, kill {}: after {} of {} us{}: {}", kSeed, hits, ending.after.count(),
                    timed->duration.count(), ending.once ? " of the commit" : "",
                    fmt::join(scene.arguments(), " "));
    CAPTURE(what);
    CHECK(outcome.status == -SIGKILL);
    const std::string phase = scene.phase();
    CAPTURE(phase);
    ++phases[phase];
    CHECK(scene.flaw(random) == "");
  }
  std::string text = fmt::format("{} hit a running program", hits);
  for (const auto& [phase, count] : phases) text += fmt::format("\n{:>6}  {}", count, phase);
  MESSAGE(text);
}

}  // namespace

TEST_CASE("patch killed at any moment leaves the old bytes or the new ones") {
  kill_at_random(ChangeCommand::kPatch);
}

TEST_CASE("append killed at any moment leaves the old file or the longer one") {
  kill_at_random(ChangeCommand::kAppend);
}

TEST_CASE("truncate killed at any moment leaves the old file or the shorter one") {
  kill_at_random(ChangeCommand::kTruncate);
}

TEST_CASE("convert in place killed at any moment leaves the file, with its old code or a new one") {
  kill_at_random(ChangeCommand::kConvertToMore);
  kill_at_random(ChangeCommand::kConvertToFewer);
}

TEST_CASE("repair of shards that a patch left behind loses nothing when it is killed") {
  kill_at_random(ChangeCommand::kRepair);
}

}  // namespace xorloom::test
