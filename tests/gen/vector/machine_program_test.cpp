#include "gen/vector/machine_program.hpp"

#include <doctest/doctest.h>

#include <cstdint>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "gen/vector/tile_order.hpp"
#include "tests/gen/vector/vector_machines.hpp"

namespace xorloom {
namespace {

Program decoding(const Code& code, std::size_t losses) {
  std::vector<std::size_t> lost;
  for (std::size_t location = 0; location < losses; ++location) lost.push_back(location);
  return without_places(direct_program(code, *recovery_map(code, lost, lost)));
}

OrderedProgram found(const Code& code, const Program& direct, const MachineFacts& machine,
                     Effort effort) {
  return machine_program(direct, code.rows(), machine, budget_of(effort));
}

ScheduleCost cost_of(const Program& ordered, const MachineFacts& machine) {
  return cost(assign_registers(dense(ordered), machine, true), machine);
}

TEST_CASE("What is found computes the equations, in any effort and on any machine") {
  for (const char* spec : {"cauchy-good:k=20,m=4,w=5", "cauchy-good:k=5,m=3,w=8", "evenodd:k=5",
                           "liberation:k=7", "cauchy:k=2,m=2,w=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (const Program& direct : {without_places(direct_encoding(code)), decoding(code, 2)}) {
      for (const MachineFacts& machine : {kThreeWay, kTwoWay}) {
        for (const Effort effort : {Effort::kFast, Effort::kQuick}) {
          const OrderedProgram entry = found(code, direct, machine, effort);
          CHECK(entry.effort == effort);
          for (const Program* program : {&entry.equations, entry.order()}) {
            check_program(*program);
            CHECK(program->inputs == direct.inputs);
            CHECK(program->outputs == direct.outputs);
            prove(*program, direct);
          }
        }
      }
    }
  }
}

TEST_CASE("A search gives up soon after it is told to") {
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  const Program direct = without_places(direct_encoding(code));
  const auto stops_when_told_at = [&](int time, Effort effort) {
    int asked = 0;
    const Budget budget = budget_of(effort, [&] { return ++asked >= time; });
    CHECK_THROWS_AS(machine_program(direct, code.rows(), kThreeWay, budget), MakingStopped);
    CHECK(asked <= time + 100);
  };
  for (const int time : {1, 2}) stops_when_told_at(time, Effort::kQuick);
  for (const int time : {1, 2, 20, 200}) stops_when_told_at(time, Effort::kNormal);
}

TEST_CASE("A search of normal effort takes as long for a long program as for 10 + 4") {
  const Program direct = without_places(direct_encoding(make_code("cauchy-good:k=28,m=4,w=8")));
  Search fast;
  fast.effort = Effort::kFast;
  const Program few = shared_in({}, direct, fast);
  const auto times_asked = [&](Effort effort) {
    std::uint64_t asked = 0;
    Budget budget{.effort = effort, .iterations = 20'000};
    budget.stop_requested = [&] { return ++asked == 0; };
    ordered_tile(few, kThreeWay, budget);
    return asked;
  };
  CHECK(2 * times_asked(Effort::kNormal) < times_asked(Effort::kMax));
}

TEST_CASE("Losses of wide codes are computed from syndromes, in fewer instructions") {
  const Code code = make_code("cauchy-good:k=28,m=4,w=8");
  const Program direct = decoding(code, 4);
  const OrderedProgram entry = found(code, direct, kThreeWay, Effort::kFast);
  prove(*entry.ordered, direct);
  Search fast;
  fast.effort = Effort::kFast;
  const Cut cut{usual_bands(direct), 2 * code.rows()};
  const Program whole = ordered_tile(shared_in(cut, direct, fast), kThreeWay, {}, cut.window);
  const ScheduleCost alone = cost(assign_registers(whole, kThreeWay, true), kThreeWay);
  const ScheduleCost staged = cost_of(*entry.ordered, kThreeWay);
  CHECK(staged.operations() + 100 < alone.operations());
  CHECK(staged.loads < alone.loads);
  CHECK(xors(entry.equations) + 200 < xors(shared_in(cut, direct, fast)));
}

TEST_CASE("A search of effort normal finds a cheaper program than none does") {
  const Code code = make_code("cauchy-good:k=4,m=2,w=5");
  const Program direct = without_places(direct_encoding(code));
  const auto price = [&](Effort effort) {
    return cost_of(*found(code, direct, kThreeWay, effort).ordered, kThreeWay).total(kThreeWayWork);
  };
  CHECK(price(Effort::kNormal) <= price(Effort::kQuick));
  CHECK(price(Effort::kQuick) <= price(Effort::kFast));
}

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
