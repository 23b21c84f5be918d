#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "codes/text/counted.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// A folder with a file and the set that encode has made of it in "d".
struct EncodedFile {
  explicit EncodedFile(std::size_t bytes, const std::vector<std::string>& more = {})
      : content(random_bytes(bytes, 7)) {
    folder.write("file", content);
    std::vector<std::string> arguments{"encode", folder / "file", "-o", folder / "d"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = xorloom(arguments);
    REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
    shards = folder.names("d");
  }

  std::string shard(std::size_t location) const { return "d/" + shards.at(location); }
  std::string set_id() const { return shards.front().substr(8, 32); }

  void lose(std::size_t location) const { std::filesystem::remove(folder / shard(location)); }
  void damage(std::size_t location, std::size_t offset) const {
    std::string bytes = folder.read(shard(location));
    bytes.at(offset) = static_cast<char>(~bytes.at(offset));
    folder.write(shard(location), bytes);
  }
  /// Runs a command on the directory.
  Outcome run(const std::string& command, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{command, folder / "d"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  }
  /// Whether decode gives the file back; what it said is in `said`.
  bool decodes(std::string* said = nullptr) const {
    const Outcome outcome = run("decode", {"-o", folder / "back"});
    if (said != nullptr) *said = outcome.err;
    return outcome.status == 0 && folder.read("back") == content;
  }

  TemporaryFolder folder;
  std::string content;
  std::vector<std::string> shards;
};

constexpr std::size_t kStripe = 650'240;     // default code, 10+4
constexpr std::size_t kHeader = 512;         // default code, 10+4
constexpr std::size_t kBlock = 65'024 + 16;  // with its frame

}  // namespace

TEST_CASE("Files of any size are given back, from a file and through pipes") {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, kStripe - 1, kStripe, kStripe + 1, 3 * kStripe + 12'345}) {
    CAPTURE(bytes);
    const EncodedFile set(bytes);
    CHECK(set.shards.size() == 14);
    CHECK(set.decodes());
    const Outcome piped = shell(
        "$xorloom encode - -o e < file 2>/dev/null && $xorloom decode e -o - 2>/dev/null | cmp - "
        "file",
        set.folder.path());
    CHECK(piped.status == 0);
  }
}

TEST_CASE("Every family and executor gives the file back without four of its shards") {
  for (const std::string spec : {"cauchy:k=10,m=4,w=8", "rs:k=10,m=4", "isa-cauchy:k=10,m=4",
                                 "cauchy-good:k=10,m=4,w=4,packet_bytes=8"}) {
    for (const std::string executor : {"auto", "graph", "ranges"}) {
      CAPTURE(spec);
      CAPTURE(executor);
      const EncodedFile set(1'500'000, {"--code", spec, "--executor", executor, "--threads", "2"});
      for (const std::size_t lost : {0UL, 3UL, 9UL, 12UL}) set.lose(lost);
      const Outcome outcome =
          set.run("decode", {"-o", set.folder / "back", "--executor", executor, "--threads", "2"});
      CHECK(outcome.status == 0);
      CHECK(set.folder.read("back") == set.content);
    }
  }
}

TEST_CASE("A directory that holds a set is refused, and replaced only if that is asked for") {
  const EncodedFile set(1000);
  const std::string d = set.folder / "d";
  const Outcome refused = xorloom({"encode", set.folder / "file", "-o", d});
  CHECK(refused.status == 2);
  CHECK(has(refused.err, d + " already holds set " + set.set_id() + " of 1000 bytes (file), "));
  CHECK(has(refused.err, ", generation 1, 14 of 14 shards; --replace replaces it"));
  CHECK(set.folder.names("d") == set.shards);
  set.folder.write("other", "something else");
  CHECK(xorloom({"encode", set.folder / "other", "-o", d, "--replace"}).status == 0);
  CHECK(set.folder.names("d").size() == 14);
  CHECK(set.folder.names("d") != set.shards);
  CHECK(has(set.run("info").out, "generation  2"));
  CHECK(set.run("decode", {"-o", set.folder / "back"}).status == 0);
  CHECK(set.folder.read("back") == "something else");
}

