#include "gen/vector/lower.hpp"

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
#include "gen/vector/tile_order.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kPacketBytes = 128;
constexpr MachineFacts kProofMachines[] = {{64, 32, 3}, {32, 16, 2}};

/// Every way to break a tile by one term, one number or one place in the order.
std::vector<Program> broken(const Program& tile) {
  std::vector<Program> result;
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    for (std::size_t t = 0; t < tile.equations[e].operands.size(); ++t) {
      Program& fewer = result.emplace_back(tile);
      auto& terms = fewer.equations[e].operands;
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(t));
      Program& other = result.emplace_back(tile);
      Element& value = other.equations[e].operands[t].element;
      value = value == 0 ? 1 : value - 1;
      if (tile.field.w() == 1) continue;
      Program& scaled = result.emplace_back(tile);
      scaled.equations[e].operands[t].coefficient ^= 2;
      if (scaled.equations[e].operands[t].coefficient == 0) result.pop_back();
    }
  }
  for (std::size_t i = 0; i < tile.inputs.size(); ++i) ++result.emplace_back(tile).inputs[i];
  for (std::size_t o = 0; o < tile.outputs.size(); ++o) {
    ++result.emplace_back(tile).outputs[o];
    result.emplace_back(tile).outputs[o] = 0;
  }
  result.emplace_back(tile).outputs.pop_back();
  ++result.emplace_back(tile).equations.front().target;
  return result;
}

TEST_CASE("tiles of packets hold as they come, ordered and unrolled, and nothing near them does") {
  for (const Program& program :
       {paper_iterative(), direct_encoding(make_code("cauchy-good:k=4,m=2,w=4"))}) {
    for (const MachineFacts& machine : kProofMachines) {
      const std::size_t copies = 64 / machine.vector_bytes;
      const Program tile = unrolled(ordered_tile(program, machine, {}), copies);
      CHECK_NOTHROW(prove_tile(tile, program, copies));
      std::size_t number = 0;
      for (const Program& wrong : broken(tile)) {
        CAPTURE(number++);
        CHECK_THROWS_AS(prove_tile(wrong, program, copies), Error);
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
      const Program tile = unrolled(dense(program), 2);
      CHECK_NOTHROW(prove_tile(tile, program, 2));
      std::size_t number = 0;
      for (const Program& wrong : broken(tile)) {
        CAPTURE(number++);
        CHECK_THROWS_AS(prove_tile(wrong, program, 2), Error);
      }
    }
  }
}

TEST_CASE("a dense program in the places of its program is that program") {
  for (const Program& program : {direct_encoding(make_code("cauchy-good:k=4,m=2,w=4")),
                                 direct_encoding(make_code("rs:k=4,m=2"), {}, Over::kSymbols)}) {
    CHECK(in_places_of(program, dense(program)) == program);
  }
  const Program program = paper_iterative();  // its temporaries have other names
  const Program back = in_places_of(program, dense(program));
  CHECK_NOTHROW(prove(back, program));
  CHECK(back.equations.size() == program.equations.size());
}

TEST_CASE("vectors of packets lie where their elements do, copy by copy") {
  const Program program = direct_encoding(make_code("cauchy-good:k=4,m=2,w=4"));
  const TilePlaces places = packet_places(program, 2, kPacketBytes, 32);
  CHECK(places.streams.size() == 6);
  for (const bool is_output : {false, true}) {
    const auto& elements = is_output ? program.outputs : program.inputs;
    const auto& side = is_output ? places.outputs : places.inputs;
    REQUIRE(side.size() == 2 * elements.size());
    for (std::size_t i = 0; i < side.size(); ++i) {
      const Element element = elements[i % elements.size()];
      CHECK(side[i].stream == element / 4);  // all locations are in use
      CHECK(side[i].offset == element % 4 * kPacketBytes + i / elements.size() * 32);
    }
  }
}

TEST_CASE("cells of words are streams, inputs first") {
  const Program program = direct_encoding(make_code("rs:k=4,m=2"), {}, Over::kSymbols);
  const TilePlaces places = word_places(program, 2, 64);
  CHECK(places.streams.size() == 6);
  CHECK(places.inputs[5] == TilePlaces::Place{1, 64});
  CHECK(places.outputs[1] == TilePlaces::Place{5, 0});
}

TEST_CASE("an order of another program is refused as damaged") {
  const Program program = paper_iterative();
  Program wrong = program;
  wrong.equations.back().operands.pop_back();
  try {
    (void)lower_packets(program, 64, kProofMachines[0], {}, &wrong);
    FAIL("it was lowered");
  } catch (const Error& error) {
    CHECK(error.kind() == Status::kDamaged);
  }
}

}  // namespace
}  // namespace xorloom
