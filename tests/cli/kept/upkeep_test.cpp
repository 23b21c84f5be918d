// Upkeep of protected files: updates, lists of files, repairs of some files, trials.

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

/// A directory with files and their protection beside it.
struct Kept : KeptScene {
  Kept()
      : KeptScene({.names = {"d/a", "d/x/b", "d/x/y/c", "d/z/e"},
                   .protect = "$xorloom protect d -o p --redundancy 60%"}) {}
  std::string names() const { return run("find d -type f | sort | tr '\\n' ' '").out; }
};

}  // namespace

TEST_CASE("An update says what changed, and a trial what would") {
  const Kept kept;
  CHECK(has(kept.run("$xorloom protect --update -o p").err,
            "nothing changed: 0 new, 0 edited, 0 renamed, 0 no longer protected, 4 as before\n"));
  const std::string before = kept.run("cksum p").out;
  const Outcome trial = kept.run(
      "echo new > d/new; echo more >> d/a; mv d/x/b d/x/k; rm -r d/z/e d/x/y; touch d/z/f; "
      "$xorloom "
      "protect --update -o p --dry-run");
  CHECK(has(trial.err,
            "new: d/new\nnew: d/z/f\nedited: d/a\nrenamed: d/x/b to d/x/k\nno longer protected: "
            "d/x/y/c\nno longer protected: d/z/e\n"));
  CHECK(has(trial.err,
            "would update: 2 new, 1 edited, 1 renamed, 2 no longer protected, 0 as before\n"));
  CHECK(kept.run("cksum p").out == before);
  const Outcome whole = kept.run("$xorloom protect --update -o p && $xorloom verify p");
  CHECK(whole.status == 0);
  CHECK(
      has(whole.err, "read all files: more than a quarter of the redundancy would be given up\n"));
  const Outcome added =
      kept.run("echo much > d/new; $xorloom protect --update -o p && $xorloom verify p");
  CHECK(added.status == 0);
  CHECK(has(added.err,
            "updated: 0 new, 1 edited, 0 renamed, 0 no longer protected, 3 as before; any "));
  CHECK(has(added.out, " redundant blocks of a row, 1 given up\n"));
}

TEST_CASE("verify lists new files, and an update takes them in, of more directories, too") {
  const Kept kept;
  const Outcome verified = kept.run("echo 1 > d/new; mkdir q; echo 2 > q/r; $xorloom verify p");
  CHECK(verified.status == 0);
  CHECK(has(verified.out, "new         1 file, which protect --update takes in\n"));
  CHECK(has(verified.out, "new  d/new: it is not protected\n"));
  CHECK(!has(verified.out, "q/r"));
  CHECK(kept.run("$xorloom protect --update q -o p && $xorloom verify p | grep 6: && rm q/r d/new; "
                 "$xorloom repair p && cat q/r d/new")
            .out == "files       6: 6 whole, 0 damaged, 0 moved, 0 missing\n2\n1\n");
  CHECK(has(kept.run("echo 3 > q/s; $xorloom verify p").out, "new  q/s: it is not protected\n"));
}

