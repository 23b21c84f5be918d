// A code's sums, multiplied out, are its matrix.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/families/families.hpp"

namespace xorloom {
namespace {

/// A user's code: sums of redundant cells, in another order than the cells, with a term that
/// cancels.
constexpr const char* kOwn =
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "rows": 2,
             "data": [0, 1, 2, 3],
             "equations": [{"target": 5, "xor": [6, 3]}, {"target": 4, "xor": [0, 2]},
                           {"target": 6, "xor": [4, 3]}, {"target": 7, "xor": [1, 4, 1, 3]}]})";

std::vector<std::string> specs() {
  std::vector<std::string> result;
  for (const Family* family : families()) {
    result.emplace_back(family->name == "file" ? kOwn : family->example);
  }
  for (const char* spec :
       {"cauchy-good:k=10,m=2,w=8", "rs:k=5,m=3,w=16", "rs:k=5,m=1,w=4,arrangement=packet",
        "isa-vandermonde:k=1,m=3", "liberation:k=2", "blaum-roth:k=4,w=4", "evenodd:k=3,p=7",
        "rdp:k=2,p=7", "x-code:p=3", "hamming:m=4", "hover:k=5,r=3,v=0,h=3",
        "hover:k=7,r=4,v=3,h=2", "shec:k=12,m=7,c=4", "lrc:k=4,m=2,l=3", "lrc:k=12,m=4,l=8",
        "clay:k=3,m=2", "clay:k=4,m=3,d=5", "clay:k=3,m=2,d=3",
        "clay:k=3,m=2,arrangement=packet"}) {
    result.emplace_back(spec);
  }
  for (const char* spec : {"zigzag:k=3,r=3", "zigzag:k=3,r=4,w=4"}) result.emplace_back(spec);
  return result;
}

/// Each cell in terms of the data, by the sums alone; empty if no sum gives it.
std::vector<std::vector<Field::Symbol>> multiplied_out(const Code& code,
                                                       const std::vector<CellSum>& sums) {
  std::vector<std::vector<Field::Symbol>> rows(code.num_cells());
  for (std::size_t d = 0; d < code.data.size(); ++d) {
    rows[code.data[d]].resize(code.data.size());
    rows[code.data[d]][d] = 1;
  }
  for (const CellSum& sum : sums) {
    CAPTURE(sum.target);
    CHECK(code.role(sum.target) == Role::kRedundant);
    CHECK(rows[sum.target].empty());  // once each
    std::vector<Field::Symbol> row(code.data.size());
    for (const CellSum::Term& term : sum.terms) {
      CAPTURE(term.cell);
      REQUIRE(term.cell < code.num_cells());
      REQUIRE_FALSE(rows[term.cell].empty());  // holds data, or stands before
      CHECK(term.factor != 0);
      CHECK(term.factor < code.field.size());
      add_scaled(code.field, row, term.factor, rows[term.cell]);
    }
    CHECK(std::ranges::adjacent_find(sum.terms, std::ranges::greater_equal(),
                                     &CellSum::Term::cell) == sum.terms.end());  // ascending
    rows[sum.target] = std::move(row);
  }
  return rows;
}

}  // namespace

TEST_CASE("the sums of redundancy, multiplied out, are the matrix of the code") {
  for (const std::string& spec : specs()) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const std::vector<CellSum> sums = sums_of_redundancy(code);
    CHECK(sums.size() == code.redundant.size());
    const auto rows = multiplied_out(code, sums);
    for (std::size_t r = 0; r < code.redundant.size(); ++r) {
      CAPTURE(code.redundant[r]);
      CHECK(std::ranges::equal(rows[code.redundant[r]], code.parity.row(r)));
    }
  }
}

TEST_CASE("what a family says with redundancy or hidden cells has fewer terms than its matrix") {
  const auto terms = [](const std::vector<CellSum>& sums) {
    std::size_t count = 0;
    for (const CellSum& sum : sums) count += sum.terms.size();
    return count;
  };
  const auto weight = [](const Code& code) {
    std::size_t count = 0;
    for (std::size_t r = 0; r < code.redundant.size(); ++r) {
      for (const Field::Symbol symbol : code.parity.row(r)) count += symbol != 0;
    }
    return count;
  };
  for (const char* spec : {"rdp:k=4,p=5", "lrc:k=8,m=4,l=3", "hover:k=5,r=3,v=2,h=1"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    CHECK(code.hidden == 0);
    CHECK(terms(sums_of_redundancy(code)) < weight(code));
  }
  const Code clay = make_code("clay:k=4,m=2,d=5");
  CHECK(clay.hidden > 0);
  CHECK(terms(clay.sums) == 112);
  CHECK(terms(sums_of_redundancy(clay)) <= weight(clay));
}

}  // namespace xorloom
