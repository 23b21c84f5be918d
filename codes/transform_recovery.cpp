#include "codes/transform_recovery.hpp"

#include <algorithm>
#include <bit>

namespace xorloom {
namespace {

using Symbol = Field::Symbol;

/// A cell and its point: the cell is the value of the polynomial there.
struct PointCell {
  Symbol point;
  Cell cell;
};

/// By symbol below `points`: its inverse; 0 for 0.
std::vector<Symbol> inverses(const Field& field, std::size_t points) {
  std::vector<Symbol> result(points);
  for (std::size_t i = 1; i < points; ++i) result[i] = field.invert(static_cast<Symbol>(i));
  return result;
}

LinearMap encoding_part(const Code& code, const std::vector<PointCell>& wanted) {
  LinearMap map{code.data, {}, Matrix(wanted.size(), code.data.size())};
  for (std::size_t o = 0; o < wanted.size(); ++o) {
    map.outputs.push_back(wanted[o].cell);
    std::ranges::copy(code.parity.row(wanted[o].point), map.coefficients.row(o).begin());
  }
  return without_unused(std::move(map));
}

}  // namespace

Symbol product_of_differences(const Field& field, std::span<const Symbol> roots, Symbol point) {
  Symbol result = 1;
  for (const Symbol root : roots) {
    if (root != point) result = field.multiply(result, root ^ point);
  }
  return result;
}

std::optional<LinearMap> transform_recovery(const Code& code, const std::vector<bool>& is_lost,
                                            const std::vector<bool>& is_wanted,
                                            std::span<const std::size_t> redundant) {
  const auto first_data_point = static_cast<Symbol>(code.transform_points);
  std::vector<PointCell> read;
  std::vector<PointCell> wanted;
  std::vector<Symbol> roots;  // points that are not read
  for (std::size_t j = 0; j < code.data.size(); ++j) {
    const PointCell place{first_data_point + static_cast<Symbol>(j), code.data[j]};
    is_lost[place.cell] ? roots.push_back(place.point) : read.push_back(place);
    if (is_wanted[place.cell]) wanted.push_back(place);
  }
  std::vector<bool> is_read(code.transform_points);
  std::size_t missing = roots.size();
  for (const std::size_t location : redundant) {
    if (missing == 0) break;
    const auto place = std::ranges::lower_bound(code.redundant, location);
    if (place == code.redundant.end() || *place != location) continue;
    is_read[static_cast<std::size_t>(place - code.redundant.begin())] = true;
    --missing;
  }
  if (missing != 0) return std::nullopt;
  const bool is_encoding = roots.empty();
  for (std::size_t i = 0; i < code.transform_points; ++i) {
    const auto point = static_cast<Symbol>(i);
    is_read[i] ? read.push_back({point, code.redundant[i]}) : roots.push_back(point);
    if (i < code.redundant.size() && is_wanted[code.redundant[i]]) {
      wanted.push_back({point, code.redundant[i]});
    }
  }
  std::ranges::sort(read, {}, &PointCell::cell);
  std::ranges::sort(wanted, {}, &PointCell::cell);
  if (is_encoding) return encoding_part(code, wanted);

  const Field& field = code.field;
  const std::vector<Symbol> inverse =
      inverses(field, std::bit_ceil(code.transform_points + code.data.size()));
  std::vector<Symbol> known;
  LinearMap map{{}, {}, Matrix(wanted.size(), read.size())};
  for (const PointCell& place : read) {
    map.inputs.push_back(place.cell);
    known.push_back(product_of_differences(field, roots, place.point));
  }
  for (std::size_t o = 0; o < wanted.size(); ++o) {
    const Symbol point = wanted[o].point;
    map.outputs.push_back(wanted[o].cell);
    const Symbol scale = field.invert(product_of_differences(field, roots, point));
    for (std::size_t i = 0; i < read.size(); ++i) {
      map.coefficients(o, i) =
          field.multiply(field.multiply(scale, known[i]), inverse[point ^ read[i].point]);
    }
  }
  return map;
}

}  // namespace xorloom
