// Bare chunk files rebuilt where they lie, deep repairs, and sets of a code of one's own.

#define XXH_INLINE_ALL
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kRawSpec = "rdp:k=3,p=5";
constexpr std::size_t kLocations = 5;

/// Chunks 0 to 4 in "c", and what they held.
struct Chunks {
  Chunks() {
    folder.write("file", random_bytes(100'000, 3));
    REQUIRE(xorloom({"encode", folder / "file", "-o", folder / "c", "--raw", "--code", kRawSpec})
                .status == 0);
    for (std::size_t i = 0; i < kLocations; ++i) whole.push_back(folder.read(name(i)));
  }

  static std::string name(std::size_t location) { return fmt::format("c/{}", location); }
  void lose(std::size_t location) const { std::filesystem::remove(folder / name(location)); }
  Outcome repair(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"repair", folder / "c", "--raw", "--code", kRawSpec};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  }
  bool are_whole() const {
    for (std::size_t i = 0; i < kLocations; ++i) {
      if (folder.read(name(i)) != whole[i]) return false;
    }
    return folder.names("c").size() == kLocations;
  }

  TemporaryFolder folder;
  std::vector<std::string> whole;
};

std::string with_sentence(const Outcome& outcome, int status) {
  if (outcome.status != status) return fmt::format("exit status {}", outcome.status);
  return outcome.err.substr(0, outcome.err.find('\n'));
}

}  // namespace

TEST_CASE("missing chunk files are written again, and no other is touched") {
  const Chunks chunks;
  for (std::size_t a = 0; a < kLocations; ++a) {
    for (std::size_t b = a + 1; b < kLocations; ++b) {
      chunks.lose(a);
      chunks.lose(b);
      const std::size_t kept = a == 0 && b == 1 ? 2 : a == 0 ? 1 : 0;
      const std::string other = chunks.folder / Chunks::name(kept);
      const auto before = std::filesystem::last_write_time(other);
      const Outcome outcome = chunks.repair();
      CHECK(outcome.status == 0);
      CHECK(outcome.err.starts_with(fmt::format("rebuilt chunks {}", a)));
      CHECK(chunks.are_whole());
      CHECK(std::filesystem::last_write_time(other) == before);
    }
  }
  const Outcome outcome = chunks.repair();
  CHECK(outcome.status == 0);
  CHECK(outcome.err.starts_with("nothing to rebuild among the 5 chunks"));
  CHECK(chunks.are_whole());
}

TEST_CASE("where too many are missing, or one has another length, nothing is written") {
  const Chunks chunks;
  for (const std::size_t location : {0UL, 2UL, 4UL}) chunks.lose(location);
  CHECK(with_sentence(chunks.repair(), 3) ==
        "xorloom: error: the loss of {0, 2, 4} cannot be rebuilt: rdp:k=3,p=5 has 5 locations "
        "and promises to survive any 2 losses");
  CHECK(chunks.folder.names("c") == std::vector<std::string>{"1", "3"});

  chunks.folder.write("c/0", chunks.whole[0].substr(1));
  const std::string refused = with_sentence(chunks.repair(), 3);
  CHECK(refused.find("bytes, but other chunks have") != std::string::npos);
  CHECK(chunks.folder.names("c") == std::vector<std::string>{"0", "1", "3"});
  CHECK(chunks.folder.read("c/0") == chunks.whole[0].substr(1));
}

TEST_CASE("a directory without a chunk file, or none at all, is said to be so") {
  const Chunks chunks;
  for (std::size_t i = 0; i < kLocations; ++i) chunks.lose(i);
  CHECK(with_sentence(chunks.repair(), 4) ==
        fmt::format("xorloom: error: {} holds none of the 5 chunk files 0 to 4",
                    chunks.folder / "c"));
  std::filesystem::remove(chunks.folder / "c");
  CHECK(with_sentence(chunks.repair(), 4).ends_with("No such file or directory"));
}

