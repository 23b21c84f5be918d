#include "gen/pictures/code_grids.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr const char* kOwn =
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 3, "rows": 2, "data": [0, 1, 2],
             "equations": [{"target": 3, "xor": [0, 1]}, {"target": 4, "xor": [1, 2]},
                           {"target": 5, "xor": [4, 0]}]})";

std::vector<std::string> texts(const std::vector<GridMark>& row) {
  std::vector<std::string> result;
  for (const GridMark& mark : row) result.push_back(mark.text);
  return result;
}

using Rows = std::vector<std::vector<std::string>>;

Rows texts(const CodeGrid& grid) {
  Rows result;
  for (const auto& row : grid.rows) result.push_back(texts(row));
  return result;
}

bool shows_all(const CodeGrid& grid) { return grid.title.find(", one of ") == std::string::npos; }

/// The sums of a grid of rows, one in each, read from its marks alone.
std::vector<CellSum> sums_of_rows(const CodeGrid& grid) {
  std::vector<CellSum> sums;
  for (const auto& row : grid.rows) {
    CellSum& sum = sums.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto cell = static_cast<Cell>(c);
      if (row[c].text == "=") sum.target = cell;
      if (row[c].kind == GridMark::Kind::kTerm) {
        sum.terms.push_back(
            {cell, static_cast<Field::Symbol>(std::stoul(row[c].text, nullptr, 16))});
      }
    }
  }
  return sums;
}

/// The sums of an array of cells, read from its marks alone.
std::vector<CellSum> sums_of_array(const Code& code, const CodeGrid& grid) {
  std::vector<std::pair<Cell, std::string>> marks;  // by cell
  std::map<char, CellSum> by_letter;
  for (Cell cell = 0; cell < code.num_cells(); ++cell) {
    std::string text = grid.rows[cell % code.subchunks][cell / code.subchunks].text;
    const std::size_t sign = text.find('=');
    if (sign != std::string::npos) {
      by_letter[text.at(sign + 1)].target = cell;
      text.resize(sign);
    }
    if (!text.empty()) marks.emplace_back(cell, text);
  }
  for (const auto& [cell, text] : marks) {
    for (auto& [letter, sum] : by_letter) {
      if (code.field.w() > 1) {
        sum.terms.push_back({cell, static_cast<Field::Symbol>(std::stoul(text, nullptr, 16))});
      } else if (text == "all" || text.find(letter) != std::string::npos) {
        sum.terms.push_back({cell, 1});
      }
    }
  }
  std::vector<CellSum> sums;
  for (const auto& [letter, sum] : by_letter) sums.push_back(sum);
  return sums;
}

std::vector<CellSum> sums_drawn(const Code& code, const std::vector<CodeGrid>& grids) {
  std::vector<CellSum> sums;
  for (const CodeGrid& grid : grids) {
    const auto some = code.subchunks == 1 ? sums_of_rows(grid) : sums_of_array(code, grid);
    sums.insert(sums.end(), some.begin(), some.end());
  }
  return sums;
}

}  // namespace

TEST_CASE("the diagonals of RDP run through the row parity, and one of them is left out") {
  const auto grids = grids_of(make_code("rdp:k=4,p=5"));
  REQUIRE(grids.size() == 2);
  CHECK(grids[0].title == "chunk 4");
  CHECK(grids[1].title == "chunk 5");
  CHECK(texts(grids[1]) == Rows{{"A", "B", "C", "D", "", "=A"},
                                {"B", "C", "D", "", "A", "=B"},
                                {"C", "D", "", "A", "B", "=C"},
                                {"D", "", "A", "B", "C", "=D"}});
  CHECK(grids[1].rows[1][3].kind == GridMark::Kind::kData);
  CHECK(grids[1].rows[0][4].kind == GridMark::Kind::kRedundant);
  CHECK(grids[1].rows[1][4].kind == GridMark::Kind::kTerm);
  CHECK(grids[1].rows[2][5].kind == GridMark::Kind::kTarget);
  CHECK(grids[1].rows[2][5].sum == 2);
}

TEST_CASE("a diagonal that is in every sum of EVENODD is marked so, and the legend says it") {
  const Code code = make_code("evenodd:k=5,p=5");
  const auto grids = grids_of(code);
  REQUIRE(grids.size() == 2);
  CHECK(texts(grids[1]) == Rows{{"A", "B", "C", "D", "all", "", "=A"},
                                {"B", "C", "D", "all", "A", "", "=B"},
                                {"C", "D", "all", "A", "B", "", "=C"},
                                {"D", "all", "A", "B", "C", "", "=D"}});
  CHECK(grids[1].rows[0][4].kind == GridMark::Kind::kTermOfAll);
  CHECK(grids_legend(code, grids).find("all are in every sum") != std::string::npos);
  const Code rdp = make_code("rdp:k=4,p=5");
  CHECK(grids_legend(rdp, grids_of(rdp)).find("all") == std::string::npos);
}

