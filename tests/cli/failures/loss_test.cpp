// What is said of data that cannot be recovered.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

TEST_CASE("A loss is said to be no larger than it is, with the way to the rest, by every command") {
  constexpr std::size_t kStripe = 650'240;  // of 10+4 by default
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

}  // namespace xorloom::test