TEST_CASE("what repair --raw needs and what it does not take is named") {
  const Chunks chunks;
  const std::string c = chunks.folder / "c";
  chunks.lose(1);
  CHECK(not_refused(xorloom({"repair", c, "--raw"}), "--raw needs --code SPEC, -k, -m or -w") ==
        "");
  CHECK(not_refused(xorloom({"repair", c, "--code", kRawSpec}),
                    "--code, -k, -m or -w needs --raw") == "");
  CHECK(not_refused(chunks.repair({"--to", c}), "--to does not go with --raw") == "");
  CHECK(not_refused(chunks.repair({"--set", "12"}), "--set does not go with --raw") == "");
  CHECK(not_refused(xorloom({"repair", c, c, "--raw", "--code", kRawSpec}),
                    "--raw takes one DIR, not 2") == "");
  CHECK(not_refused(xorloom({"repair", c, "--raw", "--code", "rdp:k=3,p=4"}),
                    "p = 4 is not a prime; the next one is 5") == "");
  CHECK(chunks.folder.names("c") == std::vector<std::string>{"0", "2", "3", "4"});
}

TEST_CASE("verify --raw takes what encode --raw takes about the code") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(100'000, 3));
  for (const std::string code :
       {"--code blaum-roth:k=4,w=7 --allow-non-mds", "-k 4 -m 2 -w 4 --packet-bytes 4K"}) {
    CAPTURE(code);
    const Outcome outcome = shell("rm -rf c; $xorloom encode file -o c --raw -q " + code +
                                      " && $xorloom verify c --raw " + code,
                                  folder.path());
    CHECK(outcome.status == 0);
    CHECK(has(outcome.out, "agrees with the data"));
  }
  CHECK(not_refused(xorloom({"verify", folder / "c", "--packet-bytes", "4K"}),
                    "--packet-bytes needs --raw") == "");
}

TEST_CASE("a chunk file that is wrong is named by verify and rebuilt by repair --deep") {
  const Chunks chunks;
  const auto verify = [&](const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"verify", chunks.folder / "c", "--raw", "--code", kRawSpec};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  };
  CHECK(verify().status == 0);
  CHECK(verify().out.find("redundancy  agrees with the data\n") != std::string::npos);
  for (std::size_t wrong = 0; wrong < kLocations; ++wrong) {
    std::string bytes = chunks.whole[wrong];
    bytes[1234] = static_cast<char>(bytes[1234] ^ 8);
    chunks.folder.write(Chunks::name(wrong), bytes);
    const Outcome verified = verify({"--format", "json"});
    CHECK(verified.status == 1);
    CHECK(verified.err.find(
              "1 wrong if at most 1 chunk is wrong; if so, and if SPEC is the code that "
              "encoded them, repair --raw --deep "
              "--assume-wrong 1 rebuilds them") != std::string::npos);
    const auto json = nlohmann::json::parse(verified.out);
    CHECK(json["verdict"] == "located");
    CHECK(json["unique_up_to"] == 1);
    CHECK(json["wrong"] == nlohmann::json::array({wrong}));
    CHECK(chunks.repair().err.starts_with("nothing to rebuild"));  // plain repair trusts all chunks
    const Outcome asked = chunks.repair({"--deep"});
    CHECK(asked.status == 1);
    CHECK(asked.err.find(fmt::format("nothing was written: if at most 1 chunk is wrong, these are: "
                                     "{}; if you know that, add --assume-wrong 1",
                                     wrong)) != std::string::npos);
    CHECK(chunks.folder.read(Chunks::name(wrong)) == bytes);
    const Outcome repaired = chunks.repair({"--deep", "--assume-wrong", "1"});
    CHECK(repaired.status == 0);
    CHECK(repaired.err.find(fmt::format("rebuilt chunk {} of 5", wrong)) != std::string::npos);
    const std::string kept = Chunks::name(wrong) + ".before-deep-repair";
    CHECK(repaired.err.find(fmt::format("kept {} bytes of chunk {} as it was: {}", bytes.size(),
                                        wrong, chunks.folder / kept)) != std::string::npos);
    CHECK(chunks.folder.read(kept) == bytes);
    std::filesystem::remove(chunks.folder / kept);
    CHECK(chunks.are_whole());
  }
  // With one missing, the other redundant chunk tells that something is wrong, and no more.
  chunks.lose(0);
  CHECK(verify().status == 1);
  std::string bytes = chunks.whole[2];
  bytes[0] = static_cast<char>(bytes[0] ^ 1);
  chunks.folder.write(Chunks::name(2), bytes);
  CHECK(verify().status == 3);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--assume-wrong", "1"}}) {
    std::vector<std::string> arguments{"--deep"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome refused = chunks.repair(arguments);
    CHECK(refused.status == 3);
    CHECK(refused.err.find("redundancy cannot tell which are wrong") != std::string::npos);
  }
  CHECK(chunks.folder.names("c") == std::vector<std::string>{"1", "2", "3", "4"});
  chunks.lose(1);
  chunks.lose(3);
  CHECK(verify().err.find("too many chunks are missing in") != std::string::npos);
  CHECK(verify().status == 3);
  CHECK(not_refused(xorloom({"verify", chunks.folder / "c", "--raw"}),
                    "--raw needs --code SPEC, -k, -m or -w") == "");
  CHECK(not_refused(verify({"--deep"}),
                    "--deep does not go with --raw, which always compares redundancy with data") ==
        "");
}

