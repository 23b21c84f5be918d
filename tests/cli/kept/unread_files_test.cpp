// Messages about files that cannot be read, were changed on purpose, or lie elsewhere: no such file
// is called lost or damaged, and the advice can be followed.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/traced_calls.hpp"

namespace xorloom::test {
namespace {

/// Two directories of pictures below d1, and their protection in d2.
struct Pictures : KeptScene {
  explicit Pictures(const std::string& options = "")
      : KeptScene({.names = numbered({"d1/photos/a", "d1/photos/b"}, 8),
                   .protect = "mkdir d2; chmod -R a+rwX .; cp -a d1 good; $xorloom protect "
                              "d1/photos -q -o d2/p.xorloom --base d1 " +
                              options,
                   .kept = "d2/p.xorloom --base d1"}) {}
};

/// Ten files that all users may write, their protection, and what is compared after a repair.
struct TenFiles : KeptScene {
  TenFiles()
      : KeptScene({.names = numbered({"p"}, 10),
                   .protect = "mkdir out; cksum < p/3 > sum; $xorloom protect -q p -o x.xorloom "
                              "--redundancy 30%; cp x.xorloom before; chmod -R a+rwX .",
                   .kept = "x.xorloom"}) {}
};

}  // namespace

TEST_CASE("A protection file that may not be read is not called empty or damaged") {
  const Pictures disks;
  if (!disks.has_user()) return;
  REQUIRE(disks.run("chmod 600 d2/p.xorloom").status == 0);
  for (const char* const command :
       {"verify d2/p.xorloom --base d1", "info d2/p.xorloom", "repair d2/p.xorloom --base d1",
        "verify --all d2 d1", "protect d1/photos -o d2/p.xorloom --base d1 --replace",
        "protect --update -o d2/p.xorloom --base d1"}) {
    CAPTURE(command);
    const Outcome outcome = disks.run("user $xorloom " + std::string(command));
    CHECK(outcome.status == 4);
    CHECK(has(outcome.err, "cannot read d2/p.xorloom: Permission denied"));
    CHECK(!has(outcome.err, "damaged"));
    CHECK(!has(outcome.err, "anew"));
  }
}

TEST_CASE("Files that may not be read are not lost, nor are those that wait for them") {
  const Pictures disks;
  if (!disks.has_user()) return;
  const Outcome verified = disks.run(
      "chmod 000 d1/photos/b; rot d1/photos/a/1; user $xorloom verify "
      "d2/p.xorloom --base d1");
  CHECK(verified.status == 4);
  CHECK(!has(verified.out, "lost        photos"));
  CHECK(!has(verified.err, "lost"));
  CHECK(has(verified.out, "blocked"));
  CHECK(has(verified.out, "photos/a/1: bytes 0-"));
  CHECK(has(disks.run("user $xorloom verify d2/p.xorloom --base d1 --format json").out,
            "\"lost\": []"));
  const Outcome repaired = disks.run("user $xorloom repair d2/p.xorloom --base d1");
  CHECK(repaired.status == 4);
  CHECK(has(repaired.err,
            "can be restored only if the files that cannot be read are whole; left as it is: "
            "d1/photos/a/1\n"));
  CHECK(!has(repaired.err, "beyond repair"));
  CHECK(disks.run("chmod 755 d1/photos/b; repair && cmp d1/photos/a/1 good/photos/a/1").status ==
        0);
}

TEST_CASE("A file that fails in its middle is left out, and all others are protected") {
  if (!can_inject()) return;
  const Pictures disks;
  const std::string failing =
      "failing() { file=$PWD/$1; shift; strace -f -o trace -P \"$file\" -e trace=preadv -e "
      "inject=preadv:error=EIO:when=6+ $xorloom protect d1/photos --base d1 --keep-going \"$@\"; "
      "}\n";
  const Outcome first = disks.run(failing +
                                  "failing d1/photos/a/3 -o new; status=$?; $xorloom "
                                  "verify new --base d1; exit $status");
  CHECK(first.status == 4);
  CHECK(has(first.err, "left out: photos/a/3: it cannot be read: Input/output error\n"));
  CHECK(has(first.err, "1 file or directory cannot be read"));
  CHECK(has(first.out, "15: 15 whole"));
  CHECK(has(first.out, "photos/a/3: it is not protected"));
  const Outcome later = disks.run(failing +
                                  "cp good/photos/b/1 d1/photos/b/9; echo more >> d1/photos/b/9; "
                                  "failing d1/photos/b/9 --update -o new; status=$?; $xorloom "
                                  "verify new --base d1; exit $status");
  CHECK(later.status == 4);
  CHECK(has(later.err, "1 file or directory cannot be read"));
  CHECK(has(later.out, "16: 16 whole"));
}

TEST_CASE("However many files fail in their middles, all others are read twice at most") {
  if (!can_inject()) return;
  const Pictures disks;
  const Outcome outcome = disks.run(
      "for i in 2 4 6 8; do on=\"$on -P $PWD/d1/photos/b/$i\"; done; strace -f -o trace $on -e "
      "trace=preadv,openat -e inject=preadv:error=EIO:when=1+ $xorloom protect d1/photos --base d1 "
      "--keep-going -o new; status=$?; grep -c 'openat.*b/8\"' trace; $xorloom verify new --base "
      "d1; exit $status");
  CAPTURE(outcome.out);
  CHECK(outcome.status == 4);
  CHECK(has(outcome.err, "4 files and directories cannot be read"));
  CHECK(has(outcome.out, "12: 12 whole"));
  // b/8 is opened three times: twice when files are listed, and once when it is read.
  CHECK(outcome.out.starts_with("3\n"));
}

TEST_CASE("An update gives up nothing that a damaged file needs beside files that cannot be read") {
  const TenFiles kept;
  if (!kept.has_user()) return;
  REQUIRE(kept.run("touch -r p/3 stamp; head -c 19000 /dev/zero | dd of=p/3 conv=notrunc "
                   "status=none; touch -r stamp p/3; chmod 0 p/4 p/5 p/6; mv p/3 p/z; "
                   "mv p/7 p/8 p/9 out")
              .status == 0);
  CHECK(has(kept.run("user $xorloom verify x.xorloom").out, "blocked     p/3: "));
  const Outcome updated = kept.run("user $xorloom protect --update -o x.xorloom");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "nothing was changed, since p/3 could then not be restored: "));
  CHECK(has(updated.err, "to restore the old content: xorloom repair x.xorloom --only p/3\n"));
  CHECK(kept.run("cmp x.xorloom before && chmod 644 p/[456] && repair && cksum < p/3 | cmp sum -")
            .status == 0);
}

