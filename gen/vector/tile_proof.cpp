#include "gen/vector/tile_proof.hpp"

#include <fmt/format.h>

#include "codes/field/bitmatrix.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

[[noreturn]] void refuse(const char* what, std::size_t number) {
  fail(Status::kInternal, fmt::format("a tile was not proved: {} {}", what, number));
}

/// Checks that values are numbered as in a dense program, and that each output has an equation.
void check_numbers(const Program& tile) {
  for (Element i = 0; i < tile.inputs.size(); ++i) {
    if (tile.inputs[i] != i) refuse("another element is input", i);
  }
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    const Equation& equation = tile.equations[e];
    if (equation.target != tile.inputs.size() + e) refuse("another element is made by equation", e);
    for (const Operand& operand : equation.operands) {
      if (operand.element >= equation.target) refuse("what is not known is read by equation", e);
    }
  }
  for (std::size_t o = 0; o < tile.outputs.size(); ++o) {
    const bool is_made =
        tile.outputs[o] >= tile.inputs.size() && tile.outputs[o] < num_values(tile);
    if (!is_made) refuse("no equation makes output", o);
  }
}

/// Compares the outputs of all copies: `tile_has` and `program_has` return the coefficient of an
/// input in an output.
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

}  // namespace

void prove_tile(const Program& tile, const Program& program, std::size_t copies) {
  if (tile.field != program.field)
    refuse("it is over another field than one of bits a symbol:", program.field.w());
  if (tile.inputs.size() != copies * program.inputs.size() ||
      tile.outputs.size() != copies * program.outputs.size()) {
    refuse("it has other inputs and outputs in its copies, of which there are", copies);
  }
  check_numbers(tile);
  const auto compare_in = [&](const auto& ours, const auto& wanted, const auto& at) {
    compare(
        program, copies, [&](std::size_t o, std::size_t i) { return at(ours, o, i); },
        [&](std::size_t o, std::size_t i) { return at(wanted, o, i); });
  };
  if (program.is_xor()) {
    compare_in(evaluate_symbolically(tile), evaluate_symbolically(program),
               [](const BitMatrix& matrix, std::size_t o, std::size_t i) {
                 return Field::Symbol{matrix(o, i)};
               });
  } else {
    compare_in(coefficients_of(tile), coefficients_of(program),
               [](const Matrix& matrix, std::size_t o, std::size_t i) { return matrix(o, i); });
  }
}

}  // namespace xorloom
