// verify, repair and an update look in the same places for what is not under its name, and agree on
// what was found there: whole, damaged, or nothing, as if a disk were not mounted.

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

/// Photographs "photos/1" to "photos/8".
KeptScene photographs(const std::string& options) {
  return KeptScene({.names = numbered({"photos"}, 8),
                    .protect = "mkdir wedding; $xorloom protect -q photos -o x.xorloom " + options +
                               " && cksum < photos/3 > sum",
                    .kept = "x.xorloom"});
}

}  // namespace

TEST_CASE("A second disk that is not mounted is not lost, and repair says what it would hide") {
  for (const std::string away :
       {"mv d2/ph ../away; mkdir d2/ph", "mv d2/ph ../away", "mv d1/usb ../away; mkdir d1/usb"}) {
    CAPTURE(away);
    const KeptScene disks({.names = numbered({"d1/ph", "d2/ph", "d1/usb"}, 4),
                           .protect = "$xorloom protect -q d1/ph d1/usb d2/ph -o x.xorloom; "
                                      "$xorloom protect -q d1 d2 -o y --redundancy 120%",
                           .kept = "x.xorloom",
                           .directory = "w"});
    const std::string place = has(away, "usb") ? "d1/usb" : "d2";
    const std::string unmounted =
        place + ": all 4 files are missing, as if a disk were not mounted; ";
    const Outcome verified = disks.run(away + "; verify");
    CHECK(verified.status == 4);
    CHECK(has(verified.err, unmounted + "if they are gone, 80000 bytes cannot be restored; "));
    CHECK(!has(verified.err + verified.out, "lost"));
    const Outcome metrics = disks.run("verify --format prometheus");
    CHECK(has(metrics.out, "xorloom_protection_recoverable{protection="));
    CHECK(has(metrics.out, "\"} 1\n"));
    const auto json = nlohmann::json::parse(disks.run("verify --format json").out);
    CHECK(json.at("recoverable") == true);
    CHECK(json.at("lost").empty());
    CHECK(json.at("missing_directories")[0].at("name") == place);
    const Outcome repaired = disks.run("repair; s=$?; find d1/usb d2 -type f; exit $s");
    CHECK(repaired.status == 4);
    CHECK(has(repaired.err, unmounted));
    CHECK(!has(repaired.err, "beyond repair"));
    CHECK(!has(repaired.out, place));
    // With enough redundancy it is restored where it was, which is said.
    const Outcome hidden =
        disks.run("mv x.xorloom away2; $xorloom verify y; $xorloom repair y; ls " +
                  (place == "d2" ? "d2/ph" : place));
    CHECK(hidden.out.ends_with("1\n2\n3\n4\n"));
    CHECK(has(hidden.err, "as if a disk were not mounted: --accept-missing gives up"));
    CHECK(has(hidden.err,
              "restored where all files were missing, as if a disk were not mounted; a "
              "disk that is mounted there hides them: ./d"));
  }
}

TEST_CASE("Damage beside a disk that is not mounted is told apart from that") {
  const KeptScene disks({.names = numbered({"d1/ph", "d2/ph"}, 4),
                         .protect = "$xorloom protect -q d1/ph d2/ph -o x.xorloom --redundancy 50%",
                         .kept = "x.xorloom",
                         .directory = "w"});
  const Outcome blocked = disks.run("mv d2 ../away; rot d1/ph/1; verify");
  CHECK(blocked.status == 4);
  CHECK(has(blocked.out, "blocked  d1/ph/1: bytes "));
  CHECK(!has(blocked.out, "lost"));
  const Outcome left = disks.run("repair");
  CHECK(left.status == 4);
  CHECK(has(left.err,
            "can be restored only with files that cannot be read, or are missing with a "
            "disk; left as it is: ./d1/ph/1\n"));
  CHECK(disks.run("mv ../away d2; repair && verify").status == 0);
}

