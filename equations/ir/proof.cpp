#include "equations/ir/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// The values that a proof needs a row for, however many inputs there are: first those that
/// equations compute, by equation, then the inputs that equations read.
class RowsOfValues {
 public:
  static constexpr std::uint32_t kNoRow = static_cast<std::uint32_t>(-1);

  explicit RowsOfValues(const Program& program)
      : row_of_(program.end_of_elements(), kNoRow), num_computed_(program.equations.size()) {
    std::vector<bool> is_read(row_of_.size());
    for (std::size_t i = 0; i < num_computed_; ++i) {
      row_of_[program.equations[i].target] = static_cast<std::uint32_t>(i);
      for (const Element operand : program.equations[i].operands) is_read[operand] = true;
    }
    for (std::size_t c = 0; c < program.inputs.size(); ++c) {
      const Element input = program.inputs[c];
      if (!is_read[input]) continue;
      row_of_[input] = static_cast<std::uint32_t>(size());
      columns_.push_back(c);
    }
  }

  /// The row of an element, or kNoRow if no equation computes it or reads it as an input.
  std::uint32_t of(Element element) const { return row_of_[element]; }
  std::size_t size() const { return num_computed_ + columns_.size(); }
  std::size_t num_computed() const { return num_computed_; }
  /// The columns of the inputs that are read, by row - num_computed().
  const std::vector<std::size_t>& columns() const { return columns_; }

 private:
  std::vector<std::uint32_t> row_of_;  ///< by element
  std::size_t num_computed_;
  std::vector<std::size_t> columns_;
};

/// Computes the row of each equation. The rows of its operands are added; of those that are inputs,
/// add_input(equation, operand) adds what they stand for.
template <typename AddInput>
void evaluate_rows(const Program& program, const RowsOfValues& rows, BitMatrix& values,
                   const AddInput& add_input) {
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    for (const Element operand : program.equations[i].operands) {
      const std::size_t row = rows.of(operand);
      if (row < rows.num_computed()) {
        values.add_row(i, values.row(row));
      } else if (row != RowsOfValues::kNoRow) {
        add_input(i, operand);
      }
    }
  }
}

/// From the inputs on: each value as a set of columns, in slabs of columns.
void evaluate_forwards(const Program& program, const RowsOfValues& rows, BitMatrix& result) {
  const std::size_t slab_columns = columns_of_slab(rows.num_computed());
  for (std::size_t first = 0; first < program.inputs.size(); first += slab_columns) {
    const std::size_t columns = std::min(slab_columns, program.inputs.size() - first);
    BitMatrix values(rows.num_computed(), columns);
    evaluate_rows(program, rows, values, [&](std::size_t equation, Element input) {
      const std::size_t column = rows.columns()[rows.of(input) - rows.num_computed()];
      if (column >= first && column - first < columns) values.flip(equation, column - first);
    });
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
      const std::size_t row = rows.of(program.outputs[i]);
      if (row >= rows.num_computed()) continue;
      std::ranges::copy(values.row(row), result.row(i).subspan(first / 64).begin());
    }
  }
}

/// From the outputs back: by row, which of some outputs, from `first` on, the value is a part of.
BitMatrix outputs_with(const Program& program, const RowsOfValues& rows, std::size_t first,
                       std::size_t outputs) {
  BitMatrix with(rows.size(), outputs);
  for (std::size_t i = 0; i < outputs; ++i) {
    const std::size_t row = rows.of(program.outputs[first + i]);
    if (row != RowsOfValues::kNoRow) with.flip(row, i);
  }
  for (std::size_t i = program.equations.size(); i-- > 0;) {
    for (const Element operand : program.equations[i].operands) {
      const std::size_t row = rows.of(operand);
      if (row != RowsOfValues::kNoRow) with.add_row(row, with.row(i));
    }
  }
  return with;
}

