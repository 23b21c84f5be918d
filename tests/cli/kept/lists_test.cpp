// Long lists of files: what protect, verify and repair name of them.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

/// Two directories of 30 files each, whose protection is on another disk.
struct Disks {
  Disks() {
    for (const std::string directory : {"photos/old/", "photos/2026/trip/"}) {
      fs::create_directories(folder / ("d1/" + directory));
      for (int i = 10; i < 40; ++i) {
        write_file(folder / ("d1/" + directory + std::to_string(i)), random_bytes(2000, ++seed));
      }
    }
    fs::create_directory(folder / "d2");
    REQUIRE(run("$xorloom protect d1/photos --base d1 -o d2/p --redundancy 150%").status == 0);
  }
  Outcome run(const std::string& line) const { return shell(line, folder.path()); }
  std::uint32_t seed = 0;
  TemporaryFolder folder;
};

std::size_t lines_with(const std::string& text, std::string_view part) {
  std::size_t lines = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    ++lines;
    at = std::min(text.find('\n', at), text.size());
  }
  return lines;
}

}  // namespace

TEST_CASE("A directory that was renamed is one line, in verify and in an update") {
  const Disks disks;
  const Outcome verified =
      disks.run("mv d1/photos/old d1/photos/older; $xorloom verify d2/p --base d1");
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "moved  photos/old/: 30 files are in d1/photos/older/ now\n"));
  CHECK(lines_with(verified.out, "moved  ") == 1);
  CHECK(has(verified.err,
            "error: of 60 protected files, 30 were moved: repair brings back what they were, and "
            "protect --update takes in what they are\n"));
  const std::string update = "$xorloom protect --update -o d2/p --base d1";
  const Outcome updated = disks.run("mv d1/photos/2026/trip/10 d1/photos/first; " + update);
  CHECK(has(updated.err, "renamed: photos/2026/trip/10 to photos/first\n"));
  CHECK(has(updated.err, "renamed: photos/old/ to photos/older/, 30 files\n"));
  CHECK(lines_with(updated.err, "renamed: ") == 2);
  // Out of the directory of the names, and into it.
  CHECK(has(disks.run("mv d1/photos/older/* d1; " + update + " d1").err,
            "renamed: photos/older/ to ./, 30 files\n"));
}

TEST_CASE("A directory from which some files were moved is not called renamed") {
  const Disks disks;
  const Outcome verified = disks.run(
      "mkdir d1/photos/old/a; mv d1/photos/old/1? d1/photos/old/a; $xorloom verify d2/p --base d1");
  CHECK(has(verified.out, "moved  photos/old/: 10 of 30 files are in d1/photos/old/a/ now\n"));
  CHECK(has(disks.run("$xorloom protect --update -o d2/p --base d1").err,
            "renamed: photos/old/ to photos/old/a/, 10 of 30 files\n"));
}

TEST_CASE("Of many files of a kind ten are named, and all on request and to programs") {
  const Disks disks;
  const std::string verify = "$xorloom verify d2/p --base d1";
  const Outcome missing = disks.run("rm d1/photos/old/*; touch d1/photos/2026/trip/1; " + verify);
  CHECK(missing.status == 1);
  CHECK(lines_with(missing.out, "missing  photos/") == 10);
  CHECK(has(missing.out, "missing  20 more, which --list-all names\n"));
  CHECK(has(missing.out, "new      photos/2026/trip/1: it is not protected\n"));
  CHECK(lines_with(disks.run(verify + " --list-all").out, "missing  photos/") == 30);
  CHECK(lines_with(disks.run(verify + " --format json").out, "\"missing\"") == 30);
  CHECK(lines_with(disks.run(verify + " --format html").out, "photos/old/") == 30);
  const std::string repair = "$xorloom repair d2/p --base d1";
  const Outcome trial = disks.run(repair + " --dry-run");
  CHECK(lines_with(trial.err, "would be restored: d1/photos/old/") == 10);
  CHECK(has(trial.err, "would be restored: 20 more, which --list-all names\n"));
  CHECK(lines_with(disks.run(repair + " --list-all").err, "restored: d1/photos/old/") == 30);
  // Eleven are named: a line that counts one more would be as long.
  const Outcome eleven = disks.run("rm d1/photos/old/[12]0 d1/photos/old/3?; " + repair);
  CHECK(eleven.status == 0);
  CHECK(lines_with(eleven.err, "restored: d1/photos/old/") == 12 - 2);
  CHECK(lines_with(disks.run("rm d1/photos/old/[12]0 d1/photos/old/3[0-8]; " + repair).err,
                   "restored: d1/photos/old/") == 11);
  const Outcome update = disks.run(
      "for i in $(seq 15); do echo $i > d1/photos/new$i; ln -s new1 d1/photos/link$i; done\n"
      "mkfifo d1/photos/pipe; rm d1/photos/old/*; $xorloom protect --update -o d2/p --base d1 "
      "--accept-missing");
  CHECK(lines_with(update.err, "new: photos/") == 10);
  CHECK(has(update.err, "new: 6 more, which --list-all names\n"));
  CHECK(lines_with(update.err, "left out: photos/link") == 10);
  CHECK(has(update.err, "left out: 5 more, which --list-all names\n"));
  CHECK(has(update.err, "left out: photos/pipe: it is no regular file\n"));
  CHECK(has(update.err, "no longer protected: 20 more, which --list-all names\n"));
}

