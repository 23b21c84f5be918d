// Files and directories that are missing: removed by mistake, on a disk that is not mounted, or on
// purpose.

#include <doctest/doctest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

/// Two directories of files in a named one, and one file in another.
struct Albums : KeptScene {
  Albums()
      : KeptScene({.names = {"d/x/1", "d/x/2", "d/x/y/3", "d/z/4", "d/z/5", "d/6", "e/7"},
                   .protect = "$xorloom protect d e -o p --redundancy 60% && cp p before"}) {}
  Outcome run(const std::string& line) const {
    return KeptScene::run("refused() { \"$@\" 2> err; s=$?; cat err; cmp p before && exit $s; }\n" +
                          line);
  }
};

/// Gives each file in directories a time of its own.
constexpr const char* kOwnTimes =
    "i=10; for f in $(find * -type f); do i=$((i+1)); touch -d @17700000$i.123456789 $f; done; ";

constexpr const char* kWays[] = {"--update", "d e --replace"};

}  // namespace

TEST_CASE("A directory whose files are all missing is not given up unless that is accepted") {
  for (const std::string way : kWays) {
    CAPTURE(way);
    const Albums albums;
    const Outcome refused = albums.run("mv d/x away; refused $xorloom protect -o p " + way);
    CHECK(refused.status == 4);
    CHECK(has(refused.out,
              "d/x: all 3 files are missing; nothing was changed; repair p restores them if enough "
              "is left; "
              "--accept-missing gives them up; d/x/1 is ./away/1 now, outside of what is "
              "protected, and so are 2 more: name them, too\n"));
    // Other files do not stand for the protected ones, and directories are counted.
    const Outcome two = albums.run(
        "mkdir d/x; touch d/x/.Trash; rm d/z/*; refused $xorloom "
        "protect -o p " +
        way);
    CHECK(two.status == 4);
    CHECK(has(two.out, "d/x: all 3 files are missing, and so are those of one more directory; "));
    CHECK(albums.run("$xorloom protect --accept-missing -o p " + way + " && $xorloom verify p")
              .status == 0);
  }
}

TEST_CASE("A stray file in the place of a named directory's files does not stand for these") {
  for (const std::string way : kWays) {
    CAPTURE(way);
    const Albums albums;
    const Outcome refused =
        albums.run("mv e/7 away; touch e/.Trash; refused $xorloom protect -o p " + way);
    CHECK(refused.status == 4);
    CHECK(has(refused.out,
              "e: the only file is missing; nothing was changed; if a disk is not "
              "mounted, --base says where it is; "));
  }
  const Albums albums;
  const Outcome empty = albums.run(
      "mv d dd; mv e ee; mkdir d e; refused $xorloom protect "
      "--update -o p");
  CHECK(empty.status == 4);
  CHECK(has(empty.out, "d: all 6 files are missing, and so are those of one more directory; "));
  CHECK(albums.run("rmdir d; refused $xorloom protect --update -o p").status == 4);
}

TEST_CASE("What was renamed, moved, excluded or deleted alone is not missing") {
  for (const std::string way : kWays) {
    CAPTURE(way);
    const Albums albums;
    CHECK(albums.run("mv d/x d/w; $xorloom protect -o p " + way).status == 0);
    CHECK(albums.run("mv d/z/4 d/four; mv d/z/5 d/five; $xorloom protect -o p " + way).status == 0);
    CHECK(albums.run("rm d/w/1; $xorloom protect -o p " + way).status == 0);
    CHECK(albums.run("$xorloom protect --exclude w -o p " + way).status == 0);
  }
  const Albums albums;
  CHECK(albums.run("$xorloom protect d -o q --accept-missing").status == 2);
}

TEST_CASE("What repair kept of an edit, and files that it never kept, are not removed") {
  const Albums albums;
  const Outcome edit = albums.run("echo work >> d/x/1; $xorloom repair p --remove-kept");
  CHECK(edit.status == 0);
  CHECK(has(edit.err, "it may be an edit: ./d/x/1.damaged\n"));
  CHECK(albums.run("tail -c 5 d/x/1.damaged").out == "work\n");
  const Outcome own = albums.run(
      "echo mine > d/x/2.damaged; $xorloom repair p --remove-kept --dry-run; $xorloom repair p "
      "--remove-kept && cat d/x/2.damaged");
  CHECK(own.status == 0);
  CHECK(own.out == "mine\n");
  CHECK(!has(own.err, "emoved: ./"));
  // Damage leaves the time. What was damaged is removed.
  CHECK(albums
            .run("touch -r d/z/4 t; printf x | dd of=d/z/4 bs=1 seek=9 conv=notrunc status=none; "
                 "touch -r t d/z/4; $xorloom repair p --remove-kept && test ! -e d/z/4.damaged")
            .status == 0);
}

