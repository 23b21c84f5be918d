#include "tests/cli/case_scene.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

void check_one_name(ImageKind kind, const std::string& make) {
  CAPTURE(make);
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines = "mkdir t; " + make +
                            "\n$xorloom encode t -o d 2> log; cd other\n"
                            "$xorloom decode ../d; echo $?; ls -A\n"
                            "$xorloom decode ../d --keep-going; echo $?; find t -type f | wc -l\n"
                            "$xorloom decode ../d -o a.tar; echo $?\n";
  if (!run_on_image(folder, kind, lines, outcome)) return;
  CAPTURE(outcome.err);
  CHECK(outcome.out == "4\n4\n1\n0\n");
  CHECK(
      has(outcome.err, "cannot be written here, and nothing is unpacked: this file system takes"));
}

void check_names_below(ImageKind kind) {
  for (const char* const make :
       {"echo 1 > t/Readme; echo 2 > t/README", "mkdir t/A t/a; echo 1 > t/A/x; echo 2 > t/a/x",
        "mkdir t/A; echo 1 > t/A/x; echo 2 > t/a", "echo 1 > t/Ärger; echo 2 > t/ärger"}) {
    check_one_name(kind, make);
  }
}

void check_names_at_top(ImageKind kind) {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "echo 1 > Name; echo 2 > name; $xorloom encode Name name -o d 2> log; cd other\n"
      "$xorloom decode ../d; echo $?; ls -A; $xorloom decode ../d --force; echo $?; ls -A\n"
      "echo kept > NAME; $xorloom decode ../d; echo $?; cat NAME";
  if (!run_on_image(folder, kind, lines, outcome)) return;
  CAPTURE(outcome.err);
  CHECK(outcome.out == "4\n4\n2\nkept\n");
  CHECK(has(outcome.err, "'name' of the archive cannot be written here"));
  CHECK(has(outcome.err, "takes it for Name;"));
}

void check_repaired_names(ImageKind kind) {
  const TemporaryFolder folder;
  Outcome outcome;
  const std::string lines =
      "mkdir t; seq 3000 > t/Readme; seq 4000 > t/README; seq 500 > t/Other\n"
      "$xorloom protect t -o p --redundancy 100% 2> log; mkdir other/t; cp t/README other/t\n"
      "for i in 1 2; do $xorloom repair p --base other; echo $?; done; ls other/t | wc -l\n"
      "cmp t/README other/t/README; cmp t/Other other/t/Other; rm other/t/*\n"
      "$xorloom repair p --base other; echo $?; cmp t/Readme other/t/Readme";
  if (!run_on_image(folder, kind, lines, outcome)) return;
  CAPTURE(outcome.err);
  CHECK(outcome.out == "4\n4\n2\n4\n");
  CHECK(has(outcome.err,
            "cannot write other/t/Readme: this file system takes it for "
            "other/t/README\n"));
}

}  // namespace xorloom::test
