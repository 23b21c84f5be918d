// Several names of one file, and files that are equal, where directories were renamed.

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Files with two names each, in one directory and in two, and files that are equal.
struct LinkedFiles {
  LinkedFiles() {
    write_file(folder / "one", random_bytes(20'000, 1));
    write_file(folder / "two", random_bytes(20'000, 2));
    write_file(folder / "three", random_bytes(30'000, 3));
    REQUIRE(run("mkdir -p d/x/deep d/z && mv one d/x/a && ln d/x/a d/x/b && mv two d/x/deep/c && "
                "ln d/x/deep/c d/z/c && mv three d/z/e && cp -p d/z/e d/x/e && "
                "$xorloom protect d -o p --redundancy 20%")
                .status == 0);
    before = names();
  }
  Outcome run(const std::string& line) const { return shell(line, folder.path()); }

  /// Each name with the number of the file, the number of its names, its time and its checksum.
  std::string names() const {
    return run("find d -type f -printf '%p %i %n %T@ ' -exec sh -c 'cksum < $0' {} \\; | sort").out;
  }
  TemporaryFolder folder;
  std::string before;
};

}  // namespace

TEST_CASE("Of a renamed directory, each name of a file is found, and moved with it") {
  for (const std::string directory : {"d/x", "d/z", "d/x/deep"}) {
    CAPTURE(directory);
    const LinkedFiles linked;
    const Outcome verified = linked.run("mv " + directory +
                                        " d/renamed; $xorloom verify p; $xorloom verify p --format "
                                        "json | grep -c '\"path\": \"./d/renamed/'");
    CAPTURE(verified.out);
    CHECK(has(verified.out, ", 0 damaged, "));
    CHECK(has(verified.out, ", 0 missing\n"));
    CHECK(!has(verified.out, "not protected"));
    CHECK(!has(verified.out, "lost"));
    const Outcome repaired = linked.run("$xorloom repair p");
    CAPTURE(repaired.err);
    CHECK(repaired.status == 0);
    CHECK(has(repaired.err, "moved back: ./d/renamed to ./" + directory + "\n"));
    CHECK(has(repaired.err, ", wrote 0 bytes, "));
    CHECK(!has(repaired.err, "restored: "));
    CHECK(linked.names() == linked.before);
  }
}

TEST_CASE("Directories that share files by hard links are renamed, each to a name of its own") {
  for (const std::string moves : {"mv d/x d/v; mv d/z d/w", "mv d/x d/w; mv d/z d/v"}) {
    CAPTURE(moves);
    const LinkedFiles linked;
    const Outcome repaired = linked.run(moves + "; $xorloom verify p; $xorloom repair p");
    CAPTURE(repaired.err);
    CHECK(repaired.status == 0);
    CHECK(has(repaired.out, "0 whole, 0 damaged, 6 moved, 0 missing\n"));
    CHECK(linked.run("ls d").out == "x\nz\n");
    CHECK(has(repaired.err, ", wrote 0 bytes, "));
    CHECK(linked.names() == linked.before);
  }
}

TEST_CASE("One name of a file that has another one is moved, and not copied") {
  const LinkedFiles linked;
  const Outcome verified = linked.run("mv d/x/b d/z/other; $xorloom verify p");
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "moved  d/x/b: it is ./d/z/other now\n"));
  CHECK(!has(verified.out, "not protected"));
  CHECK(has(linked.run("$xorloom repair p").err, ", wrote 0 bytes, "));
  CHECK(linked.names() == linked.before);
  // If one of its names is gone, the file is copied from another name.
  const Outcome copied = linked.run("rm d/x/b; $xorloom repair p && cmp d/x/a d/x/b");
  CHECK(copied.status == 0);
  CHECK(has(copied.err, "restored: ./d/x/b\n"));
}

TEST_CASE("An update renames each name of a file with its directory") {
  const LinkedFiles linked;
  const Outcome updated =
      linked.run("mv d/x d/v; mv d/z d/w; $xorloom protect --update -o p && $xorloom verify p");
  CAPTURE(updated.err);
  CHECK(updated.status == 0);
  CHECK(
      has(updated.err, "updated: 0 new, 0 edited, 6 renamed, 0 no longer protected, 0 as before"));
}

TEST_CASE("An update that takes in one more name of a protected file names them all") {
  const LinkedFiles linked;
  const Outcome updated = linked.run("ln d/x/a d/z/a; $xorloom protect --update -o p");
  CHECK(has(updated.err,
            "hard links of one file, each of which repair restores as a file of its own: d/x/a, "
            "d/x/b, d/z/a\n"));
  CHECK(!has(updated.err, "d/x/deep/c"));
  // What is known is no news, also if a file was edited or all files are read.
  CHECK(!has(linked.run("echo edited >> d/x/a; $xorloom protect --update -o p").err, "hard links"));
  const Outcome whole = linked.run("rm d/z/e d/x/e; $xorloom protect --update -o p");
  CHECK(has(whole.err, "read all files"));
  CHECK(!has(whole.err, "hard links"));
}

TEST_CASE("Damage of a file with two names is restored under both") {
  const LinkedFiles linked;
  const Outcome repaired = linked.run(
      "cp d/x/a whole; touch -r d/x/a stamp; printf x | dd of=d/x/a bs=1 seek=9 conv=notrunc "
      "status=none; touch -r stamp d/x/a; mv d/x d/y; $xorloom repair p; cmp whole d/x/a && cmp "
      "whole d/x/b && test ! -e d/y");
  CAPTURE(repaired.err);
  CHECK(repaired.status == 0);
}

}  // namespace xorloom::test