TEST_CASE("A damaged file that moved out stays protected if another file has its name") {
  const KeptScene kept = photographs("--redundancy 40%");
  const Outcome verified = kept.run(
      "rot photos/3; mv photos/3 wedding; for i in 4 5 6 7 8; do mv photos/$i photos/$((i-1)); "
      "done; verify");
  CHECK(has(verified.out, "replaced  photos/3: what was photos/4 has its name now; 19 of 20 "));
  CHECK(has(verified.out, "all in ./wedding/3\n"));
  const Outcome trial =
      kept.run("cp x.xorloom before; update --dry-run; s=$?; cmp before x.xorloom && exit $s");
  CHECK(trial.status == 1);
  const Outcome updated = kept.run("update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "renamed: photos/3 to wedding/3\n"));
  CHECK(has(updated.err, "xorloom repair x.xorloom --only wedding/3\n"));
  CHECK(!has(updated.err, "no longer protected: "));
  CHECK(kept.run("repair --only wedding/3 && cksum < wedding/3 | cmp sum - && update && verify")
            .status == 0);
}

TEST_CASE("A file that was cut short and moved out stays protected, if its time tells it") {
  for (const char* const place : {"wedding/3", "photos/3~", "out/x"}) {
    CAPTURE(place);
    const KeptScene kept = photographs("--redundancy 60% --exclude '*~'");
    const Outcome updated = kept.run(
        "mkdir out; touch -r photos/3 t; truncate -s 15000 photos/3; "
        "touch -r t photos/3; mv photos/3 " +
        std::string(place) + "; update");
    CHECK(updated.status == 1);
    CHECK(has(updated.err, "missing, and protected as before: photos/3, which is ./" +
                               std::string(place) + " now, damaged\n"));
    CHECK(kept.run("repair && cksum < photos/3 | cmp sum - && rm " + std::string(place) +
                   "; update && verify")
              .status == 0);
  }
}

TEST_CASE("A damaged file whose name is excluded now stays protected if its old name was edited") {
  const KeptScene kept = photographs("--redundancy 60% --exclude '*~'");
  const Outcome updated = kept.run("rot photos/3; mv photos/3 photos/3~; edit photos/3; update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "renamed: photos/3 to photos/3~\n"));
  CHECK(has(updated.err, "edited: photos/3\n"));
  CHECK(has(kept.run("verify").out, "damaged  photos/3~: 19 of 20 blocks found"));
  CHECK(
      kept.run("repair && cksum < photos/3~ | cmp sum - && rm photos/*.damaged && verify").status ==
      0);
  CHECK(kept.run("update && verify").status == 0);
}

TEST_CASE("Where a whole picture moved to is said if another one has its name") {
  const KeptScene kept = photographs("--redundancy 40%");
  const Outcome updated = kept.run("mv photos/3 wedding; mv photos/4 photos/3; update && verify");
  CHECK(updated.status == 0);
  CHECK(has(updated.err,
            "no longer protected, as another file has the name now: what was photos/3, which is "
            "./wedding/3 now, outside of what is protected: name it, too\n"));
}

TEST_CASE("What moved to another file system, outside of what is protected, is found by all") {
  const KeptScene disks({.names = numbered({"d1/ph", "d2/ph"}, 2),
                         .protect = "mv d1 m1; mv d2 m2",
                         .kept = "x.xorloom"});
  write_file(disks.folder / "lines", R"(
mkdir d1 d2; mount -t tmpfs tmpfs d1 && mount -t tmpfs tmpfs d2 && touch mounted || exit 0
cp -a m1/ph d1; cp -a m2/ph d2; rm -r m1 m2; mkdir d2/out
$xorloom protect -q d1/ph d2/ph -o x.xorloom --redundancy 100%
touch -r d1/ph/1 stamp; printf xx | dd of=d1/ph/1 bs=1 seek=777 conv=notrunc status=none
touch -r stamp d1/ph/1; cp -p d1/ph/1 d2/out; rm d1/ph/1; mv d2/ph/2 d2/out
$xorloom verify x.xorloom; $xorloom protect --update -o x.xorloom; echo "status $?"
)");
  const Outcome outcome = disks.run("export xorloom; unshare -rm bash lines");
  if (!std::filesystem::exists(disks.folder / "mounted")) {
    MESSAGE("SKIPPED: no file system can be mounted here");
    return;
  }
  CHECK(has(outcome.out, "missing  d1/ph/1: 19 of 20 blocks found, all in ./d2/out/1"));
  CHECK(has(outcome.err,
            "missing, and protected as before: d1/ph/1, which is ./d2/out/1 now, damaged\n"));
  CHECK(has(outcome.err, "no longer protected: d2/ph/2, which is ./d2/out/2 now, outside of what"));
  CHECK(has(outcome.out, "status 1\n"));
}

TEST_CASE("A damaged file with an excluded name behind a link stays protected") {
  const KeptScene kept({.names = numbered({"disk2/alt", "m/photos"}, 4),
                        .protect = "ln -s ../../disk2/alt m/photos/alt; $xorloom protect -q "
                                   "m/photos --base m -L --exclude '*.bak' -o m/x --redundancy 60%",
                        .kept = "m/x"});
  const Outcome updated = kept.run("rot disk2/alt/3; mv disk2/alt/3 disk2/alt/3.bak; update");
  CHECK(updated.status == 1);
  CHECK(has(updated.err,
            "missing, and protected as before: photos/alt/3, which is "
            "m/photos/alt/3.bak now, damaged\n"));
  const Outcome whole = kept.run("mv disk2/alt/4 disk2/alt/4.bak; update");
  CHECK(has(whole.err, "no longer protected: photos/alt/4, which is m/photos/alt/4.bak now, "));
}

TEST_CASE("verify and repair find what damage left of a file elsewhere, as an update does") {
  const KeptScene kept = photographs("--redundancy 5%");
  REQUIRE(
      kept.run("touch -r photos/3 stamp; head -c 5000 /dev/zero | dd of=photos/3 bs=1 seek=9000 "
               "conv=notrunc status=none; touch -r stamp photos/3; mv photos/3 wedding")
          .status == 0);
  const Outcome verified = kept.run("verify");
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "blocks found, all in ./wedding/3"));
  CHECK(has(verified.err, "repair brings it back, and protect --update keeps it protected\n"));
  CHECK(kept.run("update").status == 1);
  CHECK(has(kept.run("verify").err, "protect --update keeps it protected\n"));
  CHECK(kept.run("repair && cksum < photos/3 | cmp sum - && rm wedding/3 && verify").status == 0);
  // So it is if names are relative to a directory above the given one.
  const Outcome deep = kept.run("rot photos/2; verify --base photos");
  CHECK(has(deep.out, "missing  photos/2: 20 of 21 blocks found, all in photos/2"));
  CHECK(!has(deep.out, "lost"));
}

