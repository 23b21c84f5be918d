// Damage of files that get other names, or are copied, before anybody repairs them: no update takes
// it in, verify calls it damage, and the commands that are printed run.

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

/// Three pictures of different days on one disk, their protection on another one, and a copy of
/// all.
struct TwoDisks : KeptScene {
  TwoDisks()
      : KeptScene({.names = {},
                   .protect = "mkdir -p d1/p/x d2; for i in 1 2 3; do seq $i $((i*20000)) > "
                              "d1/p/x/$i; touch -d 2020-01-0$i d1/p/x/$i; done; cp -a d1 ../good; "
                              "$xorloom protect d1/p -q -o d2/p --base d1 --redundancy 300%",
                   .kept = "d2/p --base d1",
                   .directory = "t"}) {}
  Outcome run(const std::string& line) const {
    return KeptScene::run(
        "size() { touch -r $1 stamp; truncate -s $2 $1; touch -r stamp $1; rm stamp; }\n"
        "zero() { touch -r $1 stamp; size=$(stat -c %s $1); : > $1; truncate -s $size $1; touch -r "
        "stamp $1; rm stamp; }\n"
        // Runs what the last update printed, and looks for the old content of picture 1.
        "restore() { sed -n 's/^to restore the old content: xorloom/$xorloom/p' err > command; "
        "xorloom=$xorloom sh command && find d1 -type f -exec cmp -s {} ../good/p/x/1 \\; -print; "
        "}\n" +
        line);
  }
};

}  // namespace

TEST_CASE("Damage that shortens or zeroes a file is not taken in, whatever name the file gets") {
  for (const char* const damage : {"size d1/p/x/1 50000", "size d1/p/x/1 0", "zero d1/p/x/1",
                                   "zero d1/p/x/1; size d1/p/x/1 777", "rot d1/p/x/1"}) {
    for (const char* const rename :
         {"mv d1/p/x/1 d1/p/x/lake", "mkdir d1/p/y; mv d1/p/x/1 d1/p/y/lake", "mv d1/p/x d1/p/y",
          "mv d1/p/x/1 t; mv d1/p/x/2 d1/p/x/1; mv t d1/p/x/2", "mv d1/p/x/1 d1/p/x/2"}) {
      CAPTURE(damage);
      CAPTURE(rename);
      const TwoDisks disks;
      const Outcome verified = disks.run(std::string(damage) + "; " + rename + "; verify");
      CHECK(verified.status == 1);
      CHECK(has(verified.out, " 1 damaged, "));
      CHECK(!has(verified.out, "edited"));
      CHECK(!has(verified.err, "no longer protects"));
      CHECK(!has(verified.err, "gives up"));
      // An update does not read a file whose size, time and last name are unchanged.
      const bool is_read = std::string(rename) != "mv d1/p/x d1/p/y" || has(damage, "size d1");
      if (!is_read) {
        const Outcome repaired = disks.run(
            "update --dry-run && update && $xorloom repair d2/p --base d1 && cmp d1/p/y/1 "
            "../good/p/x/1");
        CHECK(repaired.status == 0);
        continue;
      }
      // A trial says the same as the update, and its command runs, too.
      const Outcome dry = disks.run(
          "update --dry-run 2> err; s=$?; cat err; cp -a d1 ../before; "
          "restore; rm -r d1; mv ../before d1; exit $s");
      CAPTURE(dry.out);
      CHECK(dry.status == 1);
      CHECK(has(dry.out, "as if by damage; all others would be taken in"));
      CHECK(has(dry.out, "\nd1/p/"));
      const Outcome replaced = disks.run("$xorloom protect d1/p -o d2/p --base d1 --replace");
      CHECK(replaced.status == 1);
      const Outcome updated = disks.run("update 2> err; s=$?; cat err; restore; exit $s");
      CAPTURE(updated.out);
      CHECK(updated.status == 1);
      CHECK(has(updated.out, "as if by damage; all others were taken in"));
      CHECK(has(updated.out, "\nd1/p/"));
      const Outcome after = disks.run("update && verify");
      CAPTURE(after.err);
      CHECK(after.status == 0);
    }
  }
}

