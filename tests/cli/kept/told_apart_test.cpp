// What size and time do not tell: times that a copy cut, files of one size and one time, and empty
// ones. Contents decide then, and no damage is taken in. Disks that fail are named.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/traced_calls.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Three files, whose times have fractions, and their protection.
struct FilesAndTimes {
  FilesAndTimes() {
    std::filesystem::create_directories(folder / "p");
    for (std::uint32_t i = 1; i <= 3; ++i) {
      write_file(folder / ("p/f" + std::to_string(i)), random_bytes(30'000, i));
    }
    REQUIRE(run("touch -d '2026-05-02 12:00:01.987654321' p/f*; touch -d '2026-05-02 "
                "12:00:03.123456789' p/f2; cp -a p good; $xorloom protect -q p -o x.xorloom "
                "--redundancy 100%")
                .status == 0);
  }
  Outcome run(const std::string& line) const {
    return shell(
        "rot() { touch -r $1 stamp; printf xy | dd of=$1 bs=1 seek=7000 conv=notrunc status=none; "
        "touch -r stamp $1; rm stamp; }\n"
        "update() { $xorloom protect --update -o x.xorloom $*; }\n"
        "verify() { $xorloom verify x.xorloom $*; }\n" +
            line,
        folder.path());
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("Damage is not taken in after a copy that cut the times of files") {
  for (const char* const times :
       {"12:00:01.9876543", "12:00:01.987654", "12:00:01.98", "12:00:01", "12:00:00"}) {
    for (const char* const change : {"true", "mv p/f1 p/z"}) {
      CAPTURE(times);
      CAPTURE(change);
      const FilesAndTimes kept;
      const std::string copied = "touch -d '2026-05-02 " + std::string(times) + "' p/f1; ";
      const Outcome verified = kept.run(copied + "rot p/f1; " + change + "; verify");
      CHECK(verified.status == 1);
      CHECK(has(verified.out, "damaged  p/f1"));
      CHECK(!has(verified.out, "edited"));
      const Outcome updated = kept.run("update; verify");
      CHECK(updated.status == 1);
      CHECK(has(updated.out, "damaged  p/"));
      CHECK(kept.run("$xorloom repair x.xorloom && cat p/f1 p/z | cmp - good/f1").status == 0);
    }
  }
}

TEST_CASE("An update notes times that were cut, and those of a copy back to a finer disk") {
  const FilesAndTimes kept;
  const Outcome copied = kept.run("touch -d '2026-05-02 12:00:01' p/f1; update && verify");
  CHECK(copied.status == 0);
  CHECK(has(copied.out, "3 whole"));
  const Outcome back =
      kept.run("touch -d '2026-05-02 12:00:01.987654321' p/f1; rot p/f1; verify; update; verify");
  CHECK(back.status == 1);
  CHECK(has(back.out, "damaged  p/f1"));
  CHECK(!has(back.out, "edited"));
  // An edit has a later time.
  const Outcome edited =
      kept.run("echo edited >> p/f2; touch -d '2026-05-02 12:00:04' p/f2; update");
  CHECK(has(edited.err, "edited: p/f2"));
}

TEST_CASE("Files of one size and one time are read if names beside them changed") {
  const FilesAndTimes kept;
  const std::string swap =
      "mkdir p/a p/b; cp p/f1 p/a/IMG_1; cp p/f2 p/b/IMG_1; touch -d '2026-05-02 11:00' p/*/IMG_1; "
      "touch p/a/only_a p/b/only_b; touch -d '2026-05-02 12:00' p/a p/b; update -q; cmp p/a/IMG_1 "
      "good/f1 && mv p/a t && mv p/b p/a && mv t p/b; ";
  const Outcome updated = kept.run(swap + "update && verify");
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "renamed: p/a/ to p/b/, 2 files"));
}

TEST_CASE("Bytes in an empty file that has its old time are damage to verify and to an update") {
  const FilesAndTimes kept;
  REQUIRE(kept.run(": > p/empty; touch -d '2026-05-02 11:00' p/empty; update -q; echo junk > "
                   "p/empty; touch -d '2026-05-02 11:00' p/empty")
              .status == 0);
  const Outcome updated = kept.run("update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "p/empty changed, and the time did not, as if by damage"));
  CHECK(kept.run("$xorloom repair x.xorloom && test ! -s p/empty && rm p/*.damaged && verify")
            .status == 0);
}

TEST_CASE("An update that accepts damage reads all files, and takes them as they are") {
  const FilesAndTimes kept;
  const Outcome updated = kept.run("rot p/f1; update --accept-damage && verify");
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "damaged, and taken for edited: p/f1"));
}

TEST_CASE("A damaged file of which a copy was protected is damaged, and not replaced") {
  const FilesAndTimes kept;
  const Outcome verified = kept.run("rot p/f1; cp p/f1 p/c1; update; verify");
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "damaged  p/f1"));
  CHECK(!has(verified.out, "replaced"));
}