/// In slabs of outputs: each value as the set of outputs that it is a part of.
void evaluate_backwards(const Program& program, const RowsOfValues& rows, BitMatrix& result) {
  const std::size_t slab_outputs = columns_of_slab(rows.size());
  for (std::size_t first = 0; first < program.outputs.size(); first += slab_outputs) {
    const std::size_t outputs = std::min(slab_outputs, program.outputs.size() - first);
    const BitMatrix with = outputs_with(program, rows, first, outputs);
    for (std::size_t i = 0; i < rows.columns().size(); ++i) {
      for (const std::size_t output : with.ones(rows.num_computed() + i)) {
        result.flip(first + output, rows.columns()[i]);
      }
    }
  }
}

std::string disagreement(const Program& program, Element output, const char* kind,
                         const std::string& first_difference) {
  return fmt::format("output {} is wrong: it and the code differ by {} {}",
                     element_name(program, output), kind, first_difference);
}

/// Columns of data that are compared at a time from the outputs back.
constexpr std::size_t kSlabColumns = 4096;

/// What is unknown: the data before an update, or the differences it brings. A program is linear:
/// it holds if it does over the one with the other zero, and the other way round.
enum class Unknowns { kData, kDifferences };

/// The cell of a stripe of nothing but the unknowns that holds what an element holds; none where
/// that is zero.
std::optional<Element> cell_of(const Program& program, Element element, Unknowns unknowns) {
  using Kind = VirtualElement::Kind;
  const bool differences = unknowns == Unknowns::kDifferences;
  const VirtualElement* const about = program.virtual_element(element);
  if (about == nullptr) return differences ? std::nullopt : std::optional(element);
  if (about->kind == Kind::kUpdated || differences == (about->kind == Kind::kDifference)) {
    return about->element;
  }
  return std::nullopt;
}

/// Which bits of which data cells are unknown; a difference that is not given is zero.
struct UnknownData {
  std::vector<std::size_t> columns;  // of the generator matrix
  std::vector<bool> elements;        // for each cell of the array

  UnknownData(const Program& program, const Code& code, Unknowns unknowns)
      : elements(program.num_cells(), unknowns == Unknowns::kData) {
    if (unknowns == Unknowns::kDifferences) {
      for (const auto& [kind, element] : program.virtuals) {
        if (kind == VirtualElement::Kind::kDifference) elements[element] = true;
      }
    }
    const std::size_t w = code.field.w();
    for (std::size_t c = 0; c < code.data.size(); ++c) {
      const auto first = elements.begin() + static_cast<std::ptrdiff_t>(code.data[c] * w);
      const auto last = first + static_cast<std::ptrdiff_t>(w);
      if (std::find(first, last, true) != last) columns.push_back(c);
    }
  }
};

/// What the cells of a code hold, over the bits of some of its data cells.
struct Slab {
  std::span<const std::size_t> columns;  // of the generator matrix
  std::vector<std::size_t> data_column;  // of each cell, among those of the slab, or kNone
  std::vector<std::size_t> parity_row;   // of each cell, or kNone
  std::size_t w;
  BitMatrix parity;

  Slab(const Code& code, std::span<const std::size_t> data_columns)
      : columns(data_columns),
        data_column(code.locations * code.subchunks, kNone),
        parity_row(data_column),
        w(code.field.w()) {
    Matrix part(code.redundant.size(), columns.size());
    for (std::size_t r = 0; r < part.rows(); ++r) {
      parity_row[code.redundant[r]] = r;
      for (std::size_t c = 0; c < columns.size(); ++c) part(r, c) = code.parity(r, columns[c]);
    }
    for (std::size_t c = 0; c < columns.size(); ++c) data_column[code.data[columns[c]]] = c;
    parity = expand(code.field, part);
  }

  /// Adds what an element of the array holds to a row of values.
  void add(BitMatrix& values, std::size_t row, Element element) const {
    const std::size_t cell = element / w;
    const std::size_t bit = element % w;
    if (parity_row[cell] != kNone) {
      values.add_row(row, parity.row(parity_row[cell] * w + bit));
    } else if (data_column[cell] != kNone) {
      values.flip(row, data_column[cell] * w + bit);
    }
  }

