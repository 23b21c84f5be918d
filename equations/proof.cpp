#include "equations/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// What the cells of a code hold, over the bits of some of its data cells.
struct Slab {
  std::vector<std::size_t> data_column;  // of each cell, among those of the slab, or kNone
  std::vector<std::size_t> parity_row;   // of each cell, or kNone
  std::size_t w;
  BitMatrix parity;

  Slab(const Code& code, std::size_t first, std::size_t count)
      : data_column(code.locations * code.subchunks, kNone),
        parity_row(data_column),
        w(code.field.w()) {
    Matrix part(code.redundant.size(), count);
    for (std::size_t r = 0; r < part.rows(); ++r) {
      parity_row[code.redundant[r]] = r;
      std::ranges::copy(code.parity.row(r).subspan(first, count), part.row(r).begin());
    }
    for (std::size_t c = 0; c < count; ++c) data_column[code.data[first + c]] = c;
    parity = expand(code.field, part);
  }

  /// Adds what an element holds to its row of values.
  void add(BitMatrix& values, Element element) const {
    const std::size_t cell = element / w;
    const std::size_t bit = element % w;
    if (parity_row[cell] != kNone) {
      values.add_row(element, parity.row(parity_row[cell] * w + bit));
    } else if (data_column[cell] != kNone) {
      values.flip(element, data_column[cell] * w + bit);
    }
  }
};

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
  BitMatrix result(program.outputs.size(), program.inputs.size());
  const std::size_t end = program.end_of_elements();
  const std::size_t slab_columns = columns_of_slab(end);
  for (std::size_t first = 0; first < program.inputs.size(); first += slab_columns) {
    const std::size_t columns = std::min(slab_columns, program.inputs.size() - first);
    BitMatrix values(end, columns);
    for (std::size_t i = 0; i < columns; ++i) values.flip(program.inputs[first + i], i);
    run_symbolically(program, values);
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
      std::ranges::copy(values.row(program.outputs[i]), result.row(i).subspan(first / 64).begin());
    }
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
  // In slabs of data cells, so that memory stays bounded and near whatever the code.
  const std::size_t w = code.field.w();
  const std::size_t end = std::max<std::size_t>(program.end_of_elements(), 1);
  const std::size_t slab_cells = std::max<std::size_t>(1, columns_of_slab(end) / w);
  for (std::size_t first = 0; first < code.data.size(); first += slab_cells) {
    const Slab slab(code, first, std::min(slab_cells, code.data.size() - first));
    BitMatrix values(end, slab.parity.columns());
    for (const Element input : program.inputs) slab.add(values, input);
    run_symbolically(program, values);
    for (const Element output : program.outputs) {
      slab.add(values, output);  // adding what it should be leaves nothing
      const std::vector<std::size_t> wrong = values.ones(output);
      if (wrong.empty()) continue;
      const Cell cell = code.data[first + wrong.front() / w];
      return disagreement(program, output, static_cast<Element>(cell * w + wrong.front() % w),
                          "data element");
    }
  }
  return std::nullopt;
}

void prove(const Program& program, const Code& code) {
  if (const auto sentence = find_disagreement(program, code)) {
    fail(Status::kInternal,
         fmt::format("the equations of {} do not hold: {}", code.name(), *sentence));
  }
}

}  // namespace xorloom
