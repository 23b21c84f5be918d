#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/terminal.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

std::vector<std::string> encoding(const std::string& directory) {
  return {"encode", "-", "-o", directory, "--raw", "--code", "rs:k=2,m=1"};
}

/// More than a pipe holds, so the program must read some of it before all is written.
const std::string kPart(200'000, 'x');

}  // namespace

TEST_CASE("Long work shows one line on a terminal, which is gone when it is done") {
  const TemporaryFolder folder;
  OnTerminal program(encoding(folder / "c"), 80);
  program.feed(kPart);
  REQUIRE(program.wait_for("\rreading 192.00 KiB"));  // in pieces of 65536 bytes
  program.feed(kPart);
  REQUIRE(program.wait_for("\rreading 384.00 KiB, "));  // and how fast
  program.end_input();
  CHECK(program.finish() == 0);
  const std::vector<std::string> lines = screen(program.written());
  REQUIRE(lines.size() == 1);
  CHECK(lines.front().starts_with("encoded 400000 bytes into 3 chunks of 200000 bytes in "));
}

TEST_CASE("The line fits a narrow terminal, and 80 columns if nothing is known of the terminal") {
  for (const std::uint16_t columns : std::array<std::uint16_t, 4>{10, 20, 30, 0}) {
    CAPTURE(columns);
    const TemporaryFolder folder;
    OnTerminal program(encoding(folder / "c"), columns);
    program.feed(kPart);
    CHECK(program.wait_for("\rreading"));
    CHECK(program.wait_for("\033[K\r"));  // and written over once
    for (const std::string& line : lines_written(program.written())) {
      CHECK(line.size() < (columns == 0 ? 80 : columns));
    }
  }
}

TEST_CASE("Ctrl-C takes the line away") {
  const TemporaryFolder folder;
  OnTerminal program(encoding(folder / "c"), 80);
  REQUIRE(program.wait_for("\rreading"));
  program.press('\3');
  CHECK(program.finish() == -SIGINT);
  // The terminal itself writes ^C over the line.
  const std::vector<std::string> lines = screen(program.written());
  for (const std::string& line : lines) CHECK(line.find("reading") == std::string::npos);
  CHECK(folder.names().empty());
}

TEST_CASE("An error takes the place of the line") {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  OnTerminal program(encoding(folder / "file"), 80);
  REQUIRE(program.wait_for("\rreading"));
  program.end_input();
  CHECK(program.finish() == 4);
  CHECK(screen(program.written()) ==
        std::vector<std::string>{"xorloom: error: cannot make the directory " + (folder / "file") +
                                 ": it is not a directory"});
}

TEST_CASE("Nothing is shown on a terminal that says it is dumb, or that is none") {
  const TemporaryFolder folder;
  OnTerminal dumb(encoding(folder / "c"), 80, "dumb");
  const Outcome piped = shell(
      "{ echo begin; sleep 1; echo end; } | TERM=xterm $xorloom encode - -o d --raw "
      "--code rs:k=2,m=1",
      folder.path());
  CHECK(piped.err.starts_with("encoded 10 bytes "));
  dumb.end_input();
  CHECK(dumb.finish() == 0);
  CHECK(dumb.written().starts_with("encoded 0 bytes "));
}

}  // namespace xorloom::test
