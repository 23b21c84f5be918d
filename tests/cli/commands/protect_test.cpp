#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

/// A directory with files and their protection beside it.
struct ProtectedFolder {
  ProtectedFolder() {
    fs::create_directories(folder / "d/below");
    write_file(folder / "d/a", random_bytes(50'000, 1));
    write_file(folder / "d/below/b", random_bytes(30'000, 2));
    write_file(folder / "d/c", "");
    made = run("$xorloom protect d -o p --redundancy 50%");
  }
  Outcome run(const std::string& line) const { return shell(line, folder.path()); }
  TemporaryFolder folder;
  Outcome made;
};

}  // namespace

TEST_CASE("What is whole, what can be recovered and what is lost have statuses of their own") {
  const ProtectedFolder p;
  REQUIRE(p.made.status == 0);
  CHECK(p.run("$xorloom verify p").status == 0);
  CHECK(p.run("$xorloom verify p").err == "");
  const Outcome renamed = p.run("mv d/a d/z; $xorloom verify p");
  CHECK(renamed.status == 1);
  CHECK(has(renamed.out, "moved  d/a: it is ./d/z now\n"));
  CHECK(renamed.err ==
        "xorloom: error: of 3 protected files, 1 was moved: repair brings back what they were, and "
        "protect --update takes in what they are\n");
  const Outcome lost = p.run("rm d/z; $xorloom verify p");
  CHECK(lost.status == 3);
  CHECK(has(lost.out, "lost     d/a: bytes 0-49999\n"));
  CHECK(
      lost.err ==
      "xorloom: error: 50000 bytes of protected files are lost; if there is a copy anywhere, name "
      "its directory to repair, too, which searches it\n");
  const Outcome kept = p.run("rm d/c; $xorloom repair p");
  CHECK(kept.status == 3);
  CHECK(has(kept.err, "restored: ./d/c\n"));
  CHECK(has(kept.err, "missing, and beyond repair: ./d/a\n"));
}

TEST_CASE("Of missing files, an update is said to give up their protection") {
  const ProtectedFolder p;
  CHECK(has(p.run("rm d/below/b; $xorloom verify p").err,
            "of 3 protected files, 1 is missing: repair brings it back, and protect --update no "
            "longer protects it\n"));
  CHECK(has(p.run("echo more >> d/c; $xorloom verify p").err,
            "1 is missing, 1 was edited: repair brings back what they were, and protect --update "
            "takes in what they are, and gives up what is missing\n"));
}

TEST_CASE("verify and info say it as JSON, too") {
  const ProtectedFolder p;
  const Outcome json = p.run(
      "mv d/a d/z; $xorloom verify p --format json | python3 -c 'import json, sys; v = "
      "json.load(sys.stdin); print(v[\"recoverable\"], v[\"whole\"], [f[\"state\"] for f in "
      "v[\"files\"]], v[\"lost\"])'");
  CHECK(json.out == "True False ['moved', 'whole', 'whole'] []\n");
  const Outcome info = p.run(
      "$xorloom info p --format json | python3 -c 'import json, sys; v = "
      "json.load(sys.stdin)[\"protections\"][0]; print([f[\"name\"] for f in v[\"files\"]], "
      "v[\"part\"], v[\"parts\"])'");
  CHECK(info.out == "['d/a', 'd/below/b', 'd/c'] 0 1\n");
  CHECK(has(p.run("$xorloom info p").out, "30000  d/below/b\n"));
}

TEST_CASE("JSON of verify and repair has the facts that their text has") {
  const ProtectedFolder p;
  const auto printed = [&](const std::string& command, const std::string& expression) {
    return p.run("$xorloom " + command +
                 " --format json | python3 -c 'import json, sys; v = json.load(sys.stdin); print(" +
                 expression + ")'");
  };
  REQUIRE(p.run("mkdir s && $xorloom protect d -o one -o s/two --redundancy 200% && cp -p d/a s && "
                "echo more >> d/below/b && rm d/a s/two")
              .status == 0);
  const Outcome text = p.run("$xorloom verify one s/two s");
  CHECK(has(text.out, "it has 30005 bytes instead of 30000"));
  CHECK(has(text.out, "s/two is missing or empty"));
  CHECK(has(text.out, "moved   d/a: it is s/a now, outside of what is protected\n"));
  const Outcome json =
      printed("verify one s/two s",
              "[(f[\"state\"], f.get(\"bytes_now\"), f.get(\"path\")) for f in v[\"files\"]], "
              "v[\"unusable\"], v[\"parts_made\"] - len(v[\"parts\"]), v[\"bytes_read\"] > 0, "
              "v[\"redundant_chunks\"] == int(v[\"code\"].split(\"m=\")[1].split(\",\")[0])");
  CHECK(json.out ==
        "[('moved', None, 's/a'), ('edited', 30005, None), ('whole', 0, None)] ['s/two is missing "
        "or empty'] 1 True True\n");
  const Outcome said = p.run("$xorloom repair one s --dry-run");
  CHECK(has(said.err, "would be restored: ./d/a, from s/a, which stays\n"));
  CHECK(has(said.err, "1 of 2 protection files was not named"));
  CHECK(printed("repair one s --dry-run",
                "[(f[\"path\"], f.get(\"from\")) for f in v[\"restored\"]], v[\"parts_unnamed\"]")
            .out == "[('./d/below/b', None), ('./d/a', 's/a')] 1\n");
  // Why a file cannot be read is said by both.
  const Outcome loop =
      p.run("$xorloom repair one s && rm d/c && ln -s c d/c; $xorloom verify one s");
  CHECK(has(loop.out, "d/c: Too many levels of symbolic links\n"));
  CHECK(printed("verify one s", "v[\"files\"][2][\"error\"]").out ==
        "Too many levels of symbolic links\n");
}

TEST_CASE("Several protection files share the redundancy, and any of them can be used") {
  const ProtectedFolder p;
  REQUIRE(p.run("$xorloom protect d -o one -o two").status == 0);
  const Outcome half = p.run("$xorloom verify one");
  CHECK(half.status == 1);
  CHECK(has(half.err, "the files are whole, but 1 of 2 protection files can be used"));
  const Outcome unread = p.run(
      "cp -r d kept; echo edited > d/a; $xorloom verify one --protection-only; status=$?; "
      "rm -r d; mv kept d; exit $status");
  CHECK(unread.status == 1);
  CHECK(unread.err ==
        "xorloom: error: 1 of 2 protection files can be used; name all of them, also those that "
        "are gone: "
        "repair writes these anew; the files were not read\n");
  CHECK(p.run("$xorloom verify two one").status == 0);
  CHECK(p.run("printf x | dd of=d/a bs=1 seek=2000 conv=notrunc 2> log; $xorloom repair two --base "
              ". 2>&1")
            .status == 0);
  CHECK(p.run("$xorloom verify one two").status == 0);
}

TEST_CASE("Files elsewhere are searched if they are named, and names may have another base") {
  const ProtectedFolder p;
  const TemporaryFolder elsewhere;
  const std::string backup = elsewhere / "backup";
  fs::create_directories(backup + "/old");
  CHECK(p.run("mv d/a " + backup + "/old/x; $xorloom verify p").status == 3);
  CHECK(p.run("$xorloom verify p " + backup).status == 1);
  CHECK(p.run("$xorloom repair p " + backup).status == 0);
  CHECK(fs::exists(backup + "/old/x"));
  CHECK(p.run("mkdir far; mv d p far; $xorloom verify far/p").status == 0);
  CHECK(p.run("mv far/p .; $xorloom verify p --base far").status == 0);
  CHECK(has(p.run("$xorloom verify p").out,
            " d/: 2 of 3 files are in ./far/d/ now, outside of what is protected\n"));
}

TEST_CASE("The order of protection files, a damaged one, and a missing base do not mislead") {
  const ProtectedFolder p;
  fs::create_directories(p.folder / "stick");
  REQUIRE(p.run("$xorloom protect d -o one -o stick/two --redundancy 100%").status == 0);
  CHECK(p.run("$xorloom verify stick/two one").status == 0);
  const Outcome second = p.run("$xorloom verify stick/two");
  CHECK(second.status == 2);
  CHECK(has(second.err, "stick/two is file 2 of 2"));
  std::string bytes = read_file(p.folder / "stick/two");
  for (const std::size_t at : {std::size_t{50}, bytes.size() - 50}) bytes[at] ^= 1;
  write_file(p.folder / "stick/two", bytes);
  const Outcome damaged = p.run("$xorloom verify one stick/two");
  CHECK(damaged.status == 1);
  CHECK(has(damaged.out, "1 of 2 can be used"));
  CHECK(has(damaged.out, "both headers of stick/two are damaged"));
  CHECK(p.run("$xorloom verify one --base none").status == 4);
  CHECK(p.run("$xorloom verify one --base d/a").status == 4);
}

TEST_CASE("A protection file may lie among the files that it protects, and is not protected") {
  const ProtectedFolder p;
  REQUIRE(p.run("$xorloom protect d -o d/p && $xorloom protect d -o d/p --replace").status == 0);
  CHECK(!has(p.run("$xorloom info d/p").out, " p\n"));
  CHECK(p.run("rm d/c; $xorloom repair d/p && $xorloom verify d/p").status == 0);
}

TEST_CASE("What is no regular file is left out and named") {
  const ProtectedFolder p;
  const Outcome outcome = p.run("ln -s a d/link; mkfifo d/pipe; $xorloom protect d -o q");
  CHECK(outcome.status == 0);
  CHECK(has(outcome.err, "left out: d/link: it is a symbolic link\n"));
  CHECK(has(outcome.err, "d/pipe: it is no regular file\n"));
}

TEST_CASE("Wrong calls of protect change nothing") {
  const ProtectedFolder p;
  const std::string before = p.run("ls -RA; cat p d/a | cksum").out;
  const auto refused = [&](const std::string& line, const std::string& part, int status = 2) {
    CAPTURE(line);
    const Outcome outcome = p.run("$xorloom " + line);
    CHECK(outcome.status == status);
    CHECK(has(outcome.err, part));
    CHECK(p.run("ls -RA; cat p d/a | cksum").out == before);
  };
  refused("protect d", "-o");
  refused("protect d -o p", "p is there already: --replace replaces it");
  refused("protect d/a -o d/below/b --base . --replace",
          "is not a protection file, and is not replaced");
  refused("protect none -o q", "cannot read none: No such file", 4);
  refused("protect /etc/hostname -o q", "is not in ., which names are relative to");
  refused("protect d -o q -o ./q", "named twice");
  refused("protect d -o nowhere/q", "No such file", 4);
  refused("protect d -o q --redundancy 0%", "not a part from 0.01% to 1000%");
  refused("protect d -o q --redundancy many", "not a part from 0.01% to 1000%");
  refused("protect d -o q --redundancy 5% -m 3", "both say");
  refused("protect d -o q -m 1 -o r", "1 redundant chunk cannot be shared between 2 files");
  refused("protect d -o q -k 0", "-k");
  refused("verify p --deep", "--deep is not for protection files");
  refused("repair p --only-missing", "--only-missing is not for protection files");
  refused("verify d --base d", "--base needs a protection file");
  refused("verify p none", "cannot read none", 4);
}

TEST_CASE("A protection file of a later version is refused, and one that is none is not taken") {
  const ProtectedFolder p;
  CHECK(p.run("printf hello > q; $xorloom verify q").status == 4);
  std::string bytes = read_file(p.folder / "p");
  for (const std::size_t at : {std::size_t{50}, bytes.size() - 50}) bytes[at] ^= 1;
  write_file(p.folder / "p", bytes);
  const Outcome damaged = p.run("$xorloom verify p");
  CHECK(damaged.status == 4);
  CHECK(has(damaged.err, "both headers of p are damaged; the protection cannot be used, and the"));
}

}  // namespace xorloom::test
