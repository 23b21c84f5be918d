#include "equations/search/transform.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

Code leopard(std::size_t k, std::size_t m) {
  return make_code(fmt::format("leopard:k={},m={}", k, m));
}

TEST_CASE("Transforms encode what the matrix says, also where the last group is not full") {
  for (std::size_t m = 1; m <= 8; ++m) {
    for (const std::size_t k : {2U, 3U, 4U, 5U, 8U, 9U, 10U, 16U, 17U, 28U, 100U}) {
      CAPTURE(k);
      CAPTURE(m);
      const Code code = leopard(k, m);
      const std::optional<Program> program = transform_program(code, encoding_map(code));
      REQUIRE(program);
      check_program(*program);
      prove(*program, code.parity);
    }
  }
}

TEST_CASE("Transforms take the multiplications that the literature says") {
  const auto of = [](std::size_t k, std::size_t m) {
    const Code code = leopard(k, m);
    return multiplications(*transform_program(code, encoding_map(code)));
  };
  CHECK(of(10, 4) <= 12);  // 40 by rows
  CHECK(of(28, 4) <= 29);  // 112
  CHECK(of(16, 8) <= 24 + 5);
}

TEST_CASE("A lost group of M takes as many multiplications as encoding") {
  const auto of = [](std::size_t k, std::size_t m, std::size_t first) {
    const Code code = leopard(k, m);
    std::vector<std::size_t> lost(m);
    std::iota(lost.begin(), lost.end(), first);
    const LinearMap map = decoding_map(code, lost);
    const std::optional<Program> program = transform_program(code, map);
    check_program(*program);
    prove(*program, map.coefficients);
    return multiplications(*program);
  };
  CHECK(of(10, 4, 0) <= 12);  // 40 by rows
  CHECK(of(10, 4, 4) <= 12);
  CHECK(of(28, 4, 24) <= 29);
  CHECK(of(20, 2, 6) <= 20);
  CHECK(of(16, 8, 8) <= 24 + 5);
}

TEST_CASE("Syndromes rebuild any lost data and redundancy") {
  std::mt19937 random(1);
  for (const auto& [k, m] :
       {std::pair{3, 2}, {5, 1}, {10, 4}, {17, 3}, {28, 4}, {12, 7}, {20, 8}}) {
    const Code code = leopard(static_cast<std::size_t>(k), static_cast<std::size_t>(m));
    for (int trial = 0; trial < 30; ++trial) {
      std::vector<std::size_t> lost(code.locations);
      std::iota(lost.begin(), lost.end(), std::size_t{0});
      std::shuffle(lost.begin(), lost.end(), random);
      lost.resize(1 + static_cast<std::size_t>(trial) % code.m);
      CAPTURE(code.spec);
      CAPTURE(trial);
      const LinearMap map = decoding_map(code, lost);
      const std::optional<Program> program = transform_program(code, map);
      if (!program) continue;  // one without all of the data
      check_program(*program);
      prove(*program, map.coefficients);
    }
  }
}

TEST_CASE("Codes without transforms and maps of another shape have no such program") {
  const Code rs = make_code("rs:k=10,m=4");
  CHECK_FALSE(transform_program(rs, encoding_map(rs)));
  const Code wide = leopard(10, 9);
  CHECK_FALSE(transform_program(wide, encoding_map(wide)));
  const Code copies = leopard(1, 3);
  CHECK_FALSE(transform_program(copies, encoding_map(copies)));
  const Code code = leopard(4, 2);
  LinearMap part = encoding_map(code);
  part.inputs.pop_back();
  CHECK_FALSE(transform_program(code, part));
}

}  // namespace
}  // namespace xorloom