TEST_CASE("Damage in every shard costs blocks, not shards") {
  const EncodedFile set(14 * kStripe);
  for (std::size_t location = 0; location < 14; ++location) {
    // Each stripe loses four blocks, each shard four.
    for (std::size_t i = 0; i < 4; ++i) {
      set.damage(location, kHeader + (location + i) % 14 * kBlock + 100 * i + 20);
    }
  }
  std::string said;
  CHECK(set.decodes(&said));
  CHECK(has(said, set.shards[5] + ": blocks 5-8 damaged"));
  set.lose(0);
  CHECK_FALSE(set.decodes(&said));
  CHECK(has(said, "cannot be recovered: of 14 stripes, stripe 4 lost locations"));
}

TEST_CASE("A header may be damaged at one end") {
  const EncodedFile set(100'000);
  set.damage(1, 30);
  set.damage(2, set.folder.read(set.shard(2)).size() - 30);
  std::string said;
  CHECK(set.decodes(&said));
  CHECK(has(said, set.shards[1] + ": the header at its beginning is damaged"));
  CHECK(set.run("verify").status == 1);
  CHECK(set.run("repair").status == 0);
  CHECK(set.run("verify").status == 0);
}

TEST_CASE("Beyond repair all else is written, and what is missing is named") {
  const EncodedFile set(2 * kStripe);
  for (const std::size_t lost : {1UL, 2UL, 3UL, 4UL}) set.lose(lost);
  set.damage(7, kHeader + kBlock + 20);  // in the second stripe
  const std::string lost = fmt::format(
      "xorloom: error: set {} cannot be recovered: of 2 stripes, stripe 1 lost locations {{1, 2, "
      "3, 4, 7}}",
      set.set_id());
  const Outcome to_file = set.run("decode", {"-o", set.folder / "back"});
  CHECK(to_file.status == 3);
  CHECK(has(to_file.err, lost));
  CHECK(set.folder.names() == std::vector<std::string>{"d", "file"});
  const Outcome to_output = set.run("decode", {"-o", "-"});
  CHECK(to_output.status == 3);
  CHECK(to_output.out.empty());
  const Outcome verified = set.run("verify");
  CHECK(verified.status == 3);
  CHECK(has(verified.err, lost));
  const Outcome repaired = set.run("repair");
  CHECK(repaired.status == 3);
  CHECK(has(repaired.err, "rebuilt: "));
  CHECK(has(repaired.err,
            "is repaired but for 1 of its stripes: of 2 stripes, stripe 1 lost locations {1, 2, 3, "
            "4, 7}"));
  CHECK(set.folder.names("d").size() == 14);
  CHECK(set.run("verify").status == 3);
  const Outcome again = set.run("repair");
  CHECK(again.status == 3);
  CHECK(
      has(again.err, "cannot be repaired: of 2 stripes, stripe 1 lost locations {1, 2, 3, 4, 7}"));
}

TEST_CASE("decode --salvage writes what is left, lists what is lost, and says so by its status") {
  const EncodedFile set(2 * kStripe);
  for (const std::size_t lost : {1UL, 2UL, 3UL, 4UL}) set.lose(lost);
  set.damage(7, kHeader + kBlock + 20);  // in the second stripe
  const Outcome salvaged =
      set.run("decode", {"-o", set.folder / "back", "--salvage", "--format", "json"});
  CHECK(salvaged.status == 3);
  const auto json = nlohmann::json::parse(salvaged.out);
  CHECK(json["format"] == "xorloom-salvage");
  std::string expected = set.content;
  for (const auto& lost : json["lost"]) {
    for (std::size_t i = lost["first"]; i <= lost["last"]; ++i) expected[i] = '\0';
  }
  CHECK(json["lost"].size() == 2);  // locations 1 to 4, and 7
  CHECK(json["lost_bytes"] == 5 * (kStripe / 10));
  CHECK(set.folder.read("back") == expected);
  const Outcome listed = set.run("decode", {"-o", set.folder / "back", "--salvage"});
  CHECK(has(listed.err, "lost, written as zeros: bytes "));
  CHECK(has(listed.err, "are lost, and written as zeros\n"));
  CHECK(has(listed.err, fmt::format("wrote {} bytes", set.content.size())));
  CHECK(has(listed.err, fmt::format(", of which {} were recovered: read ",
                                    set.content.size() - 5 * (kStripe / 10))));
  const Outcome whole =
      set.run("decode", {"-o", set.folder / "back", "--salvage", "--bytes", "0-9"});
  CHECK(whole.status == 0);
  CHECK(not_refused(set.run("decode", {"-o", "-", "--salvage", "--format", "json"}),
                    "--format json lists what --salvage lost, on standard output") == "");
}

TEST_CASE("verify prints metrics of a set for Prometheus") {
  const EncodedFile set(1000);
  set.lose(3);
  const Outcome verified = set.run("verify", {"--format", "prometheus"});
  CHECK(verified.status == 1);
  const std::string label = fmt::format("{{set=\"{}\"", set.set_id());
  CHECK(has(verified.out, "# TYPE xorloom_shards gauge\n"));
  CHECK(has(verified.out, "xorloom_shards" + label + ",state=\"whole\"} 13\n"));
  CHECK(has(verified.out, "xorloom_shards" + label + ",state=\"missing\"} 1\n"));
  CHECK(has(verified.out, "xorloom_recoverable" + label + "} 1\n"));
  CHECK(has(verified.out, "xorloom_file_bytes" + label + "} 1000\n"));
  CHECK(has(verified.out, "xorloom_generation" + label + "} 1\n"));
}

TEST_CASE("Shards are found by content, in several directories") {
  const EncodedFile set(kStripe + 1);
  const TemporaryFolder& folder = set.folder;
  for (std::size_t i = 0; i < 14; ++i) {
    const std::string directory = folder / fmt::format("disk{}", i % 3);
    std::filesystem::create_directory(directory);
    if (i != 6)
      std::filesystem::rename(folder / set.shard(i), fmt::format("{}/{}.bin", directory, i));
  }
  folder.write("disk1/notes.txt", "not a shard");
  const std::vector<std::string> disks{folder / "disk0", folder / "disk1", folder / "disk2"};
  CHECK(xorloom({"decode", disks[0], disks[1], disks[2], "-o", folder / "back"}).status == 0);
  CHECK(folder.read("back") == set.content);

  // A disk of 5 dies; of the others 4 each, one had been lost before.
  const std::string spare = folder / "spare";
  const Outcome repaired = xorloom({"repair", disks[1], disks[2], "--to", spare});
  CHECK_MESSAGE(repaired.status == 3, repaired.err);
  CHECK(has(repaired.err, "{0, 3, 6, 9, 12}"));
  CHECK_FALSE(std::filesystem::exists(spare));
  std::filesystem::rename(disks[0] + "/0.bin", disks[2] + "/0.bin");
  CHECK(xorloom({"repair", disks[1], disks[2], "--to", spare}).status == 0);
  CHECK(folder.names("spare").size() == 4);
  CHECK(xorloom({"verify", disks[1], disks[2], spare}).status == 0);
  CHECK(folder.read("disk1/notes.txt") == "not a shard");

  // Without --to, a missing shard is written to the directory with the least in it.
  std::filesystem::remove(disks[2] + "/5.bin");
  std::filesystem::create_directory(folder / "empty");
  CHECK(xorloom({"repair", disks[1], disks[2], spare, folder / "empty"}).status == 0);
  CHECK(folder.names("empty").size() == 1);
}

TEST_CASE("The highest generation is meant, and choose one with --set another") {
  const EncodedFile set(1000);
  const TemporaryFolder& folder = set.folder;
  const std::string newer_content = random_bytes(20'000, 8);
  folder.write("newer", newer_content);
  std::filesystem::create_directory(folder / "e");
  std::filesystem::copy(folder / "d", folder / "e");
  CHECK(xorloom({"encode", folder / "newer", "-o", folder / "e", "--replace"}).status == 0);
  const std::vector<std::string> newer = folder.names("e");
  const std::vector<std::string> both{folder / "d", folder / "e"};
  const auto decode = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"decode", both[0], both[1], "-o", folder / "back"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  };
  CHECK(decode({}).status == 0);
  CHECK(folder.read("back") == newer_content);
  CHECK(decode({"--set", set.set_id()}).status == 0);
  CHECK(folder.read("back") == set.content);

  // The newer set is still meant when it cannot be given back.
  for (std::size_t i = 0; i < 5; ++i) std::filesystem::remove(folder / ("e/" + newer[i]));
  const Outcome refused = decode({});
  CHECK(refused.status == 3);
  CHECK(has(refused.err, "lost locations {0, 1, 2, 3, 4}"));
  CHECK(has(refused.err, "there is also set " + set.set_id()));
  CHECK(decode({"--set", set.set_id().substr(0, 8)}).status == 0);

  const Outcome none = decode({"--set", "0123456789abcdef0123456789abcdef"});
  CHECK(none.status == 2);
  CHECK(has(none.err, "no set's id begins with '0123456789abcdef0123456789abcdef'"));
  const std::string beginning = set.set_id().substr(0, 8);
  for (const char* command : {"append", "patch", "truncate", "verify", "repair", "decode"}) {
    std::vector<std::string> call{command, set.folder / "d", "--set", beginning + "@"};
    if (command == std::string("patch")) call.insert(call.end(), {"--at", "0"});
    if (command == std::string("truncate")) call.insert(call.end(), {"--length", "0"});
    CHECK(not_refused(xorloom(call), "'" + beginning + "@' has no generation behind its '@'") ==
          "");
  }
  const Outcome other = decode({"--set", beginning + "@9"});
  CHECK(other.status == 2);
  CHECK(has(other.err, "set " + set.set_id() + " has no generation 9; there is set "));
}

TEST_CASE("Two sets of the same generation are never chosen between") {
  const EncodedFile set(1000);
  const TemporaryFolder& folder = set.folder;
  CHECK(xorloom({"encode", folder / "file", "-o", folder / "e"}).status == 0);
  const std::string other = folder.names("e").front().substr(8, 32);
  for (const std::string command : {"decode", "repair", "verify"}) {
    std::vector<std::string> arguments{command, folder / "d", folder / "e"};
    if (command == "decode") arguments.insert(arguments.end(), {"-o", folder / "back"});
    const Outcome outcome = xorloom(arguments);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, set.set_id()));
    CHECK(has(outcome.err, other));
    CHECK(has(outcome.err, "choose one with --set"));
    arguments.insert(arguments.end(), {"--set", other});
    CHECK(xorloom(arguments).status == 0);
  }
}