TEST_CASE("A copy of damage is left out until that is repaired, and all other files are taken in") {
  for (const char* const copy :
       {"cp -p d1/p/x/1 d1/p/x/copy", "ln d1/p/x/1 d1/p/x/copy", "cp -p d1/p/x/1 d1/p/x/0"}) {
    for (const char* const rename : {"true", "mv d1/p/x/1 d1/p/x/lake", "mv d1/p/x d1/p/y"}) {
      CAPTURE(copy);
      CAPTURE(rename);
      const TwoDisks disks;
      const Outcome updated = disks.run(
          "rot d1/p/x/1; " + std::string(copy) + "; " + rename +
          "; echo new > d1/p/new; update 2> err; s=$?; cat err; verify; restore; exit $s");
      CAPTURE(updated.out);
      CHECK(updated.status == 1);
      CHECK(has(updated.out, "new: p/new\n"));
      CHECK(has(updated.out, "left out: p/"));
      CHECK(has(updated.out, ", which is damaged: restore that, and compare them"));
      CHECK(has(updated.out, "1 file, which protect --update takes in, but for 1 damaged copy"));
      CHECK(has(updated.out, "\nd1/p/"));
      const Outcome again = disks.run("update && verify");
      CAPTURE(again.err);
      CHECK(again.status == 0);
    }
  }
}

