// What size and time do not tell: times that a copy cut, files of one size and one time, empty ones.
// Contents decide then, and no damage is taken in.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/program.hpp"
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

}  // namespace xorloom::test