TEST_CASE("Files of one length are found under new names, however many there are") {
  const KeptScene many({.names = numbered({"p/a"}, 600),
                        .protect = "$xorloom protect -q p -o x.xorloom",
                        .kept = "x.xorloom",
                        .bytes = 2'000});
  const Outcome verified = many.run(
      "mv p/a p/b; for i in $(seq 600); do mv p/b/$i p/b/n$((i * 7919 % 601)); done; verify");
  CHECK(verified.status == 1);
  CHECK(has(verified.err, "of 600 protected files, 600 were moved"));
}

TEST_CASE("If all files are under their names in another directory, that may be the base") {
  const KeptScene kept = photographs("--redundancy 5%");
  const Outcome deep = kept.run("verify --base photos");
  CHECK(deep.status == 1);
  CHECK(
      has(deep.err, "8 were moved: as if --base were .; else, repair brings back what they were"));
  CHECK(has(kept.run("mkdir up; mv photos up; verify").err, "as if --base were ./up; else, "));
  CHECK(has(kept.run("repair --dry-run").err,
            "all that was found is elsewhere, as if --base were ./up"));
}

TEST_CASE("Bytes that are missing from another base directory than the right one are not lost") {
  for (const std::string where : {"photos -o x.xorloom; echo --base photos > deep",
                                  "photos --base photos -o x.xorloom; echo --base . > deep"}) {
    CAPTURE(where);
    const KeptScene kept({.names = numbered({"photos"}, 8),
                          .protect = "$xorloom protect -q --redundancy 5% " + where,
                          .kept = "x.xorloom"});
    const std::string all = std::string("all that was found is elsewhere, as if --base were ") +
                            (has(where, "--base photos -o") ? "./photos" : ".") + "; else, ";
    REQUIRE(kept.run("touch -r photos/3 stamp; head -c 15000 /dev/urandom | dd of=photos/3 bs=1 "
                     "seek=2000 conv=notrunc status=none; touch -r stamp photos/3")
                .status == 0);
    for (const std::string command : {"verify", "repair --dry-run", "repair"}) {
      CAPTURE(command);
      const Outcome outcome = kept.run(command + " $(cat deep)");
      CHECK(outcome.status == 4);
      CHECK(has(outcome.err, all));
      CHECK(!has(outcome.err, "error: photos"));
    }
  }
}

TEST_CASE("Before bytes are called lost, other protected files are searched for them") {
  const KeptScene album({.names = numbered({"p"}, 6),
                         .protect = "tar cf p/album.tar p/2 p/3; cksum < p/2 > sum; "
                                    "$xorloom protect -q p -o x.xorloom; $xorloom protect -q p/1 "
                                    "p/2 p/3 -o y",
                         .kept = "x.xorloom",
                         .bytes = 31234});
  CHECK(album.run("rm p/2; verify").status == 1);
  CHECK(album.run("repair && cksum < p/2 | cmp sum - && verify").status == 0);
  // So it is if the archive is no protected file.
  CHECK(
      album.run("mv p/album.tar .; rm p/2; $xorloom repair y album.tar && cksum < p/2 | cmp sum -")
          .status == 0);
}

TEST_CASE("An update of a rename leaves what can be restored from the renamed file") {
  const KeptScene crop({.names = {"p/pan.tif", "p/other"},
                        .protect = "(head -c 10000 p/pan.tif; head -c 512 p/other) > p/crop.tif; "
                                   "cksum < p/crop.tif > sum; $xorloom protect -q p -o x.xorloom",
                        .kept = "x.xorloom"});
  const std::string rot =
      "touch -r p/crop.tif stamp; head -c 9500 /dev/zero | dd of=p/crop.tif conv=notrunc "
      "status=none; touch -r stamp p/crop.tif; ";
  CHECK(crop.run(rot + "verify").status == 1);
  CHECK(crop.run("mv p/pan.tif p/pano.tif; update").status == 0);
  CHECK(crop.run("repair && cksum < p/crop.tif | cmp sum -").status == 0);
}

TEST_CASE("An update that sees damage says what may still be lost, with -q, too") {
  const KeptScene kept = photographs("--redundancy 60%");
  const Outcome updated = kept.run("rot photos/3; mv photos/3 photos/z; edit photos/5; update -q");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, " chunks may be lost, beside 20 that are given up\n"));
}

