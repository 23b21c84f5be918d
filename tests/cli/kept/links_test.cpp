// Symbolic links that are followed on request: what is protected by them, and what repair changes.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

/// A directory with a file, and links to a file and to a directory that are elsewhere.
struct Linked : KeptScene {
  Linked()
      : KeptScene({.names = {"base/d/a", "far/one", "far/album/b", "far/album/deep/c"},
                   .protect = "ln -s ../../far/one base/d/one; ln -s ../../far/album base/d/album; "
                              "cp -a far kept"}) {}
  void protect() const {
    REQUIRE(run("$xorloom protect -L base/d -o base/p --redundancy 110%").status == 0);
  }
};

}  // namespace

TEST_CASE("Links are left out, or what they lead to is protected under their names on request") {
  const Linked linked;
  const Outcome without = linked.run("$xorloom protect base/d -o base/q; $xorloom info base/q");
  CHECK(has(without.err, "left out: d/album: it is a symbolic link\n"));
  CHECK(!has(without.out, "d/one"));
  CHECK(!has(without.out, "links "));
  const Outcome made = linked.run(
      "$xorloom protect --dereference base/d -o base/p; $xorloom info base/p; "
      "$xorloom info base/p --format json | grep follows_links");
  CHECK(made.status == 0);
  CHECK(!has(made.err, "left out"));
  const std::string far = fs::canonical(linked.folder / "far").string();
  CHECK(has(made.err, "d/album leads out of the base directory, to " + far + "/album\n"));
  CHECK(has(made.err, "d/one leads out of the base directory, to " + far + "/one\n"));
  for (const char* const name : {" d/a\n", " d/album/b\n", " d/album/deep/c\n", " d/one\n"}) {
    CHECK(has(made.out, name));
  }
  CHECK(has(made.out, "links        followed\n"));
  CHECK(has(made.out, "\"follows_links\": true"));
  const Outcome verified = linked.run("echo new > far/album/new; $xorloom verify base/p");
  CHECK(verified.status == 0);
  CHECK(has(verified.out, "4: 4 whole"));
  CHECK(has(verified.out, "new  d/album/new: it is not protected\n"));
}

TEST_CASE("A link that is named and left out is named with the option that follows it") {
  const Linked linked;
  const Outcome alone = linked.run("$xorloom protect -q base/d/album -o base/q");
  CHECK(alone.status == 2);
  CHECK(has(alone.err,
            "there is no file to protect; d/album: it is a symbolic link; --dereference protects "
            "what it leads to\n"));
  CHECK(has(linked.run("$xorloom protect base/d base/d/album -o base/q").err,
            "left out: d/album: it is a symbolic link; --dereference protects what it leads to\n"));
}

TEST_CASE("No file and no directory is protected twice by a link, and no loop is entered") {
  const Linked linked;
  const Outcome made = linked.run(
      "ln -s . base/d/self; ln -s .. base/d/up; ln -s a base/d/same; ln -s album/b base/d/into; ln "
      "-s ../one far/album/one; ln -s ../../../far far/album/deep/far; ln -s nowhere "
      "base/d/broken; "
      "ln "
      "-s loop base/d/loop; ln -s /dev/null base/d/null\n"
      "$xorloom protect -L base/d -o base/p; $xorloom verify base/p; $xorloom info base/p");
  CAPTURE(made.err);
  CHECK(made.status == 0);
  for (const char* const line :
       {"d/self: it is a symbolic link to d, which is protected under that name\n",
        "d/same: it is a symbolic link to d/a, which is protected under that name\n",
        "d/into: it is a symbolic link to d/album/b, which is protected under that name\n",
        "d/album/one: it is a symbolic link to d/one, which is protected under that name\n",
        "d/broken: it is a symbolic link that leads nowhere\n",
        "d/loop: it is a symbolic link that leads nowhere\n", "d/null: it is no regular file\n",
        "d/up/d: it is d, which is protected under that name\n",
        "d/album/deep/far/album: it is d/album, which is protected under that name\n",
        "d/album/deep/far/one: it is d/one, which is protected under that name\n"}) {
    CAPTURE(line);
    CHECK(has(made.err, line));
  }
  CHECK(!has(made.err, "d/null leads out"));
  CHECK(has(made.out, "4: 4 whole"));
  CHECK(!has(made.out, "not protected"));
}

