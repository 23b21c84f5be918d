// Things that people do to the files that they keep. No content may be lost by them.

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

/// A directory with files and their protection beside it.
struct KeptFiles {
  KeptFiles() {
    for (const char* const name : {"d/a", "d/x/b", "d/x/y/c", "d/z/e"}) {
      fs::create_directories((folder / name).substr(0, (folder / name).rfind('/')));
      write_file(folder / name, random_bytes(20'000 + std::string(name).size(), 1));
    }
    made = run("$xorloom protect d -o p --redundancy 60%");
    REQUIRE(made.status == 0);
    all = run(kSums).out;
  }
  static constexpr const char* kSums = "find d -type f ! -name '*.damaged*' | sort | xargs cksum";
  Outcome run(const std::string& line) const { return shell(line, folder.path()); }
  void protect_again(const std::string& more) const { REQUIRE(run(more).status == 0); }
  TemporaryFolder folder;
  Outcome made;
  std::string all;  ///< the files with their checksums
};

/// Flips a bit of a file and leaves its size and its time.
constexpr const char* kDamage =
    "damage() { touch -r $1 stamp; printf '\\377' | dd of=$1 bs=1 seek=${2:-777} conv=notrunc "
    "status=none; touch -r stamp $1; rm stamp; }\n";

/// Runs `lines` beside the files "big" and "little" and the mounted disk "small". nullopt: no disk
/// can be mounted.
std::optional<Outcome> on_small_disk(const std::string& lines) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "small");
  write_file(folder / "big", random_bytes(400'000, 1));
  write_file(folder / "little", random_bytes(30'000, 2));
  write_file(folder / "lines",
             "mount -t tmpfs -o size=1400k tmpfs small && touch mounted || exit 0\n" + lines);
  const Outcome outcome = shell("export xorloom; unshare -rm bash lines", folder.path());
  if (fs::exists(folder / "mounted")) return outcome;
  MESSAGE("SKIPPED: no file system can be mounted here");
  return std::nullopt;
}

}  // namespace

TEST_CASE("Silent damage is not taken for an edit when files are protected anew") {
  const KeptFiles kept;
  const std::string before = kept.run("cksum p").out;
  const Outcome refused =
      kept.run(std::string(kDamage) + "damage d/a; $xorloom protect d -o p --replace");
  CHECK(refused.status == 1);
  CHECK(has(refused.err,
            "d/a changed, and the time did not, as if by damage; nothing was changed, and verify "
            "finds all damage; touch what you edited, or --accept-damage protects all as it is"));
  CHECK(has(refused.err, "to restore the old content: xorloom repair p --only d/a\n"));
  CHECK(kept.run("cksum p").out == before);
  CHECK(kept.run("$xorloom repair p").status == 0);
  CHECK(kept.run(KeptFiles::kSums).out == kept.all);
  // An edited file is protected as it is; damage is protected on request.
  CHECK(kept.run("rm d/*.damaged; echo more >> d/a; $xorloom protect d -o p --replace").status ==
        0);
  CHECK(kept.run(std::string(kDamage) +
                 "damage d/a; $xorloom protect d -o p --replace --accept-damage; $xorloom verify p")
            .status == 0);
}

TEST_CASE("Silent damage is found in files whose directory was renamed, and in any part") {
  const KeptFiles kept;
  CHECK(kept.run("$xorloom protect d -o one -o two && mv d/x d/w").status == 0);
  const Outcome refused =
      kept.run(std::string(kDamage) + "damage d/w/y/c; $xorloom protect d -o one -o two --replace");
  CHECK(refused.status == 1);
  CHECK(has(refused.err, "d/w/y/c changed, and the time did not"));
  // A protection that cannot be read says nothing, and that is said.
  const Outcome unread = kept.run(
      "printf '\\211XLP\\r\\n\\032\\n' > r; head -c 300 /dev/zero >> r; $xorloom protect -q d -o r "
      "--replace");
  CHECK(unread.status == 0);
  CHECK(has(unread.err, "not compared with what was protected: both headers of r are damaged"));
}

TEST_CASE("verify tells an edit, by its time, from damage") {
  const KeptFiles kept;
  const Outcome verified = kept.run(std::string(kDamage) +
                                    "damage d/a; echo more >> d/z/e; $xorloom verify p; $xorloom "
                                    "verify p --format json | grep state");
  CHECK(has(verified.out, "files       4: 2 whole, 1 damaged, 0 moved, 0 missing, 1 edited\n"));
  CHECK(has(verified.out, "damaged  d/a: 20 of 20 blocks found, 1 of them in another place\n"));
  CHECK(has(verified.out,
            "edited   d/z/e: it has 20010 bytes instead of 20005; it was written after it was\n"
            "         protected"));
  CHECK(has(verified.out, "\"state\": \"edited\""));
  CHECK(has(verified.err,
            "1 file is damaged, and repair restores it; of 4 protected files, 1 was edited: "
            "repair brings back what they were, and protect --update takes in what they are\n"));
}

TEST_CASE("encode --replace tells a set that was changed in place from a damaged file") {
  const TemporaryFolder folder;
  write_file(folder / "f", random_bytes(30'000, 1));
  for (const char* const change : {"echo new | $xorloom append d", "$xorloom truncate d --length 5",
                                   "echo new | $xorloom patch d --at 0"}) {
    const Outcome refused = shell("rm -rf d; $xorloom encode f -o d && " + std::string(change) +
                                      "; $xorloom encode f -o d --replace",
                                  folder.path());
    CHECK(refused.status == 2);
    CHECK(has(refused.err, "the set of f was changed in place since it was encoded"));
    CHECK_FALSE(has(refused.err, "damage:"));
    CHECK(shell("$xorloom encode f -o d --replace --accept-damage", folder.path()).status == 0);
  }
}

TEST_CASE("encode does not replace a set by a file with silent damage") {
  const TemporaryFolder folder;
  write_file(folder / "f", random_bytes(3'000'000, 1));
  const auto run = [&](const std::string& line) {
    return shell(std::string(kDamage) + line, folder.path());
  };
  REQUIRE(run("cp -p f good; $xorloom encode f -o d").status == 0);
  const Outcome refused = run("damage f 2000000; $xorloom encode f -o d --replace");
  CHECK(refused.status == 2);
  CHECK(has(refused.err,
            "f is not what was encoded before, and its time is, as if by "
            "damage: decode writes the old content; --accept-damage encodes the"));
  CHECK(run("rm d/*-0[0-3].shard; $xorloom decode d -o f; cmp f good").status == 0);
  // --replace by the same content, by an edited file, by damage on request, and of a set that
  // cannot be read.
  CHECK(run("touch -r good f; $xorloom encode f -o d --replace").status == 0);
  CHECK(run("touch f; echo more >> f; $xorloom encode f -o d --replace").status == 0);
  CHECK(run("damage f; $xorloom encode f -o d --replace").status == 2);
  CHECK(run("$xorloom encode f -o d --replace --accept-damage").status == 0);
  CHECK(run("damage f 99; rm d/*-0?.shard; $xorloom encode f -o d --replace").status == 4);
  CHECK(run("touch f; $xorloom encode f -o d --replace").status == 0);
}

TEST_CASE("What is left out and what is no longer protected is said, with -q, too") {
  const KeptFiles kept;
  const Outcome outcome = kept.run(
      "mv d/a d/a.damaged; echo new > d/a; echo x > d/b.damaged; rm -r d/z; ln -s a d/link\n"
      "$xorloom protect -q d -o p --replace; $xorloom info p");
  CHECK(outcome.status == 0);
  CHECK(has(outcome.err, "left out: "));
  CHECK(has(outcome.err, "d/a.damaged: it has the name of what repair keeps\n"));
  CHECK(has(outcome.err, "d/link: it is a symbolic link\n"));
  CHECK(has(outcome.err, "no longer protected: d/z/e\n"));
  CHECK(has(outcome.out, " d/b.damaged\n"));
  CHECK(!has(outcome.out, " d/a.damaged\n"));
}

TEST_CASE("A file that changes while encode reads it is no file to encode") {
  const TemporaryFolder folder;
  // The reader waits for the second half, which comes by a change of the file.
  for (const char* const command :
       {"encode f -o d", "encode - -o d < f", "encode f -o d --raw --code rs:k=4,m=2"}) {
    CAPTURE(command);
    const Outcome outcome = shell(
        "truncate -s 300M f; (while :; do printf x | dd of=f bs=1 seek=5 conv=notrunc "
        "status=none; done) & writer=$!\n$xorloom " +
            std::string(command) + "; status=$?; kill $writer; exit $status",
        folder.path());
    CHECK(outcome.status == 4);
    CHECK(has(outcome.err, "it was changed in the meantime"));
    CHECK(shell("find . -name '*.shard' -o -name '[0-9]*'", folder.path()).out == "");
  }
}

TEST_CASE("Files whose directory was renamed or moved are moved, and not lost") {
  for (const char* const move :
       {"mv d/x d/w", "mv d/x/y d/z/y", "mv d/x d/w; echo new > d/w/new"}) {
    CAPTURE(move);
    const KeptFiles kept;
    const Outcome verified = kept.run(std::string(move) + "; $xorloom verify p");
    CAPTURE(verified.out);
    CHECK(verified.status == 1);
    CHECK(has(verified.out, ", 0 missing\n"));
    const Outcome repaired = kept.run("$xorloom repair p");
    CAPTURE(repaired.err);
    CHECK(repaired.status == 0);
    CHECK(has(repaired.err, "wrote 0 bytes"));
    const Outcome now = kept.run("rm -f d/x/new; " + std::string(KeptFiles::kSums));
    CHECK(now.out == kept.all);
  }
  // A damaged file and a deleted one are restored beside the moved ones.
  const KeptFiles kept;
  const Outcome repaired =
      kept.run(std::string(kDamage) + "mv d/x d/w; damage d/w/b; rm d/z/e; $xorloom repair p");
  CAPTURE(repaired.err);
  CHECK(repaired.status == 0);
  CHECK(has(repaired.err, "moved back: ./d/w to ./d/x\n"));
  CHECK(kept.run(KeptFiles::kSums).out == kept.all);
  CHECK(!fs::exists(kept.folder / "d/w"));
}

TEST_CASE("What is found outside of the protected directories is copied, and stays") {
  for (const char* const move : {"mv d e", "mkdir far; mv d/x far/q", "cp -a d far; rm d/a"}) {
    CAPTURE(move);
    const KeptFiles kept;
    const Outcome verified = kept.run(std::string(move) + "; $xorloom verify p");
    CHECK(verified.status == 1);
    CHECK(has(verified.out, ", 0 missing\n"));
    const std::string files = "find . -name '[a-z]' -type f | sort";
    const std::string before = kept.run(files).out;
    const Outcome repaired = kept.run("$xorloom repair p");
    CHECK(repaired.status == 0);
    CHECK(has(repaired.err, ", which stays\n"));
    CHECK(kept.run(KeptFiles::kSums).out == kept.all);
    CHECK(kept.run(files + " > after; echo '" + before + "' | grep -vxF -f after").out == "\n");
  }
}

TEST_CASE("A copy beside a protected file stays, and what was renamed gets its name back") {
  for (const char* const lost : {"mv f g", "mv f g; mv c 0", "rm f"}) {
    CAPTURE(lost);
    const TemporaryFolder folder;
    folder.write("f", random_bytes(20'000, 1));
    const std::string renamed = *lost == 'm' ? "moved back: ./g to ./f\n" : "./c, which stays\n";
    const Outcome repaired =
        shell("touch -d 2001-01-01 f; cp f c; cp f all; $xorloom protect -q f -o p; " +
                  std::string(lost) + "; rm all; $xorloom repair p && cmp f [c0] && ls ? | wc -l",
              folder.path());
    CAPTURE(repaired.err);
    CHECK(has(repaired.err, renamed));
    CHECK(repaired.out.ends_with("3\n"));
  }
  // Of equal files in a protected directory, the one with the protected time is the file.
  const KeptFiles kept;
  const Outcome repaired = kept.run("cp d/a d/0; mv d/a d/w; $xorloom repair p; ls d");
  CHECK(has(repaired.err, "moved back: ./d/w to ./d/a\n"));
}

TEST_CASE("A file that cannot be read may be whole, and is left alone") {
  const KeptFiles kept;
  const std::string user =
      ::geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  REQUIRE(kept.run("chmod 777 . d d/x d/x/y d/z; chmod 644 p; chmod 0 d/x/b").status == 0);
  const std::string before = kept.run("stat -c '%n %i %a %u' d/x/b; ls d/x").out;
  const Outcome verified = kept.run(user + "$xorloom verify p");
  if (has(verified.err, "setpriv")) {
    MESSAGE("SKIPPED: no other user can be had");
    return;
  }
  CHECK(verified.status == 4);
  CHECK(has(verified.out, "unreadable  d/x/b: it cannot be read, and may be whole: Permission "));
  CHECK(has(verified.err, "1 file cannot be read, and may be whole"));
  const Outcome repaired = kept.run("rm d/a; " + user + "$xorloom repair p");
  CHECK(repaired.status == 4);
  CHECK(has(repaired.err, "restored: ./d/a\n"));
  CHECK(has(repaired.err, "cannot be read, and may be whole; left as it is: ./d/x/b: Permission "));
  CHECK(kept.run("stat -c '%n %i %a %u' d/x/b; ls d/x").out == before);
  // A file behind a directory that cannot be searched is left alone, too.
  const Outcome behind = kept.run("chmod 644 d/x/b; chmod 0 d/x; " + user +
                                  "$xorloom repair p; "
                                  "s=$?; chmod 755 d/x; exit $s");
  CHECK(behind.status == 4);
  CHECK(has(behind.err, "left as it is: ./d/x/y/c: Permission denied"));
  CHECK(kept.run("chmod 644 d/x/b; $xorloom verify p").status == 0);
}

TEST_CASE("repair never allows more than what stands there allows today") {
  const KeptFiles kept;
  const Outcome repaired = kept.run(std::string(kDamage) +
                                    "chmod 644 d/a d/x/b; $xorloom protect d -o p --replace\n"
                                    "chmod 600 d/a; chmod 666 d/x/b; damage d/a; damage d/x/b\n"
                                    "$xorloom repair p; stat -c %a d/a d/x/b");
  CHECK(repaired.out == "600\n644\n");
}

TEST_CASE("On a disk with room for some of the damaged files these are restored") {
  const auto outcome = on_small_disk(
      "mkdir small/d; cp big small/d/big; cp little small/d/one; cp little small/d/two\n"
      "echo 2 >> small/d/two\n"
      "$xorloom protect small/d -o p --redundancy 100% --base small 2> log || exit 1\n"
      "rm small/d/*; head -c 1200000 /dev/zero > small/filler\n"
      "$xorloom repair p --to small; echo $?; ls small/d\n"
      "rm small/filler; $xorloom repair p --base small; echo $?; cmp big small/d/big\n");
  if (!outcome) return;
  CAPTURE(outcome->err);
  CHECK(outcome->out == "4\none\ntwo\n0\n");
  CHECK(has(outcome->err, "cannot write small/d/big: No space left on device\n"));
  CHECK(has(outcome->err, "; what a full disk has no room for takes 400000 bytes"));
}

TEST_CASE("On a disk that a large file has filled, that file is given up for the smaller ones") {
  // 104 pages are free. The large file takes 98 of them, and is copied first.
  const auto outcome = on_small_disk(
      "mkdir small/d; cp big small/d/a; cp little small/d/b\n"
      "$xorloom protect small/d -o p --redundancy 10% --base small 2> log || exit 1\n"
      "cp -a small/d copies; rm small/d/*; head -c $((246 * 4096)) /dev/zero > small/filler\n"
      "$xorloom repair p --base small copies; echo $?; ls small/d; cmp little small/d/b\n");
  if (!outcome) return;
  CAPTURE(outcome->err);
  CHECK(outcome->out == "4\nb\n");
  CHECK(has(outcome->err, "cannot write small/d/a: No space left on device\n"));
}

TEST_CASE("A protection file that is emptied or missing is written anew when the files are whole") {
  const KeptFiles kept;
  REQUIRE(kept.run("mkdir s; $xorloom protect d -o one -o s/two -o three; cksum one s/two three > "
                   "sums; cp one sum1")
              .status == 0);
  for (const char* const damage :
       {"rm s/two", ": > s/two", "rm one", "rm one s/two", "rm three; : > one"}) {
    CAPTURE(damage);
    const Outcome verified = kept.run(std::string(damage) + "; $xorloom verify one s/two three");
    CAPTURE(verified.err);
    CHECK(verified.status == 1);
    CHECK(has(verified.out, " is missing or empty"));
    CHECK(has(verified.err, "3 protection files can be used; repair writes the others anew"));
    const Outcome repaired = kept.run("$xorloom repair one s/two three");
    CAPTURE(repaired.err);
    CHECK(repaired.status == 0);
    CHECK(kept.run("cksum one s/two three | cmp - sums; $xorloom verify one s/two three").status ==
          0);
  }
  CHECK(has(kept.run("rm three; $xorloom repair one s/two").err,
            "1 of 3 protection files was not named: name them all"));
  CHECK(kept.run("$xorloom verify one s/two three four").status == 4);
}

TEST_CASE("Bytes in front of a protection file and a cut end leave its redundancy") {
  const KeptFiles kept;
  for (const char* const damage :
       {"(printf 12345; head -c -1 p) > q", "(printf 1; head -c -200 p) > q", "tail -c +3 p > q",
        "(head -c 70000 /dev/zero; cat p; head -c 9000 /dev/zero) > q"}) {
    CAPTURE(damage);
    const Outcome verified = kept.run(std::string(damage) + "; mv q r; rm d/a; $xorloom verify r");
    CAPTURE(verified.err);
    CHECK(verified.status == 1);
    CHECK(kept.run("$xorloom repair r; cmp p r").status == 0);
    CHECK(kept.run(KeptFiles::kSums).out == kept.all);
  }
}

TEST_CASE("A protection file of an older protection is named, and the others are used") {
  const KeptFiles kept;
  const std::string outputs = " -o 1 -o 2 -o 3";
  REQUIRE(kept.run("$xorloom protect d" + outputs +
                   "; cp 2 old; echo more >> d/a; "
                   "$xorloom protect d --replace" +
                   outputs + "; cp old 2")
              .status == 0);
  const Outcome verified = kept.run("$xorloom verify 1 2 3");
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "2 is of generation 1 of this protection, and others of 2"));
  CHECK(kept.run("rm d/z/e; $xorloom repair 1 2 3; $xorloom verify 1 2 3").status == 0);
  CHECK(kept.run("cmp 2 old").status != 0);
  // The later one is used, however few there are of it.
  CHECK(has(kept.run("cp 1 new; cp old 1; $xorloom verify new old 3").out, "old is of generation"));
  CHECK(kept.run("$xorloom verify new old").status == 1);
  // A part of another protection is named, and not used. With one part of each of two protections,
  // nothing tells which is meant.
  REQUIRE(kept.run("$xorloom protect d -o x -o y -o z && mv new 1").status == 0);
  const Outcome other = kept.run("rm d/z/e; $xorloom repair 1 y 3");
  CHECK(other.status == 0);
  CHECK(kept.run("$xorloom verify 1 y 3").status == 1);
  CHECK(has(kept.run("$xorloom verify 1 y 3").out, "y is of another protection, "));
  const Outcome open = kept.run("$xorloom verify 1 y");
  CHECK(open.status == 2);
  CHECK(has(open.err, "are not parts of one protection"));
}

TEST_CASE("Holes stay holes in what decode and repair write") {
  const TemporaryFolder folder;
  const auto blocks = [&](const std::string& name) {
    struct stat status {};
    REQUIRE(::stat((folder / name).c_str(), &status) == 0);
    return static_cast<std::size_t>(status.st_blocks) * 512;
  };
  REQUIRE(
      shell("mkdir d; truncate -s 30M d/f; for i in 0 3 29; do head -c 100000 /dev/urandom | dd "
            "of=d/f bs=1M seek=$i conv=notrunc status=none; done; truncate -s +1M d/f\n"
            "$xorloom encode d/f -o one && $xorloom encode d -o tree && $xorloom protect d -o p "
            "--redundancy 100%",
            folder.path())
          .status == 0);
  REQUIRE(blocks("d/f") < 1'000'000);
  CHECK(shell("$xorloom decode one -o back; $xorloom decode tree -o t/; mv d/f away\n"
              "printf x | dd of=away bs=1 seek=5000 conv=notrunc status=none; cp away d/f\n"
              "$xorloom repair p; cmp d/f back && cmp t/d/f back",
              folder.path())
            .status == 0);
  for (const char* const name : {"back", "t/d/f", "d/f"}) {
    CAPTURE(name);
    CHECK(blocks(name) < 1'000'000);
  }
}

TEST_CASE("Names that are no UTF-8 stay distinct in JSON, and hard links are said") {
  const KeptFiles kept;
  const Outcome outcome = kept.run(
      "printf 1 > \"$(printf 'd/\\344')\"; printf 2 > \"$(printf 'd/\\366')\"; ln d/a d/b\n"
      "$xorloom protect d -o q; for c in info verify; do $xorloom $c q --format json | python3 -c "
      "'import json, sys; print(sorted(f[\"name_hex\"] for d in [json.load(sys.stdin)] for f in "
      "d.get(\"protections\", [d])[0][\"files\"] if \"name_hex\" in f))'; done\n"
      "f=\"$(printf 'd/\\344')\"; cp -p \"$f\" was; printf 3 > \"$f\"; touch -r was \"$f\"\n"
      "$xorloom repair q --format json 2>/dev/null | python3 -c 'import json, sys; "
      "d = json.load(sys.stdin); print(d[\"restored\"][0][\"path_hex\"][-6:], "
      "\"as_hex\" in d[\"kept\"][0])'; cmp was \"$f\"");
  CHECK(outcome.out == "['642fe4', '642ff6']\n['642fe4', '642ff6']\n642fe4 True\n");
  CHECK(has(outcome.err,
            "hard links of one file, each of which repair restores as a file of its "
            "own: d/a, d/b\n"));
}

TEST_CASE("encode, info and verify say how many directories may be lost") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& line) { return shell(line, folder.path()); };
  write_file(folder / "f", random_bytes(1000, 1));
  const Outcome two =
      run("$xorloom encode -q f -o 2a -o 2b; $xorloom info 2a 2b; $xorloom verify 2a 2b");
  CHECK(two.err ==
        "warning: no directory may be lost: one of the 2 holds 7 of 14 shards, and only 4 shards "
        "may be. With 4 directories, any one may be.\n");
  CHECK(has(two.out, "directories  none of the 2 with shards may be lost\n"));
  const Outcome four =
      run("$xorloom encode f -o a -o b -o c -o e; $xorloom info a b c e; "
          "rm a/*-00.shard; $xorloom verify a b c e");
  CHECK(has(four.err, "of the directories, any 1 of 4 may be lost\n"));
  CHECK(has(four.out, "any 1 of 4 may be lost\n"));
  CHECK(has(four.out, "none of the 4 with shards may be lost\n"));
  CHECK(!has(run("$xorloom encode f -o z").err, "directories"));
  // A code that survives some sets of more losses than any: local groups in directories of theirs.
  CHECK(
      has(run("$xorloom encode f -o u -o v -o w --code rs:k=4,m=2").err, "any 1 of 3 may be lost"));
}

TEST_CASE("protect takes at most 128 MiB of memory, or what it is told, however long files are") {
  const TemporaryFolder folder(memory_directory());
  struct Case {
    const char* options;
    const char* bytes;
    unsigned long most_mib;
  };
  for (const Case& each : {Case{"", "1300M", 128}, Case{"--redundancy 300%", "300M", 128},
                           Case{"--memory 48M", "300M", 52}}) {
    CAPTURE(each.options);
    const Outcome outcome = shell(
        std::string("truncate -s ") + each.bytes +
            " f; export xorloom; python3 -c 'import os, resource, subprocess, sys; subprocess.run("
            "[os.environ[\"xorloom\"], \"protect\", \"--replace\", \"f\", \"-o\", \"p\"] + "
            "sys.argv[1:], "
            "check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' " +
            each.options,
        folder.path());
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    if (!is_sanitized()) CHECK(std::stoul(outcome.out) < each.most_mib * 1024);
  }
  const Outcome refused = shell("$xorloom protect f -o q --memory 1M", folder.path());
  CHECK(refused.status == 2);
}

}  // namespace xorloom::test
