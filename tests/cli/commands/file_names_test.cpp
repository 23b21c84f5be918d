// The name and times of the file that shards keep, and their use by decode.

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

TEST_CASE("Sets of two files in a directory are told apart by their names, and none is replaced") {
  const TemporaryFolder folder;
  folder.write("report", random_bytes(20'000, 1));
  folder.write("photos", random_bytes(30'000, 2));
  REQUIRE(
      shell("for f in report photos; do $xorloom encode -q $f -o $f.d -k 4 -m 2; done; mkdir d; "
            "cp report.d/* photos.d/* d; ls -l d > before",
            folder / "")
          .status == 0);
  for (const char* const replace : {"", " --replace"}) {
    CAPTURE(replace);
    const Outcome refused =
        shell("$xorloom encode report -o d -k 4 -m 2" + std::string(replace), folder / "");
    CHECK(refused.status == 2);
    CHECK(has(refused.err, "d holds sets of several files, of which none is replaced: set "));
    CHECK(has(refused.err, " of 20000 bytes (report), generation 1, 6 of 6 shards"));
    CHECK(has(refused.err, " of 30000 bytes (photos), generation 1, 6 of 6 shards"));
  }
  CHECK(shell("ls -l d | cmp - before", folder / "").status == 0);
  // A change of one set makes the other no older one.
  const std::string set =
      "set=$(ls report.d | head -1 | cut -d- -f2); printf new | $xorloom patch d --set $set --at 7";
  CHECK(shell(set, folder / "").status == 0);
  for (const char* const command :
       {"verify d -q", "repair d", "decode d -o x", "truncate d --length 10"}) {
    CAPTURE(command);
    const Outcome asked = shell("$xorloom " + std::string(command), folder / "");
    CHECK(asked.status == 2);
    CHECK(has(asked.err, "there are several sets, choose one with --set: set "));
    CHECK(has(asked.err, " of 30000 bytes (photos), generation 1, 6 of 6 shards"));
  }
  // What is left of a set that was replaced does not ask for a choice.
  CHECK(shell("rm $(ls d/* | grep -v $(ls report.d | head -1 | cut -d- -f2) | head -3); $xorloom "
              "verify d -q",
              folder / "")
            .status == 0);
}

TEST_CASE("All sets are named before they are replaced") {
  const TemporaryFolder folder;
  folder.write("report", random_bytes(20'000, 1));
  folder.write("photos", random_bytes(30'000, 2));
  REQUIRE(shell("for f in report photos; do $xorloom encode -q $f -o $f.d -k 4 -m 2 --no-name; "
                "done; mkdir d; cp report.d/* photos.d/* d",
                folder / "")
              .status == 0);
  const Outcome refused = shell("$xorloom encode report -o d -k 4 -m 2", folder / "");
  CHECK(refused.status == 2);
  CHECK(has(refused.err, " of 20000 bytes, generation 1, 6 of 6 shards"));
  CHECK(has(refused.err, " of 30000 bytes, generation 1, 6 of 6 shards"));
  CHECK(has(refused.err, "; and set "));
  CHECK(has(refused.err, "; --replace replaces all of them"));
  CHECK(shell("$xorloom encode report -o d -k 4 -m 2 --replace; ls d | wc -l", folder / "").out ==
        "6\n");
}

TEST_CASE("decode gives the file its own name, permissions and time") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  const std::string content = random_bytes(5000, 3);
  folder.write("photo.bin", content);
  fs::permissions(folder / "photo.bin", fs::perms{0640});
  const auto time = fs::last_write_time(folder / "photo.bin") - std::chrono::hours(1000);
  fs::last_write_time(folder / "photo.bin", time);
  const std::string d = folder / "d";
  REQUIRE(xorloom({"encode", folder / "photo.bin", "-o", d}).status == 0);
  fs::create_directory(folder / "here");
  const auto decode_there = [&](const std::string& more = {}) {
    return shell("$xorloom decode ../d " + more, folder / "here");
  };
  const Outcome decoded = decode_there();
  CHECK(decoded.status == 0);
  CHECK(has(decoded.err, "decoded 5000 bytes to photo.bin of set "));
  CHECK(folder.read("here/photo.bin") == content);
  CHECK(fs::status(folder / "here/photo.bin").permissions() == fs::perms{0640});
  CHECK(fs::last_write_time(folder / "here/photo.bin") == time);
  folder.write("here/photo.bin", "mine");
  CHECK(not_refused(decode_there(),
                    "photo.bin is there already: --force replaces it, and -o gives another name") ==
        "");
  CHECK(folder.read("here/photo.bin") == "mine");
  CHECK(decode_there("--force").status == 0);
  CHECK(folder.read("here/photo.bin") == content);
  CHECK(not_refused(decode_there("--bytes 0-9 --force"),
                    "--bytes needs -o: a part is not the file") == "");
  CHECK(not_refused(decode_there("--force -o x"),
                    "--force is for the file's own name, so -o does not go with it: -o replaces "
                    "FILE anyway") == "");
  const std::string e = folder / "e";
  REQUIRE(xorloom({"encode", folder / "photo.bin", "-o", e, "--no-name"}).status == 0);
  const Outcome nameless = xorloom({"decode", e});
  CHECK(nameless.status == 2);
  CHECK(has(nameless.err, "does not remember the name of its file: say it with -o"));
  CHECK(not_refused(xorloom({"encode", folder / "photo.bin", "-o", folder / "g", "--name", "a/b"}),
                    "--name = 'a/b' is no name of a file: it has directories") == "");
}

TEST_CASE("decode --force through a link sets permissions and time of a file, not of a pipe") {
  const TemporaryFolder folder;
  const Outcome made = shell(
      "printf content > name; chmod 640 name; touch -d 2020-02-02 name\n"
      "$xorloom encode name -o d 2> log; mkdir to; printf mine > file; mkfifo -m 600 pipe; cd to\n"
      "ln -s ../file name; $xorloom decode ../d --force 2> log; cat ../file; stat -c %a ../file\n"
      "date -r ../file +%Y; ln -sf ../pipe name; $xorloom decode ../d --force 2> log &\n"
      "timeout 60 cat ../pipe; wait $!; stat -c %a ../pipe",
      folder.path());
  CHECK(made.out == "content640\n2020\ncontent600\n");
}

TEST_CASE("A name with control characters is kept with its permissions and time") {
  const TemporaryFolder folder;
  const std::string name = "n\nm\x1b[2J";
  folder.write(name, "content");
  std::filesystem::permissions(folder / name, std::filesystem::perms{0640});
  const auto time = std::filesystem::last_write_time(folder / name) - std::chrono::hours(100);
  std::filesystem::last_write_time(folder / name, time);
  REQUIRE(xorloom({"encode", folder / name, "-o", folder / "d"}).status == 0);
  CHECK(has(xorloom({"info", folder / "d"}).out, "name        n?m?[2J\n"));
  std::filesystem::create_directory(folder / "here");
  const Outcome decoded = shell("$xorloom decode ../d", folder / "here");
  CHECK(decoded.status == 0);
  CHECK(has(decoded.err, " to n?m?[2J of set "));
  CHECK(folder.names("here") == std::vector{name});
  CHECK(folder.read("here/" + name) == "content");
  CHECK(std::filesystem::last_write_time(folder / ("here/" + name)) == time);
  REQUIRE(xorloom({"encode", folder / name, "-o", folder / "e", "--name", "x\ty"}).status == 0);
  CHECK(shell("$xorloom decode ../e", folder / "here").status == 0);
  CHECK(folder.read("here/x\ty") == "content");
}

TEST_CASE("encode spreads shards over several directories") {
  const TemporaryFolder folder;
  const std::string content = random_bytes(70'000, 4);
  folder.write("file", content);
  const Outcome encoded = xorloom({"encode", folder / "file", "-o", folder / "a", "-o",
                                   folder / "b", "-o", folder / "c", "-k", "4", "-m", "2"});
  CHECK(encoded.status == 0);
  CHECK(has(encoded.err, "into 6 shards in " + folder / "a" + ", " + folder / "b"));
  for (const char* directory : {"a", "b", "c"}) CHECK(folder.names(directory).size() == 2);
  CHECK(xorloom({"decode", folder / "a", folder / "c", "-o", folder / "back"}).status == 0);
  CHECK(folder.read("back") == content);
  CHECK(not_refused(xorloom({"encode", folder / "file", "-o", folder / "d", "-o", folder / "d/"}),
                    "two of the directories for the shards are the same") == "");
  CHECK(not_refused(xorloom({"encode", folder / "file", "-o", folder / "d", "-o", folder / "e",
                             "--raw", "--code", "rs:2,1"}),
                    "--raw takes one -o DIR, not 2") == "");
}

}  // namespace xorloom::test