TEST_CASE("codes of one cell in a location have a row for each sum, with its factors") {
  const Code code = make_code("cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0");
  const auto grids = grids_of(code);
  REQUIRE(grids.size() == 1);
  CHECK(texts(grids[0]) ==
        Rows{{"2", "7", "4", "3", "1", "=", ""}, {"3", "4", "7", "2", "5", "", "="}});
  CHECK(grids[0].row_names == std::vector<std::string>{"5", "6"});
  CHECK(grids_legend(code, grids).find("each times that number") != std::string::npos);
  CHECK(grids_legend(code, grids).find("basis") == std::string::npos);
  const Code leopard = make_code("leopard:k=3,m=2");
  CHECK(grids_legend(leopard, grids_of(leopard)).find("in a basis of their own") !=
        std::string::npos);
  const Code parity = make_code("parity:k=4");
  CHECK(grids_legend(parity, grids_of(parity)).find("number") == std::string::npos);
}

TEST_CASE("the two rows of X-code's redundancy are diagonals of either slope") {
  const auto grids = grids_of(make_code("x-code:p=5"));
  REQUIRE(grids.size() == 2);
  CHECK(grids[0].title == "row 3");
  CHECK(texts(grids[0]) == Rows{{"D", "E", "A", "B", "C"},
                                {"C", "D", "E", "A", "B"},
                                {"B", "C", "D", "E", "A"},
                                {"=A", "=B", "=C", "=D", "=E"},
                                {"", "", "", "", ""}});
  CHECK(grids[1].title == "row 4");
  CHECK(texts(grids[1]) == Rows{{"C", "D", "E", "A", "B"},
                                {"D", "E", "A", "B", "C"},
                                {"E", "A", "B", "C", "D"},
                                {"", "", "", "", ""},
                                {"=A", "=B", "=C", "=D", "=E"}});
}

TEST_CASE("a redundant cell that is a term as well says both") {
  const auto grids = grids_of(make_code(kOwn));
  REQUIRE(grids.size() == 2);
  CHECK(grids[1].title == "chunk 2");
  CHECK(texts(grids[1]) == Rows{{"B", "A", "B=A"}, {"A", "", "=B"}});
  CHECK(grids[1].rows[0][2].kind == GridMark::Kind::kTarget);
}

TEST_CASE("every family's picture says its sums, no more and no fewer") {
  std::vector<std::string> specs = {"hover:k=7,r=4,v=3,h=2", "evenodd:k=3,p=7", "liberation:k=11",
                                    "clay:k=3,m=2,d=3"};
  for (const Family* family : families()) {
    specs.emplace_back(family->name == "file" ? kOwn : family->example);
  }
  for (const std::string& spec : specs) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const std::vector<CodeGrid> grids = grids_of(code);
    const std::vector<CellSum> sums = sums_of_redundancy(code);
    const std::vector<CellSum> drawn = sums_drawn(code, grids);
    const bool all = std::ranges::all_of(grids, shows_all);
    CHECK(all == (spec != "clay:k=4,m=2,d=5" && spec != "zigzag:k=4,r=2"));
    if (all) CHECK(drawn.size() == sums.size());
    for (const CellSum& sum : drawn) {
      CAPTURE(sum.target);
      const auto same = std::ranges::find(sums, sum.target, &CellSum::target);
      REQUIRE(same != sums.end());
      CHECK(sum.terms == same->terms);
    }
  }
}

TEST_CASE("sums have letters, then numbers") {
  CHECK(sum_letter(0) == "A");
  CHECK(sum_letter(25) == "Z");
  CHECK(sum_letter(26) == "a");
  CHECK(sum_letter(51) == "z");
}

TEST_CASE("codes that are too large for a picture are refused, and many grids are cut") {
  CHECK_THROWS_WITH_AS(grids_of(make_code("parity:k=300")),
                       "301 locations are more than the 256 that a picture has", Error);
  CHECK_THROWS_WITH_AS(grids_of(make_code("rdp:k=2,p=263")),
                       "262 rows are more than the 256 that a picture has", Error);
  CHECK(grids_of(make_code("hover:k=2,r=1,v=18,h=0")).size() == kMostGrids);
}

}  // namespace xorloom
