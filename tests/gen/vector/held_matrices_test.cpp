#include "gen/vector/held_matrices.hpp"

#include <doctest/doctest.h>

#include <map>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "gen/vector/word_copies.hpp"
#include "gen/vector/word_tile.hpp"

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;
using Kind = InstructionSchedule::Memory::Kind;

InstructionSchedule schedule_of(const char* spec, const MachineFacts& machine) {
  const Program program = direct_encoding(make_code(spec), {}, Over::kSymbols);
  return assign_registers(word_tile(program, machine), machine, true);
}

/// Whether each product finds its matrix: follows what a kernel has in its registers.
void check_uses(const InstructionSchedule& schedule, const MachineFacts& machine) {
  const HeldMatrices held = held_matrices(schedule, machine);
  std::map<int, Field::Symbol> in_register;
  for (const auto& [coefficient, number] : held.always) {
    CHECK(in_register.emplace(number, coefficient).second);
    CHECK(number >= held.first);
  }
  std::size_t product = 0;
  std::size_t loads = 0;
  for (const InstructionSchedule::Instruction& in : schedule.instructions) {
    CHECK(in.target < held.first);
    CHECK(in.a < held.first);
    CHECK(in.b < held.first);
    if (in.op != Op::kMultiply) continue;
    const HeldMatrices::Use use = held.uses.at(product++);
    loads += use.is_loaded || use.number == HeldMatrices::Use::kInMemory ? 1 : 0;
    if (use.number == HeldMatrices::Use::kInMemory) continue;
    CHECK(use.number >= held.first);
    CHECK(use.number < static_cast<int>(machine.registers));
    if (use.is_loaded) {
      CHECK_FALSE(held.always.contains(in.coefficient));
      in_register[use.number] = in.coefficient;
    }
    CHECK(in_register.at(use.number) == in.coefficient);
  }
  CHECK(held.uses.size() == product);
  CHECK(held.loads() == loads);
}

TEST_CASE("Matrices have registers of their own, the last ones, and each product finds its own") {
  for (const char* spec : {"rs:k=4,m=2", "rs:k=10,m=4", "leopard:k=20,m=6", "rs:k=28,m=4"}) {
    for (const MachineFacts& machine : {MachineFacts{64, 32, 3}, MachineFacts{32, 16, 2}}) {
      CAPTURE(spec);
      CAPTURE(machine.registers);
      check_uses(schedule_of(spec, machine), machine);
      const Code code = make_code(spec);
      const Program program = direct_encoding(code, {}, Over::kSymbols);
      check_uses(assign_registers(copies_of(program, 2, machine), machine, true), machine);
    }
  }
}

TEST_CASE("Matrices that are used again soon take turns in registers") {
  // Two products by each of 50 matrices, more than there are registers for.
  const MachineFacts machine{64, 6, 3};
  InstructionSchedule schedule;
  for (std::uint32_t i = 4; i < 104; ++i) {
    schedule.instructions.push_back({Op::kLoad, 1, 0, 0, 1, {Kind::kInput, i}});
    schedule.instructions.push_back({Op::kMultiply, 0, 1, 2, i / 2, {}});
  }
  const HeldMatrices held = held_matrices(schedule, machine);
  CHECK(held.loads() <= 50);
  check_uses(schedule, machine);
}

TEST_CASE("Where products are looked up in tables no register holds a matrix") {
  const MachineFacts machine{32, 16, 2, false};
  const HeldMatrices held = held_matrices(schedule_of("rs:k=4,m=2", machine), machine);
  CHECK(held.always.empty());
  CHECK(held.uses.empty());
}

TEST_CASE("On AVX-512 all 24 matrices but a few of 10 + 4 are held") {
  const MachineFacts machine{64, 32, 3};
  CHECK(held_matrices(schedule_of("rs:k=10,m=4", machine), machine).always.size() >= 16);
}

}  // namespace
}  // namespace xorloom
