#include <doctest/doctest.h>

#include <sstream>

#include "tests/cli/program.hpp"

namespace xorloom::test {

TEST_CASE("The table of families fits a terminal of 80 columns") {
  const Outcome codes = xorloom({"codes"});
  CHECK(codes.status == 0);
  CHECK(codes.err.empty());
  CHECK(widest_line(codes.out) <= 80);
}

TEST_CASE("Every family in the table has keys, bounds, a source and an example that works") {
  std::istringstream table(xorloom({"codes"}).out);
  std::size_t keys = 0, bounds = 0, sources = 0, examples = 0;
  for (std::string line; std::getline(table, line);) {
    keys += line.starts_with("  keys ");
    bounds += line.starts_with("  bounds ");
    sources += line.starts_with("  source ");
    if (!line.starts_with("  example ")) continue;
    ++examples;
    const std::string spec = line.substr(line.find_first_not_of(' ', 9));
    CAPTURE(spec);
    CHECK(xorloom({"equations", spec}).status == 0);
  }
  CHECK(examples >= 5);
  CHECK(keys == examples);
  CHECK(bounds == examples);
  CHECK(sources == examples);
}

}  // namespace xorloom::test
