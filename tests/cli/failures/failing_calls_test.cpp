#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/shard_scene.hpp"
#include "tests/cli/traced_calls.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_folder.hpp"

// Calls of the system that fail, or are the last, in the commands that write and read shards.

namespace xorloom::test {
namespace {

using ShardCommand = ShardScene::Command;

/// Has a call fail and checks what is left at once and what comes of it.
void check_failing(ShardScene& scene, const std::string& call, std::size_t number, Failing how) {
  const std::string inject = fault(call, number, how);
  CAPTURE(inject);
  scene.prepare(false);
  const Outcome outcome = traced(scene.arguments(), inject);
  CAPTURE(outcome.err);
  check_ending(outcome, how);
  // If files can be removed, no litter is left, and a command that failed has changed nothing.
  if (how == Failing::kOnce && call != "unlink") {
    CHECK(scene.litter() == "");
    const bool is_kept =
        outcome.status == 0 || !scene.gives_all_names_or_none() || scene.is_as_before();
    CHECK(is_kept);
  }
  CHECK(scene.flaw() == "");
}

/// Has calls of each name fail in turn.
void check_calls(ShardCommand command) {
  if (!can_inject()) return;
  ShardScene scene(command, 100, "1");
  CAPTURE(scene.arguments().front());
  scene.prepare(false);
  auto round = static_cast<std::size_t>(command);
  for (const auto& [call, numbers] :
       calls(scene.arguments(), scene.directories(),
             {"pwritev", "fsync", "renameat2", "rename", "openat", "unlink"})) {
    for (const Fault& each : faults(numbers, round++)) {
      check_failing(scene, call, each.number, each.how);
    }
  }
}

}  // namespace

TEST_CASE("encode leaves nothing behind, whichever call fails or is its last") {
  check_calls(ShardCommand::kEncode);
}

TEST_CASE(
    "encode --replace leaves the old set or the new one, whichever call fails or is its last") {
  check_calls(ShardCommand::kReplace);
}

TEST_CASE("repair loses nothing, whichever call fails or is its last") {
  check_calls(ShardCommand::kRepair);
}

TEST_CASE("repair into another directory loses nothing, whichever call fails or is its last") {
  check_calls(ShardCommand::kRepairTo);
}

TEST_CASE("convert leaves the old set or the new one, whichever call fails or is its last") {
  check_calls(ShardCommand::kConvert);
}

TEST_CASE("Shards that cannot be read are named, and the file is given back without them") {
  if (!can_inject()) return;
  const TemporaryFolder folder;
  write_file(folder / "old", random_bytes(100'000, 1));
  const std::string lines =
      "$xorloom encode old -o d 2> first || exit 1\n"
      "s=$(ls -d $PWD/d/*-03.shard)\n"
      "for when in 1+ 3+; do\n"  // all reads, or those after the headers
      "  strace -f -qq -o /dev/null -P $s -e trace=preadv -e inject=preadv:error=EIO:when=$when "
      "\\\n"
      "    $xorloom decode $PWD/d -o back 2> err && cmp back old && grep -c $s err\n"
      "done";
  const Outcome outcome = shell(lines, folder.path());
  CAPTURE(outcome.err);
  CHECK(outcome.out == "1\n1\n");
}

namespace {

/// A set, one shard of which the system cannot open or read, or may not.
struct UnreadableScene {
  UnreadableScene() {
    write_file(folder / "old", random_bytes(100'000, 1));
    REQUIRE(shell("$xorloom encode old -o d", folder.path()).status == 0);
    shard = folder / ("d/" + folder.names("d")[3]);
    bytes = read_file(shard);
  }

  /// Runs "COMMAND DIR ARGUMENTS" so that calls on the shard fail.
  Outcome run(const std::string& fault, const std::string& command,
              const std::string& arguments = "") const {
    return shell(fmt::format("strace -f -qq -o /dev/null -P {} -e trace=openat,preadv -e inject={} "
                             "$xorloom {} $PWD/d {}",
                             shard, fault, command, arguments),
                 folder.path());
  }

  TemporaryFolder folder;
  std::string shard;
  std::string bytes;
};

/// Identifies a file: a file that takes its name has another number.
std::string file_number(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? std::to_string(status.st_ino) : "none";
}

}  // namespace

TEST_CASE("A shard that the system cannot read is unreadable, and not missing") {
  if (!can_inject()) return;
  for (const auto& each : {std::pair{"openat:error=EACCES", "Permission denied"},
                           std::pair{"openat:error=EIO", "Input/output error"},
                           std::pair{"preadv:error=EIO", "Input/output error"}}) {
    const char* const fault = each.first;
    const char* const why = each.second;
    CAPTURE(fault);
    const UnreadableScene scene;
    const std::string named = fmt::format("{}: it cannot be read: {}", scene.shard, why);
    const Outcome verified = scene.run(fault, "verify");
    CHECK(verified.status == 1);
    CHECK(has(verified.out, "shards      14: 13 whole, 0 damaged, 0 missing, 1 unreadable\n"));
    CHECK(has(verified.out, "\n3         unreadable  "));
    CHECK(has(verified.err, named));
    CHECK(
        has(verified.err,
            "error: 0 of 14 shards damaged, 0 missing, 1 unreadable; the file can be recovered; "));
    CHECK_FALSE(has(verified.err, "repair makes them whole"));

    const auto json = nlohmann::json::parse(scene.run(fault, "verify", "--format json").out);
    CHECK(json["version"] == 4);
    CHECK(json["whole"] == false);
    CHECK(json["recoverable"] == true);
    const auto& location = json["locations"][3];
    CHECK(location["state"] == "unreadable");
    CHECK(location["path"] == scene.shard);
    CHECK(location["why"] == std::string("it cannot be read: ") + why);
    CHECK_FALSE(json["locations"][2].contains("why"));

    CHECK(has(scene.run(fault, "info").out, "bytes, none missing, unreadable 3\n"));
    const Outcome decoded = scene.run(fault, "decode", "-o back");
    CHECK(decoded.status == 0);
    CHECK(has(decoded.err, "unreadable: shard 3\n"));
    CHECK_FALSE(has(decoded.err, "missing"));
    CHECK((scene.folder.read("back") == scene.folder.read("old")));
  }
}

TEST_CASE(
    "What may not be read is left by repair, which says so, and what cannot is written anew") {
  if (!can_inject()) return;
  const char* const forbidden = "openat:error=EACCES";
  for (const char* const arguments : {"", "--only-missing"}) {
    CAPTURE(arguments);
    const UnreadableScene scene;
    std::filesystem::remove(scene.folder / ("d/" + scene.folder.names("d")[7]));
    const std::string before = file_number(scene.shard);
    const Outcome repaired = scene.run(forbidden, "repair", arguments);
    CHECK(repaired.status == 4);
    CHECK(has(repaired.err, "rebuilt 1 of 14 shards"));
    CHECK(has(repaired.err, "missing: shard 7\nunreadable: shard 3\n"));
    CHECK(has(repaired.err, "still unreadable: " + scene.shard + "\n"));
    CHECK(has(repaired.err, "error: 1 of 14 shards may not be read"));
    CHECK(file_number(scene.shard) == before);
    CHECK(scene.folder.names("d").size() == 14);
    CHECK(shell("$xorloom verify d", scene.folder.path()).status == 0);

    CHECK(scene.run(forbidden, "repair", "--to e").status == 0);
    CHECK(file_number(scene.shard) == before);
    CHECK(scene.folder.names("e").size() == 1);
  }
  for (const char* const fault : {"openat:error=EIO", "preadv:error=EIO"}) {
    CAPTURE(fault);
    const UnreadableScene scene;
    const std::string before = file_number(scene.shard);
    const Outcome repaired = scene.run(fault, "repair");
    CHECK(repaired.status == 0);
    CHECK(has(repaired.err, "unreadable: shard 3\nrebuilt in place: " + scene.shard + "\n"));
    CHECK(file_number(scene.shard) != before);
    CHECK((read_file(scene.shard) == scene.bytes));
  }
}

TEST_CASE(
    "Where shards that cannot be read are needed, they are named, and the system is said to "
    "refuse") {
  if (!can_inject()) return;
  const UnreadableScene scene;
  for (const std::size_t location : {4U, 5U, 6U, 7U}) {
    std::filesystem::remove(scene.folder / ("d/" + scene.folder.names("d")[location]));
  }
  REQUIRE(shell("$xorloom verify d", scene.folder.path()).status == 1);
  for (const auto& each : {std::pair{"verify", ""}, std::pair{"repair", ""},
                           std::pair{"decode", "-o back"}, std::pair{"convert", "--code rs:6,3"}}) {
    const char* const command = each.first;
    CAPTURE(command);
    const Outcome outcome = scene.run("openat:error=EACCES", command, each.second);
    CHECK(outcome.status == 4);
    const std::string error = outcome.err.substr(outcome.err.find("xorloom: error: "));
    CHECK(has(error, "; " + scene.shard + ": it cannot be read: Permission denied"));
  }
}

TEST_CASE("decode that is killed leaves nothing of its file, or what the next one removes") {
  if (!can_inject()) return;
  const TemporaryFolder folder;
  write_file(folder / "old", random_bytes(100'000, 1));
  const std::string lines =
      "$xorloom encode old -o d 2> first || exit 1\n"
      "mkdir -p out && rm -f out/*\n"
      "strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:signal=KILL:when=1 \\\n"
      "  $xorloom decode d -o out/back 2> err\n"
      "ls -A out | wc -l\n"
      "$xorloom decode d -o out/back 2> err && cmp out/back old && ls -A out; rm -r d";
  CHECK(shell(lines, folder.path()).out == "0\nback\n");
  const int answer = answer_of_process([&] {
    if (!begin_failing(kNoNameless)) return 100;
    return shell(lines, folder.path()).out == "1\nback\n" ? 0 : 1;
  });
  CHECK(answer == 0);
}

}  // namespace xorloom::test
