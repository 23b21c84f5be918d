// Requests over the symbols of a code: programs with coefficients, of every family.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/request/request.hpp"
#include "equations/request/split_equations.hpp"
#include "equations/search/optimize.hpp"
#include "tests/support/sample.hpp"

namespace xorloom {
namespace {

std::vector<Code> examples() {
  std::vector<Code> codes;
  for (const Family* family : families()) {
    if (family->name != "file") codes.push_back(make_code(family->example));
  }
  return test::sample_if_sanitized(codes, 10);
}

void check_holds(const Code& code, const Program& program) {
  CAPTURE(code.spec);
  check_program(program);
  CHECK(program.field == code.field);
  CHECK(program.rows == code.subchunks);
  CHECK_FALSE(find_disagreement(program, code));
}

std::string error_of(const Code& code, const Request& request) {
  try {
    static_cast<void>(direct_program(code, request));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("Symbols of every family are encoded, rebuilt and updated, directly and shared") {
  Search search;
  if (!test::tries_all()) {  // long searches take a tenth of a second
    search.effort = Effort::kMax;
    search.steps = 1'000'000;
  }
  for (const Code& code : examples()) {
    const std::size_t changed = code.location_of_cell(code.data.front());
    for (const Request& request :
         {Request{.over = Over::kSymbols}, Request{.erased = {0}, .over = Over::kSymbols},
          Request{.erased = {0}, .over = Over::kSymbols, .reads_least = true},
          Request{.updated = {changed}, .over = Over::kSymbols}}) {
      const Program direct = direct_program(code, request);
      check_holds(code, direct);
      const Program start = searched_program(code, request);
      check_holds(code, start);
      CHECK(start.outputs == direct.outputs);
      const Program shared = optimize(start, search);
      check_holds(code, shared);
      CHECK(xors(shared) <= xors(start));
    }
  }
}

TEST_CASE("Over symbols a row is a sub-chunk") {
  const Code code = make_code("clay:k=4,m=2");
  const Program program =
      direct_program(code, {.erased = {1}, .rows = {2}, .over = Over::kSymbols});
  check_holds(code, program);
  CHECK(program.outputs == std::vector<Element>{static_cast<Element>(code.subchunks + 2)});
  CHECK(error_of(code, {.rows = {code.subchunks}, .over = Over::kSymbols}) ==
        "row 8 is not one of 0 to 7");
  CHECK(error_of(code, {.rows = {1, 1}, .over = Over::kSymbols}) == "row 1 is named twice");
}

TEST_CASE("Reads over symbols are counted in symbols") {
  const Code code = make_code("clay:k=4,m=2");
  const Request request{.erased = {1}, .over = Over::kSymbols, .reads_least = true};
  const RepairReads reads = repair_reads(code, request, direct_program(code, request));
  CHECK(reads.read == 20);
  CHECK(reads.left == 40);
  CHECK(reads.locations == 5);
  CHECK(reads.rebuilt == 8);
  CHECK(reads.least == 20U);
}

TEST_CASE("A repair over symbols is split by sites, and holds as a whole") {
  const Code code = make_code("rs:k=6,m=3");
  const std::vector<std::vector<std::size_t>> sites{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
  const SplitEquations split =
      split_equations(code, {.erased = {1}, .over = Over::kSymbols}, sites);
  check_holds(code, whole_program(code, split));
  CHECK(split.rebuilt == 1);
  CHECK(split.sent <= 2);
}

}  // namespace xorloom
