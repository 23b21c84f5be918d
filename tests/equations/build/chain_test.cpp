#include "equations/build/chain.hpp"

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/factor_rows.hpp"
#include "equations/passes/share_pairs.hpp"

namespace xorloom {
namespace {

TEST_CASE("What the first stage gives is a temporary of the chain, or what it copies") {
  // 2 = 0 + 1, 3 is a copy of 1; 4 = 2 + 3.
  const Program first{4, 1, {0, 1}, {2, 3}, {{2, {0, 1}}, {3, {1}}}};
  const Program second{4, 1, {0, 1}, {2, 3}, {{2, {0}}, {3, {1, 2}}}};
  const Program chain = chained(first, second);
  check_program(chain);
  CHECK(chain.inputs == std::vector<Element>{0, 1});
  CHECK(chain.outputs == std::vector<Element>{2, 3});
  CHECK(chain.equations == std::vector<Equation>{{4, {0, 1}}, {2, {4}}, {3, {1, 2}}});
}

TEST_CASE("The factors of a decoding map, chained, compute it") {
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  const std::vector<std::size_t> lost{0, 3, 4, 9};
  const Program direct = without_places(direct_program(code, *recovery_map(code, lost, lost)));
  const Factors factors = factors_of(evaluate_symbolically(direct));
  const auto shared = [](const BitMatrix& matrix) {
    const Program program = direct_program(matrix);
    return program_of(share_pairs(program), program);
  };
  const Program chain = chained(shared(factors.basis), shared(factors.outer));
  check_program(chain);
  CHECK(chain.inputs == direct.inputs);
  CHECK(chain.outputs == direct.outputs);
  prove(chain, direct);
}

}  // namespace
}  // namespace xorloom