  /// Calls use(column) for each column of what an element of the array holds.
  template <typename Use>
  void for_each_column(Element element, const Use& use) const {
    const std::size_t cell = element / w;
    const std::size_t bit = element % w;
    if (parity_row[cell] != kNone) {
      for (const std::size_t column : parity.ones(parity_row[cell] * w + bit)) use(column);
    } else if (data_column[cell] != kNone) {
      use(data_column[cell] * w + bit);
    }
  }

  /// The data element that a column of values stands for.
  Element element(const Code& code, std::size_t column) const {
    return static_cast<Element>(code.data[columns[column / w]] * w + column % w);
  }
};

const char* name_of(Unknowns unknowns) {
  return unknowns == Unknowns::kData ? "data element" : "the difference of";
}

/// Compares a program with its code over some unknowns, from its inputs on, in slabs of data cells,
/// so that memory stays bounded and near whatever the code.
std::optional<std::string> forwards_disagreement(Unknowns unknowns, const Program& program,
                                                 const Code& code, const UnknownData& data,
                                                 const RowsOfValues& rows) {
  const std::size_t spare = rows.num_computed();  // a row for an output that has no equation
  const std::size_t num_rows = spare + 1;
  const std::size_t slab_cells =
      std::max<std::size_t>(1, columns_of_slab(num_rows) / code.field.w());
  for (std::size_t first = 0; first < data.columns.size(); first += slab_cells) {
    const std::size_t count = std::min(slab_cells, data.columns.size() - first);
    const Slab slab(code, std::span(data.columns).subspan(first, count));
    BitMatrix values(num_rows, slab.parity.columns());
    const auto add = [&](std::size_t row, Element element) {
      if (const auto cell = cell_of(program, element, unknowns)) slab.add(values, row, *cell);
    };
    evaluate_rows(program, rows, values, add);
    for (const Element output : program.outputs) {
      const std::size_t row = std::min<std::size_t>(rows.of(output), spare);
      if (row == spare) std::ranges::fill(values.row(spare), 0);
      add(row, output);  // adding what it should be leaves nothing
      for (const std::size_t column : values.ones(row)) {
        const Element wrong = slab.element(code, column);
        if (!data.elements[wrong]) continue;
        return disagreement(program, output, name_of(unknowns), fmt::format("{}", wrong));
      }
    }
  }
  return std::nullopt;
}

/// The same from the outputs back, in slabs of outputs and of data cells: for each data element the
/// outputs that have it, once too often or not at all.
std::optional<std::string> backwards_disagreement(Unknowns unknowns, const Program& program,
                                                  const Code& code, const UnknownData& data,
                                                  const RowsOfValues& rows) {
  const std::size_t slab_outputs = columns_of_slab(rows.size());
  for (std::size_t first = 0; first < program.outputs.size(); first += slab_outputs) {
    const std::size_t outputs = std::min(slab_outputs, program.outputs.size() - first);
    const BitMatrix with = outputs_with(program, rows, first, outputs);
    const std::size_t slab_cells = std::max<std::size_t>(1, kSlabColumns / code.field.w());
    for (std::size_t cell = 0; cell < data.columns.size(); cell += slab_cells) {
      const std::size_t count = std::min(slab_cells, data.columns.size() - cell);
      const Slab slab(code, std::span(data.columns).subspan(cell, count));
      BitMatrix wrong(slab.parity.columns(), outputs);
      for (std::size_t i = 0; i < rows.columns().size(); ++i) {
        const auto input = cell_of(program, program.inputs[rows.columns()[i]], unknowns);
        if (!input) continue;
        slab.for_each_column(*input, [&](std::size_t column) {
          wrong.add_row(column, with.row(rows.num_computed() + i));
        });
      }
      for (std::size_t i = 0; i < outputs; ++i) {
        const auto output = cell_of(program, program.outputs[first + i], unknowns);
        if (!output) continue;
        slab.for_each_column(*output, [&](std::size_t column) { wrong.flip(column, i); });
      }
      std::optional<std::pair<std::size_t, Element>> found;  // the first output
      for (std::size_t column = 0; column < wrong.rows(); ++column) {
        const Element element = slab.element(code, column);
        if (!data.elements[element]) continue;
        const std::vector<std::size_t> differing = wrong.ones(column);
        if (differing.empty() || (found && found->first <= differing.front())) continue;
        found.emplace(differing.front(), element);
      }
      if (!found) continue;
      return disagreement(program, program.outputs[first + found->first], name_of(unknowns),
                          fmt::format("{}", found->second));
    }
  }
  return std::nullopt;
}

