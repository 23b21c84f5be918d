// Files on one disk and their protection on another: copies of either on both, and directories that
// were renamed with something of another kind in them.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

/// A scene whose lines print their errors in the output, too.
struct OneOutput : KeptScene {
  using KeptScene::KeptScene;

  Outcome run(const std::string& line) const { return KeptScene::run("exec 2>&1\n" + line); }
};

/// Files on d1, and their protection on d2.
struct KeptElsewhere : OneOutput {
  KeptElsewhere()
      : OneOutput({.names = numbered({"d1/ph/a", "d1/ph/b"}, 4),
                   .protect = "mkdir d2; $xorloom protect -q d1/ph --base d1 --redundancy 50% -o "
                              "d2/p.xorloom",
                   .kept = "d2/p.xorloom --base d1"}) {}
};

/// Files of two directories, and their protection.
struct KeptBeside : OneOutput {
  KeptBeside()
      : OneOutput({.names = numbered({"ph/c", "ph/d"}, 4),
                   .protect = "mkdir ph/best; $xorloom protect -q ph --redundancy 50% -o x.xorloom",
                   .kept = "x.xorloom"}) {}
};

}  // namespace

TEST_CASE("Nothing is lost if a few files were copied to the disk of their protection") {
  const KeptElsewhere kept;
  const Outcome copied =
      kept.run("mkdir -p d2/ph/a; cp -p d1/ph/a/2 d2/ph/a/; $xorloom verify --all d1 d2");
  CHECK(copied.status == 1);
  CHECK(has(copied.out, "8: 1 whole, 0 damaged, 7 moved, 0 missing"));
  CHECK(has(copied.out, "--base d1 checks them"));
  // With a mirror on the disk of the protection, it says which one it looked at.
  const Outcome mirrored =
      kept.run("rm -r d2/ph; cp -a d1/ph d2/; rot d1/ph/a/3; $xorloom verify --all d1 d2");
  CHECK(mirrored.status == 0);
  CHECK(has(mirrored.out, "8 whole"));
  CHECK(has(mirrored.out,
            "d1 has files of the same names, sizes and times as those that "
            "d2/p.xorloom protects in d2"));
  CHECK(has(kept.run("verify").out, "7 whole, 1 damaged"));
}

TEST_CASE("A protection that is there twice is checked twice") {
  const KeptElsewhere kept;
  const std::string all = "$xorloom verify --all d1 d2";
  const Outcome twice = kept.run("cp d2/p.xorloom d1/; " + all);
  CHECK(twice.status == 0);
  CHECK(has(twice.out, "d1/p.xorloom:"));
  CHECK(has(twice.out, "d2/p.xorloom:"));
  const Outcome damaged = kept.run("rot d1/ph/a/3; " + all);
  CHECK(damaged.status == 1);
  CHECK(has(damaged.out, "2 checked: 0 with lost bytes, 2 that can be recovered"));
  // The second file of three is there twice, and serves both.
  const Outcome parts = kept.run(
      "rm d1/p.xorloom; repair -q; $xorloom protect -q --replace d1/ph --base d1 -o "
      "d2/1.xorloom -o d2/2.xorloom -o d2/3.xorloom; rm d2/p.xorloom; cp d2/2.xorloom d1/; " +
      all);
  CHECK(parts.status == 0);
  CHECK(has(parts.out, "d2/1.xorloom, d1/2.xorloom, d2/3.xorloom:"));
  CHECK(has(parts.out, "d2/1.xorloom, d2/2.xorloom, d2/3.xorloom:"));
}

TEST_CASE("An older copy of a protection file is named, and is no damage") {
  const KeptElsewhere kept;
  const Outcome verified = kept.run(
      "cp d2/p.xorloom old.xorloom; edit d1/ph/a/new; update -q; $xorloom verify old.xorloom "
      "$kept");
  CHECK(verified.status == 0);
  CHECK(has(verified.out, "old.xorloom is of generation 1"));
  CHECK(has(verified.out, "older copy, which may be removed"));
  const Outcome repaired = kept.run("$xorloom repair old.xorloom $kept");
  CHECK(repaired.status == 0);
  CHECK(has(repaired.out, "not used: old.xorloom"));
  // It is searched for nothing: a lost file comes from the newer one.
  CHECK(kept.run("rm d1/ph/a/new; $xorloom repair -q old.xorloom $kept && verify").status == 0);
}

