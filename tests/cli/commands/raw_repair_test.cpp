// Bare chunk files rebuilt where they lie, and sets of a code of one's own.

#include <doctest/doctest.h>
#include <fmt/format.h>

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
      CHECK(outcome.err.starts_with(fmt::format("rebuilt {}", a)));
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
        "xorloom: error: the loss of {0, 2, 4} cannot be rebuilt: rdp:k=3,m=2,w=4 has 5 locations "
        "and promises to survive any 2 losses");
  CHECK(chunks.folder.names("c") == std::vector<std::string>{"1", "3"});

  chunks.folder.write("c/0", chunks.whole[0].substr(1));
  const std::string refused = with_sentence(chunks.repair(), 2);
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
  CHECK(not_refused(xorloom({"repair", c, "--raw"}), "--raw needs --code") == "");
  CHECK(not_refused(xorloom({"repair", c, "--code", kRawSpec}), "--code needs --raw") == "");
  CHECK(not_refused(chunks.repair({"--to", c}), "--to does not go with --raw") == "");
  CHECK(not_refused(chunks.repair({"--set", "12"}), "--set does not go with --raw") == "");
  CHECK(not_refused(xorloom({"repair", c, c, "--raw", "--code", kRawSpec}),
                    "--raw takes one DIR, not 2") == "");
  CHECK(not_refused(xorloom({"repair", c, "--raw", "--code", "rdp:k=3,p=4"}),
                    "p = 4 is not a prime; the next one is 5") == "");
  CHECK(chunks.folder.names("c") == std::vector<std::string>{"0", "2", "3", "4"});
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
    CHECK(verified.err.find("1 wrong; run repair --raw --deep") != std::string::npos);
    const auto json = nlohmann::json::parse(verified.out);
    CHECK(json["verdict"] == "located");
    CHECK(json["certain"] == true);
    CHECK(json["wrong"] == nlohmann::json::array({wrong}));
    CHECK(chunks.repair().err.starts_with("nothing to rebuild"));  // it takes what is there
    CHECK(chunks.repair({"--deep"}).err.starts_with(fmt::format("rebuilt {} of 5", wrong)));
    CHECK(chunks.are_whole());
  }
  // With one missing, the other redundant chunk tells that something is wrong, and no more.
  chunks.lose(0);
  CHECK(verify().status == 1);
  std::string bytes = chunks.whole[2];
  bytes[0] = static_cast<char>(bytes[0] ^ 1);
  chunks.folder.write(Chunks::name(2), bytes);
  CHECK(verify().status == 3);
  const Outcome refused = chunks.repair({"--deep"});
  CHECK(refused.status == 3);
  CHECK(refused.err.find("it is not certain which are wrong") != std::string::npos);
  CHECK(chunks.folder.names("c") == std::vector<std::string>{"1", "2", "3", "4"});
  chunks.lose(1);
  chunks.lose(3);
  CHECK(verify().err.find("too many chunks are missing in") != std::string::npos);
  CHECK(verify().status == 3);
  CHECK(not_refused(xorloom({"verify", chunks.folder / "c", "--raw"}), "--raw needs --code") == "");
  CHECK(not_refused(verify({"--deep"}), "--deep does not go with --raw") == "");
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

}  // namespace xorloom::test
