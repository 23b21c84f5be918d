#include "codes/field/subspace.hpp"

#include <algorithm>
#include <span>

#include "codes/field/matrix.hpp"

namespace xorloom {

Subspace::Vector Subspace::reduced(Vector vector) const {
  for (const Row& row : rows_) {
    if (vector[row.pivot] == 0) continue;
    const std::size_t both = std::min(vector.size(), row.symbols.size());
    add_scaled(field_, std::span(vector).first(both), vector[row.pivot], row.symbols);
  }
  return vector;
}

bool Subspace::add(Vector vector) {
  vector = reduced(std::move(vector));
  std::size_t pivot = 0;
  while (pivot < symbols_ && vector[pivot] == 0) ++pivot;
  if (pivot == symbols_) return false;
  scale_row(field_, vector, field_.invert(vector[pivot]));
  rows_.push_back({pivot, std::move(vector)});
  return true;
}

bool Subspace::contains(Vector vector) const {
  vector = reduced(std::move(vector));
  return std::ranges::all_of(std::span(vector).first(symbols_),
                             [](Field::Symbol symbol) { return symbol == 0; });
}

bool Subspace::contains(const Subspace& other) const {
  return std::ranges::all_of(other.rows_, [&](const Row& row) { return contains(row.symbols); });
}

}  // namespace xorloom
