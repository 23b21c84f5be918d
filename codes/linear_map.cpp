#include "codes/linear_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "codes/field/subspace.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"
#include "codes/transform_recovery.hpp"

namespace xorloom {
namespace {

using Row = Subspace::Vector;

/// The columns of the generator matrix of lost data cells.
std::vector<std::size_t> unknown_columns(const Code& code, const std::vector<bool>& lost) {
  std::vector<std::size_t> columns;
  columns.reserve(code.data.size());
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

/// The surviving locations that hold redundancy, ascending.
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

/// Calls take(row) for the rows of `parity` of the redundant cells of each location, in order,
/// until done() is true after a location. False if the cells of all locations do not suffice.
template <typename Take, typename Done>
bool take_until(const Code& code, std::span<const std::size_t> locations, const Take& take,
                const Done& done) {
  std::size_t next = 0;
  while (!done()) {
    if (next == locations.size()) return false;
    const std::size_t location = locations[next++];
    const auto first = std::ranges::lower_bound(code.redundant, location * code.subchunks);
    for (auto row = static_cast<std::size_t>(first - code.redundant.begin());
         row < code.redundant.size() && code.location_of_cell(code.redundant[row]) == location;
         ++row) {
      take(row);
    }
  }
  return true;
}

/// True if the lost data, of the columns `unknown`, follow from the surviving cells.
bool is_recoverable(const Code& code, const std::vector<bool>& is_lost,
                    const std::vector<std::size_t>& unknown) {
  const auto left = std::ranges::count_if(
      code.redundant, [&](Cell cell) { return !is_lost[code.location_of_cell(cell)]; });
  if (std::cmp_less(left, unknown.size())) return false;
  Subspace known(code.field, unknown.size());
  return take_until(
      code, redundant_survivors(code, is_lost),
      [&](std::size_t row) { known.add(restricted(code.parity.row(row), unknown)); },
      [&] { return known.dimension() == unknown.size(); });
}

}  // namespace

std::string set_text(std::span<const std::size_t> locations) {
  return fmt::format("{{{}}}", fmt::join(locations, ", "));
}

std::string cannot_rebuild_text(const Code& code, std::span<const std::size_t> lost) {
  return fmt::format("the loss of {} cannot be rebuilt: {} has {} and promises to survive any {}",
                     set_text(lost), code.name(), counted(code.locations, "location"),
                     losses_text(code.promised_losses));
}

std::vector<bool> location_flags(const Code& code, std::span<const std::size_t> locations,
                                 const char* what) {
  std::vector<bool> flag(code.locations);
  for (const std::size_t location : locations) {
    if (location >= code.locations) {
      fail(Status::kInvalidArgument, "{} location {} is not one of 0 to {}", what, location,
           code.locations - 1);
    }
    if (flag[location]) {
      fail(Status::kInvalidArgument, "{} location {} is named twice", what, location);
    }
    flag[location] = true;
  }
  return flag;
}

std::vector<bool> wanted_flags(const Code& code, std::span<const std::size_t> wanted,
                               std::span<const std::size_t> lost,
                               const std::vector<bool>& is_lost) {
  std::vector<bool> is_wanted = location_flags(code, wanted, "wanted");
  for (const std::size_t location : wanted) {
    if (is_lost[location]) continue;
    fail(Status::kInvalidArgument, "wanted location {} is not one of the lost locations {}",
         location, set_text(lost));
  }
  return is_wanted;
}

LinearMap without_unused(LinearMap map) {
  std::vector<std::size_t> used(map.inputs.size());
  std::size_t count = 0;
  for (std::size_t c = 0; c < used.size(); ++c) {
    std::size_t r = 0;
    while (r < map.outputs.size() && map.coefficients(r, c) == 0) ++r;
    if (r < map.outputs.size()) used[count++] = c;
  }
  used.resize(count);
  const auto input_of = [&](std::size_t c) { return map.inputs[c]; };
  if (!std::ranges::is_sorted(used, {}, input_of)) std::ranges::sort(used, {}, input_of);
  LinearMap pruned{{}, std::move(map.outputs), Matrix(map.coefficients.rows(), used.size())};
  pruned.inputs.resize(used.size());
  std::ranges::transform(used, pruned.inputs.begin(), input_of);
  for (std::size_t r = 0; r < map.coefficients.rows(); ++r) {
    const std::span<const Field::Symbol> row = map.coefficients.row(r);
    std::ranges::transform(used, pruned.coefficients.row(r).begin(),
                           [row](std::size_t c) { return row[c]; });
  }
  return pruned;
}

LinearMap encoding_map(const Code& code) { return {code.data, code.redundant, code.parity}; }

std::vector<std::size_t> redundant_survivors(const Code& code, std::span<const std::size_t> lost) {
  return redundant_survivors(code, location_flags(code, lost, "lost"));
}

namespace {

/// Rows of redundant cells at the columns of lost data, in reduced echelon form. Beside each stand
/// the multiples of the taken rows that it is the sum of:
///
///     lost data | taken rows
///
/// A lost cell that the taken rows determine has a row of its own, so its factors take no products.
class TakenRows {
 public:
  TakenRows(const Code& code, const std::vector<std::size_t>& unknown)
      : code_(code), unknown_(unknown), rows_(unknown.size() + 1, 2 * unknown.size()) {
    taken_.reserve(unknown.size());
  }

