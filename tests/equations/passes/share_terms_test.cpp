#include "equations/passes/share_terms.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/field/field.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

/// Three outputs behind four inputs, all of one row.
Program symbol_program(std::vector<std::vector<Operand>> sums, std::size_t w = 8) {
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
  const Program program =
      symbol_program({{{0, 2}, {1, 6}, {2}}, {{0}, {1, 3}, {3, 7}}, {{2}, {3}}});
  const Program shared = proved(program);
  CHECK(xors(program) == 5);
  CHECK(multiplications(program) == 4);
  CHECK(xors(shared) == 4);
  CHECK(multiplications(shared) == 3);
  const Element sum = program.first_temporary();
  CHECK(shared.equations.front() == Equation{sum, {{0}, {1, 3}}});
}

TEST_CASE("Of a pair the element is multiplied that spares more") {
  const Program shared = proved(symbol_program({{{0, 2}, {1}, {2}}, {{0, 2}, {1}, {3}}}));
  CHECK(shared.equations.front().operands == std::vector<Operand>{{0, 2}, {1}});
  CHECK(multiplications(shared) == 1);
  CHECK(xors(shared) == 3);
}

TEST_CASE("Terms of different ratios are no pair") {
  const Program program = symbol_program({{{0, 2}, {1, 6}}, {{0}, {1, 4}}});
  CHECK(share_terms(program) == program);
}

TEST_CASE("A shared sum is shared again") {
  const Program shared = proved(
      symbol_program({{{0}, {1}, {2}}, {{0}, {1}, {2}, {3}}, {{0, 5}, {1, 5}, {2, 5}, {3}}}));
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