TEST_CASE("A damaged copy over another protected picture leaves that one protected as it was") {
  const TwoDisks disks;
  const Outcome updated = disks.run("rot d1/p/x/1; cp -p d1/p/x/1 d1/p/x/2; update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "left out: p/x/2: it is like p/x/1, which is damaged"));
  CHECK(disks.run("$xorloom repair d2/p --base d1 && diff -r d1 ../good -x '*.damaged'").status ==
        0);
}

TEST_CASE("A picture that rotted all over is damaged, though a new copy of it is whole") {
  const TwoDisks disks;
  const Outcome updated = disks.run(
      "touch -d '2021-01-01 10:00:00.5' d1/p/x/1; update -q; cp -p d1/p/x/1 d1/p/copy; "
      "size=$(stat -c %s d1/p/x/1); head -c $size /dev/urandom > d1/p/x/1; touch -r "
      "d1/p/copy d1/p/x/1; update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "new: p/copy\n"));
  CHECK(has(updated.err, "--only p/x/1\n"));
  CHECK(disks.run("$xorloom repair d2/p --base d1 && cmp d1/p/copy d1/p/x/1").status == 0);
}

TEST_CASE("A damaged copy of a picture that is whole is no new picture, until it is touched") {
  const char* const fine = "touch -d '2021-01-01 10:00:00.5' d1/p/x/1; update -q; ";
  const std::string rotten = "rot d1/p/x/1; $xorloom repair -q d2/p --base d1; ";
  const std::string mend = "$xorloom repair -q d2/p --base d1 --remove-kept";
  for (const std::string& copy :
       {rotten + "mv d1/p/x/1.damaged d1/p/x/copy", rotten + "mv d1/p/x/1.damaged d1/p",
        "rot d1/p/x/1; cp -p d1/p/x/1 d1/p/x/0; " + mend,
        fine + rotten + "mv d1/p/x/1.damaged d1/p/lake",
        fine + ("size d1/p/x/1 50000; cp -p d1/p/x/1 d1/p/lake; " + mend)}) {
    CAPTURE(copy);
    const TwoDisks disks;
    const Outcome updated =
        disks.run(copy + "; echo new > d1/p/new; update --dry-run; verify; update && verify");
    CAPTURE(updated.err);
    CHECK(updated.status == 0);
    CHECK(has(updated.out, "2 files, which protect --update takes in, but for 1 damaged copy\n"));
    CHECK(has(updated.out, "1 file, which protect --update takes in, but for 1 damaged copy\n"));
    CHECK(
        has(updated.err, "it is like p/x/1, and has its time, as a damaged copy: remove it, or "));
    CHECK(has(updated.err, "new: p/new\n"));
    CHECK(has(updated.err, "would update: 1 new, "));
    CHECK(has(updated.err, "\nupdated: 1 new, "));
    const Outcome touched =
        disks.run("touch d1/p/x/copy d1/p/x/0 d1/p/lake d1/p/1.damaged; update");
    CHECK(has(touched.err, "updated: 4 new, "));
  }
  // A picture that got another time alone is whole, and its damage elsewhere a copy.
  const TwoDisks touched;
  const Outcome copied =
      touched.run(rotten + "mv d1/p/x/1.damaged d1/p/x/copy; touch d1/p/x/1; verify && update");
  CAPTURE(copied.err);
  CHECK(copied.status == 0);
  CHECK(has(copied.err, "left out: p/x/copy: it is like p/x/1, and has its time"));
  // So it is if it was moved over another picture, which stays protected as it was.
  const TwoDisks over;
  const Outcome moved = over.run("cksum < d1/p/x/2 > sum; " + rotten +
                                 "mv d1/p/x/1.damaged d1/p/x/2; verify; update; repair && cksum < "
                                 "d1/p/x/2 | cmp sum -");
  CAPTURE(moved.err);
  CHECK(moved.status == 0);
  CHECK(has(moved.out, "edited  p/x/2: it has "));
  CHECK(has(moved.out, "; it is like p/x/1, and has"));
  CHECK(has(moved.err, "protect --update does not take in damaged copies\n"));
  CHECK(has(moved.err, "left out: p/x/2: it is like p/x/1, and has its time"));
  // A copy that is whole is a new file, and so is what is like another one by chance.
  const std::string elsewhere = "rot d1/p/x/1; cp -p d1/p/x/1 d1/p/lake; " + mend;
  for (const char* const copy :
       {"cp -p d1/p/x/1 d1/p/x/copy", elsewhere.c_str(), "cp d1/p/x/1 d1/p/x/copy; rot d1/p/x/copy",
        "head -c 9000 /dev/urandom > d1/p/x/copy; touch -r d1/p/x/1 d1/p/x/copy"}) {
    CAPTURE(copy);
    const TwoDisks disks;
    const Outcome updated = disks.run(std::string(copy) + "; update && verify");
    CAPTURE(updated.err);
    CHECK(updated.status == 0);
    CHECK(has(updated.err, "updated: 1 new, "));
  }
}

TEST_CASE("Edits and new pictures of a burst are no damage while another picture is missing") {
  for (const char* const change :
       {"rm d1/p/x/1; head -c $(stat -c %s ../good/p/x/1) /dev/urandom > d1/p/x/new; touch -r "
        "../good/p/x/1 d1/p/x/new",
        "rm d1/p/x/1; head -c 50000 /dev/urandom > d1/p/x/new; touch -r ../good/p/x/1 d1/p/x/new",
        "head -c 30000 ../good/p/x/1 > d1/p/x/new; rm d1/p/x/1", "rm d1/p/x/1; : > d1/p/x/new"}) {
    CAPTURE(change);
    const TwoDisks disks;
    const Outcome updated = disks.run(std::string(change) + "; update && verify");
    CAPTURE(updated.err);
    CHECK(updated.status == 0);
    CHECK(has(updated.err, "new: p/x/new\n"));
    CHECK(has(updated.err, "no longer protected: p/x/1\n"));
  }
}

TEST_CASE("If a damaged picture may be one of several, all of these stay protected") {
  // Each picture is one block, so nothing in a damaged one tells which it was.
  const TwoDisks disks;
  const Outcome updated = disks.run(
      "for i in 1 2 3; do head -c 50 /dev/urandom > d1/p/$i; touch -d '2021-01-01 10:00:00.5' "
      "d1/p/$i; cp -p d1/p/$i ../good/p; done; update -q; mv d1/p/1 d1/p/lake; printf no | dd "
      "of=d1/p/lake bs=1 seek=9 conv=notrunc status=none; touch -r d1/p/3 d1/p/lake; rm d1/p/2; "
      "echo n > d1/p/new; update 2> err; s=$?; cat err; restore; for i in 1 2; do find d1 -type f "
      "-exec cmp -s {} ../good/p/$i \\; -print; done | wc -l; exit $s");
  CAPTURE(updated.out);
  CHECK(updated.status == 1);
  CHECK(has(updated.out, "new: p/new\n"));
  CHECK(has(updated.out,
            "missing, and protected as before, as a damaged file may be what is left "
            "of it: p/2\n"));
  CHECK(has(updated.out, "\n2\n"));
  CHECK(disks.run("update && verify").status == 0);
}

TEST_CASE("An empty file that was moved is moved for verify, too") {
  const TwoDisks disks;
  const Outcome verified =
      disks.run(": > d1/p/e; update -q; mv d1/p/e d1/p/x; verify; $xorloom repair d2/p --base d1");
  CHECK(has(verified.out, "moved  p/e: it is d1/p/x/e now\n"));
  CHECK(has(verified.err, "moved back: d1/p/x/e to d1/p/e\n"));
}

TEST_CASE("verify says so if no update sees that another picture of a burst has a name") {
  const TwoDisks disks;
  const Outcome verified = disks.run(
      "for i in 1 2 3; do head -c 50000 /dev/urandom > d1/p/$i; touch -d 2021-01-01 d1/p/$i; done; "
      "update -q; cp -p d1/p/2 d1/p/1; verify");
  CHECK(verified.status == 1);
  CHECK(has(verified.err,
            "1 was replaced by another one of the same size and time: repair brings back what they "
            "were, and protect --update does not see the change: touch what you want protected as "
            "it is\n"));
  const Outcome updated = disks.run("update && touch d1/p/1 && update && verify");
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "nothing changed"));
  CHECK(has(updated.err, "edited: p/1\n"));
}

