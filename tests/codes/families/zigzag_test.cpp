// Zigzag codes: the equations that were published, what they survive, and what rebuilding has to
// read.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/tolerance.hpp"
#include "tests/support/subsets.hpp"
#include "tests/support/sufficient_cells.hpp"

namespace xorloom {
namespace {

using test::suffice;
using Numbers = std::vector<std::size_t>;

struct Zigzag {
  std::size_t k;
  std::size_t r;
};

/// Every k and r that there are.
constexpr Zigzag kAll[] = {{1, 2}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {6, 2}, {7, 2}, {1, 3},
                           {2, 3}, {3, 3}, {4, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 4}};

std::string spec_of(const Zigzag& zigzag) {
  return fmt::format("zigzag:k={},r={}", zigzag.k, zigzag.r);
}

/// Row 1, 2, … of a location, as the paper counts.
Cell cell(const Code& code, std::size_t location, std::size_t row) {
  return static_cast<Cell>(location * code.subchunks + row - 1);
}

std::vector<Field::Symbol> row_of(const Matrix& rows, Cell cell) {
  return {rows.row(cell).begin(), rows.row(cell).end()};
}

/// The terms of a redundant cell: which row of each location of data, from 1, and its coefficient.
struct CellTerms {
  Numbers indices;
  Numbers coefficients;
};

CellTerms sets_of(const Code& code, Cell target) {
  const std::vector<CellSum> sums = sums_of_redundancy(code);
  const auto sum = std::ranges::find(sums, target, &CellSum::target);
  REQUIRE(sum != sums.end());
  CellTerms sets;
  for (const CellSum::Term& term : sum->terms) {
    CHECK(code.location_of_cell(term.cell) == sets.indices.size());  // one term of each location
    sets.indices.push_back(term.cell % code.subchunks + 1);
    sets.coefficients.push_back(term.factor);
  }
  return sets;
}

void check_equation(const Code& code, Cell target, const std::vector<CellSum::Term>& terms) {
  CAPTURE(target);
  const Matrix rows = generator(code);
  std::vector<Field::Symbol> sum(rows.columns());
  for (const CellSum::Term& term : terms) {
    add_scaled(code.field, sum, term.factor, rows.row(term.cell));
  }
  CHECK(sum == row_of(rows, target));
}

/// The cells of `subchunks` in every location but `location`.
std::vector<Cell> of_all_others(const Code& code, const Numbers& subchunks, std::size_t location) {
  std::vector<Cell> cells;
  for (std::size_t other = 0; other < code.locations; ++other) {
    if (other == location) continue;
    for (const std::size_t subchunk : subchunks) cells.push_back(cell(code, other, subchunk + 1));
  }
  return cells;
}

/// Every choice of one in r of the sub-chunks.
std::vector<Numbers> parts(const Code& code, std::size_t r) {
  std::vector<Numbers> result = test::subsets(code.subchunks, code.subchunks / r);
  std::erase_if(result, [&](const Numbers& part) { return part.size() * r != code.subchunks; });
  return result;
}

/// True if a choice for each location from `other` on suffices to rebuild `location`, with `cells`.
bool any_suffices(const Code& code, const Matrix& rows, const std::vector<Numbers>& choices,
                  std::size_t location, std::size_t other, std::vector<Cell>& cells) {
  if (other == code.locations) return suffice(code, rows, cells, location);
  if (other == location) {
    return any_suffices(code, rows, choices, location, other + 1, cells);
  }
  return std::ranges::any_of(choices, [&](const Numbers& part) {
    for (const std::size_t subchunk : part) cells.push_back(cell(code, other, subchunk + 1));
    const bool found = any_suffices(code, rows, choices, location, other + 1, cells);
    cells.resize(cells.size() - part.size());
    return found;
  });
}

}  // namespace

TEST_CASE("k = 4, r = 2 has the equations that were published, Qin et al., 2 to 5") {
  const Code code = make_code("zigzag:k=4,r=2");
  CHECK(code.subchunks == 8);
  CHECK(code.locations == 6);
  const auto d = [&](std::size_t j, std::size_t row) { return cell(code, j - 1, row); };
  const auto p = [&](std::size_t l, std::size_t row) { return cell(code, 3 + l, row); };
  const CellTerms first = sets_of(code, p(1, 1));
  CHECK(first.indices == Numbers{1, 1, 1, 1});
  CHECK(first.coefficients == Numbers{1, 1, 1, 1});
  const CellTerms third = sets_of(code, p(2, 3));
  CHECK(third.indices == Numbers{3, 4, 1, 7});
  CHECK(third.coefficients == Numbers{1, 2, 1, 1});
  check_equation(code, p(1, 1), {{d(1, 1), 1}, {d(2, 1), 1}, {d(3, 1), 1}, {d(4, 1), 1}});
  check_equation(code, p(2, 3), {{d(1, 3), 1}, {d(2, 4), 2}, {d(3, 1), 1}, {d(4, 7), 1}});
  check_equation(code, d(1, 1), {{p(1, 1), 1}, {d(2, 1), 1}, {d(3, 1), 1}, {d(4, 1), 1}});
  check_equation(code, d(1, 3), {{p(2, 3), 1}, {d(2, 4), 2}, {d(3, 1), 1}, {d(4, 7), 1}});
}

TEST_CASE("every zigzag survives any r losses, whatever is proved of it") {
  for (const Zigzag& zigzag : kAll) {
    Code code = make_code(spec_of(zigzag));
    CAPTURE(code.spec);
    CHECK(code.promised_losses == zigzag.r);
    CHECK(code.locations == zigzag.k + zigzag.r);
    CHECK_FALSE(code.proof.empty());
    code.proof.clear();
    CHECK(losses_survived(code) == zigzag.r);
  }
}

TEST_CASE("so it does in the smallest fields that are taken, and in large ones") {
  for (const char* spec :
       {"zigzag:k=7,r=2,w=2,arrangement=packet", "zigzag:k=7,r=2,w=3,arrangement=packet",
        "zigzag:k=4,r=3,w=3,arrangement=packet", "zigzag:k=4,r=3,w=4", "zigzag:k=4,r=4,w=4",
        "zigzag:k=4,r=4,w=4,poly=0x1f", "zigzag:k=3,r=4,w=6,poly=0x49,arrangement=packet",
        "zigzag:k=5,r=2,w=16", "zigzag:k=3,r=3,w=32", "zigzag:k=3,r=4,w=16"}) {
    Code code = make_code(spec);
    CAPTURE(spec);
    code.proof.clear();
    CHECK(losses_survived(code) == code.m);
  }
}

TEST_CASE("the same part of each other location does for data from 1 on alone") {
  for (const Zigzag& zigzag :
       {Zigzag{2, 2}, Zigzag{3, 2}, Zigzag{4, 2}, Zigzag{2, 3}, Zigzag{3, 3}, Zigzag{2, 4}}) {
    const Code code = make_code(spec_of(zigzag));
    CAPTURE(code.spec);
    const Matrix rows = generator(code);
    for (std::size_t location = 0; location < code.locations; ++location) {
      CAPTURE(location);
      const bool found = std::ranges::any_of(parts(code, zigzag.r), [&](const Numbers& part) {
        return suffice(code, rows, of_all_others(code, part, location), location);
      });
      CHECK(found == (location > 0 && location < zigzag.k));
    }
  }
}

TEST_CASE("parts that differ do for location 0, and for none of redundancy") {
  for (const Zigzag& zigzag : {Zigzag{2, 2}, Zigzag{3, 2}, Zigzag{2, 3}, Zigzag{2, 4}}) {
    const Code code = make_code(spec_of(zigzag));
    CAPTURE(code.spec);
    const Matrix rows = generator(code);
    const std::vector<Numbers> choices = parts(code, zigzag.r);
    for (std::size_t location = 0; location < code.locations; ++location) {
      CAPTURE(location);
      std::vector<Cell> cells;
      CHECK(any_suffices(code, rows, choices, location, 0, cells) == (location < zigzag.k));
    }
  }
}

}  // namespace xorloom