TEST_CASE("A missing protection file is told beside damage, too") {
  const KeptScene kept({.names = numbered({"p"}, 4),
                        .protect = "$xorloom protect -q p -o 1.xorloom -o 2.xorloom -o 3.xorloom"});
  CHECK(has(kept.run("rm 3.xorloom; rot p/1; $xorloom verify --all .").err,
            "1 file is damaged, and repair restores it; 2 of 3 protection files can be used; "));
}

TEST_CASE("A command that moves aside what has the name of a damaged file says so") {
  const KeptScene kept({.names = numbered({"p/s"}, 3),
                        .protect = "$xorloom protect -q p -o x.xorloom --redundancy 60%",
                        .kept = "x.xorloom"});
  const Outcome refused = kept.run(
      "mv p/s p/old; mkdir p/s; for i in 1 2 3 4 5 6 7; do edit p/s/$i; done; rot p/old/2; update");
  CHECK(refused.status == 1);
  CHECK(has(refused.err, "xorloom repair x.xorloom --only p/s/2\n"));
  CHECK(has(refused.err,
            "what has the name of p/s/2 now is no damage, and repair keeps it as "
            "NAME.damaged\n"));
}

TEST_CASE("A directory that was moved out with a damaged file is not given up by an update") {
  for (const std::string move : {"mv ph/23 arch/", "mkdir arch/23; mv ph/23/* arch/23",
                                 "mv ph/23 arch/; mkdir ph/23; "
                                 "edit ph/23/new"}) {
    CAPTURE(move);
    const KeptScene kept({.names = numbered({"ph/22", "ph/23", "ph/24"}, 8),
                          .protect = "mkdir arch; cksum < ph/23/5 > sum; "
                                     "$xorloom protect -q ph -o x.xorloom",
                          .kept = "x.xorloom"});
    const std::string refuses = "ph/23: all 8 files are missing";
    const Outcome updated = kept.run("rot ph/23/5; " + move + "; cp x.xorloom before; update; " +
                                     "s=$?; cmp before x.xorloom && exit $s");
    CHECK(updated.status == 4);
    CHECK(has(updated.err, refuses));
    CHECK(has(updated.err, "; ph/23/5 is ./arch/23/5 now, damaged\n"));
    CHECK(has(kept.run("verify").err,
              "protect --update refuses, as the files of ph/23/ are outside of what is protected: "
              "name ./arch/23/ to it, too; --accept-missing gives them up\n"));
    CHECK(kept.run("update --dry-run").status == 4);
    CHECK(kept.run("repair && cksum < ph/23/5 | cmp sum -").status == 0);
  }
}