TEST_CASE("What is left of a damaged hard link is found in a directory that was renamed") {
  const TwoDisks disks;
  const Outcome verified = disks.run(
      "head -c 700 /dev/urandom > d1/p/0; ln d1/p/x/1 d1/p/link; update -q; rot d1/p/x/1; mv "
      "d1/p/x d1/p/y; verify");
  CHECK(has(verified.out, "damaged  p/link: 106 of 107 blocks found\n"));
  CHECK(has(verified.out, "damaged  p/x/1: it is d1/p/y/1 now; 106 of 107 blocks found\n"));
}

TEST_CASE("A trial of an update says what the update does, and writes nothing") {
  const TwoDisks disks;
  REQUIRE(disks
              .run("for i in $(seq 12); do head -c 50000 /dev/urandom > d1/p/$i; touch -d "
                   "2021-01-$i d1/p/$i; done; $xorloom protect -q d1/p -o d2/p --base d1 --replace "
                   "--redundancy 30%")
              .status == 0);
  // Silent damage keeps the update from reading all files, though much is given up.
  const Outcome both = disks.run(
      "rot d1/p/1; for i in 2 3; do head -c 50000 /dev/urandom > d1/p/$i; done; update --dry-run "
      "2> dry; a=$?; update 2> real; b=$?; cat dry; echo; cat real; grep -c 'read all files' dry "
      "real; exit $((10 * a + b))");
  CAPTURE(both.out);
  CHECK(both.status == 11);
  CHECK(has(both.out, "dry:0\nreal:0\n"));
  CHECK(has(both.out, "would update: 0 new, 2 edited, "));
  CHECK(has(both.out, "p/1 changed, and the time did not, as if by damage; all others would be"));
  CHECK(has(both.out, "p/1 changed, and the time did not, as if by damage; all others were taken"));
  // A protection that is damaged is written anew, and so it is said.
  const TwoDisks other;
  const Outcome damaged = other.run(
      "printf no | dd of=d2/p bs=1 seek=200000 conv=notrunc status=none; echo n > d1/p/new; update "
      "--dry-run && update");
  CHECK(has(damaged.err, "would read all files: the protection is damaged\n"));
  CHECK(has(damaged.err, "\nread all files: the protection is damaged\n"));
  const std::string user = "setpriv --reuid 65534 --clear-groups ";
  const Outcome read_only = other.run("chmod 755 . .. d1 d2; chmod 644 d2/p; " + user +
                                      "$xorloom protect --update --dry-run -o d2/p --base d1");
  if (::geteuid() != 0 || has(read_only.err, "setpriv")) {
    MESSAGE("SKIPPED: no other user can be had");
    return;
  }
  CAPTURE(read_only.err);
  CHECK(read_only.status == 0);
  // A kept file that cannot be removed does not count as a file that was not restored.
  const Outcome kept = other.run("rot d1/p/x/1; $xorloom repair -q d2/p --base d1; " + user +
                                 "$xorloom repair d2/p --base d1 --remove-kept");
  CHECK(kept.status == 4);
  CHECK(has(kept.err, "1 file that repair had kept could not be removed\n"));
  CHECK(!has(kept.err, "could not be restored"));
}