/// Compares a program with its code over some unknowns, from the side that is smaller.
std::optional<std::string> disagreement_over(Unknowns unknowns, const Program& program,
                                             const Code& code) {
  const UnknownData data(program, code, unknowns);
  const RowsOfValues rows(program);
  return program.outputs.size() < data.columns.size() * code.field.w()
             ? backwards_disagreement(unknowns, program, code, data, rows)
             : forwards_disagreement(unknowns, program, code, data, rows);
}

/// Compares a program over symbols with its code over some unknowns: each output's own cell and the
/// inputs that make it up have to add up to zero.
std::optional<std::string> symbols_disagree(Unknowns unknowns, const Program& program,
                                            const Code& code, const Matrix& coefficients) {
  const CellContents contents(code);
  std::vector<bool> is_unknown(code.data.size(), unknowns == Unknowns::kData);
  for (const auto& [kind, cell] : program.virtuals) {
    if (kind == VirtualElement::Kind::kDifference) is_unknown[contents.data_column(cell)] = true;
  }
  std::vector<Field::Symbol> sum(code.data.size());
  const auto add = [&](Element element, Field::Symbol coefficient) {
    const auto cell = cell_of(program, element, unknowns);
    if (cell) contents.add(sum, *cell, coefficient);
  };
  for (std::size_t o = 0; o < program.outputs.size(); ++o) {
    std::ranges::fill(sum, 0);
    add(program.outputs[o], 1);
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      add(program.inputs[i], coefficients(o, i));
    }
    for (std::size_t c = 0; c < sum.size(); ++c) {
      if (sum[c] == 0 || !is_unknown[c]) continue;
      return disagreement(program, program.outputs[o],
                          unknowns == Unknowns::kData ? "data cell" : "the difference of",
                          fmt::format("{}", code.data[c]));
    }
  }
  return std::nullopt;
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

std::string wrong_shape(const Program& program, std::size_t rows, std::size_t columns) {
  return fmt::format("the program has {} outputs and {} inputs, the matrix {} rows and {} columns",
                     program.outputs.size(), program.inputs.size(), rows, columns);
}

}  // namespace

BitMatrix evaluate_symbolically(const Program& program) {
  require_xors(program, "a bitmatrix");
  BitMatrix result(program.outputs.size(), program.inputs.size());
  const RowsOfValues rows(program);
  if (program.outputs.size() < program.inputs.size()) {
    evaluate_backwards(program, rows, result);
  } else {
    evaluate_forwards(program, rows, result);
  }
  return result;
}

std::optional<std::string> find_disagreement(const Program& program, const BitMatrix& matrix) {
  if (matrix.rows() != program.outputs.size() || matrix.columns() != program.inputs.size()) {
    return wrong_shape(program, matrix.rows(), matrix.columns());
  }
  const BitMatrix values = evaluate_symbolically(program);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    if (const auto column = first_difference(values.row(i), matrix.row(i))) {
      return disagreement(program, program.outputs[i], "input",
                          element_name(program, program.inputs[*column]));
    }
  }
  return std::nullopt;
}

