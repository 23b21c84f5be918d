#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/change_scene.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/traced_calls.hpp"
#include "tests/support/temporary_folder.hpp"

// Calls of the system that fail, or are the last, in the commands that change a set in place.

namespace xorloom::test {
namespace {

using ChangeCommand = ChangeScene::Command;
using Layout = ChangeScene::Layout;

void check_failing(ChangeScene& scene, const std::string& call, std::size_t number, Failing how,
                   std::mt19937& random) {
  const std::string inject = fault(call, number, how);
  CAPTURE(inject);
  scene.prepare();
  const Outcome outcome = traced(scene.arguments(), inject);
  CAPTURE(outcome.err);
  check_ending(outcome, how);
  CHECK(scene.flaw(random) == "");
}

void check_calls(ChangeCommand command, Layout layout) {
  if (!can_inject()) return;
  std::mt19937 random(1);
  ChangeScene scene(command, layout, 100);
  CAPTURE(scene.arguments().front());
  scene.prepare();
  auto round = static_cast<std::size_t>(command);
  for (const auto& [call, numbers] :
       calls(scene.arguments(), scene.directories(),
             {"write", "pwritev", "fsync", "renameat2", "ftruncate", "openat", "unlink"})) {
    for (const Fault& each : faults(numbers, round++)) {
      check_failing(scene, call, each.number, each.how, random);
    }
  }
}

}  // namespace

TEST_CASE("patch leaves the old bytes or the new ones, whichever call fails or is its last") {
  check_calls(ChangeCommand::kPatch, Layout::kWhole);
}

TEST_CASE("patch of a degraded set does, too") {
  check_calls(ChangeCommand::kPatch, Layout::kMissing);
}

TEST_CASE("append leaves the old file or the longer one, whichever call fails or is its last") {
  check_calls(ChangeCommand::kAppend, Layout::kSpread);
}

TEST_CASE("truncate leaves the old file or the shorter one, whichever call fails or is its last") {
  check_calls(ChangeCommand::kTruncate, Layout::kWhole);
}

TEST_CASE(
    "convert in place leaves the old code or the new one, whichever call fails or is its last") {
  check_calls(ChangeCommand::kConvertToMore, Layout::kSpread);
  check_calls(ChangeCommand::kConvertToFewer, Layout::kWhole);
}

TEST_CASE("repair after a patch loses nothing, whichever call fails or is its last") {
  check_calls(ChangeCommand::kRepair, Layout::kWhole);
}

TEST_CASE("A change that is carried out where directories are away is made when they are back") {
  if (!can_inject()) return;
  const TemporaryFolder folder;
  write_file(folder / "file", random_bytes(50'000, 1));
  write_file(folder / "part", "hello");
  const auto run = [&](const std::string& line) { return shell(line, folder.path()); };
  REQUIRE(run("$xorloom encode file -o a -o b -o c --code cauchy-good:k=2,m=1,w=8").status == 0);
  // One journal has its name, and two still have hidden names.
  run("strace -f -o /dev/null -e trace=renameat2 -e inject=renameat2:signal=KILL:when=2 $xorloom "
      "patch a b c --at 0 part");
  const std::string after = "hello" + read_file(folder / "file").substr(5);
  REQUIRE(run("$xorloom decode a b c -o back && mkdir away && mv b c away").status == 0);
  CHECK(read_file(folder / "back") == after);
  CHECK(run("$xorloom repair a").status == 3);
  REQUIRE(run("mv away/* . && $xorloom decode a b c -o again").status == 0);
  CHECK(read_file(folder / "again") == after);
  CHECK(run("$xorloom repair a b c && $xorloom verify a b c").status == 0);
  CHECK(run("ls -A a b c | grep journal").out == "");
}

}  // namespace xorloom::test
