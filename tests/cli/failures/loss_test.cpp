// Messages about data that cannot be recovered.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

TEST_CASE("A loss is said to be no larger than it is, with the way to the rest, by every command") {
  constexpr std::size_t kStripe = 650'240;  // default code, 10+4
  const TemporaryFolder folder;
  folder.write("file", random_bytes(3 * kStripe, 1));
  REQUIRE(xorloom({"encode", folder / "file", "-o", folder / "d"}).status == 0);
  const std::vector<std::string> shards = folder.names("d");
  for (const std::size_t lost : {0U, 2U, 4U, 11U, 13U}) {
    std::filesystem::remove(folder / ("d/" + shards[lost]));
  }
  const auto run = [&](const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{command, folder / "d"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  };
  const std::string said = fmt::format(
      "(in bytes 0-{} of the file); at most {} of {} bytes are lost, and decode --salvage -o FILE "
      "writes what is left",
      3 * kStripe - 1, 3 * kStripe * 3 / 10, 3 * kStripe);
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"decode", "-o", folder / "back"},
        {"decode", "-o", "-"},
        {"verify"},
        {"repair"},
        {"repair", "--only-missing"},
        {"convert", "--code", "rs:4,2"}}) {
    CAPTURE(call.front());
    const Outcome outcome = run(call.front(), {call.begin() + 1, call.end()});
    CHECK(outcome.status == 3);
    if (call.front() != "convert") CHECK(has(outcome.err, said));
    CHECK(has(outcome.err, "decode --salvage -o FILE writes what is left"));
  }
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"patch", "--at", "0", folder / "file"},
        {"append", folder / "file"},
        {"truncate", "--length", "1"}}) {
    CAPTURE(call.front());
    const Outcome outcome = run(call.front(), {call.begin() + 1, call.end()});
    CHECK(outcome.status == 3);
    CHECK(has(outcome.err, "decode --salvage -o FILE writes what is left"));
  }
  const Outcome salvaged = run("decode", {"-o", folder / "back", "--salvage"});
  CHECK(salvaged.status == 3);
  CHECK(has(salvaged.err, fmt::format("{} of {} bytes", 3 * kStripe * 3 / 10, 3 * kStripe)));
}

TEST_CASE("decode --salvage lists ten ranges of lost bytes, and counts the others") {
  constexpr std::size_t kBlock = 65'024 + 16;  // default code, 10+4; with its frame
  const TemporaryFolder folder;
  folder.write("file", random_bytes(3 * 650'240, 1));
  REQUIRE(xorloom({"encode", folder / "file", "-o", folder / "d"}).status == 0);
  const std::vector<std::string> shards = folder.names("d");
  for (const std::size_t lost : {1U, 3U, 5U, 7U}) {
    std::filesystem::remove(folder / ("d/" + shards[lost]));
  }
  std::string bytes = folder.read("d/" + shards[9]);
  for (const std::size_t stripe : {0U, 1U, 2U}) bytes.at(600 + stripe * kBlock) ^= 1;
  folder.write("d/" + shards[9], bytes);
  const Outcome listed = xorloom({"decode", folder / "d", "-o", folder / "back", "--salvage"});
  CHECK(listed.status == 3);
  std::size_t lines = 0;
  for (std::size_t at = 0;
       (at = listed.err.find("lost, written as zeros: ", at)) != std::string::npos; ++at) {
    ++lines;
  }
  CHECK(lines == 11);  // 10 of 15 ranges, and the number of the others
  CHECK(has(listed.err, "lost, written as zeros: 5 more, which --format json lists\n"));
}

TEST_CASE("Salvage is not offered if nothing of the file is left") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(300'000, 1));
  REQUIRE(xorloom({"encode", folder / "file", "-o", folder / "d"}).status == 0);
  const std::vector<std::string> shards = folder.names("d");
  for (std::size_t lost = 0; lost < 10; ++lost) {
    std::filesystem::remove(folder / ("d/" + shards[lost]));
  }
  const Outcome appended = xorloom({"append", folder / "d", folder / "file"});
  CHECK(appended.status == 3);
  CHECK(has(appended.err, "its shards do not suffice to recover the file\n"));
  CHECK(!has(xorloom({"verify", folder / "d"}).err, "salvage"));
}

}  // namespace xorloom::test
