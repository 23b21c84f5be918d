#include "gen/vector/tile_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

[[noreturn]] void refuse(const char* what, std::size_t number) {
  fail(Status::kInternal, fmt::format("a tile was not proved: {} {}", what, number));
}

/// Compares what copies compute: `tile_has` and `program_has` tell the coefficient of an input in
/// an output.
template <typename TileHas, typename ProgramHas>
void compare(const Program& program, std::size_t copies, const TileHas& tile_has,
             const ProgramHas& program_has) {
  const std::size_t inputs = program.inputs.size();
  const std::size_t outputs = program.outputs.size();
  for (std::size_t o = 0; o < copies * outputs; ++o) {
    for (std::size_t i = 0; i < copies * inputs; ++i) {
      const bool is_own = o / outputs == i / inputs;
      const Field::Symbol wanted = is_own ? program_has(o % outputs, i % inputs) : 0;
      if (tile_has(o, i) != wanted) refuse("another sum is computed as output", o);
    }
  }
}

/// Compares where vectors lie with what `place_of` says of each element of a copy.
template <typename PlaceOf>
void prove_places(const TilePlaces& places, const Program& program, std::size_t copies,
                  std::size_t copy_bytes, const PlaceOf& place_of) {
  const auto check = [&](const std::vector<TilePlaces::Place>& side,
                         const std::vector<Element>& elements, bool are_outputs) {
    if (side.size() != copies * elements.size()) {
      refuse("it has another number of vectors than copies, of which there are", copies);
    }
    for (std::size_t i = 0; i < side.size(); ++i) {
      TilePlaces::Place place = place_of(i % elements.size(), are_outputs);
      place.offset += static_cast<std::uint32_t>(i / elements.size() * copy_bytes);
      if (side[i] == place) continue;
      refuse(are_outputs ? "it stores elsewhere output" : "it loads elsewhere input", i);
    }
  };
  check(places.inputs, program.inputs, false);
  check(places.outputs, program.outputs, true);
}

/// Compares the elements of a side of a tile with the program's, copy by copy.
void prove_cells(const std::vector<TileProgram::Cell>& cells, const std::vector<Element>& elements,
                 std::size_t copies) {
  if (cells.size() != copies * elements.size()) {
    refuse("it has other inputs and outputs in its copies, of which there are", copies);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto copy = static_cast<std::uint32_t>(i / elements.size());
    if (cells[i] != TileProgram::Cell{elements[i % elements.size()], copy}) {
      refuse("it has another element as cell", i);
    }
  }
}

}  // namespace

BitMatrix sums_of(const TileProgram& tile) {
  BitMatrix values(tile.num_values(), tile.inputs.size());
  BitMatrix result(tile.outputs.size(), tile.inputs.size());
  for (std::size_t i = 0; i < tile.inputs.size(); ++i) values.flip(i, i);
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    const TileProgram::Equation& equation = tile.equations[e];
    const TileProgram::Value sum = tile.value_of(e);
    for (const TileProgram::Term& term : equation.terms) {
      values.add_row(sum, values.row(term.value));
    }
    if (equation.output == TileProgram::kNoOutput) continue;
    result.add_row(equation.output, values.row(sum));
  }
  return result;
}

void prove_tile(const TileProgram& tile, const Program& program, std::size_t copies) {
  if (tile.field != program.field)
    refuse("it is over another field than one of bits a symbol:", program.field.w());
  prove_cells(tile.inputs, program.inputs, copies);
  prove_cells(tile.outputs, program.outputs, copies);
  if (program.is_xor()) {
    const BitMatrix ours = sums_of(tile);
    const BitMatrix wanted = evaluate_symbolically(program);
    compare(
        program, copies,
        [&](std::size_t o, std::size_t i) { return Field::Symbol{ours.get(o, i)}; },
        [&](std::size_t o, std::size_t i) { return Field::Symbol{wanted.get(o, i)}; });
  } else {
    const Matrix ours = coefficients_of(program_of(tile));
    const Matrix wanted = coefficients_of(program);
    compare(
        program, copies, [&](std::size_t o, std::size_t i) { return ours(o, i); },
        [&](std::size_t o, std::size_t i) { return wanted(o, i); });
  }
}

void prove_packets(const TilePlaces& places, const Program& program, std::size_t copies,
                   const PacketDistances& distances) {
  const std::vector<std::size_t> locations = locations_in_use(program);
  prove_places(places, program, copies, distances.copy_bytes, [&](std::size_t i, bool is_output) {
    const Element element = is_output ? program.outputs[i] : program.inputs[i];
    const auto stream = std::ranges::find(locations, element / program.rows);
    return TilePlaces::Place{
        static_cast<std::uint32_t>(stream - locations.begin()),
        static_cast<std::uint32_t>(element % program.rows * distances.packet_bytes)};
  });
}

void prove_words(const TilePlaces& places, const Program& program, std::size_t copies,
                 std::size_t copy_bytes) {
  prove_places(places, program, copies, copy_bytes, [&](std::size_t i, bool is_output) {
    const std::size_t stream = is_output ? program.inputs.size() + i : i;
    return TilePlaces::Place{static_cast<std::uint32_t>(stream), 0};
  });
}

Program program_of(const TileProgram& tile) {
  Program program{tile.inputs.size() + tile.outputs.size(), 1, {}, {}, {}, {}, tile.field};
  std::vector<Element> name;
  name.reserve(tile.num_values());
  program.equations.reserve(tile.equations.size());
  for (Element i = 0; i < tile.inputs.size(); ++i) {
    program.inputs.push_back(i);
    name.push_back(i);
  }
  const auto first_output = static_cast<Element>(tile.inputs.size());
  for (Element o = 0; o < tile.outputs.size(); ++o) program.outputs.push_back(first_output + o);
  Element next = program.num_cells();
  for (const TileProgram::Equation& equation : tile.equations) {
    const bool is_output = equation.output != TileProgram::kNoOutput;
    const Element target = is_output ? first_output + equation.output : next++;
    std::vector<Operand> operands;
    operands.reserve(equation.terms.size());
    for (const auto& [value, coefficient] : equation.terms) {
      operands.emplace_back(name[value], coefficient);
    }
    name.push_back(target);
    program.equations.push_back({target, sum_of(std::move(operands))});
  }
  return program;
}

}  // namespace xorloom