TEST_CASE("Other file systems below a followed link are not entered") {
  const Linked linked;
  linked.protect();
  write_file(
      linked.folder / "lines",
      "mkdir far/album/disk; mount -t tmpfs tmpfs far/album/disk && touch mounted || exit 0\n"
      "echo 1 > far/album/disk/f; ln -s ../../far/album/disk base/d/z\n"
      "$xorloom protect -L base/d -o base/q; $xorloom info base/q\n");
  const Outcome outcome = shell("export xorloom; unshare -rm bash lines", linked.folder.path());
  if (!fs::exists(linked.folder / "mounted")) {
    MESSAGE("SKIPPED: no file system can be mounted here");
    return;
  }
  CHECK(has(outcome.err,
            "d/album/disk: it is on another file system than the link above it leads to\n"));
  CHECK(has(outcome.out, " d/z/f\n"));
  CHECK(!has(outcome.out, "d/album/disk"));
}

TEST_CASE("repair puts a file in the place of a link, and changes nothing that links lead to") {
  const Linked linked;
  linked.protect();
  const Outcome trial = linked.run(
      "rot far/one; rot far/album/b; rm far/album/deep/c; cp -a far damaged\n"
      "$xorloom repair base/p --dry-run");
  CHECK(
      has(trial.err, "what is base/d/one, a link to ../../far/one, would be base/d/one.damaged\n"));
  CHECK(trial.status == 4);
  CHECK(has(trial.err, "cannot write base/d/album/b: a link in its path leads out of base"));
  CHECK(!has(trial.err, "would be restored: base/d/album"));
  const Outcome repaired = linked.run("$xorloom repair base/p");
  CHECK(repaired.status == 4);
  CHECK(has(repaired.err, "restored: base/d/one\n"));
  CHECK(has(repaired.err,
            "what was base/d/one, a link to ../../far/one, is base/d/one.damaged now\n"));
  CHECK(has(repaired.err,
            "cannot write base/d/album/b: a link in its path leads out of base, and nothing is "
            "changed there unless --dereference is given\n"));
  CHECK(linked
            .run("diff -r far damaged && cmp base/d/one kept/one && readlink "
                 "base/d/one.damaged")
            .out == "../../far/one\n");
  // Files of such a directory are restored elsewhere, or there on request.
  CHECK(linked
            .run("$xorloom repair base/p --to to && diff -r to/d/album kept/album && diff -r far "
                 "damaged")
            .status == 0);
  const Outcome there = linked.run(
      "$xorloom repair base/p -L && cmp far/album/b kept/album/b && cmp "
      "far/album/deep/c kept/album/deep/c && $xorloom verify base/p");
  CAPTURE(there.err);
  CHECK(there.status == 0);
  CHECK(linked
            .run("cmp far/one damaged/one && test -L base/d/album && cmp far/album/b.damaged "
                 "damaged/album/b")
            .status == 0);
  CHECK(linked.run("$xorloom repair far -L").status == 2);
}