TEST_CASE("A scrub finds any byte, and tells scripts where") {
  const EncodedFile set(kStripe + 5);
  const std::size_t size = set.folder.read(set.shard(3)).size();
  std::size_t found = 0;
  std::size_t tried = 0;
  for (std::size_t offset = 0; offset < size; offset += offset < 2 * kHeader ? 23 : 4999) {
    set.damage(3, offset);
    if (set.run("verify", {"--threads", "1"}).status == 1) ++found;
    set.damage(3, offset);
    ++tried;
  }
  CHECK(found == tried);
  CHECK(tried > 20);
  set.damage(3, kHeader + kBlock + 5);
  set.lose(8);
  const Outcome verified = set.run("verify", {"--format", "json"});
  CHECK(verified.status == 1);
  const auto json = nlohmann::json::parse(verified.out);
  CHECK(json["format"] == "xorloom-verify");
  CHECK(json["version"] == 4);
  CHECK(json["set"] == set.set_id());
  CHECK(json["file_bytes"] == kStripe + 5);
  CHECK(json["stripes"] == 2);
  CHECK(json["whole"] == false);
  CHECK(json["recoverable"] == true);
  CHECK(json["locations"].size() == 14);
  CHECK(json["locations"][8]["state"] == "missing");
  CHECK(json["locations"][0]["state"] == "whole");
  CHECK(json["locations"][3]["state"] == "damaged");
  CHECK(json["locations"][3]["shards"][0]["bad_blocks"] ==
        nlohmann::json::parse(R"([{"first":1,"last":1,"fault":"damaged"}])"));
  CHECK(json["bytes_read"].get<std::size_t>() > kStripe);
  CHECK(json.contains("seconds"));
}