TEST_CASE("encode replaces no set by damage that has another name, or another length") {
  for (const char* const damage : {"rot d1/p/x/1", "size d1/p/x/1 50000", "zero d1/p/x/1"}) {
    for (const char* const rename :
         {"true", "mv d1/p/x d1/p/y", "mv d1/p/x/1 d1/p/lake", "mv d1/p/x/1 d1/p/x/2"}) {
      CAPTURE(damage);
      CAPTURE(rename);
      const TwoDisks disks;
      const Outcome refused =
          disks.run("$xorloom encode d1 -o s -q -k 4 -m 2; " + std::string(damage) + "; " + rename +
                    "; $xorloom encode d1 -o s -k 4 -m 2 --replace");
      CHECK(refused.status == 2);
      CHECK(
          has(refused.err, " is not what was encoded before, and its time is, as if by damage: "));
    }
  }
  // Renames, edits, and pictures of a burst that change their names are none.
  const TwoDisks disks;
  const Outcome encoded = disks.run(
      "touch -d 2020-01-01 d1/p/x/*; for i in 4 5; do head -c 9000 /dev/urandom > d1/p/x/$i; touch "
      "-d 2020-01-01 d1/p/x/$i; done; $xorloom encode d1 -o s -q -k 4 -m 2; mv d1/p/x/4 t; mv "
      "d1/p/x/5 d1/p/x/4; mv t d1/p/x/5; mv d1/p/x d1/p/y; rm d1/p/y/1; head -c 9000 /dev/urandom "
      "> "
      "d1/p/y/6; touch -d 2020-01-01 d1/p/y/6; echo edited > d1/p/y/2; $xorloom encode d1 -o s -k "
      "4 "
      "-m 2 --replace");
  CAPTURE(encoded.err);
  CHECK(encoded.status == 0);
  const Outcome file = disks.run(
      "$xorloom encode d1/p/y/3 -o f -q; size d1/p/y/3 50000; $xorloom encode d1/p/y/3 -o f "
      "--replace");
  CHECK(file.status == 2);
}

TEST_CASE("A file of another size that got another name, and a time that was cut, is damaged") {
  for (const char* const time : {"2020-01-01 00:00:01", "2020-01-01 00:00:00"}) {
    for (const char* const damage : {"truncate -s 100000 d1/p/x/1", "echo more >> d1/p/x/1"}) {
      for (const char* const rename : {"mv d1/p/x/1 d1/p/x/9", "mv d1/p/x d1/p/y"}) {
        CAPTURE(time);
        CAPTURE(damage);
        CAPTURE(rename);
        const TwoDisks disks;
        REQUIRE(disks.run("touch -d '2020-01-01 00:00:01.5' d1/p/x/1; update -q").status == 0);
        const std::string cut = "; touch -d '" + std::string(time) + "' d1/p/x/1; ";
        const Outcome updated = disks.run(damage + cut + rename + "; update");
        CHECK(updated.status == 1);
        CHECK(has(updated.err, "changed, and the time did not, as if by damage"));
        CHECK(has(updated.err, "0 no longer protected"));
        CHECK(
            disks.run("$xorloom repair -q d2/p --base d1; cat d1/p/[xy]/[19] | cmp - ../good/p/x/1")
                .status == 0);
      }
    }
  }
}

