#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

// Dense programs: the form of Program that is ordered, priced and lowered to instructions.
//
// Element i is input i, and equation e makes element inputs.size() + e. There are no cells: where
// inputs and outputs lie is said beside the program. Operands stand in the order that they are to
// be added in. Outputs keep the order of the program that the dense one was made of; each has an
// equation of its own.

/// The dense form of a program, its equations in their order.
///
/// Shape:  the program has no virtual elements.
/// Errors: throws kInternal if an output has no equation.
Program dense(const Program& program);

/// A dense program in the places of another with as many inputs and outputs. Operands are sorted,
/// and what cancels is gone.
Program in_places_of(const Program& places, const Program& tile);

/// A program of so many inputs, and as many outputs, which have no equations yet.
Program dense_without_equations(std::size_t inputs, std::size_t outputs, const Field& field);

/// Puts an equation behind the others. The answer is what it makes.
Element add_equation(Program& tile, std::vector<Operand> operands);

inline std::size_t num_values(const Program& tile) {
  return tile.inputs.size() + tile.equations.size();
}

/// By equation, the output that it makes, or kNoOutput.
inline constexpr std::uint32_t kNoOutput = std::numeric_limits<std::uint32_t>::max();
std::vector<std::uint32_t> outputs_by_equation(const Program& tile);

/// Several times a program side by side, on inputs of their own. Inputs, outputs and equations of a
/// copy follow those of the copy before.
Program unrolled(Program tile, std::size_t copies);

/// An order that equations are computed in: a permutation of them in which each follows those it
/// reads.
using EquationOrder = std::vector<std::uint32_t>;

/// A dense program with its equations in another order.
Program reordered(const Program& tile, const EquationOrder& order);

}  // namespace xorloom