TEST_CASE("A link that leads nowhere is a disk that is not mounted, and no file is lost") {
  const Linked linked;
  linked.protect();
  const Outcome verified = linked.run("mv far away; $xorloom verify base/p");
  CHECK(verified.status == 4);
  CHECK(has(verified.out, "4: 1 whole, 0 damaged, 0 moved, 0 missing, 3 unreadable\n"));
  CHECK(has(verified.out, "leads nowhere, as if a disk were not mounted"));
  const Outcome repaired = linked.run("$xorloom repair base/p");
  CHECK(repaired.status == 4);
  CHECK(has(repaired.err,
            "left as it is: base/d/album/b: a symbolic link in its path leads nowhere"));
  CHECK(linked.run("readlink base/d/one base/d/album; ls -A base/d").out ==
        "../../far/one\n../../far/album\na\nalbum\none\n");
  for (const std::string way : {"--update", "base/d -L --replace"}) {
    CAPTURE(way);
    const Outcome refused = linked.run("cksum base/p > sum; $xorloom protect -o base/p " + way +
                                       "; s=$?; cksum base/p | cmp - sum && exit $s");
    CHECK(refused.status == 4);
    CHECK(
        has(refused.err,
            "base/d/album/b, base/d/album/deep/c, base/d/one: a symbolic link in their path leads "
            "nowhere, as if a disk were not mounted; nothing was changed; --accept-missing gives "
            "them up"));
  }
  // A lost disk: restored elsewhere, or in the place of links that are removed.
  CHECK(linked.run("$xorloom repair base/p --to to && diff -r to/d/album kept/album").status == 0);
  CHECK(linked
            .run("rm base/d/one base/d/album; $xorloom repair base/p && cmp base/d/one kept/one && "
                 "diff -r base/d/album kept/album")
            .status == 0);
  const Linked other;
  other.protect();
  const Outcome given_up = other.run(
      "rm -r far; $xorloom protect --update --accept-missing -o base/p && $xorloom verify base/p");
  CAPTURE(given_up.err);
  CHECK(given_up.status == 0);
  CHECK(has(given_up.out, "1: 1 whole"));
}

TEST_CASE("An update follows links still, and knows them by other names") {
  const Linked linked;
  linked.protect();
  const Outcome same = linked.run("$xorloom protect --update -o base/p");
  CHECK(has(same.err, "nothing changed: 0 new, 0 edited, 0 renamed, 0 no longer protected, 4 as"));
  const Outcome updated = linked.run(
      "echo more >> far/album/b; echo new > far/album/new; mv base/d/one base/d/two\n"
      "$xorloom protect --update -o base/p && $xorloom verify base/p");
  CAPTURE(updated.err);
  CHECK(updated.status == 0);
  CHECK(
      has(updated.err, "updated: 1 new, 1 edited, 1 renamed, 0 no longer protected, 2 as before"));
  CHECK(has(updated.err, "d/two leads out of the base directory, to "));
  CHECK(!has(updated.err, "d/album leads out of"));
  // A protection that was made without -L takes in linked files from the first update with -L on.
  const Outcome later = linked.run(
      "$xorloom protect base/d -o base/q && $xorloom protect --update -L -o base/q && $xorloom "
      "protect --update -o base/q && $xorloom verify base/q");
  CHECK(later.status == 0);
  CHECK(has(later.err, "updated: 4 new, "));
  CHECK(has(later.err, "leads out of"));
  CHECK(has(later.out, "5: 5 whole"));
  // Damage behind a link is damage.
  const Outcome refused = linked.run(
      "rot far/album/deep/c; $xorloom verify base/p; $xorloom protect "
      "base/d -L -o base/p --replace");
  CHECK(refused.status == 1);
  CHECK(has(refused.out, "damaged  d/album/deep/c: "));
  CHECK(has(refused.err, "d/album/deep/c changed, and the time did not, as if by damage"));
}

TEST_CASE("The command that is printed for damage restores it where a link leads out, too") {
  const Linked linked;
  linked.protect();
  for (const char* const again : {"--update", "base/d -L --replace"}) {
    CAPTURE(again);
    const Outcome refused = linked.run(
        "touch -r far/album/b t; : > far/album/b; touch -r t far/album/b; $xorloom protect -o "
        "base/p " +
        std::string(again));
    CHECK(refused.status == 1);
    CHECK(has(refused.err, "xorloom repair base/p --dereference --only d/album/b\n"));
    CHECK(linked
              .run("$xorloom repair -q base/p --dereference --only d/album/b && cmp far/album/b "
                   "kept/album/b && rm far/album/*.damaged")
              .status == 0);
  }
}