TEST_CASE(
    "A file of a burst that got another size, another name and a time that was cut is damaged") {
  const KeptScene kept(
      {.names = numbered({"p"}, 3),
       .protect =
           "for i in 1 2 3; do touch -d \"2020-01-01 00:00:0$i.35\" p/$i; done; cp -a p good; "
           "$xorloom protect -q p -o x.xorloom --redundancy 100%",
       .kept = "x.xorloom"});
  const Outcome updated = kept.run(
      "echo more >> p/3; for i in 1 2 3; do touch -d \"2020-01-01 00:00:0$i\" p/$i; mv p/$i "
      "p/$((i - 1)); done; update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "p/2 changed, and the time did not, as if by damage"));
  CHECK(kept.run("$xorloom repair -q x.xorloom; cmp p/2 good/3").status == 0);
}

TEST_CASE("An update promises what can be restored from a copy elsewhere, as verify does") {
  const TwoDisks disks;
  REQUIRE(disks
              .run("$xorloom protect -q d1/p -o d2/p --base d1 --replace --redundancy 5%; "
                   "touch -r d1/p/x/1 stamp; mv d1/p/x/1 d1/p/x/9; cp d1/p/x/9 d1/p/x/copy; "
                   "head -c 90000 /dev/urandom | dd of=d1/p/x/9 conv=notrunc status=none; "
                   "touch -r stamp d1/p/x/9")
              .status == 0);
  const Outcome updated = disks.run("update --dry-run");
  CHECK(!has(updated.err, "beyond repair"));
  CHECK(has(updated.err, "to restore the old content: xorloom repair d2/p --base d1 --only p/x/1"));
  CHECK(disks.run("$xorloom repair -q d2/p --base d1 && cmp d1/p/x/1 ../good/p/x/1").status == 0);
}

TEST_CASE("A copy of a damaged file is found below the base directory, wherever it is") {
  const TwoDisks disks;
  const Outcome verified = disks.run(
      "$xorloom protect -q d1/p -o d2/p --base d1 --replace --redundancy 5%; mkdir -p d1/far/away; "
      "cp d1/p/x/1 d1/far/away/copy; touch -r d1/p/x/1 stamp; head -c 90000 /dev/urandom | dd "
      "of=d1/p/x/1 conv=notrunc status=none; touch -r stamp d1/p/x/1; verify");
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "p/x/1: 107 of 107 blocks found, 88 of them in another place\n"));
  CHECK(disks.run("repair -q && cmp d1/p/x/1 ../good/p/x/1 && cmp d1/p/x/1 d1/far/away/copy")
            .status == 0);
}