TEST_CASE(
    "verify --all looks behind a link that is named, and goes on without a disk that is gone") {
  const KeptElsewhere kept;
  const std::string linked = "rot d1/ph/a/3; ln -s $PWD/d2 L2; $xorloom verify --all ";
  for (const char* const directories : {"d1 L2", "L2 d1"}) {
    CHECK(kept.run("rm -f L2; " + linked + directories).status == 1);
  }
  const Outcome gone = kept.run("$xorloom verify --all gone d1 d2 --format prometheus");
  CHECK(gone.status == 4);
  CHECK(has(gone.out, "cannot read gone: No such file or directory"));
  CHECK(has(gone.out, "xorloom_not_looked_at{} 1"));
  CHECK(has(gone.out, "2 checked"));
  // A protection is checked as without --deep, which is for shards.
  CHECK(kept.run("$xorloom verify --all d1 d2 --deep").status == 1);
}

TEST_CASE("What the system keeps for itself on a disk is no failure") {
  const KeptElsewhere kept;
  if (!kept.has_user()) return;
  const std::string verify = "user $xorloom verify --all d1 d2";
  CHECK(kept.run("chmod a+rx . ; mkdir -m 0700 d1/lost+found; " + verify).status == 0);
  CHECK(kept.run("mkdir -m 0700 d1/mine; " + verify).status == 4);
}

TEST_CASE("A link to a protection file stays, and what it leads to is written") {
  const KeptElsewhere kept;
  const std::string by_link = "ln -s $PWD/d2/p.xorloom d1/p.xorloom; ";
  const Outcome updated =
      kept.run(by_link +
               "edit d1/ph/a/new; $xorloom protect --update -q -o d1/p.xorloom; "
               "test -L d1/p.xorloom && verify");
  CHECK(updated.status == 0);
  CHECK(has(updated.out, "9 whole"));
  const Outcome repaired = kept.run(
      "rot d2/p.xorloom 9000; $xorloom repair d1/p.xorloom && test -L d1/p.xorloom && verify");
  CHECK(repaired.status == 0);
  const Outcome replaced = kept.run(
      "$xorloom protect -q --replace d1/ph -o d1/p.xorloom && test -L d1/p.xorloom && verify");
  CHECK(replaced.status == 0);
}

TEST_CASE("A copy that is named by a link is searched") {
  const KeptElsewhere kept;
  const Outcome repaired =
      kept.run("mkdir bk; cp d1/ph/a/1 bk/c; rm -r d1/ph/b d1/ph/a/1; ln -s bk/c L; repair L");
  CHECK(has(repaired.out, "restored: d1/ph/a/1, from L"));
  CHECK(repaired.status == 0);
}

TEST_CASE("A trial of --to takes a directory that is not there yet") {
  const KeptBeside kept;
  for (const char* const to : {"new", "new/a/b/", "./new"}) {
    CAPTURE(to);
    const Outcome trial = kept.run("rm -f ph/c/1; repair --dry-run --to " + std::string(to));
    CHECK(trial.status == 0);
    CHECK(has(trial.out, "would restore 1 of 8"));
    CHECK_FALSE(std::filesystem::exists(kept.folder / "new"));
  }
}

TEST_CASE("What stands under a name in a directory that is moved back is kept") {
  for (const char* const stands : {"ln -s ../best/9 ph/c/2", ": > ph/c/2"}) {
    CAPTURE(stands);
    const KeptBeside kept;
    const std::string moved = "cp -a ph good; mv ph/c/2 ph/best/9; " + std::string(stands) +
                              "; mv ph/c ph/D; repair --dry-run";
    const Outcome trial = kept.run(moved);
    CHECK(trial.status == 0);
    CHECK(has(trial.out, "what is ./ph/c/2 would be ./ph/c/2.damaged"));
    const Outcome repaired = kept.run("repair && cmp ph/c/2 good/c/2 && verify");
    CHECK(repaired.status == 0);
    CHECK(has(repaired.out, "restored 4 of 8"));
    CHECK(std::filesystem::exists(std::filesystem::symlink_status(kept.folder / "ph/c/2.damaged")));
  }
  // A directory cannot be moved aside, and the trial says so, too.
  const KeptBeside kept;
  for (const char* const option : {"--dry-run", ""}) {
    const Outcome refused = kept.run(
        "if test -d ph/c; then mv ph/c/2 ph/best/9; mkdir ph/c/2; mv ph/c ph/D; fi; repair " +
        std::string(option));
    CHECK(refused.status == 4);
    CHECK(has(refused.out, "restored 3 of 8") != has(refused.out, "would restore 3 of 8"));
    CHECK(has(refused.out, "a directory stands there"));
  }
}

