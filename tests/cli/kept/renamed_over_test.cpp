// Files of one size and one time that change their names for each other's. Their contents say which
// one is which: none is given up that is there, and no only copy is removed.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/kept/kept_scene.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Pictures of one size and one time, as of a burst, their protection, and a copy of all: beside
/// the base directory, where nothing is looked for.
struct Burst : KeptScene {
  explicit Burst(std::size_t pictures = 4)
      : KeptScene({.names = numbered({"d"}, pictures),
                   .protect = "touch -d 2020-01-01 d/*; cp -a d ../good; $xorloom protect d -o p "
                              "--redundancy 150%",
                   .directory = "b"}) {}
};

}  // namespace

TEST_CASE("A picture that is renamed over another one stays protected, and no repair removes it") {
  const Burst burst;
  const Outcome verified = burst.run("rm d/3; mv d/4 d/3; $xorloom verify p");
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "replaced  d/3: what was d/4 has its name now; 0 of"));
  CHECK(has(verified.out, "moved     d/4: it is ./d/3 now"));
  CHECK(has(verified.out, " 0 damaged, 1 moved, 0 missing, 1 replaced\n"));
  const Outcome updated = burst.run("update && $xorloom verify p && cmp d/3 ../good/4");
  CAPTURE(updated.err);
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "renamed: d/4 to d/3\n"));
  CHECK(has(updated.err, "no longer protected, as another file has the name now: what was d/3\n"));
  const Outcome repaired =
      burst.run("rm d/3; $xorloom repair p --remove-kept && ls d && cmp d/3 ../good/4");
  CAPTURE(repaired.err);
  CHECK(repaired.out == "1\n2\n3\n");
}

TEST_CASE("What stood under the name of a restored picture is removed if it is whole elsewhere") {
  const Burst burst;
  const Outcome repaired =
      burst.run("rm d/3; mv d/4 d/3; $xorloom repair p --remove-kept && diff -r d ../good");
  CAPTURE(repaired.err);
  CHECK(repaired.out == "");
  CHECK(repaired.status == 0);
  // If only d/3 is restored, the only copy of the other picture stays.
  const Outcome only = burst.run(
      "rm d/3; mv d/4 d/3; $xorloom repair p --only d/3 --remove-kept; cmp d/3 ../good/3 && cmp "
      "d/3.damaged ../good/4");
  CHECK(only.status == 0);
  CHECK(has(only.err, "not removed, as nothing else that is whole has its content: ./d/3.damaged"));
}

TEST_CASE("repair gives pictures that swapped names, or were numbered anew, their names back") {
  for (const char* const way :
       {"mv d/1 t; mv d/2 d/1; mv t d/2", "mv d/1 t; mv d/2 d/1; mv d/3 d/2; mv t d/3",
        "mv d/1 t; mv d/2 d/1; mv t d/2; chmod 600 d/1; touch d/1",
        "mv d/4 d/5; mv d/3 d/4; mv "
        "d/2 d/3; mv d/1 d/2; mv d/5 d/1"}) {
    CAPTURE(way);
    const Burst burst;
    const Outcome repaired = burst.run(
        "numbers() { for i in d/*; do stat -c %i $i; done | sort; }; numbers > t1; " +
        std::string(way) +
        "; $xorloom repair p --dry-run 2>&1; $xorloom repair p 2>&1; numbers | cmp - t1 && diff -r "
        "d ../good && $xorloom verify p");
    CAPTURE(repaired.out);
    CHECK(repaired.status == 0);
    CHECK(has(repaired.out, "\nmoved back: ./d/"));
    CHECK(!has(repaired.out, ".damaged"));
  }
  // A file that has to make way is kept, also if another file moves back to its own name.
  const Burst burst;
  const Outcome kept = burst.run(
      "rm d/1; mv d/2 d/1; cp -p d/3 d/2; $xorloom repair p --dry-run; $xorloom repair p && diff "
      "-r "
      "d ../good -x 2.damaged && cmp d/2.damaged ../good/3");
  CAPTURE(kept.err);
  CHECK(kept.status == 0);
  CHECK(has(kept.err, "moved back: ./d/1 to ./d/2\n"));
  CHECK(has(kept.err, "what was ./d/2 is ./d/2.damaged now\n"));
  CHECK(!has(kept.err, "d/1.damaged"));
  // A repair that was interrupted between two names goes on.
  const Burst other;
  CHECK(other
            .run("mv d/1 t; mv d/2 d/1.damaged; mv t d/2; $xorloom repair p --remove-kept && diff "
                 "-r d ../good")
            .status == 0);
}

TEST_CASE("Pictures that swap names, or are numbered anew, are renamed by an update") {
  for (const char* const way :
       {"mv d/1 t; mv d/2 d/1; mv t d/2", "mv d/1 t; mv d/2 d/1; mv d/3 d/2; mv t d/3",
        "rm d/1; mv d/2 d/1; mv d/3 d/2; mv d/4 d/3; mv d/5 d/4; mv d/6 d/5",
        "mv d/6 d/7; mv d/5 d/6; mv d/4 d/5; mv d/3 d/4; mv d/2 d/3; mv d/1 d/2",
        "mkdir d/n; mv d/2 d/n/1; mv d/1 d/n/2", "ln d/1 d/0; mv d/2 d/1", "rm d/2; cp -p d/1 d/2",
        "mv d/1 d/9; cp -p d/2 d/1"}) {
    CAPTURE(way);
    const Burst burst(6);
    const Outcome updated = burst.run(std::string(way) + "; cp -a d ../now; update");
    CAPTURE(updated.err);
    CHECK(updated.status == 0);
    CHECK(!has(updated.err, "damage"));
    CHECK(burst.run("$xorloom verify p").status == 0);
    // All that is there is protected.
    const Outcome repaired = burst.run(
        "rm d/[1-6] d/n/*; $xorloom repair p --to . && diff -r d ../now && $xorloom protect -q d "
        "-o "
        "p --replace && $xorloom verify p");
    CAPTURE(repaired.err);
    CHECK(repaired.status == 0);
  }
}

