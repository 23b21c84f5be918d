#include "equations/build/sparse_sums.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sum_groups.hpp"
#include "tests/support/subsets.hpp"

namespace xorloom {
namespace {

/// Each sum reads inputs or what stands before it, and the sums compute the map with less work. The
/// answer is 1, or 0 if there are none.
std::size_t check_sums(const Code& code, const LinearMap& map) {
  const auto sparse = sparse_sums(code, map);
  if (!sparse) return 0;
  CHECK(work(sparse->sums) < work(rows_of(map)));
  CHECK_NOTHROW(prove_sums(code, map, sparse->sums));
  return 1;
}

TEST_CASE("a map's rows are its sums") {
  const Code code = make_code("rs:k=3,m=2");
  const LinearMap map = encoding_map(code);
  const std::vector<CellSum> rows = rows_of(map);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].target == 3);
  CHECK(rows[0].terms == std::vector<CellSum::Term>{{0, 1}, {1, 1}, {2, 1}});
  CHECK(terms(rows) == 6);
  CHECK_FALSE(sparse_sums(code, map));  // a dense code has none with fewer
}

TEST_CASE("sums of codes with intermediate values hold, for encoding and for every loss") {
  for (const char* spec :
       {"lrc:k=4,m=2,l=3", "lrc:k=8,m=4,l=3", "clay:k=2,m=2", "clay:k=4,m=2", "clay:k=3,m=2,d=3",
        "clay:k=4,m=3,d=5", "clay:k=3,m=2", "rdp:k=4,p=5", "evenodd:k=3,p=5", "hover:k=4,r=3",
        "shec:k=4,m=3,c=2", "zigzag:k=4,r=2", "zigzag:k=3,r=3"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    std::size_t found = check_sums(code, encoding_map(code));
    for (const auto& lost : test::subsets(code.locations, code.promised_losses)) {
      if (lost.empty()) continue;
      CAPTURE(set_text(lost));
      found += check_sums(code, decoding_map(code, lost, {}));
      found += check_sums(code, decoding_map(code, lost, std::vector{lost.back()}));
    }
    const std::string_view name = spec;
    if (name == "clay:k=4,m=2" || name == "clay:k=4,m=3,d=5") CHECK(found != 0);
  }
}

TEST_CASE("layers are solved one by one") {
  const Code code = make_code("clay:k=8,m=4");
  const auto check_work = [&](const LinearMap& map, std::size_t parts_of_rows) {
    REQUIRE(check_sums(code, map) == 1);
    CHECK(work(sparse_sums(code, map)->sums) < work(rows_of(map)) / parts_of_rows);
  };
  check_work(encoding_map(code), 1);
  for (const std::vector<std::size_t>& lost :
       {std::vector<std::size_t>{0, 1, 2, 3}, {0, 1}, {0, 4, 8, 11}}) {
    CAPTURE(set_text(lost));
    check_work(decoding_map(code, lost, {}), lost.size() == 2 ? 2 : lost[1] == 1 ? 1 : 3);
  }
}

TEST_CASE("wrong sums are not proved") {
  const Code code = make_code("clay:k=4,m=2");
  const LinearMap map = encoding_map(code);
  const std::vector<CellSum> right = sparse_sums(code, map).value().sums;
  const auto check_refused = [&](const std::vector<CellSum>& sums) {
    CHECK_THROWS_AS(prove_sums(code, map, sums), Error);
  };
  for (std::size_t s = 0; s < right.size(); ++s) {
    std::vector<CellSum> sums = right;
    sums[s].terms[0].factor ^= 2;
    check_refused(sums);
    sums = right;
    sums[s].terms.pop_back();
    check_refused(sums);
    sums = right;
    sums.erase(sums.begin() + static_cast<std::ptrdiff_t>(s));
    check_refused(sums);
    sums = right;
    sums.push_back(right[s]);
    check_refused(sums);
  }
  check_refused({right.rbegin(), right.rend()});
  std::vector<CellSum> writes_data = right;
  writes_data.push_back({0, {{1, 1}}});
  check_refused(writes_data);
  LinearMap part = map;  // to which the last cell is no output
  part.outputs.pop_back();
  CHECK_THROWS_AS(prove_sums(code, part, right), Error);
}

TEST_CASE("equations that do not determine an output give no sums") {
  Code code = make_code("clay:k=4,m=2");
  REQUIRE(sparse_sums(code, encoding_map(code)));
  code.sums.pop_back();
  CHECK_FALSE(sparse_sums(code, encoding_map(code)));
}

}  // namespace
}  // namespace xorloom
