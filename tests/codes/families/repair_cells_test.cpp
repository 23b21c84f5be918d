// Cells that suffice, by a family's word, to rebuild a single lost location: checked by rank.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/support/sufficient_cells.hpp"

namespace xorloom {
namespace {

using test::suffice;

/// Number of `cells` that are in `location`.
std::size_t count_of(const Code& code, const std::vector<Cell>& cells, std::size_t location) {
  return static_cast<std::size_t>(std::ranges::count_if(
      cells, [&](Cell cell) { return code.location_of_cell(cell) == location; }));
}

/// Checks what is said of a code: one in `part` of the cells of each other location suffices, for
/// the first `known` locations.
void check_part(const std::string& spec, std::size_t part, std::size_t known) {
  CAPTURE(spec);
  const Code code = make_code(spec);
  const Matrix rows = generator(code);
  REQUIRE(code.repair_cells.size() == code.locations);
  for (std::size_t lost = 0; lost < code.locations; ++lost) {
    CAPTURE(lost);
    std::vector<Cell> cells = code.repair_cells[lost];
    CHECK(cells.empty() == (lost >= known));
    if (cells.empty()) continue;
    CHECK(std::ranges::adjacent_find(cells, std::ranges::greater_equal()) == cells.end());
    CHECK(cells.back() < code.num_cells());
    for (std::size_t other = 0; other < code.locations; ++other) {
      CHECK(count_of(code, cells, other) * part == (other == lost ? 0 : code.subchunks));
    }
    CHECK(suffice(code, rows, cells, lost));
  }
}

}  // namespace

TEST_CASE("clay rebuilds any location of one in q of the cells of each other one") {
  check_part("clay:k=2,m=2", 2, 4);
  check_part("clay:k=4,m=2,d=5", 2, 6);
  check_part("clay:k=3,m=2", 2, 5);  // with a node that is not stored
  check_part("clay:k=4,m=3,d=5", 2, 7);
  check_part("clay:k=4,m=3", 3, 7);
  check_part("clay:k=3,m=2,d=3", 1, 5);
}

TEST_CASE("zigzag rebuilds any location of data of an r-th of the cells of each other one") {
  for (const char* k : {"2", "3", "4", "5", "6", "7"}) {
    check_part(std::string("zigzag:r=2,k=") + k, 2, std::stoul(k));
  }
  for (const char* k : {"2", "3", "4"}) {
    check_part(std::string("zigzag:r=3,k=") + k, 3, std::stoul(k));
    check_part(std::string("zigzag:r=4,k=") + k, 4, std::stoul(k));
  }
}

TEST_CASE("one less does not rebuild it") {
  for (const char* spec : {"clay:k=4,m=2,d=5", "zigzag:k=4,r=2", "zigzag:k=3,r=3"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Matrix rows = generator(code);
    for (std::size_t lost = 0; lost < code.locations; ++lost) {
      CAPTURE(lost);
      for (std::size_t i = 0; i < code.repair_cells[lost].size(); ++i) {
        std::vector<Cell> cells = code.repair_cells[lost];
        cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK_FALSE(suffice(code, rows, cells, lost));
      }
    }
  }
}

}  // namespace xorloom