TEST_CASE("What is excluded is neither protected nor new, and lists of files may come from find") {
  const Kept kept;
  const Outcome outcome = kept.run(
      "touch d/t.tmp d/x/u.tmp; mkdir d/cache; echo 1 > d/cache/v; echo 2 > d/z/cache\n"
      "$xorloom protect d --exclude '*.tmp' --exclude d/cache -o q && $xorloom verify q && echo 3 "
      "> "
      "d/w.tmp && $xorloom verify q | grep new; $xorloom protect --update -o q --exclude y; "
      "$xorloom "
      "info q");
  CHECK(has(outcome.out, "files       5: 5 whole"));
  CHECK(!has(outcome.out, "it is not protected"));
  CHECK(has(outcome.out, " d/z/cache\n"));
  CHECK(!has(outcome.out, " d/x/y/c\n"));
  CHECK(has(outcome.err, "no longer protected: d/x/y/c\n"));
  CHECK(!has(outcome.err, "excludes nothing"));
  const Outcome unused =
      kept.run("$xorloom protect d --exclude z/ --exclude '*.none' -o u; $xorloom info u");
  CHECK(has(unused.err, "the pattern '*.none' excludes nothing\n"));
  CHECK(!has(unused.err, "'z/' excludes nothing"));
  CHECK(!has(unused.out, " d/z/"));
  const Outcome listed = kept.run(
      "touch \"$(printf 'd/n\\nl')\"; find d -type f -newer d/a -print0 | $xorloom protect --null "
      "--files-from - -o r; $xorloom info r | grep -c d/; printf '\\357\\273\\277d/a\\nd/x\\n' > "
      "list; $xorloom "
      "protect d/z/e --files-from list -o s; $xorloom info s");
  CHECK(listed.err.find("protected 0") == std::string::npos);
  CHECK(has(listed.out, "20000  d/z/e\n"));
  CHECK(has(listed.out, "20000  d/x/y/c\n"));
  CHECK(kept.run("$xorloom protect d -o t --null").status == 2);
  CHECK(kept.run("$xorloom protect d -o t --exclude ''").status == 2);
  CHECK(kept.run("$xorloom protect -o t").status == 2);
}

TEST_CASE("However little is left, each of several protection files has redundancy") {
  const Kept kept;
  const std::string outputs = " -o 1 -o 2 -o 3";
  CHECK(kept.run("$xorloom protect d --redundancy 2%" + outputs + " && $xorloom verify 1 2 3")
            .status == 0);
  const Outcome updated = kept.run(
      "rm -r d/x d/z; echo little > d/a; $xorloom protect --update "
      "--accept-missing" +
      outputs + " && $xorloom verify 1 2 3");
  CAPTURE(updated.err);
  CHECK(updated.status == 0);
  CHECK(has(updated.out, "redundancy  3 chunks in 3 files: whole\n"));
  CHECK(has(updated.err, "read all files: "));
  CHECK(kept.run("rm d/a; $xorloom repair 1 2 3 && cat d/a").out == "little\n");
  // A number that is asked for is not changed.
  const Outcome refused = kept.run("$xorloom protect d -m 2 -o 4 -o 5 -o 6");
  CHECK(refused.status == 2);
  CHECK(has(refused.err, "2 redundant chunks cannot be shared between 3 files"));
}

TEST_CASE("What cannot be read is left out on request, and what is protected stays so") {
  const Kept kept;
  const std::string user =
      ::geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  REQUIRE(kept.run("chmod 777 . && chmod 644 p && chmod 755 d d/x d/x/y d/z && echo 1 > d/new && "
                   "chmod 0 d/new && mkdir d/locked && echo 2 > d/locked/f && chmod 0 d/locked")
              .status == 0);
  const Outcome refused = kept.run(user + "$xorloom protect d -o q");
  if (has(refused.err, "setpriv")) {
    MESSAGE("SKIPPED: no other user can be had");
    return;
  }
  CHECK(refused.status == 4);
  CHECK(!fs::exists(kept.folder / "q"));
  const auto check = [](const Outcome& outcome) {
    CHECK(outcome.status == 4);
    CHECK(has(outcome.err, "left out: d/locked: it cannot be read: Permission denied\n"));
    CHECK(has(outcome.err, "left out: d/new: it cannot be read: Permission denied\n"));
    CHECK(has(outcome.err,
              "2 files and directories cannot be read: what is new or edited there is not "
              "protected\n"));
  };
  const Outcome made = kept.run(user + "$xorloom protect d -o q --keep-going");
  check(made);
  CHECK(has(made.err, "protected 4 files of "));
  CHECK(kept.run("$xorloom verify q | grep 4:; stat -c %a q").out ==
        "files       4: 4 whole, 0 damaged, 0 moved, 0 missing\n644\n");
  // A file that can no longer be read is protected still, as it was if it was edited.
  const Outcome updated = kept.run("chmod 0 d/a; echo 3 > d/other; " + user +
                                   "$xorloom protect --update -o q --keep-going");
  check(updated);
  CHECK(has(updated.err, "updated: 1 new, "));
  CHECK(!has(updated.err, "no longer protected: "));
  CHECK(kept.run("chmod 644 d/a; $xorloom verify q | grep 5:; chmod 0 d/a").out ==
        "files       5: 5 whole, 0 damaged, 0 moved, 0 missing\n");
  const std::string before = kept.run("cksum q").out;
  const Outcome edited = kept.run("chmod 644 d/a; echo 4 >> d/a; chmod 0 d/a; " + user +
                                  "$xorloom protect --update -o q --keep-going");
  CHECK(edited.status == 4);
  CHECK(has(edited.err, "left out: d/a: it cannot be read: Permission denied\n"));
  CHECK(has(edited.err, "nothing changed: "));
  CHECK(kept.run("cksum q").out == before);
  CHECK(kept.run("chmod 755 d/locked").status == 0);
}

