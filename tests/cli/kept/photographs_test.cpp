// A year of somebody who keeps photographs: links, edits beside damage, renames, and protection
// files that are cut short. No byte is lost, nothing is dropped without a message, and nothing
// whole is said to be lost.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

/// Two directories of pictures, their protection beside them, and a copy of all pictures.
struct Library : KeptScene {
  Library()
      : KeptScene({.names = numbered({"photos/2023", "photos/2024"}, 10, ".jpg"),
                   .protect = "cp -a photos good; $xorloom protect photos -o p.xorloom "
                              "--redundancy 20%",
                   .kept = "p.xorloom"}) {}
  std::string sum() const { return run("cksum p.xorloom").out; }
};

}  // namespace

TEST_CASE("encode does not replace a set by a directory with silent damage") {
  const Library library;
  REQUIRE(library
              .run("echo n > notes; ln photos/2023/2.jpg photos/2023/link; $xorloom encode photos "
                   "notes -o s && ls s > before")
              .status == 0);
  const Outcome refused =
      library.run("rot photos/2024/3.jpg; $xorloom encode photos notes -o s --replace");
  CHECK(refused.status == 2);
  CHECK(has(refused.err,
            "photos/2024/3.jpg is not what was encoded before, and its time is, as if by "
            "damage: decode writes the old content; --accept-damage encodes the new one"));
  CHECK(library
            .run("ls s | diff before -; rm s/*-0[0-3].shard; $xorloom decode s -o back/; cmp "
                 "back/photos/2024/3.jpg good/2024/3.jpg")
            .out == "");
  // Several are named, and a file that is itself a root is one, too.
  const Outcome several = library.run(
      "rot notes 0; rot photos/2023/2.jpg; $xorloom encode photos notes -o s "
      "--replace");
  CHECK(several.status == 2);
  CHECK(has(several.err,
            "notes, photos/2023/2.jpg, photos/2024/3.jpg are not what was encoded before, and "
            "their times"));
  // Edits, new and removed files, and damage on request.
  CHECK(library
            .run("cp -a good/2024/3.jpg photos/2024; cp -a good/2023/2.jpg photos/2023; rm notes; "
                 "edit photos/2023/1.jpg; echo new > photos/new; rm photos/2023/9.jpg; $xorloom "
                 "encode photos -o s --replace && rm -r back && $xorloom decode s -o back/ && diff "
                 "-r photos back/photos")
            .status == 0);
  CHECK(library.run("rot photos/2024/5.jpg; $xorloom encode photos -o s --replace").status == 2);
  CHECK(library.run("$xorloom encode photos -o s --replace --accept-damage").status == 0);
  // A set that cannot be recovered is not replaced unread.
  CHECK(library.run("rot photos/2024/6.jpg; rm s/*-0?.shard; $xorloom encode photos -o s --replace")
            .status == 4);
}

TEST_CASE("A directory that became a symbolic link is not dropped, and verify names it") {
  for (const std::string way : {"--update", "photos --replace"}) {
    CAPTURE(way);
    const Library library;
    const std::string before = library.sum();
    const Outcome verified =
        library.run("mv photos/2024 y24; ln -s ../y24 photos/2024; $xorloom verify p.xorloom");
    CHECK(verified.status == 1);
    CHECK(has(verified.out, "link  photos/2024: it is a symbolic link now"));
    CHECK(has(verified.err,
              "a symbolic link is where protected files were: protect --update protects nothing "
              "behind it\n"));
    CHECK(has(library.run("$xorloom verify p.xorloom --format json").out, "\"whole\": false"));
    const Outcome refused = library.run("$xorloom protect -q -o p.xorloom " + way);
    CHECK(refused.status == 4);
    CHECK(
        has(refused.err,
            "photos/2024: a symbolic link is there now, and its 10 files are not protected behind "
            "it; nothing was changed; "));
    CHECK(has(refused.err, "--accept-missing gives it up here"));
    CHECK(library.sum() == before);
    // The files are protected still: they come back if the link goes.
    CHECK(library.run("rm photos/2024; mv y24 photos/2024; $xorloom verify p.xorloom").status == 0);
    CHECK(library
              .run("mv photos/2024 y24; ln -s ../y24 photos/2024; $xorloom protect -o p.xorloom "
                   "--accept-missing " +
                   way + " && $xorloom verify p.xorloom")
              .status == 0);
  }
  // The named directory itself, and a file.
  const Library library;
  CHECK(library.run("mv photos away; ln -s away photos; $xorloom protect -o p.xorloom --update")
            .status == 4);
  const Outcome file = library.run(
      "rm photos; mv away photos; mv photos/2023/1.jpg one; ln -s ../../one photos/2023/1.jpg; "
      "$xorloom verify p.xorloom");
  CHECK(file.status == 1);
  CHECK(has(file.out, "link  photos/2023/1.jpg: it is a symbolic link now"));
}