TEST_CASE("encode replaces no set by a damaged one of files of one time that exchanged names") {
  for (const char* const sizes : {"true", "echo 4 >> p/4; echo 5 >> p/5"}) {
    for (const char* const renames : {"for i in 7 6 5 4 3 2 1; do mv p/$i p/$((i + 1)); done",
                                      "for i in 2 3 4 5 6 7; do mv p/$i p/$((i - 1)); done",
                                      "mv p/4 t; mv p/5 p/4; mv t p/5"}) {
      CAPTURE(sizes);
      CAPTURE(renames);
      const KeptScene kept(
          {.names = numbered({"p"}, 7),
           .protect = std::string(sizes) + "; touch -d 2020-01-01 p/*; $xorloom encode p -o s -q",
           .bytes = 30'000});
      const std::string again = "$xorloom encode p -o s -q --replace";
      const Outcome damaged =
          kept.run(std::string(renames) + "; cp -p p/5 good; rot p/5; " + again);
      CHECK(damaged.status == 2);
      CHECK(has(damaged.err, "p/5 is not what was encoded before"));
      CHECK(kept.run("cp -p good p/5; " + again).status == 0);
    }
  }
}

TEST_CASE("A directory is renamed back, and so is what was swapped with a file elsewhere") {
  for (const char* const changes :
       {"mv d1/p/x d1/p/y; mv d1/p/y/1 t; mv d1/p/6 d1/p/y/1; mv t d1/p/6",
        "mv d1/p/x d1/p/y; mv d1/p/y/1 t; mv d1/p/y/2 d1/p/y/1; mv t d1/p/y/2",
        // The lock of the inner directory's rename must not move along with the outer one.
        "mv d1/p/a d1/p/x/inner; mv d1/p/x/1 t; mv d1/p/6 d1/p/x/1; mv t d1/p/6; mv d1/p/x "
        "d1/p/y"}) {
    CAPTURE(changes);
    const TwoDisks disks;
    REQUIRE(disks
                .run("seq 9 40000 > d1/p/6; mkdir d1/p/a; seq 8 30000 > d1/p/a/1; seq 7 30000 > "
                     "d1/p/a/2; update; rm -r ../good; cp -a d1 ../good")
                .status == 0);
    const Outcome trial =
        disks.run(std::string(changes) + "; $xorloom repair d2/p --base d1 --dry-run");
    CHECK(trial.status == 0);
    const Outcome repaired = disks.run("$xorloom repair d2/p --base d1 --remove-kept");
    CAPTURE(repaired.err);
    CHECK(repaired.status == 0);
    const Outcome same = disks.run("diff -r d1 ../good && find d1 -name .xorloom.lock");
    CHECK(same.status == 0);
    CHECK(same.out.empty());
  }
}

TEST_CASE("Damage that left nothing of a file is no edit if a damaged copy of the file is found") {
  for (const char* const damage :
       {"rot p/1; cp -p p/1 p/copy; edit p/1", "rot p/1; cp -p p/1 p/copy; head -c 300 p/2 > p/1",
        "cp -p p/1 p/copy; edit p/1; touch -r p/copy p/1; cp -p p/1 p/copy"}) {
    CAPTURE(damage);
    const KeptScene kept({.names = numbered({"p"}, 4),
                          .protect = "$xorloom protect -q p --redundancy 60% -o x.xorloom; "
                                     "cksum < p/1 > sum",
                          .kept = "x.xorloom"});
    REQUIRE(kept.run(std::string(damage) + "; touch -r p/copy p/1").status == 0);
    const std::string verified = kept.run("verify").out;
    CHECK(has(verified, "damaged  p/1: "));
    for (const char* const night : {"first", "second"}) {
      CAPTURE(night);
      const Outcome updated = kept.run("update");
      CHECK(updated.status == 1);
      CHECK(has(updated.err, "to restore the old content: xorloom repair x.xorloom --only p/1\n"));
      CHECK(has(updated.err, "left out: p/copy: it is like p/1, which is damaged"));
      CHECK(!has(updated.err, "edited: "));
    }
    CHECK(kept.run("repair -q && cksum < p/1 | cmp - sum").status == 0);
  }
}

TEST_CASE("A damaged file of one block stays protected if its new name is an excluded one") {
  const KeptScene kept({.names = numbered({"p/a", "p/b"}, 3),
                        .protect = "$xorloom protect -q p --exclude '*.tmp' --redundancy 60% -o "
                                   "x.xorloom; cksum < p/a/1 > sum",
                        .kept = "x.xorloom",
                        .bytes = 700});
  const Outcome updated = kept.run("rot p/a/1 77; mv p/a/1 p/a/1.tmp; update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "missing, and protected as before: p/a/1, which is ./p/a/1.tmp now"));
  CHECK(has(kept.run("verify").out, "missing  p/a/1: "));
  CHECK(kept.run("repair && cksum < p/a/1 | cmp - sum").status == 0);
  // A file of another size or time is none, nor is one elsewhere.
  const Outcome none = kept.run(
      "rm p/a/1.tmp; update; head -c 700 /dev/zero > p/a/x.tmp; head -c 600 /dev/zero > p/a/y.tmp; "
      "mkdir out; cp p/a/x.tmp out; touch -r p/b/1 p/a/y.tmp out/x.tmp; rm p/b/1; update");
  CHECK(none.status == 0);
}

}  // namespace xorloom::test
