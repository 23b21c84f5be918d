#include "codes/linear_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "codes/transform_recovery.hpp"

namespace xorloom {
namespace {

using Row = std::vector<Field::Symbol>;

/// A growing basis of redundant cells, each seen as a vector over the lost data cells. Every basis
/// vector remembers which redundant cells it is made of, so that a vector found in the span comes
/// out as a combination of redundant cells.
class Basis {
 public:
  explicit Basis(const Field& field) : field_(field) {}

  /// Takes the vector of a redundant cell in, unless it depends on those before it.
  void insert(Cell redundant_row, Row vector) {
    Row combination(cells_.size() + 1);
    combination.back() = 1;
    reduce(vector, combination);
    const auto pivot = std::ranges::find_if(vector, [](auto symbol) { return symbol != 0; });
    if (pivot == vector.end()) return;
    const Field::Symbol scale = field_.invert(*pivot);
    scale_row(field_, vector, scale);
    scale_row(field_, combination, scale);
    pivots_.push_back(static_cast<std::size_t>(pivot - vector.begin()));
    vectors_.push_back(std::move(vector));
    combinations_.push_back(std::move(combination));
    cells_.push_back(redundant_row);
  }

  /// Subtracts basis vectors from vector until it is 0 at every pivot, and notes in combination
  /// (one symbol per cell of the basis, at least) what was subtracted.
  void reduce(Row& vector, Row& combination) const {
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      const Field::Symbol factor = vector[pivots_[i]];
      if (factor == 0) continue;
      add_scaled(field_, vector, factor, vectors_[i]);
      add_scaled(field_, std::span(combination).first(combinations_[i].size()), factor,
                 combinations_[i]);
    }
  }

  /// Row numbers, among the redundant cells, of the cells taken in.
  const std::vector<Cell>& cells() const { return cells_; }

 private:
  const Field& field_;
  std::vector<Cell> cells_;
  std::vector<std::size_t> pivots_;
  std::vector<Row> vectors_;
  std::vector<Row> combinations_;
};

/// The data columns of the lost locations.
std::vector<std::size_t> unknown_columns(const Code& code, const std::vector<bool>& lost) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < code.data.size(); ++column) {
    if (lost[code.location_of_cell(code.data[column])]) columns.push_back(column);
  }
  return columns;
}

Row restricted(std::span<const Field::Symbol> row, const std::vector<std::size_t>& columns) {
  Row result;
  result.reserve(columns.size());
  for (const std::size_t column : columns) result.push_back(row[column]);
  return result;
}

bool is_zero(const Row& row) {
  return std::ranges::all_of(row, [](auto symbol) { return symbol == 0; });
}

/// What the cells of the wanted locations are over the data: one row a cell.
struct WantedCells {
  std::vector<Cell> cells;
  Matrix rows;
};

WantedCells wanted_cells(const Code& code, const std::vector<bool>& wanted) {
  std::vector<Cell> cells;
  for (std::size_t cell = 0; cell < code.locations * code.subchunks; ++cell) {
    if (wanted[cell / code.subchunks]) cells.push_back(static_cast<Cell>(cell));
  }
  Matrix rows(cells.size(), code.data.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto redundant = std::ranges::lower_bound(code.redundant, cells[i]);
    if (redundant != code.redundant.end() && *redundant == cells[i]) {
      const auto row = static_cast<std::size_t>(redundant - code.redundant.begin());
      std::ranges::copy(code.parity.row(row), rows.row(i).begin());
    } else {
      const auto column = std::ranges::find(code.data, cells[i]) - code.data.begin();
      rows(i, static_cast<std::size_t>(column)) = 1;
    }
  }
  return {std::move(cells), std::move(rows)};
}

/// Those locations that hold redundancy and are not lost, ascending.
std::vector<std::size_t> redundant_survivors(const Code& code, const std::vector<bool>& lost) {
  std::vector<std::size_t> survivors;
  survivors.reserve(code.redundant.size());
  for (const Cell cell : code.redundant) {
    const std::size_t location = code.location_of_cell(cell);
    if (lost[location] || (!survivors.empty() && survivors.back() == location)) continue;
    survivors.push_back(location);
  }
  return survivors;
}

/// Takes the redundant cells of locations into the basis, in their order, until done() holds. Cells
/// with the same location come in together.
template <typename Done>
bool grow(const Code& code, std::span<const std::size_t> locations,
          const std::vector<std::size_t>& unknown, Basis& basis, const Done& done) {
  std::size_t next = 0;
  while (!done()) {
    if (next == locations.size()) return false;
    const std::size_t location = locations[next++];
    const auto first = std::ranges::lower_bound(code.redundant, location * code.subchunks);
    for (auto row = static_cast<std::size_t>(first - code.redundant.begin());
         row < code.redundant.size() && code.location_of_cell(code.redundant[row]) == location;
         ++row) {
      basis.insert(static_cast<Cell>(row), restricted(code.parity.row(row), unknown));
    }
  }
  return true;
}

/// Whether the columns of lost data follow from what is not lost.
bool is_recoverable(const Code& code, const std::vector<bool>& is_lost,
                    const std::vector<std::size_t>& unknown) {
  const auto left = std::ranges::count_if(
      code.redundant, [&](Cell cell) { return !is_lost[code.location_of_cell(cell)]; });
  if (std::cmp_less(left, unknown.size())) return false;
  Basis basis(code.field);
  return grow(code, redundant_survivors(code, is_lost), unknown, basis,
              [&] { return basis.cells().size() == unknown.size(); });
}

}  // namespace