TEST_CASE("Protection files that were emptied or zeroed are named") {
  const Albums albums;
  REQUIRE(albums
              .run("mkdir w; mv d e w; mv p w/p.xorloom; : > w/q.xorloom; head -c 5000 /dev/zero > "
                   "w/r.xorloom")
              .status == 0);
  for (const std::string format : {"text", "prometheus", "json"}) {
    CAPTURE(format);
    const Outcome all = albums.run("$xorloom verify --all w --format " + format);
    CHECK(all.status == 4);
    CHECK(has(all.err, "w/q.xorloom is no protection file, is empty, or is damaged beyond use\n"));
    CHECK(has(all.err, "w/r.xorloom is no protection file, is empty, or is damaged beyond use\n"));
  }
  CHECK(
      has(albums.run("$xorloom verify w/p.xorloom w/r.xorloom").err,
          "w/r.xorloom is no protection file, or is damaged beyond use; it was searched for moved "
          "files\n"));
  // A bad protection file that is checked alone is a failure in JSON, too.
  REQUIRE(albums.run("head -c 300 w/p.xorloom > w/s.xorloom").status == 0);
  for (const std::string file : {"q", "r", "s"}) {
    CAPTURE(file);
    const Outcome json = albums.run("$xorloom verify w/" + file + ".xorloom --format json");
    CHECK(json.status == 4);
    const auto found = nlohmann::json::parse(json.out);
    CHECK(found.at("format") == "xorloom-verify-all");
    CHECK(found.at("results").empty());
    REQUIRE(found.at("failures").size() == 1);
    const std::string failure = found.at("failures")[0];
    CHECK(has(json.err, failure));
    const Outcome metrics =
        albums.run("$xorloom verify w/" + file + ".xorloom --format prometheus");
    CHECK(has(metrics.out, "xorloom_not_looked_at{} 1\n"));
  }
  for (const char* const command : {"verify", "repair"}) {
    CAPTURE(command);
    const auto run = [&](const char* const file) {
      return albums.run(std::string("$xorloom ") + command + " w/" + file);
    };
    CHECK(run("none.xorloom").status == 4);
    CHECK(has(run("none.xorloom").err, "w/none.xorloom does not exist\n"));
  }
}

TEST_CASE("Files of which nothing is there are on a disk that is not mounted, and not lost") {
  const Albums albums;
  REQUIRE(albums.run("mkdir far; $xorloom protect d --base . -o far/p --redundancy 110%").status ==
          0);
  for (const char* const command : {"verify", "repair"}) {
    CAPTURE(command);
    const Outcome refused = albums.run(std::string("mv d away; $xorloom ") + command +
                                       " far/p; s=$?; mv away d; exit $s");
    CHECK(refused.status == 4);
    CHECK(
        has(refused.err,
            "none of 6 protected files is in far, as if a disk were not mounted; "
            "--base says where they are; if all of them are gone, repair --to DIR restores them"));
  }
  // So it is of a disk that --base names, each night.
  const Outcome unplugged = albums.run(
      "mkdir empty; $xorloom verify far/p --base empty; s=$?; $xorloom repair far/p --base empty; "
      "ls "
      "empty; exit $s");
  CHECK(unplugged.status == 4);
  CHECK(unplugged.out == "");
  CHECK(!has(unplugged.err, "lost"));
  CHECK(albums.run("ls far").out == "p\n");
  CHECK(albums.run("$xorloom verify far/p --base .").status == 0);
  CHECK(albums.run("cp -r d whole; rm -r d; $xorloom repair far/p --to . && diff -r d whole")
            .status == 0);
  CHECK(albums.run("rm -r d whole; $xorloom repair far/p --to out && ls out/d/x").status == 0);
}

