#include "equations/passes/share_pairs.hpp"

#include <doctest/doctest.h>

#include <cstddef>

#include "codes/families/families.hpp"
#include "codes/field/field.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;
using test::random_matrix;

TEST_CASE("A pair that rows have in common is computed once") {
  const Circuit circuit = share_pairs(direct_program(matrix_of_rows({"1110", "1101", "1111"})));
  CHECK(circuit.xors() == 4);
}

TEST_CASE("Circuits of common pairs compute their matrix, with no more XORs than its rows apart") {
  Random random(7);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(seed % 20, seed % 31, seed);
    const Program direct = direct_program(matrix);
    for (Random* ties : {static_cast<Random*>(nullptr), &random}) {
      const Circuit circuit = share_pairs(direct, ties);
      CHECK(matrix_of(circuit) == matrix);
      CHECK(circuit.xors() <= cost(direct).xors);
    }
  }
}

TEST_CASE("More than 255 rows and more than 64 are counted right") {
  for (const std::size_t rows : {64UL, 65UL, 255UL, 256UL, 300UL}) {
    CAPTURE(rows);
    const BitMatrix matrix = random_matrix(rows, 20, rows);
    const Circuit circuit = share_pairs(direct_program(matrix));
    CHECK(matrix_of(circuit) == matrix);
    CHECK(circuit.xors() < matrix.weight() / 2);
  }
}

TEST_CASE("Equations may read one another's targets, and pairs with them are shared, too") {
  // 4 = 0+1+2; 5 = 4+2+3; 6 = 4+3: 4 and 3 are a common pair.
  const Program program{
      7, 1, {0, 1, 2, 3}, {4, 5, 6}, {{4, {0, 1, 2}}, {5, {2, 3, 4}}, {6, {3, 4}}}};
  const Circuit circuit = share_pairs(program);
  CHECK(matrix_of(circuit) == evaluate_symbolically(program));
  CHECK(circuit.xors() == 4);
}

TEST_CASE("Without random the circuit is always the same, with a seed it is the seed's") {
  const Program direct = direct_program(random_matrix(32, 80, 5));
  CHECK(share_pairs(direct) == share_pairs(direct));
  Random a(1), b(1), c(2);
  const Circuit first = share_pairs(direct, &a);
  CHECK(first == share_pairs(direct, &b));
  CHECK(first != share_pairs(direct, &c));
}

TEST_CASE("Told to stop, it shares the pairs found so far") {
  const BitMatrix matrix = random_matrix(100, 1500, 2);
  const Program direct = direct_program(matrix);
  const std::size_t fewest = share_pairs(direct).xors();
  std::size_t before = cost(direct).xors + 1;
  for (const int stops_after : {0, 10, 20, 40, 100'000}) {
    CAPTURE(stops_after);
    int asked = 0;
    const Circuit circuit = share_pairs(direct, nullptr, [&] { return ++asked > stops_after; });
    CHECK(matrix_of(circuit) == matrix);
    CHECK(circuit.xors() <= before);
    before = circuit.xors();
    if (stops_after == 0) CHECK(circuit.xors() == cost(direct).xors);
  }
  CHECK(before == fewest);
}

}  // namespace

namespace {

/// Three outputs behind four inputs, all of one row.
Program program_of(std::vector<std::vector<Operand>> sums, std::size_t w = 8) {
  Program program{7, 1, {0, 1, 2, 3}, {}, {}, {}, Field(w)};
  for (std::vector<Operand>& sum : sums) {
    const auto target = static_cast<Element>(4 + program.outputs.size());
    program.outputs.push_back(target);
    program.equations.push_back({target, std::move(sum)});
  }
  return program;
}

Program proved(const Program& program) {
  Program shared = share_terms(program);
  check_program(shared);
  prove(shared, coefficients_of(program));
  return shared;
}

}  // namespace

TEST_CASE("Terms of one ratio are computed once, whatever they are multiplied by") {
  const Program program = program_of({{{0, 2}, {1, 6}, {2}}, {{0}, {1, 3}, {3, 7}}, {{2}, {3}}});
  const Program shared = proved(program);
  CHECK(xors(program) == 5);
  CHECK(multiplications(program) == 4);
  CHECK(xors(shared) == 4);
  CHECK(multiplications(shared) == 3);
  const Element sum = program.first_temporary();
  CHECK(shared.equations.front() == Equation{sum, {{0}, {1, 3}}});
}

TEST_CASE("Of a pair the element is multiplied that spares more") {
  const Program shared = proved(program_of({{{0, 2}, {1}, {2}}, {{0, 2}, {1}, {3}}}));
  CHECK(shared.equations.front().operands == std::vector<Operand>{{0, 2}, {1}});
  CHECK(multiplications(shared) == 1);
  CHECK(xors(shared) == 3);
}

TEST_CASE("Terms of different ratios are no pair") {
  const Program program = program_of({{{0, 2}, {1, 6}}, {{0}, {1, 4}}});
  CHECK(share_terms(program) == program);
}

TEST_CASE("A shared sum is shared again") {
  const Program shared =
      proved(program_of({{{0}, {1}, {2}}, {{0}, {1}, {2}, {3}}, {{0, 5}, {1, 5}, {2, 5}, {3}}}));
  CHECK(xors(shared) == 4);
  CHECK(multiplications(shared) == 1);
}

TEST_CASE("MDS codes have no pairs to share over symbols, and those with local sums have") {
  const auto shared_xors = [](const char* spec) {
    const Program program = direct_encoding(make_code(spec), {}, Over::kSymbols);
    return std::pair(xors(program), xors(proved(program)));
  };
  const auto rs = shared_xors("rs:k=10,m=4");
  CHECK(rs.first == rs.second);
  const auto clay = shared_xors("clay:k=4,m=2");
  CHECK(clay.second < clay.first);
}

TEST_CASE("Programs of too many pairs are left alone") {
  const Program program = direct_encoding(make_code("rs:k=2000,m=2,w=16"), {}, Over::kSymbols);
  CHECK(share_terms(program) == program);
}

}  // namespace xorloom
