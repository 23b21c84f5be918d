#include "gen/vector/held_matrices.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "gen/vector/word_tile.hpp"

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;

InstructionSchedule schedule_of(const char* spec, const VectorMachine& machine) {
  const Code code = make_code(spec);
  return assign_registers(tile_of(code.field, encoding_map(code), machine), machine, true);
}

TEST_CASE("Matrices have registers of their own, the last ones, those used most first") {
  for (const char* spec : {"rs:k=4,m=2", "rs:k=10,m=4", "leopard:k=20,m=6"}) {
    for (const VectorMachine& machine :
         {VectorMachine{64, 32, true}, VectorMachine{32, 16, false}}) {
      CAPTURE(spec);
      CAPTURE(machine.registers);
      const InstructionSchedule schedule = schedule_of(spec, machine);
      const HeldMatrices held = held_matrices(schedule, machine);
      std::set<int> registers;
      for (const auto& [coefficient, number] : held) registers.insert(number);
      CHECK(registers.size() == held.size());
      const auto first = static_cast<int>(machine.registers - held.size());
      if (!held.empty()) CHECK(*registers.begin() == first);
      std::map<Field::Symbol, std::size_t> uses;
      for (const InstructionSchedule::Instruction& in : schedule.instructions) {
        CHECK(in.target < first);
        CHECK(in.a < first);
        CHECK(in.b < first);
        if (in.op == Op::kMultiply) ++uses[in.coefficient];
      }
      for (const auto& [coefficient, count] : uses) {
        for (const auto& [other, number] : held) {
          if (!held.contains(coefficient)) CHECK(uses.at(other) >= count);
        }
      }
    }
  }
}

TEST_CASE("Where products are looked up in tables no register holds a matrix") {
  const VectorMachine machine{32, 16, false, false};
  CHECK(held_matrices(schedule_of("rs:k=4,m=2", machine), machine).empty());
}

TEST_CASE("On AVX-512 all 24 matrices but a few of 10 + 4 are held") {
  const VectorMachine machine{64, 32, true};
  CHECK(held_matrices(schedule_of("rs:k=10,m=4", machine), machine).size() >= 16);
}

}  // namespace
}  // namespace xorloom