TEST_CASE("An update gives up nothing that a missing file needs while something cannot be read") {
  const TenFiles kept;
  if (!kept.has_user()) return;
  const Outcome updated = kept.run(
      "rm p/3; mv p/7 p/8 p/9 out; for i in 7 8 9; do edit p/$i; done; chmod a+rw p/*; "
      "touch p/new; chmod 0 p/new; user $xorloom protect --update -o x.xorloom "
      "--keep-going");
  CHECK(updated.status == 4);
  CHECK(has(updated.err,
            "nothing was changed, since p/3 could then not be restored: repair that first; "
            "--accept-missing gives up what is missing\n"));
  CHECK(kept.run("cmp x.xorloom before && repair --only p/3 && cksum < p/3 | cmp sum -").status ==
        0);
}

TEST_CASE("However many renamed files cannot be read, an update begins anew once") {
  if (!can_inject()) return;
  const Pictures disks("--redundancy 100%");
  const Outcome outcome = disks.run(
      "for i in 2 4 6 8; do mv d1/photos/b/$i d1/photos/b/n$i; on=\"$on -P $PWD/d1/photos/b/n$i\"; "
      "done; strace -f -o trace $on -e trace=preadv,openat -e inject=preadv:error=EACCES:when=1+ "
      "$xorloom protect --update --keep-going -o $kept; status=$?; grep -c 'openat.*b/n8\"' trace; "
      "exit $status");
  CAPTURE(outcome.err);
  CHECK(outcome.status == 4);
  CHECK(has(outcome.err, "4 files and directories cannot be read"));
  CHECK(outcome.out == "3\n");
}

TEST_CASE("Edited files are not lost, and what is said of them is one thing") {
  const Pictures disks;
  const Outcome verified = disks.run(
      "for i in 1 2 3 4 5 6 7 8; do head -c 20000 /dev/urandom > d1/photos/a/$i; done; verify");
  CHECK(verified.status == 1);
  CHECK(!has(verified.out, "lost  photos"));
  CHECK(has(verified.err,
            "8 were edited: what they were cannot be brought back, and protect --update takes in "
            "what they are\n"));
  CHECK(has(disks.run("verify --format json").out, "\"lost\": []"));
}

TEST_CASE(
    "verify says what protect --update then does with a directory that is gone or moved out") {
  const Pictures disks("--redundancy 100%");
  const Outcome gone = disks.run("mv d1/photos/a away; verify; update");
  CHECK(gone.status == 4);
  CHECK(has(gone.err,
            "repair brings them back, and protect --update refuses, as none of the files of "
            "photos/a/ is in it, or where it was moved to, as if a disk were not mounted: "
            "--accept-missing gives up what is missing"));
  const Outcome moved = disks.run(
      "mkdir d1/sorted; mv away d1/photos/a; mv d1/photos/a/1 d1/sorted; "
      "verify");
  CHECK(moved.status == 1);
  CHECK(has(moved.out, "d1/sorted/1 now, outside of"));
  CHECK(has(moved.err, "but no longer protects what is outside of the protected directories"));
  const Outcome updated = disks.run("update");
  CHECK(updated.status == 0);
  CHECK(has(updated.err,
            "no longer protected: photos/a/1, which is d1/sorted/1 now, outside of what "
            "is protected: name it, too\n"));
}