TEST_CASE("A protection that is cut short, emptied or none says nothing of the files") {
  const Library library;
  for (const char* const way :
       {"truncate -s 500", "truncate -s 100", "truncate -s 0", "cp photos/2023/1.jpg"}) {
    CAPTURE(way);
    REQUIRE(library.run("cp p.xorloom kept; " + std::string(way) + " p.xorloom").status == 0);
    for (const char* const command : {"verify", "repair", "info", "protect --update -o"}) {
      CAPTURE(command);
      const Outcome outcome = library.run("$xorloom " + std::string(command) + " p.xorloom");
      CHECK(outcome.status == 4);
      CHECK(!has(outcome.err, "lost"));
      CHECK(!has(outcome.err, "leave it out"));
    }
    const Outcome all = library.run("$xorloom verify --all .");
    CHECK(all.status == 4);
    CHECK(has(all.err, " 0 with lost bytes, "));
    REQUIRE(library.run("mv kept p.xorloom").status == 0);
  }
  const Outcome cut = library.run("truncate -s 500 p.xorloom; $xorloom verify p.xorloom");
  CHECK(has(cut.err,
            "the protection cannot be used, and the files were not read: protect them anew with "
            "--replace\n"));
  CHECK(library.run("$xorloom protect photos -o p.xorloom --replace && $xorloom verify p.xorloom")
            .status == 0);
  const Outcome empty = library.run(": > p.xorloom; $xorloom protect --update -o p.xorloom");
  CHECK(has(empty.err,
            "p.xorloom is empty, and the files were not read: protect them anew with --replace\n"));
  CHECK(library.run("$xorloom protect photos -o p.xorloom --replace && $xorloom verify p.xorloom")
            .status == 0);
}

TEST_CASE("Edited files are not lost, however little redundancy there is") {
  const Library library;
  const std::string edits = "for i in $(seq 8); do edit photos/2023/$i.jpg; done; ";
  CHECK(library.run("rm -r good; " + edits + "$xorloom verify p.xorloom").status == 1);
  for (const char* const more : {"", " --dry-run"}) {
    CAPTURE(more);
    const Outcome repaired = library.run("$xorloom repair p.xorloom" + std::string(more));
    CHECK(repaired.status == 1);
    CHECK(has(repaired.err,
              "edited, and beyond repair what it was; left as it is: ./photos/2023/1.jpg\n"));
    CHECK(has(repaired.err,
              "nothing is lost: 8 files were edited since, and what was there before cannot be "
              "brought back; protect --update takes in what is there now\n"));
  }
  CHECK(library.run("$xorloom protect --update -o p.xorloom && $xorloom verify p.xorloom").status ==
        0);
}

TEST_CASE("Edits are taken in beside damage, and what is damaged can still be repaired") {
  const Library library;
  // More is edited than an update gives up, and less than the redundancy.
  const Outcome updated = library.run(
      "for i in 1 2 3; do edit photos/2023/$i.jpg; done; rot photos/2024/4.jpg; $xorloom "
      "protect "
      "--update -o p.xorloom");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "edited: photos/2023/3.jpg; what it was is in ./good/2023/3.jpg\n"));
  CHECK(has(updated.err, "updated: 0 new, 3 edited, "));
  CHECK(has(updated.err,
            "photos/2024/4.jpg changed, and the time did not, as if by damage; all others were "
            "taken in, and what is damaged is protected as before"));
  CHECK(has(library.run("$xorloom verify p.xorloom").out,
            "files       20: 19 whole, 1 damaged, 0 moved, 0 missing\n"));
  // Until it is repaired each update names it, and none takes it in.
  const std::string before = library.sum();
  const Outcome again = library.run("$xorloom protect -q --update -o p.xorloom");
  CHECK(again.status == 1);
  CHECK(has(again.err, "photos/2024/4.jpg changed, and the time did not"));
  CHECK(library.sum() == before);
  const Outcome repaired = library.run(
      "$xorloom repair p.xorloom --only photos/2024/4.jpg && cmp photos/2024/4.jpg "
      "good/2024/4.jpg");
  CHECK(repaired.status == 0);
  CHECK(library.run("$xorloom protect --update -o p.xorloom && $xorloom verify p.xorloom").status ==
        0);
}