TEST_CASE("Neither a shard as output nor one as input costs a shard") {
  const EncodedFile set(1000);
  const std::string bytes = set.folder.read(set.shard(2));
  const Outcome onto = set.run("decode", {"-o", set.folder / set.shard(2)});
  CHECK(onto.status == 2);
  CHECK(has(onto.err, "is a shard of a set, and decode does not overwrite it"));
  const Outcome from =
      xorloom({"encode", set.folder / set.shard(2), "-o", set.folder / "d", "--replace"});
  CHECK(from.status == 2);
  CHECK(has(from.err, "that would be replaced"));
  CHECK(set.folder.read(set.shard(2)) == bytes);
  CHECK(set.folder.names("d") == set.shards);
}

TEST_CASE("One program writes a directory at a time") {
  const EncodedFile set(1000);
  const Outcome outcome = shell(
      "mkfifo pipe; $xorloom encode pipe -o d --replace 2>first & exec 3>pipe; "
      "while ! ls -A d | grep -q lock; do sleep 0.01; done; "
      "$xorloom encode file -o d --replace 2>second; echo $? >status; "
      "$xorloom repair d 2>third; echo $? >>status; echo new >&3; exec 3>&-; wait",
      set.folder.path());
  CHECK(outcome.status == 0);
  CHECK(set.folder.read("status") == "4\n4\n");
  CHECK(has(set.folder.read("second"), "another program is writing in d"));
  CHECK(has(set.folder.read("third"), "another program is writing in d"));
  CHECK(set.run("decode", {"-o", set.folder / "back"}).status == 0);
  CHECK(set.folder.read("back") == "new\n");
  CHECK(set.folder.names("d").size() == 14);
}

