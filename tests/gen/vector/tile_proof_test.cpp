#include "gen/vector/tile_proof.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/ir/proof.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/lower.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kPacketBytes = 128;
constexpr VectorMachine kProofMachines[] = {{64, 32, true}, {32, 16, false}};

/// Every way to break a tile by one term, one cell or one place in the order.
std::vector<TileProgram> broken(const TileProgram& tile) {
  std::vector<TileProgram> result;
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    for (std::size_t t = 0; t < tile.equations[e].terms.size(); ++t) {
      TileProgram& fewer = result.emplace_back(tile);
      auto& terms = fewer.equations[e].terms;
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(t));
      TileProgram& other = result.emplace_back(tile);
      TileProgram::Value& value = other.equations[e].terms[t].value;
      value = value == 0 ? 1 : value - 1;
      if (tile.field.w() == 1) continue;
      TileProgram& scaled = result.emplace_back(tile);
      scaled.equations[e].terms[t].coefficient ^= 2;
      if (scaled.equations[e].terms[t].coefficient == 0) result.pop_back();
    }
  }
  for (std::size_t i = 0; i < tile.inputs.size(); ++i) {
    result.emplace_back(tile).inputs[i].element += 1;
    result.emplace_back(tile).inputs[i].copy ^= 1;
  }
  for (std::size_t o = 0; o < tile.outputs.size(); ++o) {
    result.emplace_back(tile).outputs[o].element += 1;
  }
  return result;
}

/// Every way to misplace one vector.
std::vector<TilePlaces> misplaced(const TilePlaces& places) {
  std::vector<TilePlaces> result;
  for (std::size_t i = 0; i < places.inputs.size(); ++i) {
    result.emplace_back(places).inputs[i].offset += 32;
    result.emplace_back(places).inputs[i].stream ^= 1;
  }
  for (std::size_t o = 0; o < places.outputs.size(); ++o) {
    result.emplace_back(places).outputs[o].offset += 32;
    result.emplace_back(places).outputs[o].stream ^= 1;
  }
  result.emplace_back(places).outputs.pop_back();
  return result;
}

TEST_CASE("tiles of packets hold as they come, ordered and unrolled, and nothing near them does") {
  for (const Program& program :
       {paper_iterative(), direct_encoding(make_code("cauchy-good:k=4,m=2,w=4"))}) {
    for (const VectorMachine& machine : kProofMachines) {
      const std::size_t copies = 64 / machine.vector_bytes;
      const TileProgram tile = unrolled(ordered_tile(program, machine, {}), copies);
      CHECK_NOTHROW(prove_tile(tile, program, copies));
      std::size_t number = 0;
      for (const TileProgram& wrong : broken(tile)) {
        CAPTURE(number++);
        CHECK_THROWS_AS(prove_tile(wrong, program, copies), Error);
      }
      const PacketDistances distances{program.rows, kPacketBytes, machine.vector_bytes};
      const TilePlaces places = packet_places(tile, distances);
      CHECK_NOTHROW(prove_packets(places, program, copies, distances));
      for (const TilePlaces& wrong : misplaced(places)) {
        CHECK_THROWS_AS(prove_packets(wrong, program, copies, distances), Error);
      }
    }
  }
}

TEST_CASE("tiles over symbols hold, of rows and of sums of sums, and nothing near them does") {
  for (const char* spec : {"rs:k=4,m=2", "isa-cauchy:k=6,m=4", "clay:k=2,m=2", "lrc:k=4,m=2,l=3"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const LinearMap map = encoding_map(code);
    std::vector<Program> programs{direct_symbols(code, map)};
    if (auto sparse = sparse_sums(code, map)) programs.push_back(sparse->program);
    for (const Program& program : programs) {
      const TileProgram tile = unrolled(tile_of(program), 2);
      CHECK_NOTHROW(prove_tile(tile, program, 2));
      std::size_t number = 0;
      for (const TileProgram& wrong : broken(tile)) {
        CAPTURE(number++);
        CHECK_THROWS_AS(prove_tile(wrong, program, 2), Error);
      }
      const TilePlaces places = word_places(tile, 2, 64);
      CHECK_NOTHROW(prove_words(places, program, 2, 64));
      for (const TilePlaces& wrong : misplaced(places)) {
        CHECK_THROWS_AS(prove_words(wrong, program, 2, 64), Error);
      }
    }
  }
}

TEST_CASE("a tile read back is the program it was made of") {
  const Program program = paper_iterative();
  const Program back = program_of(tile_of(program));
  CHECK(evaluate_symbolically(back) == evaluate_symbolically(program));
  CHECK(back.equations.size() == program.equations.size());
}

TEST_CASE("an order of another program is refused as damaged") {
  const Program program = paper_iterative();
  JitOptions options;
  Program wrong = program;
  wrong.equations.back().operands.pop_back();
  options.orders = std::make_shared<const ProgramOrders>(ProgramOrders{wrong, wrong});
  try {
    (void)lower_packets(program, {64, 64, 64, 64 * program.rows, 0}, kProofMachines[0], options);
    FAIL("it was lowered");
  } catch (const Error& error) {
    CHECK(error.kind() == Status::kDamaged);
  }
}

}  // namespace
}  // namespace xorloom
