#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Runs lines of shell beside the files old and new and the directory small, which is a file system
/// of `kilobytes` KiB. False if it cannot be mounted.
bool run_on_small_disk(const TemporaryFolder& folder, std::size_t kilobytes,
                       const std::string& lines, Outcome& outcome) {
  std::filesystem::create_directory(folder / "small");
  write_file(folder / "old", random_bytes(100'000, 1));
  write_file(folder / "new", random_bytes(100'000, 2));
  write_file(folder / "lines",
             fmt::format("mount -t tmpfs -o size={}k tmpfs small && touch mounted || exit 0\n{}",
                         kilobytes, lines));
  outcome = shell("export xorloom; unshare -rm bash lines", folder.path());
  if (std::filesystem::exists(folder / "mounted")) return true;
  MESSAGE("SKIPPED: no file system can be mounted here");
  return false;
}

bool is_one_sentence(const std::string& err, const std::string& path) {
  return err.find("xorloom: error: cannot write " + path) == 0 &&
         err.ends_with("No space left on device\n") && std::ranges::count(err, '\n') == 1;
}

}  // namespace

TEST_CASE("A file that does not fit on a disk is not encoded, and the disk is as empty as before") {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "$xorloom encode old -o small; echo $?; ls -A small\n"
      "$xorloom encode old -o small/d; echo $?; ls -A small";
  if (!run_on_small_disk(folder, 100, lines, outcome)) return;
  CHECK(outcome.out == "4\n4\n");
  const std::size_t end = outcome.err.find('\n') + 1;
  CHECK(is_one_sentence(outcome.err.substr(0, end), "small/xorloom-"));
  CHECK(is_one_sentence(outcome.err.substr(end), "small/d/xorloom-"));
}

TEST_CASE("A file that does not fit beside the set it is to replace leaves that set") {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "$xorloom encode old -o small 2> first || exit 1\n"
      "ls -A small > before\n"
      "$xorloom encode new -o small --replace; echo $?\n"
      "ls -A small | cmp - before && $xorloom verify small > verified || exit 1\n"
      "$xorloom decode small -o back 2> decoded && cmp back old && echo old";
  if (!run_on_small_disk(folder, 300, lines, outcome)) return;
  CHECK(outcome.out == "4\nold\n");
  CHECK(is_one_sentence(outcome.err, "small/xorloom-"));
}

TEST_CASE("Shards that do not fit on a disk are not repaired, and once they fit they are") {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "$xorloom encode old -o small 2> first || exit 1\n"
      "rm small/*-0[27].shard; ls -A small > before\n"
      "head -c 300000 /dev/zero > small/filler 2> full\n"
      "$xorloom repair small; echo $?\n"
      "rm small/filler; ls -A small | cmp - before || exit 1\n"
      "$xorloom decode small -o back 2> decoded && cmp back old && echo old\n"
      "$xorloom repair small 2> repaired && $xorloom verify small > verified && ls -A small | wc "
      "-l";
  if (!run_on_small_disk(folder, 260, lines, outcome)) return;
  CHECK(outcome.out == "4\nold\n14\n");
  CHECK(is_one_sentence(outcome.err, "small/xorloom-"));
}

TEST_CASE("A tree that does not fit on a disk is not decoded, and the disk is as before") {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "mkdir tree && cp old new tree && $xorloom encode tree -o d 2> encoded || exit 1\n"
      "mkdir small/tree && echo mine > small/tree/old\n"
      "for to in small small/new/; do\n"
      "  $xorloom decode d -o $to --force; echo $?; ls -AR small\n"
      "done; cat small/tree/old";
  if (!run_on_small_disk(folder, 150, lines, outcome)) return;
  const std::string as_before = "4\nsmall:\ntree\n\nsmall/tree:\nold\n";
  CHECK(outcome.out == as_before + as_before + "mine\n");
  CHECK(std::ranges::count(outcome.err, '\n') == 2);
  CHECK(has(outcome.err, "/tree/old: No space left on device\n"));
}

}  // namespace xorloom::test