TEST_CASE("Of a file that was renamed and damaged, no update takes the damage in") {
  const Kept kept;
  const Outcome updated = kept.run("mv d/a d/b; rot d/b; $xorloom protect --update -o p");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "d/b changed, and the time did not, as if by damage; all others were"));
  // Nothing tells which of two equal damaged files is the old one: one is taken for it, and the
  // other is left out.
  const Outcome copied = kept.run(
      "mv d/x/b d/x/k; rot d/x/k; cp -a d/x/k d/x/l; echo n > d/new; $xorloom protect --update "
      "-o p 2> err; s=$?; sed -n 's/^to restore the old content: xorloom/$xorloom/p' err > "
      "command; "
      "cat err; xorloom=$xorloom sh command && rm d/x/l && exit $s");
  CHECK(copied.status == 1);
  CHECK(has(copied.out, "new: d/new\n"));
  CHECK(has(copied.out, "left out: d/x/l: it is like d/x/k, which is damaged: restore that, and"));
  CHECK(has(copied.out, "error: d/x/k changed, and the time did not, as if by damage; all others"));
  CHECK(kept.run("touch d/b; $xorloom protect --update -o p && $xorloom verify p").status == 0);
}

TEST_CASE("repair restores the files that are asked for, and leaves edits alone then") {
  const Kept kept;
  REQUIRE(kept.run("cp -a d whole; rot d/a; echo edited > d/x/b; rm d/x/y/c; mv d/z d/v").status ==
          0);
  const Outcome one = kept.run("$xorloom repair p --only d/a; cmp d/a whole/a; cat d/x/b");
  CHECK(one.out == "edited\n");
  CHECK(has(one.err, "restored 1 of 4 protected files: "));
  CHECK(kept.run("$xorloom repair p --only d/x/y --only ./d/z/e && cmp d/x/y/c whole/x/y/c && cmp "
                 "d/z/e whole/z/e")
            .status == 0);
  CHECK(kept.run("cat d/x/b").out == "edited\n");
  const Outcome none = kept.run("$xorloom repair p --only d/none");
  CHECK(none.status == 2);
  CHECK(has(none.err, "--only: no protected file is 'd/none' or in a directory of that name"));
  CHECK(kept.run("$xorloom verify p --only d/a").status == 2);
}