TEST_CASE("Bytes that are lost are said beside files that the system does not let be restored") {
  const KeptBeside kept;
  const Outcome both = kept.run(
      "for file in ph/c/1 ph/c/2 ph/c/3 ph/c/4 ph/d/1; do touch -r $file stamp; edit $file; touch "
      "-r stamp $file; done; rm stamp; mv ph/d/3 ph/best; mkdir ph/d/3; repair");
  CHECK(both.status == 3);
  CHECK(has(both.out, "bytes of 5 files are lost; "));
  CHECK(has(both.out, "1 file could not be restored"));
}

TEST_CASE("A trial says what repair removes, after a directory was renamed") {
  const KeptBeside kept;
  const Outcome trial = kept.run("rot ph/c/1; mv ph/c ph/D; repair --remove-kept --dry-run");
  CHECK(has(trial.out, "would be removed: ./ph/c/1.damaged"));
  CHECK_FALSE(has(trial.out, "not removed"));
  const Outcome repaired = kept.run("repair --remove-kept && verify");
  CHECK(repaired.status == 0);
  CHECK(has(repaired.out, "removed: ./ph/c/1.damaged"));
}

TEST_CASE("An update keeps missing files protected that would restore a damaged one") {
  const KeptElsewhere kept;
  const std::string moved =
      "cp -a d1 good; rot d1/ph/a/1; edit d1/ph/a/new; mkdir d2/a d2/b; mv d1/ph/a/[23] d2/a; "
      "mv d1/ph/b/[12] d2/b; ";
  const Outcome trial = kept.run(moved + "update --dry-run");
  const Outcome updated = kept.run("update");
  for (const Outcome& each : {trial, updated}) {
    CHECK(each.status == 1);
    CHECK(has(each.out, "damaged, and to be restored once what is missing is back: ph/a/1"));
    CHECK(has(each.out, "missing, and protected as before, as a damaged file needs it: ph/b/2"));
  }
  CHECK(has(updated.out, "updated: 1 new, 0 edited, 0 renamed, 0 no longer protected"));
  const Outcome repaired = kept.run(
      "mv d2/a/* d1/ph/a; mv d2/b/* d1/ph/b; repair && cmp d1/ph/a/1 good/ph/a/1 && update");
  CHECK(repaired.status == 0);
  // Who gives up what is missing may do so.
  const Outcome given_up =
      kept.run("rm -r good; rot d1/ph/a/1; rm d1/ph/a/[23] d1/ph/b/[12]; update --accept-missing");
  CHECK(has(given_up.out, "4 no longer protected"));
}

TEST_CASE("A damaged file that was moved out stays protected if a link is in its place") {
  for (const char* const link :
       {"ln -s ../../out/1 ph/c/1", "mv ph/c/* out; rmdir ph/c; ln -s ../out ph/c"}) {
    CAPTURE(std::string(link));
    const KeptBeside kept;
    const Outcome updated =
        kept.run("gzip < ph/c/1 > good; mkdir out; rot ph/c/1; mv ph/c/1 out; " +
                 std::string(link) + "; update");
    CHECK(updated.status != 0);
    CHECK(has(updated.out, "out/1 now, damaged"));
    const Outcome repaired =
        kept.run("rm ph/c 2> log || rm ph/c/1; repair; zcat < good | cmp - ph/c/1");
    CHECK(repaired.status == 0);
  }
}