TEST_CASE("What no update keeps is called missing, and what stands there is named") {
  for (const char* const there : {"rm p/f1; mkdir p/f1", "rm p/f1; mkfifo p/f1"}) {
    CAPTURE(there);
    const FilesAndTimes kept;
    const Outcome verified = kept.run(std::string(there) + "; rm -r good; verify");
    CHECK(has(verified.out, "missing  p/f1: "));
    CHECK(has(verified.out, " stands there"));
    CHECK(has(verified.err, "1 is missing"));
    CHECK(has(kept.run("update").err, "no longer protected: p/f1"));
  }
  const FilesAndTimes kept;
  const Outcome verified = kept.run(
      "mkdir p/s; echo 1 > p/s/g1; echo 2 > p/s/g2; update -q; rm -r p/s; echo 3 > p/s; verify");
  CHECK(has(verified.out, "/p/s is no directory any more: move it away"));
}

TEST_CASE("Files of several renamed directories are counted once") {
  const FilesAndTimes kept;
  const Outcome repaired = kept.run(
      "mkdir p/A p/B; cp p/f1 p/A; cp p/f2 p/B; update -q; mv p/A p/A2; mv p/B p/B2; $xorloom "
      "repair "
      "x.xorloom");
  CHECK(has(repaired.err, "restored 2 of 5 protected files"));
}

TEST_CASE("repair says why a protection file that was named is not used") {
  const FilesAndTimes kept;
  const Outcome repaired = kept.run(
      "$xorloom protect -q p -o s1 -o s2 -o s3; mkdir q; cp p/f1 q; $xorloom protect -q q -o t1 -o "
      "t2; cp t2 s2; $xorloom repair s1 s2 s3");
  CHECK(has(repaired.err, "not used: s2 is of another protection"));
  CHECK(!has(repaired.err, "was not named"));
}

TEST_CASE("verify tells of damage in the line of an error, too, if a file cannot be read") {
  const FilesAndTimes kept;
  if (kept.run("setpriv --reuid 65534 --clear-groups $xorloom --version").status != 0) return;
  const Outcome verified = kept.run(
      "chmod -R a+rwX .; rot p/f1; chmod 0 p/f2; setpriv --reuid 65534 --clear-groups $xorloom "
      "verify x.xorloom");
  CHECK(verified.status == 4);
  CHECK(has(verified.err, "1 file is damaged, and repair restores it; 1 file cannot be read"));
}

TEST_CASE("A disk that fails is named, and nobody is told to protect anew") {
  const FilesAndTimes kept;
  if (!can_inject()) return;
  REQUIRE(kept.run("rot p/f1").status == 0);
  const std::string protection = kept.folder / "x.xorloom";
  for (const char* const from : {"1", "4", "20", "60", "200"}) {
    CAPTURE(from);
    const std::string fails =
        "-P " + protection + " -e trace=preadv -e inject=preadv:error=EIO:when=" + from + "+";
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"verify", protection},
          {"repair", protection, "--dry-run"},
          {"repair", protection, "--to", kept.folder / "to"},
          {"protect", "--update", "--dry-run", "-o", protection}}) {
      CAPTURE(command.front());
      const Outcome outcome = traced(command, fails);
      CHECK(!has(outcome.err, "them anew"));
      CHECK(!has(outcome.err, "--replace"));
      CHECK(!has(outcome.err, "another program"));
      const bool is_beginning = std::string(from) == "1";
      if (is_beginning) CHECK(has(outcome.err, "cannot read " + protection + ": Input/output"));
    }
  }
}

TEST_CASE("What is damaged in its place, kept under another name, or cut short is called that") {
  const FilesAndTimes kept;
  const Outcome elsewhere = kept.run("cp p/f1 p/same; update -q; rot p/f1; verify");
  CHECK(has(elsewhere.out, "30 of 30 blocks found, 1 of them in another place"));
  const Outcome moved = kept.run(
      "rm -r good p/same; update -q; mv p/f1 p/f2; $xorloom repair -q x.xorloom; ls p; $xorloom "
      "repair x.xorloom --remove-kept; ls p");
  CHECK(has(moved.out, "f2.damaged"));
  CHECK(has(moved.err, "removed: ./p/f2.damaged"));
  const Outcome cut =
      kept.run("truncate -s 100 x.xorloom; verify; echo mine > p/f1.damaged; update");
  CHECK(has(cut.err, "both headers of x.xorloom are damaged"));
  CHECK(has(cut.err, "protect them anew with --replace"));
  CHECK(has(kept.run("$xorloom protect p -o y.xorloom").err,
            "p/f1.damaged: it has the name of what repair keeps"));
}

}  // namespace xorloom::test