TEST_CASE("What is not there or no set is one sentence") {
  const EncodedFile set(10);
  const std::string none = set.folder / "none";
  CHECK(not_refused(xorloom({"decode", none, "-o", "x"}),
                    fmt::format("cannot read the directory {}: No such file or directory", none)) ==
        "");
  CHECK(not_refused(xorloom({"encode", none, "-o", set.folder / "new"}),
                    fmt::format("cannot read {}: No such file or directory", none)) == "");
  CHECK_FALSE(std::filesystem::exists(set.folder / "new"));
  CHECK(not_refused(xorloom({"encode", set.folder / "file", "-o", set.folder / "file"}),
                    fmt::format("cannot make the directory {}: it is not a directory",
                                set.folder / "file")) == "");
  std::filesystem::create_directory(set.folder / "empty");
  for (const std::string command : {"verify", "repair", "info"}) {
    const Outcome outcome = xorloom({command, set.folder / "empty"});
    CHECK(outcome.status == 4);
    CHECK(outcome.err == fmt::format("xorloom: error: no shard of any set was found in {}\n",
                                     set.folder / "empty"));
  }
  CHECK(set.folder.names("empty").empty());
}

TEST_CASE("What is missing is rebuilt alone if that is asked for, and what that has read is told") {
  const EncodedFile set(3 * kStripe);
  const std::string lost = set.folder.read(set.shard(3));
  set.lose(3);
  set.damage(0, kHeader + kBlock + 99);
  set.damage(13, kHeader + 99);  // not read by this repair
  const Outcome repaired = set.run("repair", {"--only-missing"});
  CHECK(repaired.status == 0);
  CHECK((set.folder.read(set.shard(3)) == lost));
  CHECK(has(repaired.err, set.shards[0] + ": block 1 damaged"));
  CHECK(has(repaired.err, "still damaged: " + (set.folder / set.shard(0))));
  CHECK(has(repaired.err, "run repair without --only-missing to find"));
  CHECK_FALSE(has(repaired.err, set.shards[13]));
  CHECK(has(repaired.err, fmt::format("read {} bytes to rebuild (from 11 shards, ", 31 * kBlock)));
  const Outcome again = set.run("repair", {"--only-missing"});
  CHECK(again.status == 0);
  CHECK(has(again.err, "nothing missing among the 14 shards"));
  CHECK(has(again.err, "read 0 bytes, wrote 0 bytes"));

  const Outcome all = set.run("repair");
  CHECK(all.status == 0);
  CHECK(has(all.err, fmt::format("read {} bytes to find damage, ", 3 * 14 * kBlock)));
  CHECK(has(all.err, " bytes read per byte rebuilt), "));
  CHECK(has(all.err, fmt::format(" {} to verify, wrote ", 2 * (3 * kBlock + 2 * kHeader))));
  CHECK_FALSE(has(all.err, "still damaged"));
  CHECK(set.run("verify").status == 0);
  CHECK(xorloom({"repair", set.folder / "d", "--only-missing", "--raw", "--code", "rs:k=4,m=2"})
            .status == 2);
}

