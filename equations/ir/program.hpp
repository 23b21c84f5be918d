#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/field.hpp"

namespace xorloom {

/// A term of a sum: coefficient times element. In an XOR program every coefficient is 1, and an
/// operand is its element. So it is wherever only dependencies matter.
struct Operand {
  Element element;
  Field::Symbol coefficient;

  constexpr Operand(Element e, Field::Symbol c = 1) : element(e), coefficient(c) {}
  constexpr operator Element() const { return element; }

  friend constexpr auto operator<=>(const Operand&, const Operand&) = default;
  friend constexpr bool operator==(const Operand&, const Operand&) = default;
  friend constexpr bool operator==(const Operand& a, Element b) { return a == Operand(b); }
};

/// target = sum of the operands; one operand of coefficient 1 is a copy, none is zero.
struct Equation {
  Element target;
  std::vector<Operand> operands;

  friend bool operator==(const Equation&, const Equation&) = default;
};

/// An input or output of an update that is no cell of the array, but says something about one.
///
///   kDifference   an input: what changes in a data cell, its old value XOR its new one
///   kOld          an input: what a cell holds before the change
///   kUpdated      an output: what it holds after the change
struct VirtualElement {
  enum class Kind : std::uint8_t { kDifference, kOld, kUpdated };
  Kind kind;
  Element element;  ///< the cell it is about

  friend auto operator<=>(const VirtualElement&, const VirtualElement&) = default;
};

/// What the elements of a code's equations are: bits, which XORs combine, or its symbols, with
/// coefficients of its field.
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
/// distinct cells or virtual elements; of these no two are the same, and each is an input or an
/// output as its kind has it.
struct Program {
  std::size_t locations = 0;
  std::size_t rows = 0;
  std::vector<Element> inputs;   ///< in the order of the matrix's columns
  std::vector<Element> outputs;  ///< in the order of the matrix's rows
  std::vector<Equation> equations;
  std::vector<VirtualElement> virtuals{};  ///< element num_cells() + i is virtuals[i]
  Field field = gf2();                     ///< what the coefficients are of

  bool is_xor() const { return field.w() == 1; }
  Element num_cells() const { return static_cast<Element>(locations * rows); }
  Element first_temporary() const { return num_cells() + static_cast<Element>(virtuals.size()); }

  /// What a virtual element is, or null for any other.
  const VirtualElement* virtual_element(Element element) const {
    const bool is_virtual = element >= num_cells() && element < first_temporary();
    return is_virtual ? &virtuals[element - num_cells()] : nullptr;
  }

  /// One past the largest element in use, at least first_temporary().
  Element end_of_elements() const;

  friend bool operator==(const Program&, const Program&) = default;
};

/// All of a program but its equations.
Program without_equations(const Program& program);

/// The inputs and outputs of a matrix: elements 0 to columns - 1, and the next ones.
Program layout_of_matrix(std::size_t rows, std::size_t columns);

/// Throws kUnsupported unless a program is an XOR program: `what` names what needs one.
void require_xors(const Program& program, const char* what);

/// Checks the invariants. Errors: throws kParse, naming the equation.
void check_program(const Program& program);

/// Brings equations of any acyclic order into one where each comes after those it reads, otherwise
/// keeping their order, and sorts operands.
///
/// Errors: throws kParse if two equations assign one target or the equations form a cycle.
void sort_equations(Program& program);

/// For each element up to end_of_elements(), the index of the equation that assigns it, or kNone.
inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);
std::vector<std::size_t> equation_of_element(const Program& program);

/// For each element up to end_of_elements(), the index of the last equation that reads it, or
/// kNone.
std::vector<std::size_t> last_reader_of_element(const Program& program);

/// For each element up to end_of_elements(), the equations that read it, ascending.
std::vector<std::vector<std::size_t>> readers_of_elements(const Program& program);

/// "17" for a cell; d6, old15, new15 for what an update has beside them; A … Z, then T26, T27 … for
/// temporaries.
std::string element_name(const Program& program, Element element);

}  // namespace xorloom