TEST_CASE("Files of another disk with the same names are no edits") {
  const KeptScene disks({.names = numbered({"d1/photos", "d2/photos"}, 4),
                         .protect = "touch -d 2026-05-01 d1/photos/*; echo > d2/photos/small; "
                                    "for d in d1 d2; do : > $d/photos/.nomedia; echo same > "
                                    "$d/photos/.directory; done; "
                                    "$xorloom protect -q d1/photos --base d1 -o d2/p "
                                    "--redundancy 110% && cp -a d1 d3 && cp -a d2 d4",
                         .kept = "d2/p"});
  const std::string others =
      "other files have names of protected files in d2, and not half of any larger one is there, "
      "as if this were another disk; nothing was changed; --base says where the protected files "
      "are";
  for (const char* const command : {"update", "update --dry-run", "repair", "repair --dry-run"}) {
    CAPTURE(command);
    const Outcome refused = disks.run(command);
    CHECK(refused.status == 4);
    CHECK(has(refused.err, others));
    CHECK(disks.run("diff -r d1 d3 && diff -r d2 d4").status == 0);
  }
  const Outcome verified = disks.run("verify");
  CHECK(verified.status == 1);
  CHECK(has(verified.err,
            "4 were edited: not half of any larger one in d2 is there, as if this were another "
            "disk: mount the right one, or say with --base where they are; if these are the files, "
            "repair --base d2 brings back what they were, and "));
  const Outcome partly = disks.run(
      "$xorloom protect -q d1/photos --base d1 -o "
      "d2/few --redundancy 10%; mv d2/photos/4 away; $xorloom verify "
      "d2/few; s=$?; mv away d2/photos/4; rm d2/few; exit $s");
  CHECK(partly.status == 4);
  CHECK(has(partly.err, "as if this were another disk; --base says where the protected files are"));
  CHECK(!has(partly.err, "lost"));
  CHECK(disks.run("verify --base d1").status == 0);
  CHECK(disks.run("update --base d1 && diff -r d1 d3").status == 0);
  // With --base or --accept-missing, repair and update do work on that disk.
  CHECK(disks.run("repair --base d2 && cmp d2/photos/4 d1/photos/4").status == 0);
  CHECK(disks.run("rm -r d2; cp -a d4 d2; update --accept-missing && verify").status == 0);
  // Copies of protected files on the other disk are protected only if they are named.
  REQUIRE(disks.run("cp d4/p d2/p; cp -a d1/photos d2/copies").status == 0);
  CHECK(disks.run("update").status == 4);
  CHECK(disks.run("repair").status == 4);
  CHECK(has(disks.run("rm d2/photos/1; verify").err, "as if this were another disk: mount "));
  CHECK(disks.run("update d2/copies && cp d4/p d2/p && rm -r d2/copies").status == 0);
  // Most names are not there.
  CHECK(disks.run("rm d2/photos/1 d2/photos/2 d2/photos/3; cp d4/p d2/p; update").status == 4);
  // Updates accept that all files but one were edited, or all of two, or all of three that are one
  // block each.
  CHECK(disks.run("for i in 1 2 3; do edit d1/photos/$i; done; cp d4/p d2/p; update --base d1")
            .status == 0);
  for (const char* const few :
       {"edit f1; edit f2; $xorloom protect -q f1 f2 -o q; edit f1; edit f2",
        "echo 1 > f1; echo 2 > f2; echo 3 > f3; $xorloom protect -q f1 f2 f3 -o q; echo a > f1; "
        "echo b > f2; echo c > f3"}) {
    CAPTURE(few);
    CHECK(disks.run(std::string(few) + "; $xorloom protect --update -o q; rm q").status == 0);
  }
}

TEST_CASE("What many disks have alike does not make another disk the right one") {
  for (const char* const alike :
       {"truncate -s 25000 d2/photos/1; touch -d 2026-05-01 d1/photos/1 d2/photos/1",
        "for d in d1 d2; do head -c 5000 /dev/zero | dd of=$d/photos/2 conv=notrunc status=none; "
        "done; touch -d 2026-05-01 d1/photos/2; touch -d 2026-05-02 d2/photos/2",
        "head -c 5000 d1/photos/3 | dd of=d2/photos/3 conv=notrunc status=none"}) {
    CAPTURE(alike);
    const KeptScene disks({.names = numbered({"d1/photos", "d2/photos"}, 4),
                           .protect = kOwnTimes + std::string(alike) +
                                      "; $xorloom protect -q d1/photos --base d1 -o d2/p "
                                      "--redundancy 110%",
                           .kept = "d2/p"});
    for (const char* const command : {"update", "repair"}) {
      const Outcome refused = disks.run(command);
      CHECK(refused.status == 4);
      CHECK(has(refused.err, "other files have names of protected files in d2, and not half of "));
    }
    // If the base directory was named, another disk is mounted there.
    const Outcome given = disks.run("update --base d2");
    CHECK(given.status == 4);
    CHECK(has(given.err,
              "nothing was changed; mount the right disk there, or name the directory "
              "of the files with --base; --accept-missing"));
    CHECK(disks.run("update --base d1").status == 0);
  }
  // Files of at most a block are edits, also where they lie across two.
  const KeptScene small({.names = numbered({"p"}, 5),
                         .protect = "$xorloom protect -q p -o x.xorloom",
                         .kept = "x.xorloom",
                         .bytes = 700});
  CHECK(small.run("for i in 1 2 3 4 5; do head -c 700 /dev/urandom > p/$i; done; update").status ==
        0);
}