TEST_CASE("An update does not write a protection file anew whose disk may not be mounted") {
  const Pictures disks;
  const Outcome refused = disks.run(
      "mkdir d3; $xorloom protect d1/photos -q -o d2/s -o d3/s --base d1; mv d3 d3x; mkdir d3; "
      "touch "
      "d1/photos/a/1; $xorloom protect -q --update -o d2/s -o d3/s --base d1; echo $?; ls d3");
  CHECK(refused.out == "4\n");
  CHECK(has(refused.err, "d3/s is missing or empty, as if a disk were not mounted"));
  CHECK(disks
            .run("$xorloom protect -q --update -o d2/s -o d3/s --base d1 --accept-missing && "
                 "$xorloom verify d2/s d3/s --base d1")
            .status == 0);
}

TEST_CASE("Commands that are printed run as they stand, whatever names have") {
  const Pictures disks("--redundancy 50%");
  const Outcome restored = disks.run(
      "cd d1/photos; n=$(printf 'two\\nlines'); t=$(printf 'a\\tb%%c\\\\d\\047e\\302\\205f'); head "
      "-c "
      "9000 a/1 > \"$n\"; head -c 9000 a/2 > \"$t\"; cp -p \"$n\" ../../n; cp -p \"$t\" ../../t; "
      "cd "
      "../..; update -q; for f in d1/photos/*[ef]* d1/photos/*s; do rot \"$f\"; done; rot "
      "d1/photos/a/3; $xorloom protect d1/photos --replace -o d2/p.xorloom --base d1 2> err; sed "
      "-n "
      "'s/^to restore the old content: xorloom/$xorloom/p' err > command; xorloom=$xorloom sh "
      "command; cmp \"d1/photos/$n\" n && cmp \"d1/photos/$t\" t && cmp d1/photos/a/3 "
      "good/photos/a/3 && verify");
  CAPTURE(restored.err);
  CHECK(restored.status == 0);
}

TEST_CASE("What repair kept of a file with a long name is known by it") {
  const Pictures disks;
  const Outcome repaired = disks.run(
      "n=$(printf '\\346\\227\\245%.0s' $(seq 84)).j; cp d1/photos/a/1 d1/photos/$n; update -q; "
      "rot "
      "d1/photos/$n; repair -q; ls d1/photos | grep -c damaged; ls d1/photos | iconv -f UTF-8 > "
      "/dev/null && update && repair --remove-kept; ls d1/photos | grep -c damaged");
  CAPTURE(repaired.err);
  CHECK(repaired.out == "1\n0\n");
  CHECK(!has(repaired.err, "new: "));
}

TEST_CASE("repair names each file that it may not write") {
  const KeptScene kept({.names = {"d/1", "d/2"}, .protect = "$xorloom protect -q d -o p"});
  if (!kept.has_user()) return;
  for (const char* const trial : {"", " --dry-run"}) {
    CAPTURE(trial);
    const Outcome repaired =
        kept.run("chmod 755 . d; chmod 644 d/* p; rot d/1; rot d/2; user $xorloom repair p" +
                 std::string(trial));
    CHECK(repaired.status == 4);
    CHECK(has(repaired.err, "cannot write ./d/1: Permission denied\n"));
    CHECK(has(repaired.err, "cannot write ./d/2: Permission denied\n"));
  }
}

TEST_CASE("Directories of shards that cannot be read, or are not there, do not make a set lost") {
  const Pictures disks;
  REQUIRE(
      disks.run("chmod 777 .; $xorloom encode d1/photos -q -o s1 -o s2 -o s3 -k 4 -m 2").status ==
      0);
  if (disks.has_user()) {
    REQUIRE(disks.run("chmod 000 s1 s2").status == 0);
    for (const char* const command : {"verify s1 s2 s3", "decode s1 s2 s3 -o o/"}) {
      CAPTURE(command);
      const Outcome outcome = disks.run("user $xorloom " + std::string(command));
      CHECK(outcome.status == 4);
      CHECK(has(outcome.err, "what cannot be read may be whole"));
    }
    CHECK(disks.run("user $xorloom verify --all s1 s2 s3").status == 4);
    REQUIRE(disks.run("chmod 755 s1 s2").status == 0);
    // A file that is named may be a shard, whatever its name is.
    CHECK(disks.run("cp s1/*-0.shard one; chmod 0 one; user $xorloom verify s3 one").status == 4);
  }
  REQUIRE(disks.run("mv s1 gone; mv s2 gone2").status == 0);
  CHECK(disks.run("$xorloom verify s1 s2 s3").status == 4);
  CHECK(disks.run("$xorloom decode s1 s2 s3 -o o/").status == 4);
  // A loss that is certain is called a loss.
  CHECK(disks.run("$xorloom verify s3").status == 3);
}

