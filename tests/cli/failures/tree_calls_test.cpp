// Calls of the system that fail, or are the last, while files and directories are decoded.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/traced_calls.hpp"
#include "tests/cli/tree_failure_scene.hpp"

namespace xorloom::test {
namespace {

/// The calls to fail, by number. strace counts the calls of each thread; if a thread makes fewer,
/// none of its calls fails.
std::vector<std::size_t> numbers() {
  std::vector<std::size_t> all(24);
  std::iota(all.begin(), all.end(), std::size_t{1});
  return all;
}

/// Has a call fail, or be the last, and checks what is left.
void check_failing(const TreeFailureScene& scene, const std::vector<std::string>& command,
                   std::string_view call, const std::string& inject,
                   const std::function<std::string()>& flaw) {
  CAPTURE(inject);
  scene.prepare();
  const Outcome outcome = traced(command, inject);
  CAPTURE(outcome.err);
  const bool is_known = outcome.status == 0 || outcome.status == 4 || outcome.status == -SIGKILL;
  CHECK(is_known);
  if (outcome.status == 4) {
    // If write fails, so does the output of the error.
    const bool is_said = has(outcome.err, "xorloom: error: ") || call == "write";
    CHECK(is_said);
    CHECK(scene.is_as_before());
  }
  const bool cannot_remove = call == "unlink" || call == "rmdir";
  if (outcome.status == 0 && !cannot_remove) CHECK(scene.litter() == "");
  if (has(outcome.err, "could not be given its permissions and time")) return;  // so it is another
  CHECK(flaw() == "");
}

void check_calls(const TreeFailureScene& scene, const std::vector<std::string>& command,
                 std::size_t round, const std::function<std::string()>& flaw) {
  for (const std::string call : {"write", "mkdir", "symlink", "linkat", "renameat2", "syncfs",
                                 "fsync", "fchmod", "utimensat", "unlink", "rmdir", "flock"}) {
    for (const auto& [number, how] :
         faults(numbers(), round++, {Failing::kOnce, Failing::kKilled})) {
      check_failing(scene, command, call, fault(call, number, how), flaw);
    }
  }
}

}  // namespace

TEST_CASE("decode of a tree leaves all of a name or nothing, whichever call fails or is its last") {
  if (!can_inject()) return;
  const TreeFailureScene scene(300'000);
  check_calls(scene, scene.decode_to("new/"), 0, [&] { return scene.flaw_of_made(); });
}

TEST_CASE("decode --force leaves the old tree or the new, whichever call fails or is its last") {
  if (!can_inject()) return;
  const TreeFailureScene scene(300'000);
  check_calls(scene, scene.decode_to("to"), 1, [&] { return scene.flaw_of_replaced(); });
}

}  // namespace xorloom::test