TEST_CASE("repair --to writes files elsewhere, and a trial nothing at all") {
  const Kept kept;
  REQUIRE(kept.run("cp -a d whole; rot d/a; echo edited > d/x/b; rm d/x/y/c; mv d/z/e d/v; head -c "
                   "9000 p > q; tail -c +9002 p >> q; mv q p")
              .status == 0);
  const std::string before = kept.run("find . -type f | sort | xargs cksum").out;
  const Outcome trial = kept.run("$xorloom repair p --dry-run --remove-kept");
  CHECK(trial.status == 0);
  for (const char* const line :
       {"would be moved back: ./d/v to ./d/z/e\n", "would be restored: ./d/a\n",
        "would be restored: ./d/x/y/c, from ./whole/x/y/c, which stays\n",
        "what is ./d/x/b would be ./d/x/b.damaged\n", "would be removed: ./d/a.damaged\n",
        "would be rewritten: p\n", "would restore 4 of 4 protected files: "}) {
    CAPTURE(line);
    CHECK(has(trial.err, line));
  }
  CHECK(kept.run("find . -type f | sort | xargs cksum").out == before);
  const Outcome elsewhere = kept.run("$xorloom repair p --to out/deep; diff -r whole out/deep/d");
  CHECK(elsewhere.status == 0);
  CHECK(has(elsewhere.err, "restored: out/deep/d/z/e, from ./d/v, which stays\n"));
  CHECK(kept.run("rm -r out; find . -type f | sort | xargs cksum").out == before);
  CHECK(kept.run("$xorloom repair p --to out --only d/a && cmp out/d/a whole/a && ls out/d").out ==
        "a\n");
  CHECK(kept.run("$xorloom repair p --to out --remove-kept").status == 2);
  CHECK(kept.run("$xorloom repair d --dry-run").status == 2);
}

TEST_CASE("What repair restored is told even if it cannot rewrite the protection") {
  const Kept kept;
  const std::string user =
      ::geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  const Outcome repaired = kept.run(
      "mkdir far; mv p far/p; rot far/p; rot d/a; chmod 755 .; chmod -R a+rwX d far; chmod "
      "555 far; " +
      user + "$xorloom repair far/p --base . --format json; s=$?; chmod 755 far; exit $s");
  if (has(repaired.err, "setpriv")) {
    MESSAGE("SKIPPED: no other user can be had");
    return;
  }
  CHECK(repaired.status == 4);
  CHECK(has(repaired.err, "restored: ./d/a\n"));
  CHECK(has(repaired.err, "the damaged protection could not be rewritten: cannot "));
  CHECK(has(repaired.out, "\"restored\""));
  CHECK(kept.run("cmp d/a d/a.damaged").status == 1);
}

TEST_CASE("What repair kept is removed on request, and nothing else") {
  const Kept kept;
  REQUIRE(kept.run("rot d/a; rot d/x/b; $xorloom repair p && rot d/a && $xorloom repair p "
                   "&& touch d/other.damaged && rot d/z/e")
              .status == 0);
  CHECK(kept.names() ==
        "d/a d/a.damaged d/a.damaged-2 d/other.damaged d/x/b d/x/b.damaged d/x/y/c d/z/e ");
  CHECK(kept.run("$xorloom repair p --only d/z/e --remove-kept").status == 0);
  CHECK(kept.names() ==
        "d/a d/a.damaged d/a.damaged-2 d/other.damaged d/x/b d/x/b.damaged d/x/y/c d/z/e ");
  CHECK(has(kept.run("$xorloom repair --help-all").out, "NAME.damaged-2"));
  CHECK(has(kept.run("$xorloom repair p --remove-kept").err, "removed: ./d/a.damaged-2\n"));
  CHECK(kept.names() == "d/a d/other.damaged d/x/b d/x/y/c d/z/e ");
}