TEST_CASE("While something cannot be read, no file is given up that it may be") {
  for (const char* const hidden : {"mv d1/photos/a/1 d1/photos/a/x; chmod 0 d1/photos/a/x",
                                   "mv d1/photos/a/1 d1/photos/b/x; chmod 0 d1/photos/b"}) {
    CAPTURE(hidden);
    const Pictures disks;
    if (!disks.has_user()) return;
    REQUIRE(disks.run("chmod -R a+rwX .").status == 0);
    const Outcome updated = disks.run(std::string(hidden) +
                                      "; user $xorloom protect --update -q -o d2/p.xorloom "
                                      "--base d1 --keep-going; repair -q; rm -f "
                                      "d1/photos/*/*.damaged; chmod -R a+rwX d1; cmp "
                                      "d1/photos/a/1 good/photos/a/1");
    CAPTURE(updated.err);
    CHECK(updated.status == 0);
    CHECK(has(updated.err, "missing, and protected as before, as what cannot be read may be it"));
    CHECK(!has(updated.err, "no longer"));
  }
  const Pictures disks;
  const Outcome replaced = disks.run(
      "chmod -R a+rwX .; chmod 0 d1/photos/a/1; user $xorloom protect d1/photos -o d2/p.xorloom "
      "--base d1 --replace --keep-going");
  CHECK(replaced.status == 4);
  CHECK(has(replaced.err, "photos/a/1 cannot be read, and photos/a/1 would be protected no more"));
  const Outcome accepted = disks.run(
      "user $xorloom protect d1/photos -o d2/p.xorloom --base d1 --replace --keep-going "
      "--accept-missing && verify");
  CHECK(accepted.status == 4);
  CHECK(!has(accepted.err, "nothing was changed"));
}

TEST_CASE("A file in which the disk fails is damaged under a new name, too") {
  if (!can_inject()) return;
  const Pictures disks;
  REQUIRE(disks.run("mv d1/photos/a/1 d1/photos/a/x").status == 0);
  const std::string path = disks.folder / "d1/photos/a/x";
  const std::string protection = disks.folder / "d2/p.xorloom";
  const std::string base = disks.folder / "d1";
  // Every second read fails from the fourth on, so a few of the file's 20 blocks can be read.
  const std::string fails = "-P " + path + " -e trace=preadv -e inject=preadv:error=EIO:when=4+2";
  const Outcome verified = traced({"verify", protection, "--base", base}, fails);
  CAPTURE(verified.out);
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "damaged  photos/a/1: it is "));
  const Outcome updated =
      traced({"protect", "--update", "--keep-going", "-o", protection, "--base", base}, fails);
  CAPTURE(updated.err);
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "renamed: photos/a/1 to photos/a/x"));
  CHECK(has(updated.err, "photos/a/x changed, and the time did not, as if by damage"));
}

TEST_CASE("A trial promises no move in a directory that cannot be written") {
  const KeptScene kept({.names = numbered({"p/s"}, 3),
                        .protect = "$xorloom protect -q p -o x.xorloom; mv p/s p/t",
                        .kept = "x.xorloom"});
  if (!kept.has_user()) return;
  for (const std::string trial : {" --dry-run", ""}) {
    CAPTURE(trial);
    const Outcome repaired =
        kept.run("chmod -R a+rwX .; chmod 555 p; user $xorloom repair x.xorloom" + trial);
    CHECK(repaired.status == 4);
    CHECK(!has(repaired.err, "moved back"));
    CHECK(has(repaired.err, "3 files could not be restored"));
  }
  CHECK(kept.run("chmod 755 p; repair && verify").status == 0);
}

TEST_CASE("A directory that could not be searched for lost files is named") {
  const KeptScene kept({.names = numbered({"p"}, 3),
                        .protect = "mkdir -p z/no; cp -p p/2 z/no/c2; $xorloom protect -q p -o "
                                   "x.xorloom --redundancy 5%; rm p/2; chmod -R a+rwX .",
                        .kept = "x.xorloom"});
  if (!kept.has_user()) return;
  for (const std::string command : {"verify", "repair"}) {
    CAPTURE(command);
    const Outcome lost = kept.run("chmod 0 z/no; user $xorloom " + command + " x.xorloom");
    CHECK(lost.status == 3);
    CHECK(has(lost.err, "; not searched, as it cannot be read: ./z/no\n"));
  }
  CHECK(kept.run("chmod 755 z/no; user $xorloom repair x.xorloom && cmp p/2 z/no/c2").status == 0);
}

}  // namespace xorloom::test