TEST_CASE("More edits than redundancy, beside damage: the edits are protected from then on") {
  const Library library;
  const Outcome updated = library.run(
      "for i in $(seq 9); do edit photos/2023/$i.jpg; done; rot photos/2024/4.jpg; $xorloom "
      "protect --update -o p.xorloom");
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "updated: 0 new, 9 edited, "));
  // The damage is known still. A copy mends it, and then all is protected anew.
  CHECK(has(library.run("$xorloom verify p.xorloom").out, "19 whole, 1 damaged"));
  CHECK(
      library
          .run("$xorloom repair p.xorloom good; cmp photos/2024/4.jpg good/2024/4.jpg && $xorloom "
               "protect --update -o p.xorloom && edit photos/2023/1.jpg && $xorloom repair "
               "p.xorloom")
          .status == 0);
}

TEST_CASE("Damage of a picture and of the protection leaves all else to be taken in") {
  const Library library;
  const Outcome updated = library.run(
      "rot photos/2024/4.jpg; rot p.xorloom 60000; edit photos/new.jpg; $xorloom protect "
      "--update -o p.xorloom");
  CAPTURE(updated.err);
  CHECK(updated.status == 1);
  CHECK(
      has(updated.err, "the protection is damaged: once all files are whole and readable, repair"));
  CHECK(has(updated.err, "new: photos/new.jpg\n"));
  CHECK(has(updated.err, "all others were taken in, and what is damaged is protected as before"));
  const Outcome after = library.run(
      "$xorloom repair -q p.xorloom --only photos/2024/4.jpg && echo m > photos/m && "
      "$xorloom protect --update -o p.xorloom && $xorloom verify p.xorloom");
  CAPTURE(after.err);
  CHECK(after.status == 0);
  CHECK(has(after.err, "read all files: the protection is damaged\n"));
  // If all has to be protected anew, nothing is taken in before the repair, and that is said.
  const std::string before = library.sum();
  const Outcome large = library.run(
      "rot photos/2024/4.jpg; head -c 3000000 /dev/urandom > photos/film; $xorloom protect "
      "--update -o p.xorloom");
  CAPTURE(large.err);
  CHECK(large.status == 1);
  CHECK(has(large.err, "; nothing was changed, since all files have to be protected anew: "));
  CHECK(library.sum() == before);
}

TEST_CASE("A file that was renamed and damaged keeps its protection under the new name") {
  const Library library;
  const Outcome updated = library.run(
      "mv photos/2024/7.jpg 'photos/2023/my bride.jpg'; rot 'photos/2023/my bride.jpg'; echo n "
      "> "
      "photos/new; $xorloom protect --update -o p.xorloom 2> err; s=$?; cat err; exit $s");
  CHECK(updated.status == 1);
  CHECK(has(updated.out, "renamed: photos/2024/7.jpg to photos/2023/my bride.jpg\n"));
  CHECK(has(updated.out, "new: photos/new\n"));
  // The printed command can be run as it stands.
  const Outcome repaired = library.run(
      "sed -n 's/^to restore the old content: xorloom/$xorloom/p' err > command; cat command; "
      "xorloom=$xorloom sh command && cmp 'photos/2023/my bride.jpg' good/2024/7.jpg && $xorloom "
      "protect -q --update -o p.xorloom && $xorloom verify p.xorloom");
  CAPTURE(repaired.err);
  CHECK(repaired.status == 0);
  // Damage that also changed the size.
  const Outcome longer = library.run(
      "touch -r photos/2023/2.jpg s; echo more >> photos/2023/2.jpg; touch -r s photos/2023/2.jpg; "
      "echo n > photos/newer; $xorloom protect --update -o p.xorloom");
  CHECK(longer.status == 1);
  CHECK(has(longer.err, "new: photos/newer\n"));
  CHECK(library.run("$xorloom repair p.xorloom && cmp photos/2023/2.jpg good/2023/2.jpg").status ==
        0);
}