  struct Taken {
    std::size_t row;    ///< of `parity`
    std::size_t pivot;  ///< the first column of its reduced row that is not 0
  };

  std::span<const Taken> taken() const { return taken_; }

  /// Takes a row of `parity`, unless the taken rows determine it.
  void take(std::size_t parity_row) {
    if (taken_.size() == unknown_.size()) return;
    const std::span<Field::Symbol> row = set_last(code_.parity.row(parity_row));
    row[unknown_.size() + taken_.size()] = 1;
    reduce(row);
    const auto pivot = static_cast<std::size_t>(
        std::ranges::find_if(row, [](auto symbol) { return symbol != 0; }) - row.begin());
    if (pivot >= unknown_.size()) return;
    taken_.push_back({parity_row, pivot});
    const std::size_t used = unknown_.size() + taken_.size();
    scale_row(code_.field, row.first(used), code_.field.invert(row[pivot]));
    for (std::size_t i = 0; i + 1 < taken_.size(); ++i) {
      const std::span<Field::Symbol> before = rows_.row(i).first(used);
      add_scaled(code_.field, before, before[pivot], row.first(used));
    }
  }

  /// Multiples of the taken rows that are `sum`, a combination of data cells, at the columns of
  /// lost data; nullopt if there are none. They are valid until the next call.
  std::optional<std::span<const Field::Symbol>> factors(std::span<const Field::Symbol> sum) {
    const std::span<Field::Symbol> row = set_last(sum);
    reduce(row);
    const auto is_zero = [](auto symbol) { return symbol == 0; };
    if (!std::ranges::all_of(row.first(unknown_.size()), is_zero)) return std::nullopt;
    return row.subspan(unknown_.size(), taken_.size());
  }

 private:
  /// Sets the row after the taken ones.
  std::span<Field::Symbol> set_last(std::span<const Field::Symbol> symbols) {
    const std::span<Field::Symbol> row = rows_.row(taken_.size());
    for (std::size_t i = 0; i < unknown_.size(); ++i) row[i] = symbols[unknown_[i]];
    std::ranges::fill(row.subspan(unknown_.size()), Field::Symbol{0});
    return row;
  }

  void reduce(std::span<Field::Symbol> row) const {
    const std::size_t used = unknown_.size() + taken_.size();
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      add_scaled(code_.field, row.first(used), row[taken_[i].pivot], rows_.row(i).first(used));
    }
  }