std::string set_text(std::span<const std::size_t> locations) {
  return fmt::format("{{{}}}", fmt::join(locations, ", "));
}

std::vector<bool> location_flags(const Code& code, std::span<const std::size_t> locations,
                                 const char* what) {
  std::vector<bool> flag(code.locations);
  for (const std::size_t location : locations) {
    if (location >= code.locations) {
      fail(Status::kInvalidArgument,
           fmt::format("{} location {} is not one of 0 to {}", what, location, code.locations - 1));
    }
    if (flag[location]) {
      fail(Status::kInvalidArgument, fmt::format("{} location {} is named twice", what, location));
    }
    flag[location] = true;
  }
  return flag;
}

LinearMap without_unused(const LinearMap& map) {
  std::vector<std::size_t> used;
  for (std::size_t c = 0; c < map.coefficients.columns(); ++c) {
    for (std::size_t r = 0; r < map.coefficients.rows(); ++r) {
      if (map.coefficients(r, c) == 0) continue;
      used.push_back(c);
      break;
    }
  }
  std::ranges::sort(used, {}, [&](std::size_t c) { return map.inputs[c]; });
  LinearMap pruned{{}, map.outputs, Matrix(map.coefficients.rows(), used.size())};
  for (std::size_t i = 0; i < used.size(); ++i) {
    pruned.inputs.push_back(map.inputs[used[i]]);
    for (std::size_t r = 0; r < map.coefficients.rows(); ++r) {
      pruned.coefficients(r, i) = map.coefficients(r, used[i]);
    }
  }
  return pruned;
}

LinearMap encoding_map(const Code& code) { return {code.data, code.redundant, code.parity}; }

std::vector<std::size_t> redundant_survivors(const Code& code, std::span<const std::size_t> lost) {
  return redundant_survivors(code, location_flags(code, lost, "lost"));
}

std::optional<LinearMap> recovery_map(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted) {
  return recovery_map(code, lost, wanted, redundant_survivors(code, lost));
}

std::optional<LinearMap> recovery_map(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> redundant) {
  const std::vector<bool> is_lost = location_flags(code, lost, "lost");
  const std::vector<bool> is_wanted = location_flags(code, wanted, "wanted");
  static_cast<void>(location_flags(code, redundant, "redundant"));
  for (const std::size_t location : wanted) {
    if (!is_lost[location]) {
      fail(Status::kInvalidArgument,
           fmt::format("wanted location {} is not one of the lost locations {}", location,
                       set_text(lost)));
    }
  }
  for (const std::size_t location : redundant) {
    if (is_lost[location]) {
      fail(Status::kInvalidArgument,
           fmt::format("redundant location {} is one of the lost locations {}", location,
                       set_text(lost)));
    }
  }

  const bool has_points = code.transform_points != 0 && code.subchunks == 1;
  if (has_points && !wanted.empty()) {
    return transform_recovery(code, is_lost, is_wanted, redundant);
  }
  const std::vector<std::size_t> unknown = unknown_columns(code, is_lost);
  WantedCells outputs = wanted_cells(code, is_wanted);
  const Matrix& rows = outputs.rows;
  Basis basis(code.field);
  const auto determined = [&] {
    for (std::size_t i = 0; i < outputs.cells.size(); ++i) {
      Row vector = restricted(rows.row(i), unknown);
      Row combination(basis.cells().size());
      basis.reduce(vector, combination);
      if (!is_zero(vector)) return false;
    }
    return true;
  };
  if (!grow(code, redundant, unknown, basis, determined)) return std::nullopt;

  std::vector<Cell> inputs = code.data;
  for (const Cell row : basis.cells()) inputs.push_back(code.redundant[row]);
  Matrix coefficients(outputs.cells.size(), inputs.size());
  for (std::size_t i = 0; i < outputs.cells.size(); ++i) {
    Row vector = restricted(rows.row(i), unknown);
    Row combination(basis.cells().size());
    basis.reduce(vector, combination);
    const std::span<Field::Symbol> known = coefficients.row(i).first(code.data.size());
    std::ranges::copy(rows.row(i), known.begin());
    for (std::size_t s = 0; s < combination.size(); ++s) {
      add_scaled(code.field, known, combination[s], code.parity.row(basis.cells()[s]));
      coefficients(i, code.data.size() + s) = combination[s];
    }
  }
  return without_unused({inputs, std::move(outputs.cells), coefficients});
}

std::vector<std::vector<std::size_t>> columns_by_location(const Code& code) {
  std::vector<std::vector<std::size_t>> columns(code.locations);
  for (std::size_t column = 0; column < code.data.size(); ++column) {
    columns[code.location_of_cell(code.data[column])].push_back(column);
  }
  return columns;
}

bool is_recoverable(const Code& code, std::span<const std::size_t> lost) {
  std::vector<bool> is_lost(code.locations);
  for (const std::size_t location : lost) is_lost[location] = true;
  return is_recoverable(code, is_lost, unknown_columns(code, is_lost));
}

bool is_recoverable(const Code& code, std::span<const std::size_t> lost,
                    const std::vector<std::vector<std::size_t>>& columns) {
  std::vector<bool> is_lost(code.locations);
  std::vector<std::size_t> unknown;
  for (const std::size_t location : lost) {
    if (is_lost[location]) continue;
    is_lost[location] = true;
    unknown.insert(unknown.end(), columns[location].begin(), columns[location].end());
  }
  std::ranges::sort(unknown);
  return is_recoverable(code, is_lost, unknown);
}

}  // namespace xorloom
