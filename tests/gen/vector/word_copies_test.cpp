#include "gen/vector/word_copies.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/syndrome_programs.hpp"
#include "gen/vector/held_matrices.hpp"
#include "gen/vector/word_tile.hpp"

namespace xorloom {
namespace {

constexpr MachineFacts kWide{64, 32, 3};

struct Spent {
  std::size_t operations;
  std::size_t matrices;  ///< loads of matrices
};

Spent spent(const Program& tile) {
  const InstructionSchedule schedule = assign_registers(tile, kWide, true);
  return {cost(schedule, kWide).operations(), held_matrices(schedule, kWide).loads()};
}

Program direct(const char* spec) { return direct_encoding(make_code(spec), {}, Over::kSymbols); }

/// Rebuilds the first chunks by elimination.
Program by_elimination(const char* spec, std::size_t num_lost) {
  const Code code = make_code(spec);
  std::vector<std::size_t> lost(num_lost);
  std::iota(lost.begin(), lost.end(), std::size_t{0});
  return *elimination_program(code, decoding_map(code, lost));
}

Program by_transforms(const char* spec) {
  const Code code = make_code(spec);
  return *transform_program(code, encoding_map(code));
}

TEST_CASE("Copies compute their program on every machine") {
  const MachineFacts machines[] = {
      kWide, {32, 16, 2}, {64, 8, 3}, {64, 32, 3, false}, {64, 9, 3, false}};
  for (const Program& program :
       {direct("rs:k=10,m=4"), direct("isa-cauchy:k=28,m=4"), direct("rs:k=4,m=2,w=4"),
        by_elimination("rs:k=10,m=4", 4), by_elimination("isa-cauchy:k=9,m=6", 5),
        by_transforms("leopard:k=28,m=4"), by_transforms("leopard:k=20,m=8")}) {
    for (const MachineFacts& machine : machines) {
      for (const std::size_t copies : {1U, 2U, 3U}) {
        CAPTURE(machine.registers);
        CAPTURE(copies);
        const Program tile = copies_of(program, copies, machine);
        CHECK_NOTHROW(prove_tile(tile, program, copies));
        const InstructionSchedule schedule = assign_registers(tile, machine, true);
        CHECK(find_disagreement(schedule, tile, machine) == std::nullopt);
      }
    }
  }
}

TEST_CASE("A copy begins in time where sums wait for each other, and else after the one before") {
  const auto begins_in_time = [](const Program& tile) {
    bool has_begun = false;  // the second copy
    for (const Equation& equation : tile.equations) {
      for (const Operand& term : equation.operands) {
        has_begun |= term.element < tile.inputs.size() && term.element >= tile.inputs.size() / 2;
      }
      const auto output = std::ranges::find(tile.outputs, equation.target);
      const auto of_first = static_cast<std::ptrdiff_t>(tile.outputs.size() / 2);
      if (output - tile.outputs.begin() < of_first && has_begun) return true;
    }
    return false;
  };
  CHECK(begins_in_time(copies_of(by_elimination("rs:k=10,m=4", 4), 2, kWide)));
  CHECK_FALSE(begins_in_time(copies_of(direct("rs:k=10,m=4"), 2, kWide)));
  CHECK_FALSE(begins_in_time(copies_of(by_transforms("leopard:k=28,m=4"), 2, kWide)));
}

TEST_CASE("Sums that grow at once leave registers to matrices") {
  const Program program = by_transforms("leopard:k=28,m=4");
  CHECK(spent(unrolled(word_tile(program, kWide), 2)).matrices > 40);
  CHECK(spent(copies_of(program, 2, kWide)).matrices <= 4);
  const Program rows = by_elimination("rs:k=10,m=4", 4);
  CHECK(spent(copies_of(rows, 2, kWide)).matrices <= 16);
}

TEST_CASE("Blocks of all inputs at once take fewer operations") {
  const Program program = direct("isa-cauchy:k=28,m=4");
  CHECK(spent(copies_of(program, 2, kWide)).operations + 20 <=
        spent(unrolled(word_tile(program, kWide), 2)).operations);
}

TEST_CASE("Where matrices exceed the registers, one that is loaded serves two copies") {
  const auto loads = [](const Program& tile) {
    const InstructionSchedule schedule = assign_registers(tile, kWide, true);
    return cost(schedule, kWide).loads + held_matrices(schedule, kWide).loads();
  };
  const Program program = direct("rs:k=28,m=4");
  CHECK(loads(unrolled(word_tile(program, kWide), 2)) > 2 * multiplications(program));
  CHECK(loads(copies_of(program, 2, kWide)) <= 2 * multiplications(program));
}

}  // namespace
}  // namespace xorloom