TEST_CASE("What repair kept blocks no update, and is no picture, if its file goes or is renamed") {
  for (const char* const after : {"rm photos/2023/5.jpg", "mv photos/2023/5.jpg photos/best.jpg"}) {
    CAPTURE(after);
    const Library library;
    REQUIRE(library.run("rot photos/2023/5.jpg; $xorloom repair p.xorloom").status == 0);
    for (int night = 0; night < 3; ++night) {
      const Outcome updated = library.run(
          (night == 0 ? std::string(after) : "echo " + std::to_string(night) + " > photos/new") +
          "; $xorloom protect --update -o p.xorloom && $xorloom verify p.xorloom && $xorloom "
          "verify "
          "p.xorloom --format json");
      CAPTURE(updated.err);
      CHECK(updated.status == 0);
      CHECK(!has(updated.out, "new  "));
      CHECK(!has(updated.out, "5.jpg.damaged"));
    }
  }
}

TEST_CASE("A name that got other capital letters is renamed, and gives nothing up") {
  const Library library;
  const Outcome updated = library.run(
      "mv photos/2023/5.jpg photos/2023/5.JPG; $xorloom protect --update -o p.xorloom && $xorloom "
      "verify p.xorloom");
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "renamed: photos/2023/5.jpg to photos/2023/5.JPG\n"));
  CHECK(!has(updated.err, "given up"));
}

TEST_CASE("repair --to leaves what it has restored there before") {
  const Library library;
  const std::string repair = "$xorloom repair p.xorloom --to to";
  REQUIRE(library.run("rm photos/2023/1.jpg; " + repair).status == 0);
  const Outcome again = library.run(repair + "; ls to/photos/2023");
  CHECK(again.status == 0);
  CHECK(again.out == "1.jpg\n");
  CHECK(has(again.err, "already there, and whole: to/photos/2023/1.jpg\n"));
  CHECK(library.run("rot to/photos/2023/1.jpg; " + repair + "; ls to/photos/2023").out ==
        "1.jpg\n1.jpg.damaged\n");
}

TEST_CASE("Protected files that cannot be read stay protected, and all else is taken in") {
  const Library library;
  if (!library.has_user()) return;
  REQUIRE(library.run("chmod 777 . photos; chmod 666 p.xorloom").status == 0);
  const Outcome dry = library.run(
      "echo n > photos/new; chmod 0 photos/new; user $xorloom protect --update -o p.xorloom "
      "--dry-run");
  // A trial sees what the update would, and both say what to do.
  CHECK(dry.status == 4);
  CHECK(has(dry.err,
            "new: Permission denied; --keep-going leaves it out, and --exclude does for good\n"));
  const Outcome updated = library.run(
      "chmod 644 photos/new; chmod 0 photos/2024; edit photos/2023/1.jpg; chmod 0 "
      "photos/2023/1.jpg; user $xorloom protect --update -o p.xorloom --keep-going");
  CHECK(updated.status == 4);
  CHECK(has(updated.err, "new: photos/new\n"));
  CHECK(has(updated.err, "left out: photos/2024: it cannot be read: Permission denied\n"));
  CHECK(has(updated.err, "left out: photos/2023/1.jpg: it cannot be read: Permission denied\n"));
  CHECK(has(updated.err, "updated: 1 new, 0 edited, 0 renamed, 0 no longer protected, 20 as"));
  CHECK(library.run("stat -c %a p.xorloom").out == "600\n");
  CHECK(has(library
                .run("chmod 755 photos/2024; chmod 644 photos/2023/1.jpg; $xorloom verify "
                     "p.xorloom")
                .out,
            "files       21: 20 whole, 0 damaged, 0 moved, 0 missing, 1 edited\n"));
}

TEST_CASE("A directory that was moved is named whole, and moved back whole") {
  const Library library;
  const Outcome verified = library.run("mv photos/2024 photos/2023; $xorloom verify p.xorloom");
  CHECK(has(verified.out, "moved  photos/2024/: 10 files are in ./photos/2023/2024/ now\n"));
  // Into a directory of the same parent, which holds others: no empty directory stays there.
  const Library other;
  REQUIRE(other
              .run("mkdir photos/2023/trip photos/2025; mv photos/2023/[1-5].jpg photos/2023/trip; "
                   "$xorloom protect -q --update -o p.xorloom; mv photos/2023/trip photos/2025")
              .status == 0);
  CHECK(has(other.run("$xorloom protect --update -o p.xorloom --dry-run").err,
            "renamed: photos/2023/trip/ to photos/2025/trip/, 5 files\n"));
  CHECK(has(other.run("$xorloom repair p.xorloom").err,
            "moved back: ./photos/2025/trip to ./photos/2023/trip\n"));
  CHECK(other.run("ls photos/2025").out == "");
}

