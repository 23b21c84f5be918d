// Files that size and time do not tell apart: times cut by a copy, files of equal size and time,
// and empty files. Contents decide then, and damage is not protected. Failing disks are named.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/traced_calls.hpp"

namespace xorloom::test {
namespace {

/// Three files, whose times have fractions, and their protection.
struct FilesAndTimes : KeptScene {
  FilesAndTimes()
      : KeptScene({.names = {"p/f1", "p/f2", "p/f3"},
                   .protect = "touch -d '2026-05-02 12:00:01.987654321' p/f*; touch -d "
                              "'2026-05-02 12:00:03.123456789' p/f2; cp -a p good; $xorloom "
                              "protect -q p -o x.xorloom --redundancy 100%",
                   .kept = "x.xorloom",
                   .bytes = 30'000}) {}
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

TEST_CASE("Files of one burst that are renumbered after a copy that kept seconds are told apart") {
  for (const char* const second : {"0", "1"}) {
    CAPTURE(second);
    const std::string times = "12:00:0" + std::string(second);
    const KeptScene kept(
        {.names = {"p/IMG_2", "p/IMG_3"},
         .protect = "touch -d '2026-05-02 " + times + ".23' p/IMG_2; touch -d '2026-05-02 " +
                    "12:00:01.35' p/IMG_3; cp -a p good; $xorloom protect -q p -o x.xorloom " +
                    "--redundancy 100%; touch -d '2026-05-02 " + times +
                    "' p/IMG_2; touch -d '2026-05-02 12:00:01' p/IMG_3",
         .kept = "x.xorloom",
         .bytes = 30'000});
    const Outcome verified = kept.run("mv p/IMG_3 p/IMG_4; mv p/IMG_2 p/IMG_3; verify");
    CHECK(has(verified.out, "moved     p/IMG_2: it is ./p/IMG_3 now"));
    CHECK(has(verified.out, "replaced  p/IMG_3: what was p/IMG_2 has its name now; 30 of 30 "));
    CHECK(has(verified.out, "0 damaged"));
    const Outcome updated = kept.run("rot p/IMG_4; update; verify");
    CHECK(updated.status == 1);
    CHECK(has(updated.out, "damaged  p/IMG_4"));
    CHECK(kept.run("$xorloom repair x.xorloom && cmp p/IMG_4 good/IMG_3 && cmp p/IMG_3 good/IMG_2")
              .status == 0);
  }
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

TEST_CASE("What was left of a file that was restored since is left out by an update") {
  const FilesAndTimes kept;
  const Outcome updated = kept.run("rot p/f1; mv p/f1 p/c1; repair -q; update; verify");
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "left out: p/c1: it is like p/f1, and has its time, as a damaged copy"));
  CHECK(has(updated.out, "new  p/c1: it is not protected; it is like p/f1"));
  // Of two remnants, one is taken for the file, and restored.
  const Outcome again = kept.run("rot p/f1 5000; mv p/f1 p/c2; update; repair -q");
  CHECK(has(again.err, "renamed: p/f1 to p/c1\n"));
  CHECK(has(again.err, "left out: p/c2: it is like p/c1, which is damaged"));
  CHECK(kept.run("cmp p/c1 good/f1").status == 0);
}

TEST_CASE("A tiny file that is damaged in a renamed directory stays that file") {
  const KeptScene kept({.names = {"p/a/f", "p/a/g", "p/h"},
                        .protect = "touch -d '2026-05-02 12:00:01' p/a/f; cp -a p/a/f good; "
                                   "$xorloom protect -q p -o x.xorloom --redundancy 100%",
                        .kept = "x.xorloom",
                        .bytes = 103});
  const Outcome updated = kept.run("mv p/a p/b; rot p/b/f 20; update && verify");
  CHECK(has(updated.err, "renamed: p/a/ to p/b/, 2 files"));
  CHECK(updated.status == 1);
  CHECK(has(updated.out, "damaged  p/b/f"));
  CHECK(kept.run("repair --remove-kept && cmp p/b/f good && ls p/b").out == "f\ng\n");
}

TEST_CASE("A tiny file of zeros that changed names with another and is damaged is not given up") {
  const FilesAndTimes kept;
  const Outcome updated = kept.run(
      "printf %s 'thirty-four bytes that are no zero' > p/t1; head -c 34 /dev/zero > p/t2; "
      "touch -d '2026-05-02 11:00' p/t1 p/t2; update -q; mv p/t1 t; mv p/t2 p/t1; "
      "mv t p/t2; rot p/t1 5; update; verify");
  CHECK(updated.status == 1);
  CHECK(has(updated.out, "damaged  p/t1"));
  CHECK(kept.run("$xorloom repair x.xorloom && head -c 34 /dev/zero | cmp - p/t1").status == 0);
}

TEST_CASE("What no update keeps is called missing, and what stands there is named") {
  for (const char* const there : {"rm p/f1; mkdir p/f1", "rm p/f1; mkfifo p/f1"}) {
    CAPTURE(there);
    const FilesAndTimes kept;
    const Outcome verified = kept.run(std::string(there) + "; rm -r good; verify");
    CHECK(has(verified.out, "missing  p/f1: "));
    CHECK(has(verified.out, " stands there"));
    CHECK(has(verified.err, "1 is missing"));
    const bool is_in_the_way = has(there, "mkdir");
    CHECK(has(verified.err, "once what is in the way is moved away") == is_in_the_way);
    CHECK(kept.run("repair --dry-run").status == (is_in_the_way ? 4 : 0));
    CHECK(has(kept.run("update").err, "no longer protected: p/f1"));
  }
}

TEST_CASE("verify, repair and an update agree on what is in the way of a missing directory") {
  struct Way {
    std::string line;
    std::string repair;  ///< what verify and repair say
    std::string update;
  };
  for (const Way& way :
       {Way{"echo 3 > p/s", "./p/s is no directory any more; move it away, and ",
            "p/s: all 2 files are missing; "},
        Way{"ln -s nowhere p/s", "./p/s is a symbolic link that leads to no directory; move ",
            "p/s/g1, p/s/g2: a symbolic link in their path leads nowhere, as if a disk were not "
            "mounted; nothing was changed; --accept-missing gives them up"},
        Way{"mkdir -p p/s/g1 p/s/g2", "a directory stands there; move it away, and ",
            "p/s: all 2 files are missing; "}}) {
    CAPTURE(way.line);
    const FilesAndTimes kept;
    const Outcome verified =
        kept.run("mkdir p/s; echo 1 > p/s/g1; echo 2 > p/s/g2; update -q; rm -r p/s; " + way.line +
                 "; verify");
    CHECK(has(verified.out, "missing  p/s/g1: " + way.repair));
    CHECK(has(verified.err,
              "brings them back once what is in the way is moved away, and protect "
              "--update refuses, as "));
    for (const char* const repair : {"repair --dry-run", "repair"}) {
      const Outcome repaired = kept.run(repair);
      CHECK(repaired.status == 4);
      CHECK(has(repaired.err, "cannot restore ./p/s/g1: " + way.repair));
    }
    const Outcome updated = kept.run("update");
    CHECK(updated.status == 4);
    CHECK(has(updated.err, way.update));
    CHECK(kept.run("mv p/s away && repair && cat p/s/g2").out == "2\n");
  }
}

TEST_CASE("Every command says the same of a protection file that cannot be used") {
  struct Kind {
    std::string line;
    std::string sentence;
  };
  for (const Kind& kind :
       {Kind{"rm -f x.xorloom", "x.xorloom does not exist\n"},
        Kind{": > x.xorloom",
             "x.xorloom is empty, and the files were not read: protect them anew with --replace\n"},
        Kind{"truncate -s 100 x.xorloom",
             "both headers of x.xorloom are damaged; the protection cannot be used, and the files "
             "were not read: protect them anew with --replace\n"},
        Kind{"head -c 5000 /dev/zero > x.xorloom",
             "x.xorloom is not a protection file, or is damaged beyond use; the files were not "
             "read: move it away, and protect them anew\n"}}) {
    const FilesAndTimes kept;
    for (const char* const command : {"verify", "repair", "update", "$xorloom info x.xorloom"}) {
      CAPTURE(command);
      const Outcome outcome = kept.run(kind.line + "; " + command);
      CHECK(outcome.status == 4);
      CHECK(outcome.err == "xorloom: error: " + kind.sentence);
    }
    const bool is_moved = has(kind.sentence, "move it away");
    CHECK(kept.run(std::string(is_moved ? "mv x.xorloom away; " : "") +
                   "$xorloom protect p -o x.xorloom --replace && verify")
              .status == 0);
  }
}

TEST_CASE(
    "A protection file of several that cannot be used is written anew once it is moved away") {
  const FilesAndTimes kept;
  const std::string parts = " -o s1 -o s2";
  const Outcome updated = kept.run("$xorloom protect -q p" + parts +
                                   "; head -c 5000 /dev/zero > s2; $xorloom protect "
                                   "--update" +
                                   parts);
  CHECK(updated.status == 4);
  CHECK(has(updated.err,
            "s2 is not a protection file, or is damaged beyond use; move it away, and "
            "repair writes it anew\n"));
  CHECK(kept.run("mv s2 t; $xorloom repair s1 s2 && $xorloom protect --update" + parts).status ==
        0);
}

TEST_CASE("--replace leaves out a damaged copy, as an update does") {
  const FilesAndTimes kept;
  const Outcome replaced = kept.run(
      "rot p/f1; cp -p p/f1 p/c1; repair -q --remove-kept; $xorloom protect p -o x.xorloom "
      "--replace && verify");
  CHECK(replaced.status == 0);
  CHECK(has(replaced.err, "left out: p/c1: it is like p/f1, and has its time, as a damaged copy"));
  CHECK(has(replaced.out, "3: 3 whole"));
  CHECK(has(kept.run("touch p/c1; $xorloom protect p -o x.xorloom --replace && verify").out,
            "4: 4 whole"));
}

TEST_CASE("encode takes in no damage after a copy that cut the times of files") {
  for (const char* const time : {"12:00:01.9876543", "12:00:01", "12:00:00"}) {
    for (const char* const change : {"true", "mv p/f1 p/z"}) {
      CAPTURE(time);
      CAPTURE(change);
      const FilesAndTimes kept;
      const std::string copied = "touch -d '2026-05-02 " + std::string(time) + "' p/f1; ";
      CHECK(kept.run("$xorloom encode p -o s && $xorloom encode p/f1 -o t && " + copied +
                     "$xorloom encode p -o s --replace && $xorloom encode p/f1 -o t --replace")
                .status == 0);
      const Outcome file = kept.run("cp -a good/f1 p; $xorloom encode p/f1 -o t --replace; " +
                                    copied + "rot p/f1; $xorloom encode p/f1 -o t --replace");
      CHECK(file.status == 2);
      const Outcome tree = kept.run("cp -a good/f1 p; $xorloom encode p -o s --replace; " + copied +
                                    "rot p/f1; " + change + "; $xorloom encode p -o s --replace");
      CHECK(tree.status == 2);
      CHECK(has(tree.err, "is not what was encoded before"));
    }
  }
  // An edit has a later time.
  CHECK(FilesAndTimes()
            .run("$xorloom encode p -o s && edit p/f1 && touch -d '2026-05-02 12:00:02' p/f1 && "
                 "$xorloom encode p -o s --replace")
            .status == 0);
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
  if (!kept.has_user()) return;
  const Outcome verified =
      kept.run("chmod -R a+rwX .; rot p/f1; chmod 0 p/f2; user $xorloom verify x.xorloom");
  CHECK(verified.status == 4);
  CHECK(has(verified.err, "1 file is damaged, and repair restores it; 1 file cannot be read"));
}

TEST_CASE("verify tells of damage if its output cannot be written, too") {
  const FilesAndTimes kept;
  REQUIRE(kept.run("$xorloom encode -q p -o s; rot s/*-00.shard 5000; rot p/f1; rot x.xorloom 9000")
              .status == 0);
  for (const char* const command : {"verify x.xorloom", "verify s", "verify --all ."}) {
    CAPTURE(command);
    const Outcome told = kept.run("$xorloom " + std::string(command) + " > /dev/full");
    CHECK(told.status == 4);
    CHECK(has(told.err, "damaged"));
    CHECK(has(told.err, "cannot write standard output: No space left on device\n"));
  }
}

TEST_CASE("A disk that fails is named, and nobody is told to protect anew") {
  const FilesAndTimes kept;
  if (!can_inject()) return;
  REQUIRE(kept.run("rot p/f1").status == 0);
  const std::string protection = kept.folder / "x.xorloom";
  for (const char* const from : {"1", "4", "20", "60", "200"}) {
    CAPTURE(from);
    const std::string before = read_file(protection);
    const std::string fails =
        "-P " + protection + " -e trace=preadv -e inject=preadv:error=EIO:when=" + from + "+";
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"verify", protection},
          {"repair", protection, "--dry-run"},
          {"repair", protection, "--to", kept.folder / "to"},
          {"protect", "--update", "--dry-run", "-o", protection},
          {"protect", kept.folder / "p", "--replace", "-o", protection}}) {
      CAPTURE(command.front());
      const Outcome outcome = traced(command, fails);
      CHECK(!has(outcome.err, "them anew"));
      CHECK(!has(outcome.err, "--replace"));
      CHECK(!has(outcome.err, "another program"));
      CHECK(!has(outcome.err, "move it away"));
      CHECK((read_file(protection) == before));
      const bool is_beginning = std::string(from) == "1";
      if (is_beginning) CHECK(has(outcome.err, "cannot read " + protection + ": Input/output"));
    }
  }
}

TEST_CASE("What an edited file was is found in a copy anywhere below the base directory") {
  const KeptScene kept({.names = {"p/f1", "p/f2", "p/f3"},
                        .protect = "mkdir -p b/c; cp p/f2 b/c/f; $xorloom protect -q p "
                                   "-o x.xorloom --redundancy 5%",
                        .kept = "x.xorloom"});
  const Outcome verified = kept.run("edit p/f2; verify");
  CHECK(has(verified.out, "what it was is in ./b/c/f"));
  CHECK(has(verified.err, "repair brings back what they were"));
  CHECK(kept.run("repair && cmp p/f2 b/c/f").status == 0);
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

TEST_CASE("A damaged file under the name of a whole one is what is lost, also if little is left") {
  for (const char* const rest : {"0", "500"}) {
    for (const char* const time : {"2024-01-01 10:00:00", "2024-01-01 10:00:00.5"}) {
      CAPTURE(rest);
      CAPTURE(time);
      const KeptScene kept({.names = numbered({"p"}, 20),
                            .protect = "touch -d '" + std::string(time) +
                                       "' p/*; $xorloom protect -q p --redundancy 100% -o "
                                       "x.xorloom; cksum < p/1 > sum",
                            .kept = "x.xorloom"});
      const Outcome updated = kept.run("truncate -s " + std::string(rest) +
                                       " p/1; touch -r p/3 p/1; mv p/2 p/0; mv p/1 p/2; update");
      CHECK(updated.status == 1);
      CHECK(has(updated.err, "renamed: p/2 to p/0\n"));
      CHECK(!has(updated.err, "edited: "));
      CHECK(!has(updated.err, "no longer protected: "));
      CHECK(kept.run("repair && cksum < p/2 | cmp - sum").status == 0);
    }
  }
}

TEST_CASE("A file of a directory that was renamed is known by its name there, if little is left") {
  const KeptScene kept({.names = numbered({"p/a"}, 6),
                        .protect = "head -c 17 /dev/urandom > p/a/note; cksum < p/a/note > sum; "
                                   "touch -d '2024-01-01 10:00:00' p/a/*; $xorloom protect -q p "
                                   "--redundancy 50% -o x.xorloom",
                        .kept = "x.xorloom"});
  const Outcome updated =
      kept.run("truncate -s 14 p/a/note; touch -r p/a/1 p/a/note; mv p/a p/b; update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "renamed: p/a/ to p/b/, 7 files\n"));
  CHECK(has(updated.err, "xorloom repair x.xorloom --only p/b/note\n"));
  CHECK(kept.run("repair -q && cksum < p/b/note | cmp - sum").status == 0);
}

}  // namespace xorloom::test