TEST_CASE("A protection file is checked alone, and repairs and checks are reported to programs") {
  const Kept kept;
  const Outcome alone = kept.run("mv d e; $xorloom verify p --protection-only; mv e d");
  CHECK(alone.status == 0);
  CHECK(has(alone.out, "files       4, which were not read\n"));
  const Outcome damaged = kept.run(
      "cp p good; rot p 9000; $xorloom verify p --protection-only; status=$?; $xorloom verify p "
      "--protection-only --format json | grep damaged_blocks; exit $status");
  CHECK(damaged.status == 1);
  CHECK(has(damaged.out, "redundancy  48 chunks in 1 file: 1 block damaged\n"));
  CHECK(has(damaged.out, "\"damaged_blocks\": 1"));
  const Outcome metrics =
      kept.run("rot d/a; rm d/x/b; echo 1 > d/new; $xorloom verify p --format prometheus");
  CHECK(metrics.status == 1);
  for (const char* const line :
       {"state=\"damaged\"} 1\n", "state=\"missing\"} 1\n", "state=\"edited\"} 0\n",
        "# TYPE xorloom_protected_files gauge\n", "xorloom_unprotected_files{protection=\"",
        "xorloom_protection_recoverable{protection=\""}) {
    CAPTURE(line);
    CHECK(has(metrics.out, line));
  }
  const Outcome repaired = kept.run(
      "$xorloom repair p --format json | python3 -c 'import json, sys; r = json.load(sys.stdin); "
      "print([f[\"path\"] for f in r[\"restored\"]], r[\"kept\"], r[\"rewritten\"], r[\"lost\"], "
      "r[\"dry_run\"])'; cmp p good");
  CHECK(
      repaired.out ==
      "['./d/a', './d/x/b'] [{'path': './d/a', 'as': './d/a.damaged'}] [{'path': 'p'}] [] False\n");
  CHECK(repaired.status == 0);
}

