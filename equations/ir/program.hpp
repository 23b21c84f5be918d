#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/field.hpp"

namespace xorloom {

/// A term of a sum: coefficient times element. In an XOR program, and wherever only dependencies
/// matter, an operand stands for its element: every coefficient is 1.
struct Operand {
  Element element;
  Field::Symbol coefficient;

  constexpr Operand(Element e, Field::Symbol c = 1) : element(e), coefficient(c) {}
  constexpr operator Element() const { return element; }

  friend constexpr auto operator<=>(const Operand&, const Operand&) = default;
  friend constexpr bool operator==(const Operand&, const Operand&) = default;
  friend constexpr bool operator==(const Operand& a, Element b) { return a == Operand(b); }
};

/// target = sum of the operands. One operand of coefficient 1 makes a copy, no operands make zero.
struct Equation {
  Element target;
  std::vector<Operand> operands;

  friend bool operator==(const Equation&, const Equation&) = default;
};

/// An input or output of an update that is not a cell of the array, but describes a change of one.
///
///   kDifference   an input: old value of a data cell XOR its new value
///   kOld          an input: value of a cell before the change
///   kUpdated      an output: value of a cell after the change
struct VirtualElement {
  enum class Kind : std::uint8_t { kDifference, kOld, kUpdated };
  Kind kind;
  Element element;  ///< the cell that it describes

  friend auto operator<=>(const VirtualElement&, const VirtualElement&) = default;
};

/// Kind of elements of a code's equations: bits, combined by XOR, or symbols, with coefficients of
/// the code's field.
enum class Over : std::uint8_t { kBits, kSymbols };

/// A straight-line linear program over GF(2^w). Over GF(2) it is an XOR program, whose elements are
/// bits: location·R + row. Over a larger field its elements are symbols: the cells of a code, with
/// sub-chunks as rows.
///
///   0 … | locations·rows …  | locations·rows + virtuals.size() …
///   cells of the HoVer array | virtual elements | temporaries
///
/// Invariants, checked by check_program: operands are sorted by distinct elements, each is an input
/// or the target of an earlier equation; coefficients are symbols of the field other than 0; a
/// target is assigned once and is no input; every output is assigned; inputs and outputs are
/// distinct cells or virtual elements; no two virtual elements are equal, and each is an input or
/// an output as its kind says.
struct Program {
  std::size_t locations = 0;
  std::size_t rows = 0;
  std::vector<Element> inputs;   ///< in the order of the matrix's columns
  std::vector<Element> outputs;  ///< in the order of the matrix's rows
  std::vector<Equation> equations;
  std::vector<VirtualElement> virtuals{};  ///< element num_cells() + i is virtuals[i]
  Field field = gf2();                     ///< field of the coefficients

  bool is_xor() const { return field.w() == 1; }
  Element num_cells() const { return static_cast<Element>(locations * rows); }
  Element first_temporary() const { return num_cells() + static_cast<Element>(virtuals.size()); }

  /// The virtual element of number `element`; null if `element` is not virtual.
  const VirtualElement* virtual_element(Element element) const {
    const bool is_virtual = element >= num_cells() && element < first_temporary();
    return is_virtual ? &virtuals[element - num_cells()] : nullptr;
  }

  /// 1 + the largest element in use, at least first_temporary().
  Element end_of_elements() const;

  friend bool operator==(const Program&, const Program&) = default;
};

/// A copy of a program without its equations.
Program without_equations(const Program& program);

/// A program without equations for a bare matrix: inputs are elements 0 … columns - 1, outputs
/// columns … columns + rows - 1.
Program layout_of_matrix(std::size_t rows, std::size_t columns);

/// Throws kUnsupported unless `program` is an XOR program. `what`: name of what needs one, for the
/// message.
void require_xors(const Program& program, const char* what);

/// Checks the invariants. Errors: throws kParse, naming the equation.
void check_program(const Program& program);

/// Sorts the equations topologically: each comes after those it reads. Otherwise keeps their order.
/// Also sorts operands.
///
/// Errors: throws kParse if two equations assign one target or the equations form a cycle.
void sort_equations(Program& program);

/// By element below end_of_elements(): index of the equation that assigns it, or kNone.
inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);
std::vector<std::size_t> equation_of_element(const Program& program);

/// By element below end_of_elements(): index of the last equation that reads it, or kNone.
std::vector<std::size_t> last_reader_of_element(const Program& program);

/// By element below end_of_elements(): indices of the equations that read it, ascending.
std::vector<std::vector<std::size_t>> readers_of_elements(const Program& program);

/// Name of an element: "17" for a cell; d6, old15, new15 for virtual elements; A … Z, then T26, T27
/// … for temporaries.
std::string element_name(const Program& program, Element element);

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
