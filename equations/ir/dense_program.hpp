#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

// Dense programs: the form of Program that is ordered, priced and lowered to instructions.
//
// Element i is input i, and equation e makes element inputs.size() + e. There are no cells: the
// places of inputs and outputs are kept beside the program. Operands are in the order of their
// addition. Outputs have the order of the original program, and each has an equation of its own.

/// The dense form of a program, its equations in their order.
///
/// Shape:  the program has no virtual elements.
/// Errors: throws kInternal if an output has no equation.
Program dense(const Program& program);

/// The dense program `tile` as a program with the cells, inputs and outputs of `places`. Operands
/// are sorted, and equal ones cancel. Shape: both have the same numbers of inputs and of outputs.
Program in_places_of(const Program& places, const Program& tile);

/// A dense program whose outputs have no equations yet.
Program dense_without_equations(std::size_t inputs, std::size_t outputs, const Field& field);

/// Appends an equation and returns its target.
Element add_equation(Program& tile, std::vector<Operand> operands);

inline std::size_t num_values(const Program& tile) {
  return tile.inputs.size() + tile.equations.size();
}

/// By equation: index of the output that it makes, or kNoOutput.
inline constexpr std::uint32_t kNoOutput = std::numeric_limits<std::uint32_t>::max();
std::vector<std::uint32_t> outputs_by_equation(const Program& tile);

/// The program `copies` times side by side, each copy on its own inputs. Inputs, outputs and
/// equations of a copy follow those of the copy before.
Program unrolled(Program tile, std::size_t copies);

/// A topological order: a permutation of equation numbers in which each follows those it reads.
using EquationOrder = std::vector<std::uint32_t>;

/// A dense program with its equations in another order.
Program reordered(const Program& tile, const EquationOrder& order);

}  // namespace xorloom
