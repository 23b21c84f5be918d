#pragma once

#include <span>
#include <string_view>

#include "codes/text/error.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {

/// A rewriting of programs: the result has the same inputs and outputs, and computes the same map.
struct Pass {
  std::string_view name;
  Program (*run)(const Program&);
  std::string_view why;  ///< reason for its place in the order
};

/// Forms of a direct program that are tried before common pairs are shared. A form is taken if it
/// saves a tenth of the XORs of the best form before.
std::span<const Pass> forms();

/// Passes on an XOR program after its sums are shared, in order.
std::span<const Pass> finishing_passes();

/// Passes on a program over a larger field, in order, sharing included.
std::span<const Pass> symbol_passes();

/// Runs a pass and proves its result.
///
/// Shape:  matrix is evaluate_symbolically(program), or over a larger field
///         coefficients_of(program).
/// Errors: throws kInternal if the result is no valid program, or does not compute the matrix.
template <typename AnyMatrix>
Program proved_pass(const Pass& pass, const Program& program, const AnyMatrix& matrix) {
  Program result = pass.run(program);
  try {
    check_program(result);
    prove(result, matrix);
  } catch (const Error& error) {
    fail(Status::kInternal, "the pass {} is wrong: {}", pass.name, error.what());
  }
  return result;
}

}  // namespace xorloom