TEST_CASE("repair and info of shards say what the directories are worth") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& line) { return shell(line, folder.path()); };
  write_file(folder / "f", random_bytes(5'000, 1));
  REQUIRE(run("$xorloom encode f -o 1 -o 2 -o 3 --code rs:k=4,m=2").status == 0);
  // The third is gone: its shards go to the other two.
  const Outcome repaired = run("rm -r 3; $xorloom repair 1 2");
  CHECK(repaired.status == 0);
  CHECK(has(repaired.err, "warning: no directory may be lost: one of the 2 holds 3 of 6 shards, "));
  // A shard whose header is damaged is not there to be counted.
  REQUIRE(run("rm -r 1 2 3; $xorloom encode f -o 1 -o 2 -o 3 --code rs:k=4,m=2").status == 0);
  const Outcome info =
      run("for s in 1/*; do printf x | dd of=$s bs=1 seek=40 conv=notrunc "
          "status=none; break; done; $xorloom info 1 2 3");
  CHECK(has(info.out, "directories  none of the 3 with shards may be lost\n"));
  CHECK(has(info.out, ", damaged 0\n"));
}

TEST_CASE("verify --all looks at every set and every protection below, and ends as for the worst") {
  const Kept kept;
  REQUIRE(
      kept.run("mkdir -p w/s w/t w/u; $xorloom encode d/a -o w/s -o w/t && $xorloom encode d/x/b "
               "-o w/u && $xorloom protect d --base . -o w/one -o w/u/two")
          .status == 0);
  const Outcome mixed = kept.run("$xorloom verify w/u p");
  CHECK(mixed.status == 2);
  CHECK(
      has(mixed.err, "w/u holds shards of a set, and p is a protection file: look at each alone"));
  // Names of the protection in w are not relative to w.
  REQUIRE(kept.run("rm w/one w/u/two; mv d p w").status == 0);
  const Outcome whole = kept.run("$xorloom verify --all w");
  CHECK(whole.status == 0);
  CHECK(has(whole.out, "w/p:\n"));
  CHECK(whole.out.find("14 whole", whole.out.find("14 whole") + 1) != std::string::npos);
  const Outcome damaged = kept.run("rm w/s/*-00.shard; $xorloom verify --all w");
  CHECK(damaged.status == 1);
  CHECK(
      has(damaged.err,
          "3 checked: 0 with lost bytes, 1 that can be recovered, 0 that could not be looked at"));
  const Outcome lost = kept.run(
      "for f in $(find w/d/[xz] -type f); do touch -r $f t; head -c 20000 /dev/zero > $f; touch -r "
      "t "
      "$f; done; $xorloom verify --all w --format json | python3 -c 'import json, sys; "
      "print([r[\"format\"] for r in json.load(sys.stdin)[\"results\"]])'; $xorloom verify --all w "
      "--format prometheus > metrics; status=$?; grep -c '# TYPE xorloom_shards gauge' metrics; "
      "grep "
      "-c '^xorloom_shards' metrics; exit $status");
  CHECK(lost.status == 3);
  CHECK(has(lost.out, "['xorloom-protection', 'xorloom-verify', 'xorloom-verify']\n1\n10\n"));
  CHECK(has(lost.err, "w/p: 60000 bytes of protected files are lost; if there is a copy"));
  CHECK(kept.run("mkdir none; $xorloom verify --all none").status == 4);
  CHECK(kept.run("$xorloom verify --all nowhere").status == 4);
  CHECK(kept.run("$xorloom verify --all w --raw").status == 2);
}

TEST_CASE("An update gives nothing up that the repair of a damaged file needs") {
  // Damage is seen under another name, or once all files are read.
  for (const std::string rename : {"true", "mv p/2025/7 p/2025/70"}) {
    CAPTURE(rename);
    const KeptScene kept({.names = numbered({"p/2025", "p/2026"}, 20),
                          .protect = "$xorloom protect -q p -o x.xorloom",
                          .kept = "x.xorloom",
                          .bytes = 30'000});
    const std::string sum = kept.run("cksum x.xorloom").out;
    kept.run("cksum < p/2025/7 > was; rot p/2025/7; " + rename +
             "; mkdir out; mv p/2026/[1-9] out");
    for (const std::string way : {"--dry-run", ""}) {
      CAPTURE(way);
      const Outcome refused = kept.run("update " + way);
      CHECK(refused.status == 1);
      CHECK(has(refused.err,
                "nothing was changed, since p/2025/7 could then not be restored: repair that "
                "first"));
      CHECK(has(refused.err,
                "to restore the old content: xorloom repair x.xorloom --only p/2025/7\n"));
      CHECK(!has(refused.err, "no longer protected"));
    }
    CHECK(kept.run("cksum x.xorloom").out == sum);
    CHECK(kept.run("repair --only p/2025/7 && cksum < p/2025/7 | cmp - was && update").status == 0);
  }
}

TEST_CASE("A command to restore a damaged file is printed only if it can be restored") {
  for (const std::string change : {"rm p/2", "edit p/2"}) {
    CAPTURE(change);
    const KeptScene kept({.names = numbered({"p"}, 6),
                          .protect = "$xorloom protect -q p -o x.xorloom",
                          .kept = "x.xorloom",
                          .bytes = 30'000});
    kept.run("rot p/1; " + change);
    for (const std::string command :
         {"update --dry-run", "update", "update", "$xorloom protect --replace p -o x.xorloom"}) {
      CAPTURE(command);
      const Outcome updated = kept.run(command);
      CHECK(updated.status == 1);
      const bool is_waiting = change == "rm p/2" && has(command, "update");
      CHECK(has(updated.err, is_waiting ? "to be restored once what is missing is back: p/1\n"
                                        : "is the way out: p/1\n"));
      CHECK(!has(updated.err, "to restore the old content"));
    }
    CHECK(kept.run("repair --only p/1").status == 3);
  }
  // One of two damaged files has a copy.
  const KeptScene kept({.names = numbered({"p"}, 6),
                        .protect = "$xorloom protect -q p -o x.xorloom; mkdir q; cp p/3 q",
                        .kept = "x.xorloom",
                        .bytes = 30'000});
  const Outcome updated = kept.run("rot p/1; rot p/3; rm p/2; update");
  CHECK(has(updated.err, "to restore the old content: xorloom repair x.xorloom --only p/3\n"));
  CHECK(has(updated.err, "to be restored once what is missing is back: p/1\n"));
  CHECK(kept.run("repair --only p/3 && cmp p/3 q/3").status == 0);
}

}  // namespace xorloom::test