TEST_CASE("Bytes of a file are given back without the rest of it") {
  const EncodedFile set(3 * kStripe);
  set.lose(2);
  const auto part = [&](const std::string& bytes) {
    return set.run("decode", {"-o", "-", "--bytes", bytes});
  };
  struct Range {
    std::size_t first, last;
  };
  for (const Range& range : std::vector<Range>{{0, 0},
                                               {5, 70'000},
                                               {2 * 65'024, 3 * 65'024},
                                               {kStripe - 1, 2 * kStripe},
                                               {0, 3 * kStripe - 1},
                                               {3 * kStripe - 1, 3 * kStripe - 1}}) {
    const Outcome outcome = part(fmt::format("{}-{}", range.first, range.last));
    CAPTURE(range.first);
    CHECK(outcome.status == 0);
    CHECK((outcome.out == set.content.substr(range.first, range.last - range.first + 1)));
    CHECK(has(outcome.err, "decoded " + counted(range.last - range.first + 1, "byte")));
    CHECK(has(outcome.err, fmt::format(" from byte {} of", range.first)));
  }
  const Outcome one = set.run("decode", {"-o", set.folder / "part", "--bytes", "0-9"});
  CHECK(one.status == 0);
  CHECK(has(one.err, fmt::format("read {} bytes", kBlock)));
  CHECK(set.folder.read("part") == set.content.substr(0, 10));
  for (const char* const wrong : {"5", "-5", "5-", "6-5", "a-b", "0-1-2", "1,2"}) {
    CAPTURE(wrong);
    CHECK(part(wrong).status == 2);
  }
  CHECK(not_refused(part(fmt::format("0-{}", 3 * kStripe)),
                    fmt::format("--bytes 0-{} goes past the end of the file, which has {} bytes",
                                3 * kStripe, 3 * kStripe)) == "");
  CHECK(not_refused(set.run("decode", {"-o", "-", "--bytes", "0-1", "--raw", "--code", "rs:k=4,m=2",
                                       "--length", "9"}),
                    "--bytes does not go with --raw") == "");
}

TEST_CASE("Codes of several sub-chunks are given back and repaired from shards read in pieces") {
  const EncodedFile set(2'000'000, {"--code", "clay:k=4,m=2,d=5"});
  CHECK(has(set.run("info").out, "blocks      65456 bytes in 8 pieces, the last "));
  set.damage(1, 5000);
  set.lose(4);
  CHECK(set.decodes());
  CHECK(set.run("repair").status == 0);
  CHECK(set.run("verify").status == 0);
}

TEST_CASE("Info tells of a set what its headers say") {
  const EncodedFile set(kStripe + 1, {"--code", "rs:k=4,m=2"});
  set.lose(1);
  const Outcome info = set.run("info");
  CHECK(info.status == 0);
  CHECK(has(info.out, "set         " + set.set_id()));
  CHECK(has(info.out, "code        rs:k=4,m=2,w=8,poly=0x11d,arrangement=word"));
  CHECK(has(info.out, fmt::format("file        {} bytes", kStripe + 1)));
  CHECK((has(info.out, "shards      5 of 6, each of ") && has(info.out, "; missing location 1\n")));
  CHECK(xorloom({"info", set.folder / set.shard(0)}).status == 0);
}

TEST_CASE("A file that repair cannot take is named, and why") {
  const TemporaryFolder folder;
  folder.write("notes.txt", "text\n");
  const std::string path = folder / "notes.txt";
  const Outcome outcome = xorloom({"repair", path});
  CHECK(outcome.status == 4);
  CHECK(outcome.err == "xorloom: error: " + path +
                           " is neither a directory that holds shards nor a protection file\n");
}

}  // namespace xorloom::test