TEST_CASE("A directory that moved out whole is named where it is, and one file can be missing") {
  const KeptScene kept({.names = numbered({"ph/22", "ph/23", "ph/24"}, 4),
                        .protect = "mkdir arch; $xorloom protect -q ph -o x.xorloom",
                        .kept = "x.xorloom"});
  REQUIRE(kept.run("mv ph/23 ph/24 arch/").status == 0);
  CHECK(has(kept.run("verify").err,
            "as the files of ph/23/ and of 1 more directory are outside of what is protected: "
            "name ./arch/ to it, too; "));
  CHECK(has(kept.run("update").err,
            "; ph/23/1 is ./arch/23/1 now, outside of what is protected, and so are 7 more: name "
            "them, too\n"));
  CHECK(has(kept.run("mv arch/24 ph; rm arch/23/4; verify").err,
            "as none of the files of ph/23/ is in what is protected, as if a disk were not "
            "mounted: name ./arch/23/ to it, too; --accept-missing gives up what is missing, or "
            "elsewhere\n"));
  const Outcome updated = kept.run("update arch/23 && verify");
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "renamed: ph/23/ to arch/23/, 3 of 4 files\n"));
}

TEST_CASE("A file that is kept does not stand for the others of a directory that is missing") {
  const KeptScene kept({.names = numbered({"ph/22", "ph/23"}, 4),
                        .protect = "mkdir arch; cksum < ph/23/4 > sum; "
                                   "$xorloom protect -q ph -o x.xorloom --redundancy 100%",
                        .kept = "x.xorloom"});
  CHECK(kept.run("rot ph/23/4; mv ph/23/4 arch; update").status == 1);
  const Outcome updated = kept.run("mv ph/23 ../away; update; s=$?; mv ../away ph/23; exit $s");
  CHECK(updated.status == 4);
  CHECK(has(updated.err, "ph/23: all 4 files are missing; nothing was changed; "));
  // A directory of damaged files alone is kept, and one that is given up on purpose is named.
  CHECK(kept.run("for i in 1 2 3; do rot ph/23/$i; mv ph/23/$i arch; done; update").status == 1);
  CHECK(!has(kept.run("verify").err, "update refuses"));
  const Outcome given_up = kept.run("mv ph/23/* arch; update --accept-missing");
  CHECK(given_up.status == 0);
  CHECK(has(given_up.err, "no longer protected: ph/23/4, which is ./arch/4 now, damaged\n"));
}

TEST_CASE("--accept-damage takes in what is damaged under its name, and not what moved out") {
  const std::string edits = "rot photos/3; mv photos/3 wedding; rot photos/5; ";
  const KeptScene kept = photographs("--redundancy 60%");
  const Outcome updated = kept.run(edits + "update --accept-damage");
  CHECK(updated.status == 1);
  CHECK(has(updated.err,
            "missing, and protected as before: photos/3, which is ./wedding/3 now, damaged\n"));
  CHECK(has(updated.err, "damaged, and taken for edited: photos/5\n"));
  CHECK(kept.run("repair && cksum < photos/3 | cmp sum - && verify").status == 0);
  // If another file has its name, or all is protected anew, it is said where it is.
  const KeptScene taken = photographs("--redundancy 60%");
  CHECK(has(taken.run(edits + "mv photos/4 photos/3; update --accept-damage").err,
            "what was photos/3, which is ./wedding/3 now, damaged\n"));
  const KeptScene small = photographs("--redundancy 10% -k 4");
  const Outcome anew = small.run(edits +
                                 "for i in 11 12 13 14 15 16 17 18 19 20; do edit "
                                 "photos/$i; done; update");
  CHECK(anew.status == 1);
  CHECK(has(anew.err, "nothing was changed, since all files have to be protected anew: "));
  const Outcome accepted = small.run("update --accept-damage && verify");
  CHECK(accepted.status == 0);
  CHECK(has(accepted.err, "no longer protected: photos/3, which is ./wedding/3 now, damaged\n"));
}

