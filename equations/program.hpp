#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// target = XOR of the operands; one operand is a copy, none is zero.
struct Equation {
  Element target;
  std::vector<Element> operands;

  friend bool operator==(const Equation&, const Equation&) = default;
};

/// A straight-line XOR program.
///
/// Elements below locations·rows are cells of the HoVer array; from there on they are temporaries.
/// Invariants, checked by check_program: operands are sorted and distinct, each is an input or the
/// target of an earlier equation; a target is assigned once and is no input; every output is
/// assigned; inputs and outputs are distinct cells.
struct Program {
  std::size_t locations = 0;
  std::size_t rows = 0;
  std::vector<Element> inputs;   ///< in the order of the matrix's columns
  std::vector<Element> outputs;  ///< in the order of the matrix's rows
  std::vector<Equation> equations;

  Element first_temporary() const { return static_cast<Element>(locations * rows); }

  /// One past the largest element in use, at least first_temporary().
  Element end_of_elements() const;

  friend bool operator==(const Program&, const Program&) = default;
};

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

/// "17" for a cell; A … Z, then T26, T27 … for temporaries.
std::string element_name(const Program& program, Element element);

}  // namespace xorloom