TEST_CASE("A damaged file behind a link that leads to another disk stays protected") {
  const auto protected_on_a_disk = [] {
    return OneOutput({.names = {"ph/c/1", "ph/c/2", "ph/d/1", "ph/d/2", "ph/d/3", "ph/one/1"},
                      .protect = "mkdir ../other; "
                                 "$xorloom protect -q ph --redundancy 60% -o x.xorloom",
                      .kept = "x.xorloom",
                      .directory = "disk"});
  };
  for (const std::string moved : {"mv ph/c/1 ../other; ln -s ../../../other/1 ph/c/1",
                                  "mv ph/one ../other; ln -s $PWD/../other/one ph/one"}) {
    CAPTURE(moved);
    const OneOutput kept = protected_on_a_disk();
    const std::string file = has(moved, "ph/one") ? "ph/one/1" : "ph/c/1";
    REQUIRE(kept.run("gzip < " + file + " > good; rot " + file + "; " + moved).status == 0);
    for (const std::string update :
         {"update", "$xorloom protect --replace ph --redundancy 60% -o x.xorloom"}) {
      CAPTURE(update);
      const Outcome updated = kept.run(update);
      CHECK(updated.status == 1);
      CHECK(has(updated.out, "other/"));
      CHECK(has(updated.out, "damage"));
    }
    const Outcome restored =
        kept.run("repair -q --to new --only " + file + "; zcat < good | cmp - new/" + file);
    CHECK(restored.status == 0);
  }
  // No block of these is left.
  for (const std::string damage : {"head -c 300 good", "head -c 20000 /dev/zero", "true"}) {
    CAPTURE(damage);
    const OneOutput kept = protected_on_a_disk();
    const Outcome updated =
        kept.run("gzip < ph/c/1 > good; " + damage +
                 " > ../other/1; touch -r ph/c/1 ../other/1; rm ph/c/1; ln -s ../../../other/1 "
                 "ph/c/1; update");
    CHECK(updated.status == 1);
    CHECK(has(updated.out, "missing, and protected as before: ph/c/1, which is "));
    CHECK(kept.run("repair && zcat < good | cmp - ph/c/1").status == 0);
  }
  // A copy of another protected file is no damage, nor is a file of another time.
  for (const std::string other : {"rm ph/c/1; ln -s ../d/1 ph/c/1",
                                  "mv ph/c/1 ../other; edit ../other/1; ln -s "
                                  "../../../other/1 ph/c/1"}) {
    CAPTURE(other);
    const OneOutput kept = protected_on_a_disk();
    CHECK(kept.run("touch -r ph/c/1 ph/d/1; update; " + other + "; update").status == 0);
  }
  // What is whole there is given up, and cannot be named.
  const OneOutput kept = protected_on_a_disk();
  const Outcome whole = kept.run("mv ph/c/1 ../other; ln -s $PWD/../other/1 ph/c/1; update");
  CHECK(whole.status == 0);
  CHECK(has(whole.out, "no longer protected: ph/c/1\n"));
}

TEST_CASE("A stick with a single file is not given up while it is not mounted") {
  const OneOutput kept({.names = {"ph/c/1", "ph/c/2", "ph/stick/a/1", "ph/d/1"},
                        .protect = "$xorloom protect -q ph --redundancy 50% -o x.xorloom",
                        .kept = "x.xorloom"});
  const Outcome refused = kept.run("mv ph/stick/a away; update");
  CHECK(refused.status == 4);
  CHECK(has(refused.out, "ph/stick: the only file is missing"));
  CHECK(kept.run("mv away ph/stick/a && verify").status == 0);
  // A directory that is gone, or has something else in it, is no place of a disk.
  CHECK(kept.run("rm -r ph/stick; echo 1 > ph/d/2; rm ph/d/1; update").status == 0);
}

TEST_CASE(
    "A damaged file that moved to an empty protected disk, under an excluded name, is found") {
  const KeptScene disks({.names = numbered({"m1"}, 2), .protect = "mv m1 d1", .kept = "x.xorloom"});
  write_file(disks.folder / "lines", R"(
mkdir d2; mount -t tmpfs tmpfs d2 && touch mounted || exit 0
for all in "d1 d2" .; do
  $xorloom protect -q $all -o x.xorloom --exclude '*.tmp' --redundancy 100% --replace
  touch -r d1/1 stamp; printf xx | dd of=d1/1 bs=1 seek=777 conv=notrunc status=none
  touch -r stamp d1/1; cp -p d1/1 d2/1.tmp; rm d1/1
  $xorloom protect --update -o x.xorloom; echo "status $?"
  $xorloom repair -q x.xorloom; rm d2/1.tmp
done
)");
  const Outcome outcome = disks.run("export xorloom; unshare -rm bash lines");
  if (!std::filesystem::exists(disks.folder / "mounted")) {
    MESSAGE("SKIPPED: no file system can be mounted here");
    return;
  }
  const std::string named = "missing, and protected as before: d1/1, which is ./d2/1.tmp now";
  CHECK(outcome.err.find(named) != outcome.err.rfind(named));
  CHECK(has(outcome.out, "status 1\nstatus 1\n"));
}

}  // namespace xorloom::test
