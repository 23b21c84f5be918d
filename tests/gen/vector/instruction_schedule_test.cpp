#include "gen/vector/instruction_schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/passes/share_pairs.hpp"
#include "equations/search/optimize.hpp"
#include "gen/machines/machines.hpp"
#include "gen/vector/annealing.hpp"
#include "gen/vector/greedy_steps.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/program_digest.hpp"

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;

Program shared(const Program& direct) {
  return fuse_three_way(program_of(share_pairs(direct), direct));
}

Program random_tile(std::uint64_t seed) {
  Random random(seed);
  const std::size_t rows = 1 + random.below(40);
  const std::size_t columns = 1 + random.below(60);
  Program tile = dense(shared(direct_program(test::random_matrix(rows, columns, seed))));
  if (seed % 2 == 0) return tile;
  // Over a field whatever is read may have a coefficient.
  tile.field = Field(8);
  for (Equation& equation : tile.equations) {
    for (Operand& term : equation.operands) term.coefficient = 1 + random.below(5);
  }
  return tile;
}

const MachineFacts kScheduleMachines[] = {{64, 32, 3},       {32, 16, 2},        {64, 8, 3},
                                          {32, 5, 2},        {64, 32, 3, false}, {32, 16, 2, false},
                                          {64, 8, 3, false}, {32, 7, 2, false}};

TEST_CASE("Schedules of random tiles agree with them on machines of many and few registers") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Program tile = random_tile(seed);
    for (const MachineFacts& machine : kScheduleMachines) {
      CAPTURE(machine.registers);
      const Program ordered = greedy_steps(tile, machine).tile;
      for (const bool again : {true, false}) {
        const InstructionSchedule schedule = assign_registers(ordered, machine, again);
        CHECK(find_disagreement(schedule, tile, machine) == std::nullopt);
      }
    }
  }
}

TEST_CASE("Sums of nothing are scheduled, beside others and where a tile has no input at all") {
  for (const Element inputs : {0U, 1U, 3U}) {
    CAPTURE(inputs);
    Program tile = dense_without_equations(inputs, 3, gf2());
    const Element first = add_equation(tile, {});
    tile.outputs[0] = add_equation(tile, {});
    tile.outputs[1] = add_equation(tile, {{first}});
    tile.outputs[2] = add_equation(tile, {});
    if (inputs != 0) tile.equations[2].operands.emplace_back(inputs - 1);
    for (const MachineFacts& machine : kScheduleMachines) {
      CAPTURE(machine.registers);
      const SteppedTile steps = greedy_steps(tile, machine);
      const Program& ordered = steps.tile;
      const Program moved = annealed(steps, machine, 200);
      for (const bool again : {true, false}) {
        CHECK(find_disagreement(assign_registers(ordered, machine, again), tile, machine) ==
              std::nullopt);
        CHECK(find_disagreement(assign_registers(moved, machine, again), tile, machine) ==
              std::nullopt);
      }
    }
    // A store of a value that was never computed is found even if all sums are zero.
    InstructionSchedule schedule = assign_registers(tile, kScheduleMachines[0], true);
    std::erase_if(schedule.instructions,
                  [](const auto& in) { return in.op == InstructionSchedule::Op::kZero; });
    CHECK(find_disagreement(schedule, tile, kScheduleMachines[0]) != std::nullopt);
  }
}

TEST_CASE("Annealing never makes an order dearer, and the seed decides") {
  bool differs = false;
  std::size_t saved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Program tile = random_tile(seed);
    const MachineFacts machine{64, 12, 3};
    const SteppedTile greedy = greedy_steps(tile, machine);
    const Program annealed = xorloom::annealed(greedy, machine, 2000, seed);
    const InstructionSchedule before = assign_registers(greedy.tile, machine, true);
    const InstructionSchedule after = assign_registers(annealed, machine, true);
    CHECK(find_disagreement(after, tile, machine) == std::nullopt);
    CHECK(xorloom::annealed(greedy, machine, 2000, seed) == annealed);
    differs |= xorloom::annealed(greedy, machine, 2000, seed + 1) != annealed;
    REQUIRE(cost(after, machine).total(machine.work) <= cost(before, machine).total(machine.work));
    saved += cost(before, machine).total(machine.work) - cost(after, machine).total(machine.work);
  }
  CHECK(saved > 40);
  CHECK(differs);
}

