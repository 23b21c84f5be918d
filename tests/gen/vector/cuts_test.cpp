#include "gen/vector/cuts.hpp"

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "gen/vector/tile_order.hpp"
#include "tests/gen/vector/vector_machines.hpp"

namespace xorloom {
namespace {

Search fast() {
  Search search;
  search.effort = Effort::kFast;
  return search;
}

/// The loads and instructions of machine code in a greedy order.
ScheduleCost cost_of(const Cut& cut, const Program& direct, const MachineFacts& machine) {
  const Program tile = ordered_tile(shared_in(cut, direct, fast()), machine, {}, cut.window);
  return cost(assign_registers(tile, machine, true), machine);
}

TEST_CASE("Cuts compute what the whole does") {
  for (const char* spec :
       {"cauchy-good:k=10,m=4,w=8", "evenodd:k=5", "zigzag:k=3,r=2", "cauchy:k=2,m=2,w=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Program direct = direct_encoding(code);
    for (const Cut& cut : {Cut{1, 0}, Cut{2, 1}, Cut{3, 7}, Cut{2, 2 * code.rows()},
                           cheapest_cut(direct, code.rows(), kThreeWay)}) {
      CAPTURE(cut.bands);
      CAPTURE(cut.window);
      const Program program = shared_in(cut, direct, fast());
      check_program(program);
      prove(program, direct);
    }
  }
}

TEST_CASE("Machine code of wide codes loads each input little more than once a band") {
  const Code code = make_code("cauchy-good:k=28,m=4,w=8");
  const Program direct = direct_encoding(code);
  CHECK(usual_bands(direct) == 2);
  CHECK(usual_window(direct, code.rows(), shared_in({2, 0}, direct, fast())) == 16);
  const ScheduleCost windows = cost_of({2, 16}, direct, kThreeWay);
  const ScheduleCost bands = cost_of({2, 0}, direct, kThreeWay);
  CHECK(windows.loads < 520);  // 448 read each input once a band
  CHECK(bands.loads > windows.loads + 100);
  CHECK(windows.stores < bands.stores);
  CHECK(cheapest_cut(direct, code.rows(), kThreeWay).window != 0);
}

TEST_CASE("A code whose sums are shared by all chunks is not cut into windows") {
  const Code code = make_code("evenodd:k=5");
  const Program direct = direct_encoding(code);
  for (const MachineFacts& machine : {kThreeWay, kTwoWay}) {
    CHECK(cheapest_cut(direct, code.rows(), machine).window == 0);
  }
  CHECK(usual_window(direct, code.rows(), shared_in({}, direct, fast())) == 0);
}

}  // namespace
}  // namespace xorloom