TEST_CASE("What damage left of a file without a whole block is known by the files beside it") {
  for (const std::string content : {"head -c 300 /dev/urandom", "head -c 20000 /dev/zero"}) {
    CAPTURE(content);
    const KeptScene kept({.names = numbered({"p"}, 2),
                          .protect = "mkdir p/a out; for i in 1 2 4 5; do head -c 300 /dev/urandom "
                                     "> p/a/$i; done; " +
                                     content +
                                     " > p/a/3; cksum < p/a/3 > "
                                     "sum; $xorloom protect -q p -o x.xorloom --redundancy 150%",
                          .kept = "x.xorloom"});
    CHECK(has(kept.run("rot p/a/3 100; mv p/a/2 p/a/3 p/a/4 out; verify").out, "./out/3"));
    const Outcome updated = kept.run("update");
    CHECK(updated.status == 1);
    CHECK(has(updated.err,
              "missing, and protected as before: p/a/3, which is ./out/3 now, damaged\n"));
    CHECK(kept.run("repair && cksum < p/a/3 | cmp sum -").status == 0);
    // An edit of it has another time.
    const Outcome edited = kept.run(
        "size=$(stat -c %s p/a/3); rm p/a/3; mv p/a/1 out; head -c "
        "$size /dev/urandom > out/3; update");
    CHECK(edited.status == 0);
    CHECK(has(edited.err, "no longer protected: p/a/3\n"));
  }
}

TEST_CASE("An update says where what an edited file was is") {
  const KeptScene kept = photographs("--redundancy 40%");
  const Outcome updated = kept.run("mv photos/3 wedding; edit photos/3; edit photos/4; update");
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "edited: photos/3; what it was is in ./wedding/3\n"));
  CHECK(has(updated.err, "edited: photos/4\n"));
}

TEST_CASE("--replace refuses to give up what was damaged and moved out") {
  for (const std::string move : {"mv p/3 out", "mv p/3 p/3.bak", "mv p/3 out; mv p/2 p/3"}) {
    CAPTURE(move);
    const KeptScene kept({.names = numbered({"p"}, 5),
                          .protect = "mkdir out; cksum < p/3 > sum; $xorloom protect -q p -o x "
                                     "--exclude '*.bak' --redundancy 60%; cp x before",
                          .kept = "x"});
    const std::string replace = "$xorloom protect p -o x --exclude '*.bak' --replace";
    const Outcome refused = kept.run("rot p/3; " + move + "; " + replace);
    CHECK(refused.status == 1);
    CHECK(has(refused.err, " changed, and the time did not, as if by damage; nothing was changed"));
    CHECK(has(refused.err, "xorloom repair x --only p/3\n"));
    CHECK(kept.run("cmp x before").status == 0);
    const Outcome accepted = kept.run("cp x y; " + replace + " --accept-missing; cp y x");
    CHECK(accepted.status == 0);
    CHECK(has(accepted.err, has(move, "bak") ? "p/3, which is ./p/3.bak now, damaged\n"
                                             : "p/3, which is ./out/3 now, damaged\n"));
    CHECK(kept.run("repair --only p/3 && cksum < p/3 | cmp sum -").status == 0);
  }
  // What is left out on purpose is no longer protected, whatever copies there are.
  const KeptScene narrower({.names = numbered({"p/a", "p/b"}, 3),
                            .protect = "mkdir out; $xorloom protect -q p -o x",
                            .kept = "x"});
  CHECK(narrower.run("cp -p p/b/1 out; rot out/1; $xorloom protect p/a -o x --replace").status ==
        0);
}

TEST_CASE("A year that takes the name of one that moved out is no other disk") {
  for (const std::string rot : {"rot cat/last/2; ", ""}) {
    CAPTURE(rot);
    const KeptScene kept({.names = numbered({"cat/this", "cat/last"}, 4),
                          .protect = "mkdir shelf; cksum < cat/last/2 > sum; "
                                     "$xorloom protect -q cat -o x.xorloom --redundancy 25%",
                          .kept = "x.xorloom"});
    const std::string moves = rot + "mv cat/last shelf/2025; mv cat/this cat/last; ";
    CHECK(!has(kept.run(moves + "verify").err, "another disk"));
    const Outcome updated = kept.run("update");
    CHECK(updated.status == (rot.empty() ? 0 : 1));
    if (rot.empty()) continue;
    CHECK(has(updated.err, "xorloom repair x.xorloom --only "));
    CHECK(kept.run("$xorloom repair $(update --dry-run 2>&1 | sed -n 's/.*: xorloom repair //p')")
              .status == 0);
  }
}

}  // namespace xorloom::test