TEST_CASE("Where a link leads out, what is said of missing files names --dereference") {
  const Linked linked;
  linked.protect();
  const std::string gone = "rm -r far/album/*; $xorloom ";
  for (const std::string again :
       {"protect -o base/p --update", "protect -o base/p base/d -L --replace"}) {
    CAPTURE(again);
    const Outcome refused = linked.run(gone + again);
    CHECK(refused.status == 4);
    CHECK(has(refused.err,
              "d/album: all 2 files are missing; nothing was changed; repair base/p restores them "
              "if enough is left, "
              "with --dereference, as a link leads out of the base directory; --accept-missing "));
  }
  const Outcome verified = linked.run("$xorloom verify base/p");
  CHECK(has(verified.err, "2 are missing: repair --dereference brings them back, and "));
  const Outcome without = linked.run("$xorloom repair base/p");
  CHECK(without.status == 4);
  CHECK(has(without.err,
            "2 files could not be restored, and can be with --dereference, or elsewhere with "
            "--to\n"));
  CHECK(linked.run("$xorloom repair base/p --dereference && diff -r far kept").status == 0);
  CHECK(!has(linked.run("rm base/d/a; $xorloom verify base/p").err, "dereference"));
}

TEST_CASE("A link that was renamed is renamed back, and what it leads to stays as it is") {
  const Linked linked;
  linked.protect();
  const Outcome moved = linked.run(
      "chmod 600 far/one; stat -c '%n %i %a %y' far/one > before; mv base/d/one base/d/two; mv "
      "base/d/album base/d/pictures; $xorloom verify base/p; $xorloom repair base/p");
  CAPTURE(moved.err);
  CHECK(moved.status == 0);
  CHECK(has(moved.out, "4: 1 whole, 0 damaged, 3 moved, 0 missing\n"));
  CHECK(has(moved.err, "moved back: base/d/two to base/d/one\n"));
  CHECK(has(moved.err, "moved back: base/d/pictures to base/d/album\n"));
  CHECK(has(moved.err, ", wrote 0 bytes, "));
  CHECK(linked
            .run("readlink base/d/one base/d/album; stat -c '%n %i %a %y' far/one | cmp - before "
                 "&& diff -r far kept")
            .out == "../../far/one\n../../far/album\n");
  // A file behind a link is not moved out of its directory: it is copied.
  const Outcome copied = linked.run(
      "mv base/d/a far/album/x; cp -a far away; $xorloom repair base/p "
      "&& diff -r far away && cmp base/d/a far/album/x");
  CAPTURE(copied.err);
  CHECK(copied.status == 0);
  CHECK(has(copied.err, "restored: base/d/a, from base/d/album/x, which stays\n"));
}

TEST_CASE("A protection file allows others no more than what links lead to does") {
  const Linked linked;
  const std::string protect =
      "umask 022; rm -f base/q; $xorloom protect -L base/d -o base/q; stat -c "
      "%a base/q; ";
  CHECK(linked.run("chmod 755 .; chmod -R go+rX .; " + protect).out == "644\n");
  for (const std::string closed : {"far/album/deep/c", "far/one", "far", "far/album"}) {
    CAPTURE(closed);
    CHECK(linked.run("chmod go= " + closed + "; " + protect + "chmod go+rX " + closed).out ==
          "600\n");
  }
}

TEST_CASE("A link that repair kept is named, and not removed") {
  const KeptScene kept({.names = {"p/f1", "q/x"},
                        .protect = "ln -s ../q/x p/l; $xorloom protect -q -L p -o x.xorloom "
                                   "--redundancy 100%",
                        .kept = "x.xorloom"});
  const Outcome removed =
      kept.run("rot q/x; repair -q; repair --remove-kept && readlink p/l.damaged");
  CHECK(removed.status == 0);
  CHECK(removed.out == "../q/x\n");
  CHECK(has(removed.err, "not removed, as it is no regular file, or "));
  CHECK(has(removed.err, "it may be an edit: ./p/l.damaged\n"));
}

}  // namespace xorloom::test