TEST_CASE("--replace takes swapped pictures for what they are, and rot for rot") {
  const Burst burst;
  CHECK(burst.run("mv d/1 t; mv d/2 d/1; mv t d/2; $xorloom protect d -o p --replace").status == 0);
  const Outcome rotten =
      burst.run("mv d/1 t; mv d/2 d/1; mv t d/2; rot d/2; $xorloom protect d -o p --replace");
  CHECK(rotten.status == 1);
  CHECK(has(rotten.err, "d/2 changed, and the time did not"));
}

TEST_CASE("Rot among pictures that changed their names is named, and repaired under the new name") {
  const Burst burst;
  const Outcome updated = burst.run("rm d/3; mv d/4 d/3; rot d/3; update");
  CAPTURE(updated.err);
  CHECK(updated.status == 1);
  CHECK(has(updated.err, "renamed: d/4 to d/3\n"));
  CHECK(has(updated.err, "d/3 changed, and the time did not, as if by damage"));
  CHECK(burst.run("$xorloom repair p && cmp d/3 ../good/4").status == 0);
  // A copy beside does not make damage an edit.
  const Burst other;
  const Outcome copied = other.run("cp -p d/1 d/copy; rot d/1; update");
  CAPTURE(copied.err);
  CHECK(copied.status == 1);
  CHECK(has(copied.err, "d/1 changed, and the time did not, as if by damage"));
  CHECK(other.run("$xorloom repair p && cmp d/1 ../good/1").status == 0);
}

TEST_CASE("A picture renamed over one of another size, of one time, is no damage") {
  const Burst burst;
  const Outcome updated = burst.run(
      "head -c 9000 ../good/1 > d/5; touch -r d/1 d/5; update; cp -p d/5 ../five; mv d/5 d/2; "
      "update && "
      "$xorloom verify p && cmp d/2 ../five");
  CAPTURE(updated.err);
  CHECK(updated.status == 0);
  CHECK(has(updated.err, "renamed: d/5 to d/2\n"));
}

TEST_CASE("--remove-kept leaves a file with the time of the protected one that is not like it") {
  const Burst burst;
  const Outcome repaired = burst.run(
      "head -c 20000 /dev/urandom > d/2; touch -r d/1 d/2; cp -p d/2 ../mine; rot d/3; $xorloom "
      "repair p --remove-kept; ls d; cmp d/2 ../good/2 && cmp d/2.damaged ../mine");
  CAPTURE(repaired.err);
  CHECK(repaired.out == "1\n2\n2.damaged\n3\n4\n");
  CHECK(has(repaired.err, "removed: ./d/3.damaged\n"));
  CHECK(has(repaired.err,
            "not removed, as nothing else that is whole has its content: ./d/2.damaged\n"));
}

TEST_CASE("encode does not replace a set that it cannot compare with") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& line) { return shell(line, folder.path()); };
  const std::string encode = "$xorloom encode photos -o s1 -o s2 -o s3 -k 4 -m 2 ";
  const std::string file = "$xorloom encode f -o t1 -o t2 -o t3 -k 4 -m 2 ";
  std::filesystem::create_directories(folder / "photos");
  write_file(folder / "photos/1", random_bytes(50'000, 1));
  write_file(folder / "f", random_bytes(50'000, 2));
  REQUIRE(run(encode + "&&" + file).status == 0);
  const auto sums = [&] { return run("cksum s?/* t?/* away/*/*").out; };
  for (const auto& each : {std::pair(encode, 's'), std::pair(file, 't')}) {
    const std::string& command = each.first;
    CAPTURE(command);
    const std::string directories = std::string("for i in 2 3; do mv ") + each.second +
                                    "$i away; mkdir " + each.second + "$i; done";
    REQUIRE(run("mkdir -p away; " + directories).status == 0);
    const std::string before = sums();
    const Outcome refused = run(command + "--replace");
    CHECK(refused.status == 4);
    CHECK(has(refused.err, "so that what is to replace it is not compared with it"));
    CHECK(has(refused.err, "nothing was changed"));
    CHECK(has(refused.err, "--accept-damage replaces it all the same"));
    CHECK(sums() == before);
    CHECK(run(command + "--replace --accept-damage").status == 0);
  }
  // Shards that another account wrote are not removed unread.
  const std::string user = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
  const Outcome hidden =
      run("rm -r s?; chmod 777 .; " + encode + "-q; chmod 777 s?; chmod 600 s1/* " +
          "s2/*; touch photos/1; ls s1 > before; " + user + encode + "--replace");
  if (has(hidden.err, "setpriv")) {
    MESSAGE("SKIPPED: no other user can be had");
    return;
  }
  CHECK(hidden.status == 4);
  CHECK(run("ls s1 | diff before - && $xorloom verify s1 s2 s3").status == 0);
  const Outcome accepted =
      run(user + encode + "--replace --accept-damage; ls s1 | grep -c -f before");
  CHECK(accepted.out == "2\n");
}

}  // namespace xorloom::test