  const Code& code_;
  const std::vector<std::size_t>& unknown_;
  Matrix rows_;
  std::vector<Taken> taken_;
};

/// The map to `wanted`, which must be lost, from the surviving data and `redundant`. `is_lost`
/// flags `lost`.
std::optional<LinearMap> map_from(const Code& code, std::span<const std::size_t> lost,
                                  const std::vector<bool>& is_lost,
                                  std::span<const std::size_t> wanted,
                                  std::span<const std::size_t> redundant) {
  const std::vector<bool> is_wanted = wanted_flags(code, wanted, lost, is_lost);
  const bool has_points = code.transform_points != 0 && code.subchunks == 1;
  if (has_points && !wanted.empty()) {
    return transform_recovery(code, is_lost, is_wanted, redundant);
  }
  const std::vector<std::size_t> unknown = unknown_columns(code, is_lost);
  LinearMap map;
  map.outputs.reserve(wanted.size() * code.subchunks);
  for (Cell cell = 0; cell < code.num_cells(); ++cell) {
    if (is_wanted[code.location_of_cell(cell)]) map.outputs.push_back(cell);
  }
  // Columns: data, then taken rows. First each row is what its cell holds.
  const std::size_t data = code.data.size();
  map.coefficients = Matrix(map.outputs.size(), data + unknown.size());
  const auto data_of = [&](std::size_t i) { return map.coefficients.row(i).first(data); };
  for (std::size_t i = 0; i < map.outputs.size(); ++i) {
    const Cell output = map.outputs[i];
    const auto redundancy = std::ranges::lower_bound(code.redundant, output);
    if (redundancy != code.redundant.end() && *redundancy == output) {
      const auto row = static_cast<std::size_t>(redundancy - code.redundant.begin());
      std::ranges::copy(code.parity.row(row), data_of(i).begin());
    } else {
      const auto cell_of = [&](std::size_t column) { return code.data[column]; };
      data_of(i)[*std::ranges::find(unknown, output, cell_of)] = 1;
    }
  }
  TakenRows rows(code, unknown);
  std::size_t first = 0;  // outputs before this one are determined
  const auto determined = [&] {
    while (first < map.outputs.size() && rows.factors(data_of(first))) ++first;
    return first == map.outputs.size();
  };
  if (!take_until(
          code, redundant, [&](std::size_t row) { rows.take(row); }, determined)) {
    return std::nullopt;
  }
  const std::span<const TakenRows::Taken> taken = rows.taken();
  for (std::size_t i = 0; i < map.outputs.size(); ++i) {
    const std::span<const Field::Symbol> factors = *rows.factors(data_of(i));
    for (std::size_t s = 0; s < taken.size(); ++s) {
      add_scaled(code.field, data_of(i), factors[s], code.parity.row(taken[s].row));
      map.coefficients(i, data + s) = factors[s];
    }
  }
  map.inputs.reserve(data + unknown.size());
  map.inputs = code.data;
  for (const TakenRows::Taken& of : taken) map.inputs.push_back(code.redundant[of.row]);
  map.inputs.resize(data + unknown.size());  // columns of no row are zero, and left out
  return without_unused(std::move(map));
}

}  // namespace

std::optional<LinearMap> recovery_map(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted) {
  const std::vector<bool> is_lost = location_flags(code, lost, "lost");
  return map_from(code, lost, is_lost, wanted, redundant_survivors(code, is_lost));
}

std::optional<LinearMap> recovery_map(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> redundant) {
  const std::vector<bool> is_lost = location_flags(code, lost, "lost");
  static_cast<void>(location_flags(code, redundant, "redundant"));
  for (const std::size_t location : redundant) {
    if (is_lost[location]) {
      fail(Status::kInvalidArgument, "redundant location {} is one of the lost locations {}",
           location, set_text(lost));
    }
  }
  return map_from(code, lost, is_lost, wanted, redundant);
}

std::vector<std::size_t> locations_of(const Code& code, const std::vector<Cell>& cells) {
  std::vector<std::size_t> locations;
  locations.reserve(cells.size());
  for (const Cell cell : cells) {
    locations.push_back(code.subchunks == 1 ? cell : code.location_of_cell(cell));
  }
  const auto are_out_of_order = std::ranges::greater_equal{};
  if (std::ranges::adjacent_find(locations, are_out_of_order) == locations.end()) return locations;
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  return locations;
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
