#include "equations/search/syndrome_programs.hpp"

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
#include "equations/ir/random.hpp"
#include "equations/request/request.hpp"

namespace xorloom {
namespace {

/// L D U of factors, in the order of the matrix.
Matrix product_of(const Field& field, const TriangularFactors& triangular) {
  const std::size_t size = triangular.rows.size();
  Matrix lower = identity(size);
  Matrix middle(size, size);
  Matrix upper = identity(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      (i > j ? lower : i < j ? upper : middle)(i, j) = triangular.factors(i, j);
    }
  }
  const Matrix product = multiply(field, multiply(field, lower, middle), upper);
  Matrix result(size, size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      result(triangular.rows[i], triangular.columns[j]) = product(i, j);
    }
  }
  return result;
}

TEST_CASE("Factors multiply to the matrix, and there are none of a singular one") {
  const Field field(8);
  Random random(1);
  for (std::size_t size = 1; size <= 7; ++size) {
    CAPTURE(size);
    for (int trial = 0; trial < 20; ++trial) {
      Matrix matrix(size, size);
      for (std::size_t i = 0; i < size; ++i) {
        // Few symbols, so that pivots are zero and matrices singular, too.
        for (Field::Symbol& symbol : matrix.row(i)) symbol = random.below(trial % 2 == 0 ? 2 : 256);
      }
      const auto factors = best_factors(field, matrix);
      REQUIRE(factors.has_value() == inverse(field, matrix).has_value());
      if (factors) CHECK(product_of(field, *factors) == matrix);
    }
  }
}

TEST_CASE("An elimination takes the order whose factors are ones most often") {
  const Field field(8);
  // The row and the column of ones come last. In any order but theirs nine factors are no ones.
  Matrix matrix(3, 3);
  const Field::Symbol symbols[] = {7, 9, 1, 20, 45, 1, 1, 1, 1};
  std::ranges::copy(symbols, matrix.row(0).data());
  const auto factors = best_factors(field, matrix);
  REQUIRE(factors);
  CHECK(multiplications(*factors) <= 4);
}

TEST_CASE("Elimination rebuilds any lost data and redundancy") {
  std::mt19937 random(1);
  for (const char* spec : {"rs:k=6,m=3", "rs:k=10,m=4", "isa-cauchy:k=10,m=4", "leopard:k=12,m=7",
                           "rs:k=20,m=4,w=16", "isa-vandermonde:k=10,m=4"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (std::size_t trial = 0; trial < 30; ++trial) {
      std::vector<std::size_t> lost(code.locations);
      std::iota(lost.begin(), lost.end(), std::size_t{0});
      std::shuffle(lost.begin(), lost.end(), random);
      lost.resize(1 + trial % code.m);
      CAPTURE(trial);
      const LinearMap map = decoding_map(code, lost);
      const std::optional<Program> program = elimination_program(code, map);
      const auto lost_data = std::ranges::count_if(lost, [&](auto l) { return l < code.k; });
      REQUIRE(program.has_value() == (lost_data >= 2));
      if (!program) continue;
      check_program(*program);
      prove(*program, map.coefficients);
      prove(*program, code);
    }
  }
}

TEST_CASE("Some of the lost data may be wanted, and redundancy alone") {
  const Code code = make_code("rs:k=10,m=4");
  const std::vector<std::size_t> lost{1, 4, 11};
  for (const std::vector<std::size_t>& wanted :
       {std::vector<std::size_t>{4}, {1}, {11}, {1, 11}, {1, 4}}) {
    const LinearMap map = decoding_map(code, lost, wanted);
    const std::optional<Program> program = elimination_program(code, map);
    REQUIRE(program);
    check_program(*program);
    prove(*program, map.coefficients);
  }
}

TEST_CASE("Ones of the code and of its factors save multiplications") {
  const auto of = [](const char* spec, std::vector<std::size_t> lost) {
    const Code code = make_code(spec);
    return multiplications(*elimination_program(code, decoding_map(code, lost)));
  };
  CHECK(of("rs:k=10,m=4", {0, 1}) <= 9);         // 20 by rows
  CHECK(of("rs:k=10,m=4", {0, 1, 2}) <= 18);     // 30
  CHECK(of("rs:k=10,m=4", {0, 1, 2, 3}) <= 27);  // 40
  CHECK(of("rs:k=10,m=4", {2, 4, 7, 9}) <= 27);
  CHECK(of("isa-vandermonde:k=10,m=4", {0, 1, 2, 3}) <= 27);
}

TEST_CASE("Maps of another shape have no such program") {
  const Code code = make_code("rs:k=4,m=3");
  CHECK_FALSE(elimination_program(code, encoding_map(code)));
  LinearMap part = encoding_map(code);
  part.inputs.pop_back();
  CHECK_FALSE(elimination_program(code, part));
  CHECK_FALSE(elimination_program(code, decoding_map(code, std::vector<std::size_t>{2})));
  const Code wide = make_code("rs:k=60,m=40");
  std::vector<std::size_t> lost(33);
  std::iota(lost.begin(), lost.end(), std::size_t{0});
  CHECK_FALSE(elimination_program(wide, decoding_map(wide, lost)));
}

TEST_CASE("Searched decodings of words are by elimination where that is less work") {
  const Code code = make_code("rs:k=10,m=4");
  const Program program = searched_program(code, {.erased = {0, 1, 2, 3}, .over = Over::kSymbols});
  CHECK(multiplications(program) <= 27);
  prove(program, code);
}

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
