// Published XOR counts of array codes: their equations take no more.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom {
namespace {

/// With the least effort, proved.
std::size_t iterative_xors(const Code& code) {
  Search search;
  search.effort = Effort::kFast;
  const Program program = optimize(direct_encoding(code), search);
  CHECK_NOTHROW(prove(program, code));
  return cost(program).xors;
}

/// k - 1 for each redundant bit, which is the bound, and maybe some more.
void check_is_optimal(const std::string& spec, std::size_t more = 0) {
  CAPTURE(spec);
  const Code code = make_code(spec);
  const std::size_t optimum = 2 * code.rows() * (code.k - 1);
  CHECK(iterative_xors(code) == optimum + more);
  CHECK(lower_bound(bitmatrix(code)) == optimum);
}

TEST_CASE("RDP takes k - 1 XORs a redundant bit where all p - 1 locations are used") {
  for (const std::size_t p : {3UL, 5UL, 7UL, 11UL, 13UL, 17UL}) {
    check_is_optimal(fmt::format("rdp:k={},p={}", p - 1, p));
  }
  check_is_optimal("rdp:k=9,p=11", 1);  // its equations as published take k^2 + (k + 1)(k - 1)
}

TEST_CASE("Liberation and Liber8tion take k - 1 XORs a redundant bit") {
  for (std::size_t k = 2; k <= 11; ++k) {
    check_is_optimal(fmt::format("liberation:k={}", k));
    check_is_optimal(fmt::format("liberation:k={},w=11", k));
  }
  // For k = 2 and k = 4 no search has found a program with fewer than one XOR more.
  for (std::size_t k = 2; k <= 8; ++k) {
    check_is_optimal(fmt::format("liber8tion:k={}", k), k == 2 || k == 4 ? 1 : 0);
  }
  for (const std::size_t w : {4UL, 6UL, 10UL, 12UL}) {
    check_is_optimal(fmt::format("blaum-roth:k={},w={}", w, w));
  }
}

TEST_CASE(
    "EVENODD takes no more than 2w(k - 1) + k - 2 XORs, of p locations, and less if searched") {
  for (const std::size_t p : {3UL, 5UL, 7UL, 11UL, 13UL}) {
    CAPTURE(p);
    const Code code = make_code(fmt::format("evenodd:k={},p={}", p, p));
    const std::size_t published = 2 * (p - 1) * (p - 1) + p - 2;
    CHECK(iterative_xors(code) <= published);
    CHECK(lower_bound(bitmatrix(code)) < published);
  }
  Search search;
  search.effort = Effort::kMax;
  search.steps = 100'000;
  const Program searched = optimize(direct_encoding(make_code("evenodd:k=5,p=5")), search);
  CHECK(cost(searched).xors == 34);  // one less than published
}

/// Checks that the optimised program is proved, and has no more XORs than `direct`.
void check_made_iterative(const Program& direct, const Code& code) {
  Search search;
  search.effort = Effort::kFast;
  const Program program = optimize(direct, search);
  CHECK_NOTHROW(prove(program, code));
  CHECK(cost(program).xors <= cost(direct).xors);
}

TEST_CASE(
    "every family goes through the optimiser, for encoding and for what it promises to rebuild") {
  for (const Family* family : families()) {
    if (family->name == "file") continue;  // the code depends on the file
    CAPTURE(family->name);
    const Code code = make_code(family->example);
    check_made_iterative(direct_encoding(code), code);
    std::vector<std::size_t> lost;
    for (std::size_t i = 0; i < code.promised_losses; ++i) {
      lost.push_back(i * (code.locations - 1) / code.promised_losses);
    }
    check_made_iterative(direct_decoding(code, lost), code);
  }
}

TEST_CASE("X-code takes p - 3 XORs a redundant bit, without a temporary") {
  for (const std::size_t p : {5UL, 7UL, 11UL}) {
    CAPTURE(p);
    const Code code = make_code(fmt::format("x-code:p={}", p));
    CHECK(iterative_xors(code) == 2 * p * (p - 3));
  }
}

}  // namespace
}  // namespace xorloom