TEST_CASE("Another disk in one of several places is refused, too") {
  for (const std::string protect : {"ln -s ../d2 d1/more; $xorloom protect -q -L d1 -o d1/p",
                                    "$xorloom protect -q d1 d2 -o d1/p"}) {
    CAPTURE(protect);
    const KeptScene disks({.names = numbered({"d1", "d2", "d3"}, 3),
                           .protect = kOwnTimes + protect + " --base . --redundancy 150%",
                           .kept = "d1/p --base ."});
    const Outcome refused = disks.run("mv d2 away; mv d3 d2; update");
    CHECK(refused.status == 4);
    CHECK(has(refused.err, "other files have names of protected files in "));
    CHECK(has(refused.err, "as if this were another disk; nothing was changed; mount the right "));
    CHECK(has(disks.run("verify").err, "as if this were another disk: mount the right one"));
    CHECK(disks.run("rm -r d2; mv away d2; update && verify").status == 0);
  }
}

TEST_CASE("A damaged file outside of what is protected stays protected, and is named") {
  const KeptScene kept({.names = numbered({"p/a"}, 4),
                        .protect = "$xorloom protect -q p --exclude '*.tmp' -o x.xorloom "
                                   "--redundancy 60%; cksum < p/a/2 > sum",
                        .kept = "x.xorloom"});
  for (const std::string now : {"p/a/2.tmp", "out/2"}) {
    CAPTURE(now);
    const Outcome verified =
        kept.run("mkdir -p out; rot p/a/2; mv p/a/2 " + now + "; rm -f p/a/*.damaged; verify");
    CHECK(has(verified.out, "missing  p/a/2: "));
    if (now == "p/a/2.tmp") CHECK(has(verified.out, "blocks found, all in ./p/a/2.tmp"));
    const Outcome updated = kept.run("update; s=$?; update && exit 9; exit $s");
    CHECK(updated.status == 1);
    CHECK(has(updated.err,
              "missing, and protected as before: p/a/2, which is ./" + now + " now, damaged\n"));
    CHECK(!has(updated.err, "no longer protected: "));
    CHECK(kept.run("repair && cksum < p/a/2 | cmp - sum && rm " + now + " && update && verify")
              .status == 0);
  }
  const Outcome given_up = kept.run("rot p/a/2; mv p/a/2 out; update --accept-missing && verify");
  CHECK(given_up.status == 0);
  CHECK(has(given_up.err, "no longer protected: p/a/2, which is ./out/2 now, damaged\n"));
}

TEST_CASE("A directory that repair makes anew has the permissions and the time that it had") {
  const Albums albums;
  const Outcome outcome = albums.run(
      "umask 022; chmod 700 d/x; chmod 770 d/x/y; touch -d 2001-02-03 d/x/y; touch -d 2002-02-03 "
      "d/x e\nlist() { (cd $1; find d/x e -printf '%p %m %T@\\n' | sort); }; list . > before\n"
      "$xorloom protect d e -o q --redundancy 110%; rm -r d/x e; $xorloom repair q; list . | diff "
      "before - && rm -r d/x e && $xorloom repair q --to to; list to | diff before -");
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "");
  // Existing directories keep their permissions.
  const Albums others;
  const Outcome open = others.run(
      "umask 022; chmod 755 d/x d/x/y d/z d; $xorloom protect d -o r --redundancy 110%; chmod 700 "
      "d/x; rm d/x/*; $xorloom repair r && stat -c %a d/x d/x/y");
  CHECK(open.out == "700\n755\n");
  CHECK(has(others.run("$xorloom verify r empty; : > empty; $xorloom verify r empty").err,
            "empty is empty, and no file of the protection is missing: leave it out\n"));
}

