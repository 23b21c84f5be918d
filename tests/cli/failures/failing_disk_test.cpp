#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

TEST_CASE("A limit on the size of files leaves what was there") {
  const TemporaryFolder folder;
  write_file(folder / "old", random_bytes(10'000, 1));
  write_file(folder / "new", random_bytes(100'000, 2));
  const Outcome outcome = shell(
      "$xorloom encode new -o lost 2> first || exit 1\n"
      "rm lost/*-0[27].shard; ls -A lost > left\n"
      "$xorloom encode old -o d 2> first || exit 1\n"
      "ls -A d > before; ulimit -f 4\n"
      "$xorloom encode new -o none; echo $?; ls -d none 2> /dev/null\n"
      "$xorloom encode new -o d --replace; echo $?; ls -A d | cmp - before\n"
      "$xorloom repair lost; echo $?; ls -A lost | cmp - left\n"
      "$xorloom repair lost --to none; echo $?; ls -d none 2> /dev/null\n"
      "$xorloom decode d -o - 2> decoded | cmp - old && echo old\n"
      "$xorloom decode lost -o - 2> decoded | cmp - new && echo new",
      folder.path());
  CHECK(outcome.out == "4\n4\n4\n4\nold\nnew\n");
  std::istringstream lines(outcome.err);
  std::string line;
  for (const char* path : {"none/xorloom-", "d/xorloom-", "lost/xorloom-", "none/xorloom-"}) {
    REQUIRE(std::getline(lines, line));
    CAPTURE(line);
    CHECK(line.starts_with(std::string("xorloom: error: cannot write ") + path));
    CHECK(line.ends_with(": File too large"));
  }
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("A file that cannot be read leaves nothing behind") {
  const TemporaryFolder folder;
  write_file(folder / "old", random_bytes(10'000, 1));
  const Outcome outcome = shell(
      "$xorloom encode /proc/self/mem -o none; echo $?; ls -d none 2> /dev/null\n"
      "$xorloom encode old -o d 2> first || exit 1\n"
      "ls -A d > before\n"
      "$xorloom encode /proc/self/mem -o d --replace; echo $?; ls -A d | cmp - before\n"
      "$xorloom decode d -o - 2> decoded | cmp - old && echo old",
      folder.path());
  CHECK(outcome.out == "4\n4\nold\n");
  const std::string sentence = "xorloom: error: cannot read /proc/self/mem: Input/output error\n";
  CHECK(outcome.err == sentence + sentence);
}

}  // namespace xorloom::test