Matrix coefficients_of(const Program& program) {
  // A row of each value; an input has a column in place of one.
  std::vector<std::size_t> column(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) column[program.inputs[i]] = i;
  std::vector<std::vector<Field::Symbol>> rows(column.size());
  const auto add = [&](std::span<Field::Symbol> to, const Operand& operand) {
    if (column[operand] != kNone) {
      to[column[operand]] ^= operand.coefficient;
    } else {
      add_scaled(program.field, to, operand.coefficient, rows[operand]);
    }
  };
  for (const Equation& equation : program.equations) {
    std::vector<Field::Symbol> row(program.inputs.size());
    for (const Operand& operand : equation.operands) add(row, operand);
    rows[equation.target] = std::move(row);
  }
  Matrix result(program.outputs.size(), program.inputs.size());
  for (std::size_t o = 0; o < program.outputs.size(); ++o) add(result.row(o), program.outputs[o]);
  return result;
}

std::optional<std::string> find_disagreement(const Program& program, const Matrix& matrix) {
  if (matrix.rows() != program.outputs.size() || matrix.columns() != program.inputs.size()) {
    return wrong_shape(program, matrix.rows(), matrix.columns());
  }
  const Matrix coefficients = coefficients_of(program);
  for (std::size_t o = 0; o < matrix.rows(); ++o) {
    const auto [ours, theirs] = std::ranges::mismatch(coefficients.row(o), matrix.row(o));
    if (ours == coefficients.row(o).end()) continue;
    const auto input = static_cast<std::size_t>(ours - coefficients.row(o).begin());
    return disagreement(program, program.outputs[o], "input",
                        element_name(program, program.inputs[input]));
  }
  return std::nullopt;
}

std::optional<std::string> find_disagreement(const Program& program, const Program& same) {
  if (program.field != same.field) {
    return fmt::format("the program is over {}, the other over {}", field_text(program.field),
                       field_text(same.field));
  }
  return program.is_xor() ? find_disagreement(program, evaluate_symbolically(same))
                          : find_disagreement(program, coefficients_of(same));
}

std::optional<std::string> find_disagreement(const Program& program, const Code& code) {
  const bool has_symbols = !program.is_xor();
  if (has_symbols && program.field != code.field) {
    return fmt::format("the program is over {}, the code over {}", field_text(program.field),
                       field_text(code.field));
  }
  const std::size_t rows = has_symbols ? code.subchunks : code.rows();
  if (program.locations != code.locations || program.rows != rows) {
    return fmt::format("the program is for {} locations of {} rows, the code has {} of {}",
                       program.locations, program.rows, code.locations, rows);
  }
  for (const auto& [kind, element] : program.virtuals) {
    const auto cell = static_cast<Cell>(has_symbols ? element : element / code.field.w());
    if (kind == VirtualElement::Kind::kDifference && code.role(cell) != Role::kData) {
      return fmt::format("the difference of {} is not one of data: that element is redundant",
                         element);
    }
  }
  const Matrix coefficients = has_symbols ? coefficients_of(program) : Matrix();
  const auto compare = [&](Unknowns unknowns) {
    return has_symbols ? symbols_disagree(unknowns, program, code, coefficients)
                       : disagreement_over(unknowns, program, code);
  };
  if (auto sentence = compare(Unknowns::kData)) return sentence;
  if (program.virtuals.empty()) return std::nullopt;
  return compare(Unknowns::kDifferences);
}

void prove(const Program& program, const BitMatrix& matrix) {
  if (const auto sentence = find_disagreement(program, matrix)) {
    fail(Status::kInternal, fmt::format("the equations do not hold: {}", *sentence));
  }
}

void prove(const Program& program, const Matrix& matrix) {
  if (const auto sentence = find_disagreement(program, matrix)) {
    fail(Status::kInternal, fmt::format("the equations do not hold: {}", *sentence));
  }
}

void prove(const Program& program, const Program& same) {
  if (const auto sentence = find_disagreement(program, same)) {
    fail(Status::kInternal, fmt::format("the equations do not hold: {}", *sentence));
  }
}

void prove(const Program& program, const Code& code) {
  if (const auto sentence = find_disagreement(program, code)) {
    fail(Status::kInternal,
         fmt::format("the equations of {} do not hold: {}", code.name(), *sentence));
  }
}

}  // namespace xorloom
