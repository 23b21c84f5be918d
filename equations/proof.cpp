#include "equations/proof.hpp"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "codes/error.hpp"

namespace xorloom {
namespace {

/// Every element as a set of columns; rows of inputs are given, those of targets computed.
void run_symbolically(const Program& program, BitMatrix& values) {
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) {
      values.add_row(equation.target, values.row(operand));
    }
  }
}

std::string disagreement(const Program& program, Element output, Element first_difference,
                         const char* kind) {
  return fmt::format("output {} is wrong: it and the code differ by {} {}",
                     element_name(program, output), kind, first_difference);
}

/// The first column in which two rows differ, or none.
std::optional<std::size_t> first_difference(std::span<const std::uint64_t> a,
                                            std::span<const std::uint64_t> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    return i * 64 + static_cast<std::size_t>(std::countr_zero(a[i] ^ b[i]));
  }
  return std::nullopt;
}

}  // namespace

BitMatrix evaluate_symbolically(const Program& program) {
  BitMatrix values(program.end_of_elements(), program.inputs.size());
  for (std::size_t i = 0; i < program.inputs.size(); ++i) values.flip(program.inputs[i], i);
  run_symbolically(program, values);
  BitMatrix result(program.outputs.size(), program.inputs.size());
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    result.add_row(i, values.row(program.outputs[i]));
  }
  return result;
}

std::optional<std::string> find_disagreement(const Program& program, const BitMatrix& matrix) {
  if (matrix.rows() != program.outputs.size() || matrix.columns() != program.inputs.size()) {
    return fmt::format(
        "the program has {} outputs and {} inputs, the matrix {} rows and {} columns",
        program.outputs.size(), program.inputs.size(), matrix.rows(), matrix.columns());
  }
  const BitMatrix values = evaluate_symbolically(program);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    if (const auto column = first_difference(values.row(i), matrix.row(i))) {
      return disagreement(program, program.outputs[i], program.inputs[*column], "input");
    }
  }
  return std::nullopt;
}

std::optional<std::string> find_disagreement(const Program& program, const Code& code) {
  if (program.locations != code.locations || program.rows != code.rows()) {
    return fmt::format("the program is for {} locations of {} rows, the code has {} of {}",
                       program.locations, program.rows, code.locations, code.rows());
  }
  const std::vector<Element> data = elements_of(code, code.data);
  const std::vector<Element> redundant = elements_of(code, code.redundant);
  const BitMatrix parity = bitmatrix(code);
  BitMatrix truth(code.num_elements(), data.size());
  for (std::size_t i = 0; i < data.size(); ++i) truth.flip(data[i], i);
  for (std::size_t i = 0; i < redundant.size(); ++i) truth.add_row(redundant[i], parity.row(i));

  BitMatrix values(program.end_of_elements(), data.size());
  for (const Element input : program.inputs) values.add_row(input, truth.row(input));
  run_symbolically(program, values);
  for (const Element output : program.outputs) {
    if (const auto column = first_difference(values.row(output), truth.row(output))) {
      return disagreement(program, output, data[*column], "data element");
    }
  }
  return std::nullopt;
}

void prove(const Program& program, const Code& code) {
  if (const auto sentence = find_disagreement(program, code)) {
    fail(Status::kInternal,
         fmt::format("the equations of {} do not hold: {}", code.spec, *sentence));
  }
}

}  // namespace xorloom
