#include "gen/vector/word_tile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/search/syndrome_programs.hpp"

namespace xorloom {
namespace {

const MachineFacts kWordMachines[] = {{64, 32, 3},        {32, 16, 2},        {64, 8, 3},
                                      {64, 32, 3, false}, {32, 16, 2, false}, {64, 9, 3, false}};

/// Runs a tile on one symbol per cell.
std::vector<Field::Symbol> outputs_of(const Program& tile, std::vector<Field::Symbol> values) {
  for (const Equation& equation : tile.equations) {
    Field::Symbol sum = 0;
    for (const Operand& term : equation.operands) {
      sum ^= tile.field.multiply(term.coefficient, values.at(term.element));
    }
    values.push_back(sum);
  }
  std::vector<Field::Symbol> outputs;
  for (const Element output : tile.outputs) outputs.push_back(values.at(output));
  return outputs;
}

/// The sums of a map.
Program program_of(const Field& field, const LinearMap& map) {
  Program program{
      map.inputs.size() + map.outputs.size(), 1, map.inputs, map.outputs, {}, {}, field};
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    Equation& equation = program.equations.emplace_back();
    equation.target = map.outputs[o];
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
      const Field::Symbol coefficient = map.coefficients(o, i);
      if (coefficient != 0) equation.operands.emplace_back(map.inputs[i], coefficient);
    }
  }
  return program;
}

LinearMap map_of(std::size_t outputs, std::size_t inputs) {
  LinearMap map{{}, {}, Matrix(outputs, inputs)};
  for (std::size_t i = 0; i < inputs; ++i) map.inputs.push_back(static_cast<Cell>(i));
  for (std::size_t o = 0; o < outputs; ++o) map.outputs.push_back(static_cast<Cell>(inputs + o));
  return map;
}

void check_tile(const Field& field, const LinearMap& map, Random& random) {
  for (const MachineFacts& machine : kWordMachines) {
    const Program tile = word_tile(program_of(field, map), machine);
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<Field::Symbol> symbols;
      for (std::size_t i = 0; i < map.inputs.size(); ++i) symbols.push_back(random.below(256));
      const std::vector<Field::Symbol> got = outputs_of(tile, symbols);
      for (std::size_t o = 0; o < map.outputs.size(); ++o) {
        Field::Symbol want = 0;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
          want ^= field.multiply(map.coefficients(o, i), symbols[i]);
        }
        REQUIRE(got[o] == want);
      }
    }
    const InstructionSchedule schedule = assign_registers(tile, machine, true);
    REQUIRE(find_disagreement(schedule, tile, machine) == std::nullopt);
  }
}

TEST_CASE("Tiles of random maps compute them, coefficients of 0 and 1 among others") {
  const Field field(8);
  Random random(1);
  for (std::size_t outputs = 1; outputs <= 7; ++outputs) {
    for (const std::size_t inputs : {1U, 2U, 3U, 8U, 10U, 17U, 30U, 41U}) {
      CAPTURE(outputs);
      CAPTURE(inputs);
      LinearMap map = map_of(outputs, inputs);
      const std::uint32_t kinds = random.below(2) == 0 ? 4 : 256;
      for (std::size_t o = 0; o < outputs; ++o) {
        for (Field::Symbol& symbol : map.coefficients.row(o)) symbol = random.below(kinds);
      }
      check_tile(field, map, random);
    }
  }
}

TEST_CASE("Tiles of Cauchy matrices compute them wherever their points begin") {
  const Field field(8);
  Random random(2);
  for (std::size_t outputs = 1; outputs <= 8; ++outputs) {
    for (const std::size_t inputs : {4U, 10U, 12U, 28U}) {
      CAPTURE(outputs);
      CAPTURE(inputs);
      LinearMap map = map_of(outputs, inputs);
      for (std::size_t o = 0; o < outputs; ++o) {
        for (std::size_t i = 0; i < inputs; ++i) {
          map.coefficients(o, i) = field.invert(static_cast<Field::Symbol>((inputs + o) ^ i));
        }
      }
      check_tile(field, map, random);
    }
  }
}

TEST_CASE("Dyadic blocks of 10 + 4 take 24 multiplications instead of 40") {
  const Code code = make_code("isa-cauchy:k=10,m=4");
  const LinearMap map = encoding_map(code);
  CHECK(multiplications(word_tile(program_of(code.field, map), {64, 32, 3})) == 24);
  LinearMap other = map;
  for (std::size_t i = 0; i < 10; ++i)
    other.coefficients(0, i) ^= static_cast<Field::Symbol>(i + 1);
  CHECK(multiplications(word_tile(program_of(code.field, other), {64, 32, 3})) > 24);
}

TEST_CASE("Tiles of sums of sums compute them on every machine") {
  std::size_t with_blocks = 0;
  for (const char* spec : {"rs:k=10,m=4", "isa-cauchy:k=28,m=4", "leopard:k=10,m=4", "rs:k=9,m=6",
                           "rs:k=4,m=2,w=4", "leopard:k=20,m=8"}) {
    const Code code = make_code(spec);
    for (std::size_t e = 2; e <= code.m; ++e) {
      std::vector<std::size_t> lost{code.k};  // redundancy, too
      for (std::size_t i = 1; i < e; ++i) lost.push_back(i + i / 2);
      std::ranges::sort(lost);
      for (const LinearMap& map :
           {decoding_map(code, lost), decoding_map(code, {lost.data(), 2})}) {
        for (const auto& program : {elimination_program(code, map), transform_program(code, map)}) {
          if (!program) continue;
          for (const MachineFacts& machine : kWordMachines) {
            CAPTURE(spec);
            CAPTURE(machine.registers);
            const Program tile = word_tile(*program, machine);
            CHECK_NOTHROW(prove_tile(tile, *program, 1));
            const auto blocks = tile_by_blocks(*program);
            if (!blocks) continue;
            ++with_blocks;
            CHECK_NOTHROW(prove_tile(*blocks, *program, 1));
            CHECK(multiplications(*blocks) < multiplications(dense(*program)));
          }
        }
      }
    }
  }
  CHECK(with_blocks > 0);
}

TEST_CASE("Syndromes of a Cauchy code are computed by dyadic blocks") {
  const Code code = make_code("isa-cauchy:k=10,m=4");
  const std::vector<std::size_t> lost{0, 1, 2, 3};
  const Program program = *elimination_program(code, decoding_map(code, lost));
  CHECK(multiplications(word_tile(program, {64, 32, 3})) <= multiplications(program) - 6);
}

}  // namespace
}  // namespace xorloom