TEST_CASE("If no protected file is there, an update names the repair that does not refuse") {
  const KeptScene kept({.names = numbered({"p"}, 3),
                        .protect = "$xorloom protect -q p -o x.xorloom --redundancy 100%; "
                                   "cksum p/* | cut -d ' ' -f 1,2 > sums",
                        .kept = "x.xorloom"});
  for (const std::string command : {"update", "$xorloom protect p --replace -o x.xorloom"}) {
    CAPTURE(command);
    const Outcome refused = kept.run("rm -f p/*; touch p/other; " + command);
    CHECK(refused.status == 4);
    CHECK(has(refused.err, "repair x.xorloom with --to DIR restores them if enough is left; "));
  }
  CHECK(kept.run("repair").status == 4);
  CHECK(kept.run("repair --to new && cksum new/p/* | cut -d ' ' -f 1,2 | diff sums -").status == 0);
}

TEST_CASE("A disk that is not mounted is not given up if some of its files moved to another one") {
  const KeptScene disks({.names = numbered({"d1", "d2"}, 5),
                         .protect = "$xorloom protect -q d1 d2 -o x.xorloom --redundancy 50%",
                         .kept = "x.xorloom"});
  const std::string missing = "d2: all files but one, which has another name now, are missing";
  const Outcome refused = disks.run("mv d2/1 d1/new; mkdir away; mv d2/* away; update");
  CHECK(refused.status == 4);
  CHECK(has(refused.err, missing + "; nothing was changed; "));
  const Outcome verified = disks.run("verify");
  CHECK(has(verified.err, "protect --update refuses, as "));
  CHECK(has(disks.run("mv away/2 d1/two; update").err, "d2: all files but 2, which have other"));
  // If most of them moved, the others were deleted.
  const Outcome sorted = disks.run("mv away/3 d1/three; update");
  CHECK(sorted.status == 0);
  CHECK(has(sorted.err, "no longer protected: d2/4, which is ./away/4 now"));
}

TEST_CASE("A directory that root restores gets the owner of the one that it is in") {
  if (::geteuid() != 0) {
    MESSAGE("SKIPPED: no other user can be had");
    return;
  }
  const KeptScene kept({.names = numbered({"p", "p/s/t"}, 3),
                        .protect = "chmod 750 p/s; chown -R 1234:1235 p; $xorloom protect -q p -o "
                                   "x.xorloom --redundancy 100%",
                        .kept = "x.xorloom"});
  const Outcome repaired =
      kept.run("rm -r p/s; repair -q; stat -c '%u:%g %a' p/s p/s/t/1; stat -c '%u:%g' p/s/t");
  CHECK(repaired.status == 0);
  CHECK(repaired.out == "1234:1235 750\n1234:1235 644\n1234:1235\n");
}

TEST_CASE("A whole file that an interrupted repair set aside is not given up") {
  const KeptScene kept({.names = numbered({"p"}, 4),
                        .protect = "$xorloom protect -q p -o x.xorloom --redundancy 100%; "
                                   "cat p/[1-4] | cksum > sum",
                        .kept = "x.xorloom"});
  // Two files have exchanged their names, and a repair of that stopped after its first step.
  for (const std::string left :
       {"mv p/1 was1; mv p/2 p/1; mv was1 p/2; mv p/1 p/1.damaged", "mv p/2 p/1.damaged"}) {
    CAPTURE(left);
    REQUIRE(kept.run("rm -f p/*.damaged; " + left).status == 0);
    const std::string said =
        "p/2 is p/1.damaged now, as if a repair was interrupted: repair restores";
    CHECK(has(kept.run("verify").err, said));
    const Outcome refused = kept.run("update");
    CHECK(refused.status == 4);
    CHECK(has(refused.err, "p/2 is ./p/1.damaged now, as if a repair was interrupted; nothing "));
    CHECK(has(refused.err, "repair restores it; --accept-missing gives it up"));
    CHECK(kept.run("repair && cat p/[1-4] | cksum | cmp - sum && update && verify").status == 0);
  }
  CHECK(kept.run("rm -f p/*.damaged; mv p/2 p/1.damaged; update --accept-missing").status == 0);
}

}  // namespace xorloom::test
