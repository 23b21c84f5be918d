// Trees and protected files on file systems that lack what others have.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/case_scene.hpp"
#include "tests/cli/mounted_image.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/tree_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr ImageKind kBothKinds[] = {ImageKind::kExfat, ImageKind::kNtfs};

}  // namespace

TEST_CASE("Names that differ in case alone are not unpacked where they are one name") {
  for (const ImageKind kind : kBothKinds) check_names_below(kind);
}

TEST_CASE("Names that differ in case alone at the top are told apart, too") {
  check_names_at_top(ImageKind::kNtfs);
}

TEST_CASE("Hard links become copies where there are none, and that is said") {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "mkdir t; echo one > t/a; ln t/a t/b; ln t/a t/c; touch -d 2001-02-03 t/a\n"
      "$xorloom encode t -o d 2> log; cd other\n"
      "$xorloom decode ../d; echo $?; cat t/a t/b t/c; stat -c %Y t/b; stat -c %Y ../t/a\n";
  if (!run_on_image(folder, ImageKind::kExfat, lines, outcome)) return;
  CAPTURE(outcome.err);
  const std::string time = outcome.out.substr(outcome.out.size() - 10);
  CHECK(outcome.out == "0\none\none\none\n" + time + time);
  CHECK(
      has(outcome.err, "copied, since this file system has no more hard links: t/b and 1 more\n"));
}

TEST_CASE("What a file system cannot hold is status 4, and the rest comes on request") {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "mkdir t; echo one > 't/what?'; echo two > t/b; ln -s b t/link\n"
      "$xorloom encode t -o d 2> log; cd other\n"
      "$xorloom decode ../d; echo $?; ls -A; $xorloom decode ../d --keep-going; echo $?; ls t\n";
  if (!run_on_image(folder, ImageKind::kExfat, lines, outcome)) return;
  CAPTURE(outcome.err);
  CHECK(outcome.out == "4\n4\nb\n");
  CHECK(has(outcome.err,
            "'t/link' of the archive cannot be written here, and nothing is unpacked: "));
  CHECK(has(outcome.err, "left out: t/what?: "));
  CHECK(has(outcome.err, "left out: t/link: "));
  CHECK(has(outcome.err, "error: 2 entries of the archive could not be written here"));
}

TEST_CASE("repair restores no file in the place of one whose name differs in case alone") {
  for (const ImageKind kind : kBothKinds) check_repaired_names(kind);
}

TEST_CASE("A name that got other capital letters is no new file where they are one name") {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "mkdir other/t; seq 9999 > other/t/IMG.jpg; seq 999 > other/t/b\n"
      "$xorloom protect other/t -o p --base other --redundancy 50% 2> log\n"
      "mv other/t/IMG.jpg other/t/x; mv other/t/x other/t/img.JPG\n"
      "$xorloom verify p --base other | grep -c -e 2.whole -e new; $xorloom protect --update -o p "
      "--base other; $xorloom verify p --base other | grep -c -e 2.whole -e new\n";
  if (!run_on_image(folder, ImageKind::kExfat, lines, outcome)) return;
  CAPTURE(outcome.err);
  CHECK(outcome.out == "1\n1\n");
  CHECK(has(outcome.err, "renamed: t/IMG.jpg to t/img.JPG\n"));
  CHECK(!has(outcome.err, "given up"));
}

TEST_CASE("Restored files have their times where there are no links") {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "mkdir other/t; echo one > other/t/a; echo two > other/t/b; touch -d 2001-02-03 other/t/*\n"
      "$xorloom protect other/t -o p --base other --redundancy 200% 2> log; rm other/t/a\n"
      "$xorloom repair p --base other; echo $?; stat -c %Y other/t/a other/t/b\n"
      "$xorloom encode other/t/b -o d; $xorloom decode d -o other/; stat -c %Y other/b\n";
  if (!run_on_image(folder, ImageKind::kExfat, lines, outcome)) return;
  CAPTURE(outcome.err);
  const std::string time = outcome.out.substr(outcome.out.size() - 11);
  CHECK(outcome.out == "0" + time + time.substr(1) + time.substr(1));
}

}  // namespace xorloom::test