TEST_CASE("Lost files and those that cannot be restored are named with -q, too") {
  const Disks disks;
  const Outcome lost = disks.run(
      "echo > d1/photos/old/there; $xorloom protect d1/photos -o d1/weak --redundancy 5%; rm "
      "d1/photos/old/[0-9]*; $xorloom repair -q d1/weak");
  CHECK(lost.status == 3);
  CHECK(has(lost.err, "missing, and beyond repair: d1/photos/old/10\n"));
  CHECK(has(lost.err, "missing, and beyond repair: 20 more, which --list-all names\n"));
  const Outcome refused = disks.run("mkdir d1/photos/old/11; $xorloom repair -q d2/p --base d1");
  CHECK(refused.status == 4);
  CHECK(has(refused.err,
            "cannot restore d1/photos/old/11: a directory stands there; move it away, and repair "
            "again\n"));
}

TEST_CASE("verify --all tells two disks apart that protect each other and have the same names") {
  const KeptScene disks(
      {.names = numbered({"d1/photos", "d2/photos"}, 3),
       .protect =
           "for photo in d2/photos/[12]; do echo >> $photo; done; $xorloom protect -q d1/photos "
           "--base d1 -o d2/one && $xorloom protect -q d2/photos --base d2 -o d1/two"});
  for (const std::string all : {"d1 d2", "."}) {
    CAPTURE(all);
    const Outcome whole = disks.run("$xorloom verify --all " + all);
    const std::string in = all == "." ? "./" : "";
    CHECK(whole.status == 0);
    CHECK(has(whole.out, "base        " + in + "d1\n"));
    CHECK(has(whole.out, "base        " + in + "d2\n"));
  }
}

TEST_CASE("verify --all takes names from the DIR that has the files") {
  const Disks disks;
  const Outcome all = disks.run("mkdir d3; $xorloom verify --all d3 d2 d1");
  CHECK(all.status == 0);
  CHECK(has(all.out, "files       60: 60 whole"));
  CHECK(has(all.out, "base        d1\n"));
  CHECK(has(disks.run("$xorloom verify --all d1 d2 --format json").out, "\"base\": \"d1\""));
  // Of two directories, the one with more of the files is taken as base.
  CHECK(disks
            .run("mkdir -p d3/photos/old; cp d1/photos/old/10 d3/photos/old; $xorloom verify --all "
                 "d3 d2 d1")
            .status == 0);
  // Without the disk of the files, that disk counts as not mounted.
  const Outcome without = disks.run("$xorloom verify --all d2");
  CHECK(without.status == 4);
  CHECK(
      has(without.err, "d2/p: none of 60 protected files is in d2, as if a disk were not mounted"));
  // Files beside their protection are taken, wherever else there are some of these names.
  CHECK(!has(
      disks.run("cp -r d1 d4; $xorloom protect d1/photos -o d1/q; $xorloom verify --all d1 d4").out,
      "base "));
}

TEST_CASE("More damaged files than a command has room for are counted") {
  const Disks disks;
  const Outcome refused = disks.run(
      "for f in d1/photos/old/[12]?; do touch -r $f s; printf xyz | dd of=$f bs=1 seek=9 "
      "conv=notrunc "
      "status=none; touch -r s $f; done; $xorloom protect d1/photos --base d1 -o d2/p --replace");
  CHECK(refused.status == 1);
  CHECK(has(refused.err,
            "to restore the old content of the first 8 of 20 files: xorloom repair d2/p "
            "--base d1 --only photos/old/10 "));
}

}  // namespace xorloom::test