TEST_CASE("If a named directory was renamed, the message leads to what works") {
  const Library library;
  const Outcome refused = library.run("mv photos pictures; $xorloom protect --update -o p.xorloom");
  CHECK(refused.status == 4);
  CHECK(has(refused.err, "if it was renamed, name it as it is now, with --accept-missing, "));
  CHECK(library
            .run("$xorloom protect pictures --update --accept-missing -o p.xorloom && $xorloom "
                 "verify p.xorloom")
            .status == 0);
}

TEST_CASE("verify --all finds where the files are below, and says what it could not look at") {
  const Library library;
  REQUIRE(library
              .run("mkdir -p disks/d1 disks/d2/prot; mv photos disks/d1; mv p.xorloom "
                   "disks/d2/prot; $xorloom verify --all disks")
              .status == 0);
  // A directory with some files of these names is not taken for it.
  const Outcome elsewhere = library.run(
      "mkdir -p disks/d3/photos/2023; mv disks/d1 away; cp away/photos/2023/1.jpg "
      "disks/d3/photos/2023; $xorloom verify --all disks");
  CHECK(elsewhere.status == 4);
  CHECK(has(elsewhere.err, "none of 20 protected files is in "));
  REQUIRE(library.run("mv away disks/d1; : > disks/q.xorloom").status == 0);
  const std::string all = "$xorloom verify --all disks ";
  const Outcome json = library.run(all +
                                   "--format json | python3 -c 'import json, sys; all = "
                                   "json.load(sys.stdin); print(len(all[\"results\"]), "
                                   "all[\"failures\"])'");
  CHECK(json.out ==
        "1 ['disks/q.xorloom is no protection file, is empty, or is damaged beyond use']\n");
  CHECK(has(library.run(all + "--format prometheus").out, "xorloom_not_looked_at{} 1\n"));
  CHECK(has(library.run(all).err,
            "2 checked: 0 with lost bytes, 0 that can be recovered, 1 that could not"));
}

TEST_CASE("verify says where a missing file is, and which names were swapped") {
  const Library library;
  const Outcome verified = library.run(
      "tar cf good.tar good; rm -r good; cp photos/2023/1.jpg photos/copy.jpg; touch -d 2001-02-03 "
      "photos/2024/2.jpg; $xorloom protect -q "
      "--update -o p.xorloom; rm "
      "photos/2023/1.jpg; mv photos/2024/2.jpg t; mv photos/2024/3.jpg photos/2024/2.jpg; mv t "
      "photos/2024/3.jpg; $xorloom verify p.xorloom --format html");
  CHECK(has(verified.out, "found, all in ./photos/copy.jpg"));
  CHECK(has(verified.out, "what was photos/2024/3.jpg has its name now; "));
  CHECK(has(verified.out, "found, all in ./photos/2024/3.jpg"));
  CHECK(has(verified.out, "found, all in ./photos/2024/2.jpg"));
  // Many that are kept are counted in a sentence.
  const Outcome many = library.run(
      "$xorloom repair -q p.xorloom; tar xf good.tar; for i in $(seq 10); do rot "
      "photos/2023/$i.jpg; rot "
      "photos/2024/$i.jpg; done; $xorloom repair p.xorloom good");
  CHECK(has(many.err, "kept as NAME.damaged: 10 more, which --list-all names\n"));
}

TEST_CASE("protect --replace takes in no file that was renamed and damaged") {
  const Library library;
  const std::string before = library.sum();
  const Outcome refused = library.run(
      "mv photos/2024/7.jpg photos/2023/bride.jpg; rot photos/2023/bride.jpg; $xorloom protect "
      "photos -o p.xorloom --replace");
  CHECK(refused.status == 1);
  CHECK(has(refused.err, "photos/2023/bride.jpg changed, and the time did not"));
  CHECK(has(refused.err, "xorloom repair p.xorloom --only photos/2024/7.jpg\n"));
  CHECK(library.sum() == before);
  CHECK(library
            .run("$xorloom repair p.xorloom --only photos/2024/7.jpg && cmp photos/2024/7.jpg "
                 "good/2024/7.jpg")
            .status == 0);
}

}  // namespace xorloom::test