TEST_CASE("the same bit wrong in two chunks looks like another wrong chunk, which is kept") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(4000, 4));
  const std::string c = folder / "c";
  const std::vector<std::string> raw{"--raw", "--code", "rs:k=4,m=2"};
  const auto run = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), raw.begin(), raw.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  };
  REQUIRE(run({"encode", folder / "file", "-o", c}, {}).status == 0);
  const auto now = std::filesystem::last_write_time(folder / "c/5");
  for (const char* const name : {"c/0", "c/1"}) {
    std::string bytes = folder.read(name);
    bytes[7] = static_cast<char>(bytes[7] ^ 16);
    folder.write(name, bytes);
    std::filesystem::last_write_time(folder / name, now + std::chrono::hours(1));
  }
  std::vector<std::string> before;
  for (int i = 0; i < 6; ++i) before.push_back(folder.read(fmt::format("c/{}", i)));
  const std::string evidence = "; but modified later than 5, so perhaps wrong instead: 0-1";
  const Outcome verified = run({"verify", c}, {});
  CHECK(verified.status == 1);
  CHECK(verified.out.find("says that these are wrong, if at most 1 chunk is wrong: 5") !=
        std::string::npos);
  CHECK(verified.err.find("1 wrong if at most 1 chunk is wrong" + evidence) != std::string::npos);
  const Outcome asked = run({"repair", c}, {"--deep"});
  CHECK(asked.status == 1);
  CHECK(asked.err.find("these are: 5" + evidence) != std::string::npos);
  // Two wrong chunks explain the bytes as well: 0 and 1, which really are wrong.
  const Outcome two = run({"repair", c}, {"--deep", "--assume-wrong", "2"});
  CHECK(two.status == 3);
  CHECK(
      two.err.find("with 2 wrong chunks others may be wrong than 5, which is so if at most 1 chunk "
                   "is wrong") != std::string::npos);
  for (std::size_t i = 0; i < 6; ++i) CHECK(folder.read(fmt::format("c/{}", i)) == before[i]);
  CHECK(folder.names("c").size() == 6);

  REQUIRE(run({"repair", c}, {"--deep", "--assume-wrong", "1"}).status == 0);
  CHECK(folder.read("c/5") != before[5]);
  CHECK(run({"verify", c}, {}).status == 0);
  CHECK(folder.read("c/5.before-deep-repair") == before[5]);
  CHECK(std::filesystem::last_write_time(folder / "c/5.before-deep-repair") == now);
  // The evidence survives a second repair, too.
  folder.write("c/5", before[5]);
  REQUIRE(run({"repair", c}, {"--deep", "--assume-wrong", "1"}).status == 0);
  CHECK(folder.read("c/5.before-deep-repair") == before[5]);
  CHECK(folder.read("c/5.before-deep-repair-2") == before[5]);
  CHECK(not_refused(run({"repair", c}, {"--assume-wrong", "1"}), "--assume-wrong needs --deep") ==
        "");
}

TEST_CASE("a set of a code of one's own is read and repaired without its file") {
  const TemporaryFolder folder;
  const std::string content = random_bytes(300'000, 5);
  folder.write("file", content);
  folder.write("code.json", R"({"format": "xorloom-code", "version": 1, "locations": 4, "rows": 2,
    "data": [0, 1, 2, 3], "equations": [{"target": 4, "xor": [0, 2]}, {"target": 5, "xor": [1, 3]},
    {"target": 6, "xor": [0, 3]}, {"target": 7, "xor": [1, 4, 1, 3]}]})");
  const std::string d = folder / "d";
  REQUIRE(xorloom({"encode", folder / "file", "-o", d, "--code", "file:" + folder / "code.json"})
              .status == 0);
  std::filesystem::remove(folder / "code.json");
  const std::vector<std::string> shards = folder.names("d");
  REQUIRE(shards.size() == 4);
  for (const std::string& lost : shards) {
    const std::string whole = folder.read("d/" + lost);
    std::filesystem::remove(folder / ("d/" + lost));
    REQUIRE(xorloom({"decode", d, "-o", folder / "back"}).status == 0);
    CHECK((folder.read("back") == content));
    REQUIRE(xorloom({"repair", d}).status == 0);
    CHECK((folder.read("d/" + lost) == whole));
    CHECK(xorloom({"verify", d}).status == 0);
  }
  const Outcome info = xorloom({"info", d});
  CHECK(info.out.find("xorloom-code") != std::string::npos);
}