TEST_CASE("The same seed gives the same order on every machine, with every C library") {
  const Program program = direct_encoding(make_code("cauchy-good:k=6,m=3,w=4"));
  for (const auto& [machine, digest] : {std::pair(kThreeWayMachine, 1132618201030085594ULL),
                                        std::pair(kTwoWayMachine, 13061377900613826746ULL)}) {
    const SteppedTile steps = greedy_steps(dense(program), machine, 20);
    CHECK(test::digest(annealed(steps, machine, 20'000, 5)) == digest);
  }
}

TEST_CASE("What tables have in their registers is not read as something else") {
  const MachineFacts machine{32, 16, 2, false};
  Program tile = dense_without_equations(2, 1, Field(8));
  tile.outputs[0] = add_equation(tile, {{0, 2}, {1, 3}});
  const InstructionSchedule right = assign_registers(tile, machine, true);
  CHECK(find_disagreement(right, tile, machine) == std::nullopt);
  const auto is = [](Op op) { return [op](const auto& in) { return in.op == op; }; };
  const auto changed = [&](const auto& change) {
    InstructionSchedule wrong = right;
    change(wrong.instructions);
    return find_disagreement(wrong, tile, machine);
  };
  const std::string_view unwritten = "instruction";
  CHECK(changed([&](auto& all) { all.erase(all.begin()); })->starts_with(unwritten));
  CHECK(changed([&](auto& all) { std::erase_if(all, is(Op::kSplit)); })->starts_with(unwritten));
  CHECK(changed([&](auto& all) {  // the second product by the nibbles of the first input
          all.erase(std::ranges::find_if(all.rbegin(), all.rend(), is(Op::kSplit)).base() - 1);
        }) != std::nullopt);
  CHECK(changed([&](auto& all) {
          std::ranges::find_if(all, is(Op::kProduct))->target = 13;
        })->starts_with(unwritten));
  CHECK(changed([&](auto& all) {  // something else takes a register of theirs
          all.insert(std::ranges::find_if(all, is(Op::kProduct)), {Op::kZero, 15});
        })
            ->starts_with(unwritten));
  CHECK(changed([&](auto& all) { std::ranges::find_if(all, is(Op::kProduct))->coefficient = 5; }) !=
        std::nullopt);
}

/// Any order in which equations follow those they read.
EquationOrder random_order(const Program& tile, Random& random) {
  EquationOrder order;
  std::vector<bool> is_done(tile.equations.size());
  const auto is_ready = [&](std::uint32_t equation) {
    return std::ranges::all_of(tile.equations[equation].operands, [&](const Operand& term) {
      return term.element < tile.inputs.size() || is_done[term.element - tile.inputs.size()];
    });
  };
  while (order.size() < tile.equations.size()) {
    const auto any = random.below(static_cast<std::uint32_t>(tile.equations.size()));
    if (is_done[any] || !is_ready(any)) continue;
    is_done[any] = true;
    order.push_back(any);
  }
  return order;
}

TEST_CASE("The price of an order is what its schedule costs, or near to it") {
  for (const std::size_t operands : {2U, 3U}) {
    const MachineFacts machine{64, 16, operands};
    const Code code = make_code("cauchy-good:k=6,m=3,w=8");
    const Program tile = dense(shared(direct_encoding(code)));
    const Program steps = greedy_steps(tile, machine).tile;
    EquationOrder given(steps.equations.size());
    std::iota(given.begin(), given.end(), 0U);
    StepPrice price(steps, machine);
    const std::size_t first = price.of(given);
    Random random(7);
    for (int i = 0; i < 50; ++i) {
      CAPTURE(i);
      const EquationOrder order = i == 0 ? given : random_order(steps, random);
      const InstructionSchedule schedule = assign_registers(reordered(steps, order), machine, true);
      CHECK(static_cast<double>(price.of(order)) ==
            doctest::Approx(static_cast<double>(cost(schedule, machine).total(machine.work)))
                .epsilon(0.02));
    }
    CHECK(price.of(given) == first);

    // With registers for everything, what is read, computed and written, each once.
    const MachineFacts vast{64, 60, operands};
    const std::size_t least = tile.inputs.size() + steps.equations.size() + tile.outputs.size();
    CHECK(StepPrice(steps, vast).of(given) >= least);
    CHECK(StepPrice(steps, vast).of(given) < first);
  }
}

TEST_CASE("What is wrong in a schedule is found") {
  const MachineFacts machine;
  const Program tile = dense(shared(direct_encoding(make_code("cauchy:k=5,m=2,w=3"))));
  const InstructionSchedule schedule = assign_registers(tile, machine, true);
  REQUIRE(find_disagreement(schedule, tile, machine) == std::nullopt);
  for (std::size_t i = 0; i < schedule.instructions.size(); ++i) {
    CAPTURE(i);
    InstructionSchedule wrong = schedule;
    wrong.instructions.erase(wrong.instructions.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(find_disagreement(wrong, tile, machine) != std::nullopt);
    wrong = schedule;
    wrong.instructions[i].memory.index += 1000;
    if (wrong.instructions[i].memory.kind != InstructionSchedule::Memory::Kind::kNowhere) {
      CHECK(find_disagreement(wrong, tile, machine) != std::nullopt);
    }
  }
}

TEST_CASE("Tiles side by side compute what one does, each at its place") {
  const Program tile = random_tile(3);
  const Program wide = unrolled(tile, 3);
  const MachineFacts machine;
  const InstructionSchedule schedule = assign_registers(wide, machine, false);
  CHECK(find_disagreement(schedule, wide, machine) == std::nullopt);
  CHECK(wide.outputs.size() == 3 * tile.outputs.size());
  CHECK_NOTHROW(prove_tile(wide, tile, 3));
}

TEST_CASE(
    "An order of 10 + 4 loads and stores less than the given one, an annealed one less still") {
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  Search fast;
  fast.effort = Effort::kFast;
  const Program tile = dense(fuse_three_way(optimize(direct_encoding(code), fast)));
  const MachineFacts machine;
  const SteppedTile greedy = greedy_steps(tile, machine);
  const std::size_t price = schedule_price(greedy.tile, machine);
  CHECK(10 * price < 9 * schedule_price(tile, machine));
  CHECK(schedule_price(annealed(greedy, machine, 5000), machine) < price);
  // Several starts are worth as much, and give the same order every time.
  const SteppedTile best = greedy_steps(tile, machine, 50);
  CHECK(schedule_price(best.tile, machine) < price);
  CHECK(best.chain_of == greedy_steps(tile, machine, 50).chain_of);
  // If the starts are stopped, the result is that of the first.
  CHECK(greedy_steps(tile, machine, 50, 0, [] { return true; }).chain_of == greedy.chain_of);
}

}  // namespace
}  // namespace xorloom
