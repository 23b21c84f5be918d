#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "codes/field/field.hpp"

namespace xorloom {

/// The span of some vectors over a field, kept in echelon form.
///
/// A vector may have further symbols after those of the space, which are added and scaled with it
/// but do not count. If each added vector has a further symbol of its own, which is 1, then
/// reduced() leaves there the multiples of the added vectors.
class Subspace {
 public:
  using Vector = std::vector<Field::Symbol>;

  /// Creates the zero subspace of vectors of `symbols` symbols.
  Subspace(Field field, std::size_t symbols) : field_(std::move(field)), symbols_(symbols) {}

  std::size_t dimension() const { return rows_.size(); }
  std::size_t symbols() const { return symbols_; }

  /// Adds a vector to the span. False if the span contained it.
  ///
  /// Cost: O(dimension · symbols) multiplications, also for contains() and reduced().
  bool add(Vector vector);

  bool contains(Vector vector) const;
  bool contains(const Subspace& other) const;

  /// The canonical representative of the coset of `vector`.
  Vector reduced(Vector vector) const;

 private:
  struct Row {
    std::size_t pivot;  ///< index of the first nonzero symbol, which is 1; 0 in later rows
    Vector symbols;
  };

  Field field_;
  std::size_t symbols_;
  std::vector<Row> rows_;
};

}  // namespace xorloom
