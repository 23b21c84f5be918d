#include "gen/source/source_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "equations/passes/drop_equations.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

std::vector<std::string> lines_of(const Program& program, const SourceParts& split) {
  std::vector<std::string> lines;
  for (const SourcePart& part : split.parts) {
    lines.push_back(write_part(program, part, nullptr, language_of("c")));
  }
  return lines;
}

}  // namespace

TEST_CASE("a program that is small enough is one part, and keeps nothing") {
  const Program program = paper_iterative();
  const SourceParts split = split_into_parts(program, 100);
  REQUIRE(split.parts.size() == 1);
  CHECK(split.slots == 0);
  CHECK(split.parts[0].first == 0);
  CHECK(split.parts[0].last == 14);
  CHECK(split.parts[0].taken.empty());
  CHECK(split.parts[0].kept.empty());
  std::vector<Element> loaded = split.parts[0].loaded;
  std::ranges::sort(loaded);
  CHECK(loaded == program.inputs);
}

TEST_CASE("parts follow one another and hold no more operands than they may") {
  const Program program = random_program(12, 6, 50, 1);
  for (const std::size_t most : std::vector<std::size_t>{1, 5, 9, 30}) {
    std::size_t next = 0;
    for (const SourcePart& part : split_into_parts(program, most).parts) {
      CHECK(part.first == next);
      CHECK(part.last > part.first);
      std::size_t operands = 0;
      for (std::size_t i = part.first; i < part.last; ++i) {
        operands += program.equations[i].operands.size();
      }
      CHECK((operands <= most || part.last == part.first + 1));
      next = part.last;
    }
    CHECK(next == program.equations.size());
  }
}

TEST_CASE("a slot is used again once nobody reads its value") {
  Program chain{1, 2, {0}, {1}, {}};
  for (Element t = 2; t < 100; ++t) chain.equations.push_back({t, {t == 2 ? 0 : t - 1}});
  chain.equations.push_back({1, {99}});
  CHECK(split_into_parts(chain, 1).slots == 2);
}

TEST_CASE("the lines written for parts of any size say what the equations do") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Program program = drop_unread(random_program(4 + seed % 5, 1 + seed % 4, 40, seed));
    for (const std::size_t most : std::vector<std::size_t>{1, 3, 10, 50, 1000}) {
      CAPTURE(seed);
      CAPTURE(most);
      const SourceParts split = split_into_parts(program, most);
      CHECK_NOTHROW(
          check_lines({line_words(nullptr, language_of("c")), program}, lines_of(program, split)));
    }
  }
}

}  // namespace xorloom
