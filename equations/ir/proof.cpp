#include "equations/ir/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/element_numbers.hpp"

namespace xorloom {
namespace {

constexpr auto kNoRow = static_cast<std::uint32_t>(-1);

/// Numbers the values that an evaluation needs a row for: the targets of equations, in their order,
/// then the inputs that equations read. Unread inputs get no row, since there may be many.
struct RowsOfValues {
  ElementNumbers of;  ///< by element: its row, or kNoRow
  std::size_t count = 0;

  explicit RowsOfValues(const Program& program)
      : of(program.end_of_elements(), kNoRow), count(program.equations.size()) {
    std::vector<bool> is_read(program.end_of_elements());
    for (std::size_t i = 0; i < count; ++i) {
      of.set(program.equations[i].target, static_cast<std::uint32_t>(i));
      for (const Element operand : program.equations[i].operands) is_read[operand] = true;
    }
    for (const Element input : program.inputs) {
      if (is_read[input]) of.set(input, static_cast<std::uint32_t>(count++));
    }
  }
};

/// Computes the matrix of a program. With `from_inputs`, forwards: each value is a set of inputs.
/// Else backwards: each value is the set of outputs that it is part of. Inputs, or outputs, are
/// taken in slabs.
void evaluate(const Program& program, bool from_inputs, BitMatrix& result) {
  const RowsOfValues rows(program);
  const std::vector<Element>& near = from_inputs ? program.inputs : program.outputs;
  const std::vector<Element>& far = from_inputs ? program.outputs : program.inputs;
  const std::size_t slab = columns_of_slab(rows.count);
  for (std::size_t first = 0; first < near.size(); first += slab) {
    const std::size_t columns = std::min(slab, near.size() - first);
    BitMatrix sets(rows.count, columns);
    for (std::size_t c = 0; c < columns; ++c) {
      const std::uint32_t row = rows.of[near[first + c]];
      if (row != kNoRow) sets.flip(row, c);
    }
    for (std::size_t done = 0; done < program.equations.size(); ++done) {
      const std::size_t i = from_inputs ? done : program.equations.size() - 1 - done;
      for (const Element operand : program.equations[i].operands) {
        const std::uint32_t row = rows.of[operand];
        if (row == kNoRow) continue;
        from_inputs ? sets.add_row(i, sets.row(row)) : sets.add_row(row, sets.row(i));
      }
    }
    for (std::size_t f = 0; f < far.size(); ++f) {
      if (rows.of[far[f]] == kNoRow) continue;
      for (const std::size_t column : sets.ones(rows.of[far[f]])) {
        from_inputs ? result.flip(f, first + column) : result.flip(first + column, f);
      }
    }
  }
}

/// Most elements that a message names.
constexpr std::size_t kMostNamed = 8;

/// "… differ by data elements 3, 7 and 12".
///
/// Shape: names is not empty. Only the first kMostNamed are listed.
std::string disagreement(const Program& program, Element output, const char* one,
                         const char* several, const std::vector<std::string>& names) {
  std::string list = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (i == kMostNamed) {
      list += " and others";
      break;
    }
    list += (i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return fmt::format("output {} is wrong: it and the code differ by {} {}",
                     element_name(program, output), names.size() == 1 ? one : several, list);
}

/// Columns of data that are compared at a time.
constexpr std::size_t kSlabColumns = 4096;

/// The unknowns of a proof: the data before an update, or its differences. The other ones are zero.
/// A program is linear, so it is right if it is right for each of the two.
enum class Unknowns { kData, kDifferences };

/// The array element whose contents equal those of program element `element` in a stripe of
/// `unknowns` alone; nullopt if they are zero.
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

/// By element of the array: true if it is an unknown. A difference that is not given is zero.
std::vector<bool> unknown_elements(const Program& program, Unknowns unknowns) {
  std::vector<bool> is_unknown(program.num_cells(), unknowns == Unknowns::kData);
  for (const auto& [kind, element] : program.virtuals) {
    if (kind == VirtualElement::Kind::kDifference) is_unknown[element] = true;
  }
  return is_unknown;
}

/// A sum of elements of a code, as a set of bits of some of its data cells.
class SumOfBits {
 public:
  /// Shape: data_columns are columns of the generator matrix.
  SumOfBits(const Code& code, std::span<const std::size_t> data_columns)
      : code_(code),
        columns_(data_columns),
        data_column_(code.num_cells(), kNone),
        parity_row_(code.num_cells(), kNone) {
    Matrix part(code.redundant.size(), columns_.size());
    for (std::size_t r = 0; r < part.rows(); ++r) {
      parity_row_[code.redundant[r]] = r;
      for (std::size_t c = 0; c < columns_.size(); ++c) part(r, c) = code.parity(r, columns_[c]);
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) data_column_[code.data[columns_[c]]] = c;
    parity_ = expand(code.field, part);
    sum_ = BitMatrix(1, parity_.columns());
  }

  void clear() { std::ranges::fill(sum_.row(0), 0); }

  void add(Element element, Field::Symbol) {
    const std::size_t w = code_.field.w();
    const std::size_t cell = element / w;
    if (parity_row_[cell] != kNone) {
      sum_.add_row(0, parity_.row(parity_row_[cell] * w + element % w));
    } else if (data_column_[cell] != kNone) {
      sum_.flip(0, data_column_[cell] * w + element % w);
    }
  }

  /// The unknown data elements in the sum.
  std::vector<Element> unknowns(const std::vector<bool>& is_unknown) const {
    const std::size_t w = code_.field.w();
    std::vector<Element> found;
    for (const std::size_t column : sum_.ones(0)) {
      const auto element = static_cast<Element>(code_.data[columns_[column / w]] * w + column % w);
      if (is_unknown[element]) found.push_back(element);
    }
    return found;
  }

 private:
  const Code& code_;
  std::span<const std::size_t> columns_;
  std::vector<std::size_t> data_column_;  ///< by cell: index into `columns_`, or kNone
  std::vector<std::size_t> parity_row_;   ///< by cell: index into code.redundant, or kNone
  BitMatrix parity_;
  BitMatrix sum_;  ///< the sum, in one row
};

/// A sum of cells of a code, as a linear combination of its data symbols.
class SumOfSymbols {
 public:
  explicit SumOfSymbols(const Code& code)
      : data_(code.data), contents_(code), sum_(code.data.size()) {}

  void clear() { std::ranges::fill(sum_, 0); }

  void add(Cell cell, Field::Symbol coefficient) { contents_.add(sum_, cell, coefficient); }

  std::vector<Element> unknowns(const std::vector<bool>& is_unknown) const {
    std::vector<Element> found;
    for (std::size_t c = 0; c < sum_.size(); ++c) {
      if (sum_[c] != 0 && is_unknown[data_[c]]) found.push_back(data_[c]);
    }
    return found;
  }

 private:
  const std::vector<Cell>& data_;
  CellContents contents_;
  std::vector<Field::Symbol> sum_;
};

/// An output that differs from the code, and the unknowns by which it differs.
struct WrongOutput {
  std::size_t index;  ///< among the outputs of the program
  std::vector<Element> differences;
};

std::string sentence_of(const Program& program, Unknowns unknowns, const WrongOutput& wrong) {
  std::vector<std::string> names;
  for (const Element element : wrong.differences) names.push_back(fmt::format("{}", element));
  const auto [one, several] = unknowns == Unknowns::kDifferences
                                  ? std::pair{"the difference of", "the differences of"}
                              : program.is_xor() ? std::pair{"data element", "data elements"}
                                                 : std::pair{"data cell", "data cells"};
  return disagreement(program, program.outputs[wrong.index], one, several, names);
}

/// Compares outputs first … last - 1 with the code for `unknowns`: the contents of an output and of
/// the inputs that make it up have to add up to zero. Returns the first wrong output.
///
/// Shape: truth is the matrix that the program computes.
template <typename AnyMatrix, typename Sum>
std::optional<WrongOutput> wrong_output(const Program& program, const AnyMatrix& truth,
                                        Unknowns unknowns, const std::vector<bool>& is_unknown,
                                        Sum sum, std::size_t first, std::size_t last) {
  const auto add = [&](Element element, Field::Symbol coefficient) {
    if (const auto cell = cell_of(program, element, unknowns)) sum.add(*cell, coefficient);
  };
  for (std::size_t o = first; o < last; ++o) {
    sum.clear();
    add(program.outputs[o], 1);
    for_each_nonzero(truth, o, [&](std::size_t input, Field::Symbol coefficient) {
      add(program.inputs[input], coefficient);
    });
    std::vector<Element> differences = sum.unknowns(is_unknown);
    if (!differences.empty()) return WrongOutput{o, std::move(differences)};
  }
  return std::nullopt;
}

std::optional<std::string> disagreement_over(Unknowns unknowns, const Program& program,
                                             const Code& code, const Matrix& truth) {
  const auto wrong = wrong_output(program, truth, unknowns, unknown_elements(program, unknowns),
                                  SumOfSymbols(code), 0, program.outputs.size());
  return wrong ? std::optional(sentence_of(program, unknowns, *wrong)) : std::nullopt;
}

/// Works in slabs of data cells, so that its memory is bounded and fits the caches for any code.
std::optional<std::string> disagreement_over(Unknowns unknowns, const Program& program,
                                             const Code& code, const BitMatrix& truth) {
  const std::vector<bool> is_unknown = unknown_elements(program, unknowns);
  const std::size_t w = code.field.w();
  std::vector<std::size_t> columns;  // columns of the generator matrix with an unknown bit
  for (std::size_t c = 0; c < code.data.size(); ++c) {
    const auto first = is_unknown.begin() + static_cast<std::ptrdiff_t>(code.data[c] * w);
    const auto last = first + static_cast<std::ptrdiff_t>(w);
    if (std::find(first, last, true) != last) columns.push_back(c);
  }
  const std::size_t slab_cells = std::max<std::size_t>(1, kSlabColumns / w);
  std::optional<WrongOutput> wrong;  // in later slabs this output alone is compared
  for (std::size_t first = 0; first < columns.size(); first += slab_cells) {
    const std::size_t count = std::min(slab_cells, columns.size() - first);
    const auto slab = std::span(columns).subspan(first, count);
    const auto found =
        wrong_output(program, truth, unknowns, is_unknown, SumOfBits(code, slab),
                     wrong ? wrong->index : 0, wrong ? wrong->index + 1 : program.outputs.size());
    if (!found) continue;
    if (!wrong) wrong.emplace(WrongOutput{found->index, {}});
    std::vector<Element>& differences = wrong->differences;
    differences.insert(differences.end(), found->differences.begin(), found->differences.end());
    if (differences.size() > kMostNamed) break;
  }
  return wrong ? std::optional(sentence_of(program, unknowns, *wrong)) : std::nullopt;
}

template <typename AnyMatrix>
std::optional<std::string> code_disagreement(const Program& program, const Code& code,
                                             const AnyMatrix& truth) {
  if (auto found = disagreement_over(Unknowns::kData, program, code, truth)) return found;
  if (program.virtuals.empty()) return std::nullopt;
  return disagreement_over(Unknowns::kDifferences, program, code, truth);
}

/// Compares `computed`, the matrix of the program, with `matrix`, row by row.
template <typename AnyMatrix>
std::optional<std::string> matrix_disagreement(const Program& program, const AnyMatrix& computed,
                                               const AnyMatrix& matrix) {
  if (matrix.rows() != computed.rows() || matrix.columns() != computed.columns()) {
    return fmt::format("the program has {} and {}, the matrix {} and {}",
                       counted(computed.rows(), "output"), counted(computed.columns(), "input"),
                       counted(matrix.rows(), "row"), counted(matrix.columns(), "column"));
  }
  for (std::size_t o = 0; o < matrix.rows(); ++o) {
    if (std::ranges::equal(computed.row(o), matrix.row(o))) continue;
    std::vector<std::string> names;
    for (std::size_t input = 0; input < program.inputs.size(); ++input) {
      if (computed(o, input) == matrix(o, input)) continue;
      names.push_back(element_name(program, program.inputs[input]));
    }
    return disagreement(program, program.outputs[o], "input", "inputs", names);
  }
  return std::nullopt;
}

}  // namespace

BitMatrix evaluate_symbolically(const Program& program) {
  require_xors(program, "a bitmatrix");
  BitMatrix result(program.outputs.size(), program.inputs.size());
  evaluate(program, program.outputs.size() >= program.inputs.size(), result);
  return result;
}

Matrix coefficients_of(const Program& program) {
  // Each computed value has a row; an input has a column instead.
  std::vector<std::size_t> column(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) column[program.inputs[i]] = i;
  std::vector<std::size_t> row(column.size(), kNone);
  Matrix rows(program.equations.size(), program.inputs.size());
  const auto add = [&](std::span<Field::Symbol> to, const Operand& operand) {
    if (column[operand] != kNone) {
      to[column[operand]] ^= operand.coefficient;
    } else if (row[operand] != kNone) {
      add_scaled(program.field, to, operand.coefficient, std::as_const(rows).row(row[operand]));
    }
  };
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    for (const Operand& operand : program.equations[i].operands) add(rows.row(i), operand);
    row[program.equations[i].target] = i;
  }
  Matrix result(program.outputs.size(), program.inputs.size());
  for (std::size_t o = 0; o < program.outputs.size(); ++o) add(result.row(o), program.outputs[o]);
  return result;
}

std::optional<std::string> find_disagreement(const Program& program, const BitMatrix& matrix) {
  return matrix_disagreement(program, evaluate_symbolically(program), matrix);
}

std::optional<std::string> find_disagreement(const Program& program, const Matrix& matrix) {
  return matrix_disagreement(program, coefficients_of(program), matrix);
}

std::optional<std::string> find_disagreement(const Program& program, const Program& same) {
  if (program.field != same.field) {
    return fmt::format("the program is over {}, the other over {}", field_text(program.field),
                       field_text(same.field));
  }
  return with_matrix_of(same, [&](const auto& truth) { return find_disagreement(program, truth); });
}

std::optional<std::string> find_disagreement(const Program& program, const Code& code) {
  const bool has_symbols = !program.is_xor();
  if (has_symbols && program.field != code.field) {
    return fmt::format("the program is over {}, the code over {}", field_text(program.field),
                       field_text(code.field));
  }
  const std::size_t rows = has_symbols ? code.subchunks : code.rows();
  if (program.locations != code.locations || program.rows != rows) {
    return fmt::format("the program is for {} of {}, the code has {} of {}",
                       counted(program.locations, "location"), counted(program.rows, "row"),
                       code.locations, rows);
  }
  for (const auto& [kind, element] : program.virtuals) {
    const auto cell = static_cast<Cell>(has_symbols ? element : element / code.field.w());
    if (kind == VirtualElement::Kind::kDifference && code.role(cell) != Role::kData) {
      return fmt::format("the difference of {} is not one of data: that element is redundant",
                         element);
    }
  }
  return with_matrix_of(program,
                        [&](const auto& truth) { return code_disagreement(program, code, truth); });
}

void require_agreement(const std::optional<std::string>& disagreement, const std::string& what) {
  if (disagreement) {
    fail(Status::kInternal, "{} do not hold: {}", what, *disagreement);
  }
}

namespace {

[[noreturn]] void refuse_tile(const char* what, std::size_t number) {
  fail(Status::kInternal, "a tile was not proved: {} {}", what, number);
}

/// Throws kInternal unless values are numbered as in a dense program and an equation makes each
/// output.
void check_numbers(const Program& tile) {
  for (Element i = 0; i < tile.inputs.size(); ++i) {
    if (tile.inputs[i] != i) refuse_tile("another element is input", i);
  }
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    const Equation& equation = tile.equations[e];
    if (equation.target != tile.inputs.size() + e) {
      refuse_tile("another element is made by equation", e);
    }
    for (const Operand& operand : equation.operands) {
      if (operand.element >= equation.target)
        refuse_tile("what is not known is read by equation", e);
    }
  }
  for (std::size_t o = 0; o < tile.outputs.size(); ++o) {
    const bool is_made = tile.outputs[o] >= tile.inputs.size() &&
                         tile.outputs[o] < tile.inputs.size() + tile.equations.size();
    if (!is_made) refuse_tile("no equation makes output", o);
  }
}

/// Throws kInternal unless `tile` is block diagonal: `copies` blocks, each equal to `copy`.
template <typename AnyMatrix>
void compare_copies(const AnyMatrix& tile, const AnyMatrix& copy, std::size_t copies) {
  for (std::size_t o = 0; o < copies * copy.rows(); ++o) {
    for (std::size_t i = 0; i < copies * copy.columns(); ++i) {
      const bool is_own = o / copy.rows() == i / copy.columns();
      const Field::Symbol wanted = is_own ? copy(o % copy.rows(), i % copy.columns()) : 0;
      if (tile(o, i) != wanted) refuse_tile("another sum is computed as output", o);
    }
  }
}

}  // namespace

void prove_tile(const Program& tile, const Program& program, std::size_t copies) {
  if (tile.field != program.field) {
    refuse_tile("it is over another field than one of bits a symbol:", program.field.w());
  }
  if (tile.inputs.size() != copies * program.inputs.size() ||
      tile.outputs.size() != copies * program.outputs.size()) {
    refuse_tile("it has other inputs and outputs in its copies, of which there are", copies);
  }
  check_numbers(tile);
  if (program.is_xor()) {
    compare_copies(evaluate_symbolically(tile), evaluate_symbolically(program), copies);
  } else {
    compare_copies(coefficients_of(tile), coefficients_of(program), copies);
  }
}

}  // namespace xorloom
