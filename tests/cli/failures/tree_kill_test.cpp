// Files and directories that are encoded and decoded as one set, ended at random moments.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/num_kills.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/tree_failure_scene.hpp"

namespace xorloom::test {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr std::size_t kLargeBytes = 2'000'000;

/// Ends a command at random moments of the time that it takes.
void end_often(const TreeFailureScene& scene, const std::vector<std::string>& command,
               const std::vector<int>& signals, const std::function<std::string()>& flaw) {
  std::mt19937 random{kSeed};
  scene.prepare();
  const auto begin = steady_clock::now();
  REQUIRE(xorloom(command).status == 0);
  const auto whole = std::chrono::duration_cast<microseconds>(steady_clock::now() - begin).count();
  std::size_t hits = 0;
  std::size_t hidden = 0;
  const std::size_t kills = num_kills("XORLOOM_KILLS", 21) / 3;
  for (std::size_t tries = 0; hits < kills; ++tries) {
    REQUIRE(tries <= 20 + 10 * kills);
    scene.prepare();
    const int signal = signals[tries % signals.size()];
    const microseconds after(std::uniform_int_distribution<microseconds::rep>(0, whole)(random));
    const Outcome outcome = xorloom_ended(command, {signal, after});
    if (outcome.status == 0) continue;  // ended before the signal
    ++hits;
    const std::string what = fmt::format("seed {}, try {}: signal {} after {} of {} us: {}", kSeed,
                                         tries, signal, after.count(), whole, command.front());
    CAPTURE(what);
    CHECK(outcome.status == -signal);
    if (signal == SIGKILL) {
      if (!scene.litter().empty()) ++hidden;
    } else {
      CHECK(scene.litter() == "");
    }
    CHECK(flaw() == "");
  }
  MESSAGE(hidden << " of " << hits << " left something hidden");
}

}  // namespace

TEST_CASE("encode of a tree killed at any moment leaves it, or a directory without a set") {
  const TreeFailureScene scene(kLargeBytes);
  end_often(scene, scene.encode_to("encoded"), {SIGKILL}, [&] { return scene.flaw_of_encoded(); });
}

TEST_CASE("decode of a tree killed at any moment leaves all of a name or nothing") {
  const TreeFailureScene scene(kLargeBytes);
  end_often(scene, scene.decode_to("new/"), {SIGKILL}, [&] { return scene.flaw_of_made(); });
}

TEST_CASE("decode --force killed at any moment leaves the old tree or the new one") {
  const TreeFailureScene scene(kLargeBytes);
  end_often(scene, scene.decode_to("to"), {SIGKILL}, [&] { return scene.flaw_of_replaced(); });
}

TEST_CASE("What asks decode of a tree to end leaves no litter") {
  const TreeFailureScene scene(kLargeBytes);
  const std::vector<int> signals = {SIGTERM, SIGINT, SIGHUP};
  end_often(scene, scene.decode_to("new/"), signals, [&] { return scene.flaw_of_made(); });
  end_often(scene, scene.decode_to("to"), signals, [&] { return scene.flaw_of_replaced(); });
}

}  // namespace xorloom::test
