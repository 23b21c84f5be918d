// info: what it says of shards, protection files and atlases, alone and together.

#include <doctest/doctest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using nlohmann::json;

/// A folder with the set d, the protection p.xorloom and the atlas a.
class InfoScene {
 public:
  InfoScene() {
    folder_.write("file", random_bytes(100'000, 1));
    REQUIRE(run("$xorloom encode -q file -o d -k 3 -m 2; $xorloom protect -q file -o p.xorloom; "
                "$xorloom atlas -q cauchy-good:k=3,m=2,w=4 -o a")
                .status == 0);
  }

  Outcome run(const std::string& line) const { return shell(line, folder_.path()); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("info describes sets, protections and atlases of one call in every format") {
  const InfoScene scene;
  const Outcome text = scene.run("$xorloom info a p.xorloom d");
  CHECK(text.status == 0);
  CHECK(text.err == "");
  CHECK(text.out.starts_with("set         "));
  CHECK(has(text.out, "\n\nprotection  "));
  CHECK(has(text.out, "\n\natlas     cauchy-good:k=3,m=2,w=4"));

  const Outcome outcome = scene.run("$xorloom info a p.xorloom d --format json");
  CHECK(outcome.status == 0);
  const json data = json::parse(outcome.out);  // one document
  CHECK(data["format"] == "xorloom-info");
  CHECK(data["version"] == 2);
  REQUIRE(data["sets"].size() == 1);
  CHECK(data["sets"][0]["file_bytes"] == 100'000);
  REQUIRE(data["protections"].size() == 1);
  CHECK(data["protections"][0]["files"][0]["name"] == "file");
  REQUIRE(data["atlases"].size() == 1);
  const json& atlas = data["atlases"][0];
  CHECK(atlas["search"] == json({{"effort", "fast"}, {"seed", 1}}));
  CHECK(atlas["patterns"] == 15);
  CHECK(atlas["costs"][0]["losses"][1]["patterns"] == 10);
  CHECK(atlas["costs"][0]["losses"][1]["xors"]["least"] > 0);
  CHECK(json::parse(scene.run("$xorloom info a --format json").out)["sets"] == json::array());

  const Outcome page = scene.run("$xorloom info a p.xorloom d --format html");
  CHECK(page.status == 0);
  CHECK(has(page.out, "<title>Shards, Protected files, Atlases</title>"));
}

TEST_CASE("A page is UTF-8, whatever the names of files are") {
  const InfoScene scene;
  const Outcome page = scene.run(
      "f=$(printf 'a\\376b'); cp file $f; $xorloom encode -q $f -o e -k 3 -m 2; "
      "$xorloom info e --format html > page; iconv -f UTF-8 -t UTF-8 page");
  CHECK(page.status == 0);
  CHECK(has(page.out, "a\uFFFDb"));
}

TEST_CASE("info names what it cannot describe, and describes the others") {
  const InfoScene scene;
  const Outcome outcome = scene.run("head -c 200 a > cut; $xorloom info d file nothing cut a");
  CHECK(outcome.status == 3);  // of the atlas that was cut
  CHECK(scene.run("$xorloom info cut").status == 3);
  CHECK(scene.run("$xorloom info d file nothing a").status == 0);
  CHECK(has(outcome.err, "file is no shard\n"));
  CHECK(has(outcome.err, "nothing: No such file or directory\n"));
  CHECK(has(outcome.err, "cut"));
  CHECK(has(outcome.out, "set         "));
  CHECK(has(outcome.out, "atlas     "));
  const Outcome none = scene.run("$xorloom info file");
  CHECK(none.status == 4);
  CHECK(none.err == "file is no shard\nxorloom: error: no shard of any set was found in file\n");
  CHECK(has(scene.run("$xorloom verify d file").err, "file is no shard\n"));
  CHECK(has(scene.run(": > e.xorloom; $xorloom info e.xorloom d").err, "anew with --replace\n"));
  for (const char* const command : {"verify", "info", "decode -o x"}) {
    const Outcome empty = scene.run(": > p.x; $xorloom " + std::string(command) + " p.x");
    CHECK(empty.status == 4);
    CHECK(has(empty.err, "no shard of any set was found in p.x, an empty file"));
  }
  const std::string other_user =
      ::geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  const std::string unread =
      scene.run("chmod 755 . d; chmod 0 file; " + other_user + "$xorloom info d file").err;
  if (has(unread, "setpriv")) {
    MESSAGE("SKIPPED: no other user can be had");
    return;
  }
  CHECK(has(unread, "file cannot be read: Permission denied\n"));
}

TEST_CASE("encode says what became of the other shards of a set that it replaces") {
  const InfoScene scene;
  const Outcome refused = scene.run(
      "$xorloom encode -q file -o x -o y -o z -k 4 -m 2; $xorloom encode file -o x --replace");
  CHECK(refused.status == 4);
  CHECK(has(refused.err, "1, 2 of 6 shards cannot be recovered as it is found"));
  const Outcome replaced = scene.run("$xorloom encode file -o x --replace --accept-damage");
  CHECK(replaced.status == 0);
  CHECK(has(replaced.err,
            "generation 1, 2 of 6 shards; if its other 4 shards are elsewhere, they hold the old "
            "file, and can be deleted\n"));
  const Outcome whole = scene.run("$xorloom encode file -o x --replace");
  CHECK(has(whole.err, "generation 2, 14 of 14 shards\n"));
}

TEST_CASE("Shards of a later generation are not called stale") {
  const TemporaryFolder folder;
  folder.write("f", random_bytes(10'000, 3));
  const auto run = [&](const std::string& line) { return shell(line, folder.path()); };
  REQUIRE(run("$xorloom encode f -o g1 -o g2 --code rs:k=2,m=2 && cp -r g1 g1b && $xorloom append "
              "g1 g2 f")
              .status == 0);
  const Outcome mixed = run("$xorloom info g1b g2");
  INFO(mixed.out);
  CHECK(has(mixed.out, "none missing, of another generation 1,3\n"));
  CHECK(has(mixed.out, "none missing, stale 0,2\n"));
  const Outcome decoded =
      run("$xorloom decode g1b g2 -o back --set $(basename g1b/*-0.shard | cut "
          "-d- -f2)@2");
  CHECK(has(decoded.err,
            "-0.shard: stale, and not read: it is of generation 1, and the set is of "
            "generation 2"));
  CHECK(has(decoded.err, "of another generation, and not read: shards 0,2\n"));
}

TEST_CASE("decode of an archive into a file says what unpacks it, and that does") {
  const InfoScene scene;
  const Outcome decoded = scene.run(
      "mkdir both; cp file both; $xorloom encode -q both -o t; $xorloom decode t -o 'a b'; mkdir "
      "to; tar -xf 'a b' -C to; cmp file to/both/file");
  CHECK(decoded.status == 0);
  CHECK(has(decoded.err, "a b is an archive of files; tar -xf 'a b' unpacks it\n"));
}

TEST_CASE("decode --salvage of an archive says how tar unpacks what is left, and it does") {
  const InfoScene scene;
  const Outcome salvaged = scene.run(
      "mkdir both to; head -c 1000 file > both/0; for i in 1 2 3 4 5 6 7 8; do cp file both/$i; "
      "done; $xorloom encode -q both -o t -k 4 -m 1; rm t/*-[0-1].shard; $xorloom decode t -o back "
      "--salvage; tar -xif back -C to; ls to/both");
  CHECK(has(salvaged.err, "back is an archive of files; tar -xif back unpacks what is left\n"));
  INFO(salvaged.out);
  CHECK(has(salvaged.out, "8"));
}

TEST_CASE("verify --all says of each set what is wrong with it alone, in the program's words") {
  const InfoScene scene;
  const Outcome verified = scene.run(
      "mkdir w; $xorloom encode -q file -o w/a -k 3 -m 2; $xorloom encode -q p.xorloom -o w/b -k 3 "
      "-m 2; rm w/a/*-[014].shard; $xorloom verify --all w");
  CHECK(verified.status == 3);
  CHECK(has(verified.err, " cannot be recovered: of 1 stripe, stripe 0 lost locations {0, 1, 4}"));
  CHECK(has(verified.err, "decode --salvage -o FILE writes what is left\n"));
  CHECK_FALSE(has(verified.err, "there is also"));
  CHECK_FALSE(has(verified.err, "option "));
  const std::string first = verified.err.substr(0, verified.err.find(" cannot be"));
  CHECK(first.find("set ") == first.rfind("set "));  // named once
  CHECK(has(verified.err, "w/a: set "));
  CHECK(has(verified.out, "w/b:\nset "));
}

TEST_CASE("Another set is named only if it may have enough shards, by words that choose it") {
  const InfoScene scene;
  const char* const generations =
      "$xorloom encode -q file -o g1 -o g2 -o g3 -k 4 -m 2; cp -r g2 g2o; mv g3 g3o; $xorloom "
      "append -q g1 g2 p.xorloom; mv g3o g3; rm -r g2; ";
  const Outcome few = scene.run(std::string(generations) + "$xorloom decode g1 g3 -o o");
  CHECK(few.status == 3);
  CHECK(has(few.err, " cannot be recovered: "));
  CHECK_FALSE(has(few.err, "there is also"));
  const std::string said = scene.run("$xorloom decode g1 g2o g3 -o o").err;
  INFO(said);
  const std::size_t begin = said.find("which --set ") + 6;
  REQUIRE(has(said, "which --set "));
  const std::string choice = said.substr(begin, said.find(" chooses", begin) - begin);
  CHECK(choice.ends_with("@1"));
  CHECK(scene.run("$xorloom decode g1 g2o g3 -o o " + choice + " && cmp o file").status == 0);
}

TEST_CASE("A path that is not there is called no directory") {
  const InfoScene scene;
  for (const char* const path : {"none", "none.atlas"}) {
    const Outcome outcome = scene.run(std::string("$xorloom info ") + path);
    CHECK(outcome.status == 4);
    CHECK(has(outcome.err, std::string("error: cannot read ") + path + ": No such file"));
  }
}

TEST_CASE("repair says nothing of directories that may be lost while bytes are") {
  const InfoScene scene;
  const Outcome repaired = scene.run(
      "for i in 1 2 3 4 5 6 7 8 9; do cat file; done > big; $xorloom encode -q big -o w1 -o w2 -o "
      "w3 "
      "-k 4 -m 2; rm w2/*; printf xx | dd of=$(echo w1/*-0.shard) bs=1 seek=9000 conv=notrunc "
      "status=none; $xorloom repair w1 w2 w3");
  CHECK(repaired.status == 3);
  CHECK(has(repaired.err, "rebuilt: w2/"));
  CHECK_FALSE(has(repaired.err, "may be lost"));
}

TEST_CASE("repair --raw names the chunks that it rebuilt") {
  const InfoScene scene;
  const Outcome repaired = scene.run(
      "$xorloom encode -q file -o r --raw --code rs:4,2; rm r/0; $xorloom repair r --raw --code "
      "rs:4,2");
  CHECK(repaired.status == 0);
  CHECK(has(repaired.err, "rebuilt chunk 0 of 6, 25000 bytes each, in r, read chunks 1-4: "));
  const Outcome page = scene.run("$xorloom verify r --raw --code rs:4,2 --format html");
  CHECK(page.status == 0);
  CHECK(has(page.out, "<title>Chunk files</title>"));
  CHECK(has(page.out, "agrees with the data"));
}

TEST_CASE("equations of lookup tables come with the number of tables") {
  const InfoScene scene;
  const Outcome found = scene.run(
      "$xorloom equations cauchy-good:3,2,4 --style iterative --model lut4 --effort fast --store "
      "s");
  CHECK(found.status == 0);
  CHECK(has(found.out, "\n# gates: "));
  CHECK(has(found.err, "; the search for gates begins there\n"));
}

TEST_CASE("report and optimize say what a file holds that is no matrix") {
  const InfoScene scene;
  CHECK(scene
            .run("printf '0110\\n1111\\n1010\\n' > m; $xorloom optimize -q m --format json -o "
                 "e.json; $xorloom optimize -q m > e.txt; echo '{\"a\": 1}' > a.json; echo '{' > "
                 "b.json; : > empty; printf '\\357\\273\\277' | cat - a.json > mark.json; printf "
                 "'\\357\\273\\277' | cat - m > mark")
            .status == 0);
  const auto refusal = [&](const std::string& call) {
    const Outcome outcome = scene.run("$xorloom " + call);
    CHECK(outcome.status == 2);
    return outcome.err.substr(std::string("xorloom: error: ").size());
  };
  const std::string equations =
      ": it holds equations, not a matrix: report and bench take them with --equations\n";
  CHECK(refusal("report e.json") == "e.json" + equations);
  CHECK(refusal("optimize e.txt") == "e.txt" + equations);
  CHECK(refusal("report a.json") == "a.json: it holds JSON, not a matrix of 0s and 1s\n");
  CHECK(refusal("report mark.json") == "mark.json: it holds JSON, not a matrix of 0s and 1s\n");
  CHECK(scene.run("$xorloom optimize -q mark | cmp - e.txt").status == 0);
  CHECK(refusal("optimize b.json") ==
        "b.json: not JSON: the text ends at line 2, column 1, before the JSON does\n");
  CHECK(refusal("optimize empty") == "empty: there is no matrix: the text is empty\n");
  CHECK(refusal("codes file:m") == "m: not JSON: line 1, column 2: '110' cannot stand here\n");
  CHECK(has(scene.run("$xorloom report m --store kept").err, "encoding of m, a matrix of 3 x 4 "));
}

}  // namespace xorloom::test