TEST_CASE("a deep repair names wrong blocks with the assumption, and keeps what it replaces") {
  // Sizes for the default code, 10+4. A block includes its frame.
  constexpr std::size_t kStripe = 650'240;
  constexpr std::size_t kHeader = 512;
  constexpr std::size_t kBlock = 65'024 + 16;
  const TemporaryFolder folder;
  const std::string content = random_bytes(2 * kStripe, 7);
  folder.write("file", content);
  const std::string d = folder / "d";
  REQUIRE(xorloom({"encode", folder / "file", "-o", d}).status == 0);
  const std::vector<std::string> shards = folder.names("d");
  const std::string shard = "d/" + shards.at(3);
  const std::string set_id = shards.front().substr(8, 32);
  const auto run = [&](const std::string& command, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{command, d};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  };
  // A wrong byte in block 1 of shard 3, and the checksum of the wrong block.
  std::string bytes = folder.read(shard);
  const std::size_t frame = kHeader + kBlock;
  bytes[frame + 100] = static_cast<char>(bytes[frame + 100] ^ 1);
  std::string sealed;
  for (std::size_t i = 0; i < 32; i += 2) {
    sealed += static_cast<char>(std::stoi(set_id.substr(i, 2), nullptr, 16));
  }
  sealed += bytes.substr(frame + 8, 8);  // the generation
  for (const char number : {'\3', '\1'}) sealed += number + std::string(7, '\0');
  sealed += bytes.substr(frame + 16, kBlock - 16);
  const XXH64_hash_t hash = XXH3_64bits(sealed.data(), sealed.size());
  for (std::size_t i = 0; i < 8; ++i) bytes[frame + i] = static_cast<char>(hash >> (8 * i));
  folder.write(shard, bytes);
  CHECK(run("verify").status == 0);

  const Outcome verified = run("verify", {"--deep"});
  CHECK(verified.status == 1);
  CHECK(has(verified.out, "block 1 wrong by the rest of the stripe"));
  CHECK(has(verified.out, "assumption  these are wrong if at most 3 chunks of a stripe are wrong"));
  CHECK(has(verified.err,
            "if at most 3 chunks of a stripe are wrong, repair --deep "
            "--assume-wrong 3 rebuilds them"));
  const Outcome by_fingerprints = run("verify", {"--deep", "--fingerprints"});
  CHECK(by_fingerprints.status == 1);
  CHECK(by_fingerprints.err == verified.err);
  CHECK(not_refused(run("verify", {"--fingerprints"}), "--fingerprints needs --deep") == "");
  const auto json = nlohmann::json::parse(run("verify", {"--deep", "--format", "json"}).out);
  CHECK(json["wrong_unique_up_to"] == 3);

  const Outcome asked = run("repair", {"--deep"});
  CHECK(asked.status == 1);
  CHECK(has(asked.err, "nothing was written: set " + set_id +
                           " has blocks that are wrong if at most 3 chunks of a stripe are wrong; "
                           "if you know that, add --assume-wrong 3"));
  CHECK(folder.read(shard) == bytes);
  CHECK(folder.names("d") == shards);
  CHECK(run("repair", {"--deep", "--assume-wrong", "4"}).status == 3);
  CHECK(folder.read(shard) == bytes);

  const Outcome repaired = run("repair", {"--deep", "--assume-wrong", "3"});
  CHECK(repaired.status == 0);
  const std::string kept = shard + ".before-deep-repair";
  CHECK(has(repaired.err,
            fmt::format("kept 1 block as before, {} bytes: {}", kBlock, folder / kept)));
  CHECK(has(folder.read(kept), bytes.substr(frame, kBlock)));
  CHECK(run("verify", {"--deep", "--fingerprints"}).status == 0);
  const Outcome again = run("verify", {"--deep"});
  CHECK(again.status == 0);
  CHECK(again.err.empty());
  CHECK(run("decode", {"-o", folder / "back"}).status == 0);
  CHECK((folder.read("back") == content));
}

}  // namespace xorloom::test
