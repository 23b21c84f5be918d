#include "codes/field/subspace.hpp"

#include <algorithm>
#include <utility>

#include "codes/field/matrix.hpp"

namespace xorloom {

std::vector<Field::Symbol> Subspace::reduced(std::span<const Field::Symbol> vector) const {
  std::vector<Field::Symbol> left(vector.begin(), vector.end());
  for (const Row& row : rows_) {
    if (left[row.pivot] != 0) add_scaled(field_, left, left[row.pivot], row.symbols);
  }
  return left;
}

bool Subspace::add(std::span<const Field::Symbol> vector) {
  std::vector<Field::Symbol> left = reduced(vector);
  const auto first = std::ranges::find_if(left, [](Field::Symbol symbol) { return symbol != 0; });
  if (first == left.end()) return false;
  const auto pivot = static_cast<std::size_t>(first - left.begin());
  scale_row(field_, left, field_.invert(*first));
  rows_.push_back({pivot, std::move(left)});
  return true;
}

bool Subspace::contains(std::span<const Field::Symbol> vector) const {
  return std::ranges::all_of(reduced(vector), [](Field::Symbol symbol) { return symbol == 0; });
}

bool Subspace::contains(const Subspace& other) const {
  return std::ranges::all_of(other.rows_, [&](const Row& row) { return contains(row.symbols); });
}

}  // namespace xorloom
