#include "runtime/machine/thread_team.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

namespace xorloom {
namespace {

using std::chrono::microseconds;

TEST_CASE("a team of one is the caller") {
  ThreadTeam team;
  std::size_t calls = 0;
  CHECK(team.run(8, microseconds(0), [&](std::size_t thread) noexcept { calls += thread + 1; }));
  CHECK(calls == 1);
}

TEST_CASE("threads come in with the numbers they keep, and never more than were asked for") {
  ThreadTeam team;
  team.grow(4);
  std::array<std::atomic<int>, 4> came{};
  for (int call = 0; call < 200; ++call) {
    std::atomic<int> others{0};
    CHECK(team.run(3, microseconds(100), [&](std::size_t thread) noexcept {
      ++came[thread];
      if (thread != 0) ++others;
      // The caller waits for a while, so that the others have time to come.
      for (int i = 0; thread == 0 && others.load() < 2 && i < 1000; ++i) std::this_thread::yield();
    }));
  }
  CHECK(came[0] == 200);
  CHECK(came[1] > 0);
  CHECK(came[2] > 0);
  CHECK(came[3] == 0);
}

TEST_CASE("a call within a call finds the team taken") {
  ThreadTeam team;
  bool was_taken = false;
  CHECK(team.run(1, microseconds(0), [&](std::size_t) noexcept {
    std::thread([&] {
      was_taken = !team.run(1, microseconds(0), [](std::size_t) noexcept {});
    }).join();
  }));
  CHECK(was_taken);
}

TEST_CASE("a forked process has no team, and ends") {
  ThreadTeam& team = ThreadTeam::shared();
  team.grow(2);
  CHECK(team.run(2, microseconds(10), [](std::size_t) noexcept {}));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(team.run(2, microseconds(10), [](std::size_t) noexcept {}) ? 1 : 0);
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

}  // namespace
}  // namespace xorloom
