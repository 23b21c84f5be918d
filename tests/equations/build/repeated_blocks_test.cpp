#include "equations/build/repeated_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

/// Row r is the first row with its columns moved as `column` says.
template <typename Column>
BitMatrix moved_rows(std::size_t rows, std::size_t columns, std::uint64_t seed,
                     const Column& column) {
  const BitMatrix first = test::random_matrix(1, 2 * columns, seed);
  BitMatrix result(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (first(0, column(r, c))) result.flip(r, c);
    }
  }
  return result;
}

BitMatrix circulant(std::size_t size, std::uint64_t seed) {
  return moved_rows(size, size, seed,
                    [&](std::size_t r, std::size_t c) { return (c + size - r) % size; });
}

BitMatrix hankel(std::size_t size, std::uint64_t seed) {
  return moved_rows(size, size, seed, [](std::size_t r, std::size_t c) { return r + c; });
}

BitMatrix hadamard(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  return moved_rows(rows, columns, seed, [](std::size_t r, std::size_t c) { return r ^ c; });
}

TEST_CASE("Circulant, Hankel, Hadamard and Cauchy matrices are computed by fewer products") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    for (const BitMatrix& matrix :
         {circulant(12, seed), circulant(32, seed), hankel(20, seed), hadamard(16, 16, seed),
          hadamard(16, 32, seed), hadamard(32, 8, seed), hadamard(16, 40, seed),
          bitmatrix(make_code("cauchy:k=4,m=4,w=4")),
          bitmatrix(make_code("cauchy:k=10,m=4,w=8"))}) {
      CAPTURE(matrix.rows());
      CAPTURE(matrix.columns());
      REQUIRE(has_repeated_blocks(matrix));
      Random random(seed);
      const auto levels = static_cast<std::uint32_t>(1 + seed % 5);
      const std::optional<Program> program = repeated_blocks(matrix, levels, random);
      REQUIRE(program);
      CHECK_NOTHROW(check_program(*program));
      CHECK(evaluate_symbolically(*program) == matrix);
      CHECK(program->inputs == direct_program(matrix).inputs);
      CHECK(program->outputs == direct_program(matrix).outputs);
    }
  }
}

TEST_CASE("Other matrices are not") {
  Random random(1);
  for (const BitMatrix& matrix :
       {test::random_matrix(16, 16, 1), test::random_matrix(8, 24, 2), circulant(7, 1),
        hadamard(2, 2, 1), BitMatrix(0, 0), BitMatrix(3, 0), BitMatrix(0, 8)}) {
    CHECK(!has_repeated_blocks(matrix));
    CHECK(!repeated_blocks(matrix, 1, random));
  }
}

TEST_CASE("A large Cauchy matrix begins with an eighth fewer XORs than by common pairs alone") {
  const BitMatrix matrix = bitmatrix(make_code("cauchy:k=16,m=16,w=8"));
  const std::size_t alone = share_pairs(direct_program(matrix)).xors();
  std::size_t fewest = alone;
  for (const std::uint32_t levels : {1U, 2U, 3U}) {
    Random random(1);
    const std::optional<Program> program = repeated_blocks(matrix, levels, random);
    REQUIRE(program);
    fewest = std::min(fewest, share_pairs(*program).xors());
  }
  CHECK(8 * fewest <= 7 * alone);
}

TEST_CASE("The same random numbers give the same program, and more levels more temporaries") {
  const BitMatrix matrix = hadamard(32, 32, 3);
  std::size_t last = matrix.rows();
  for (const std::uint32_t levels : {1U, 2U, 3U}) {
    Random random(1);
    Random again(1);
    const std::optional<Program> program = repeated_blocks(matrix, levels, random);
    CHECK(program == repeated_blocks(matrix, levels, again));
    CHECK(program->equations.size() > last);
    last = program->equations.size();
  }
}

TEST_CASE("Tall and wide matrices of many squares are cut without a copy of the rest for each") {
  // 50,000 squares: a cut that copies all that is left copies 10^10 bits, one inside the other.
  BitMatrix tall(200'000, 4);
  for (std::size_t r = 0; r < tall.rows(); ++r) tall.flip(r, r % 4);
  for (const BitMatrix& matrix : {tall, transposed(tall)}) {
    Random random(1);
    const std::optional<Program> program = repeated_blocks(matrix, 1, random);
    REQUIRE(program);
    CHECK(evaluate_symbolically(*program) == matrix);
  }
}

}  // namespace
}  // namespace xorloom
