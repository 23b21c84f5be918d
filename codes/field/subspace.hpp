#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "codes/field/field.hpp"

namespace xorloom {

/// The vectors that are sums of multiples of some vectors over a field, kept in echelon form.
///
/// A vector may have further symbols after those of the space. They are added and scaled with it,
/// but do not count. If each vector that is taken in has a one of its own there, `reduced` leaves
/// the multiples of these vectors in its place.
class Subspace {
 public:
  using Vector = std::vector<Field::Symbol>;

  /// Creates the zero subspace of vectors of `symbols` symbols.
  Subspace(Field field, std::size_t symbols) : field_(std::move(field)), symbols_(symbols) {}

  std::size_t dimension() const { return rows_.size(); }
  std::size_t symbols() const { return symbols_; }

  /// Takes a vector in. False if it was in.
  ///
  /// Cost: O(dimension · symbols) multiplications, as that of the others.
  bool add(Vector vector);

  bool contains(Vector vector) const;
  bool contains(const Subspace& other) const;

  /// The one representative of all vectors that differ from this one by one of the subspace.
  Vector reduced(Vector vector) const;

 private:
  struct Row {
    std::size_t pivot;  ///< the first symbol other than 0, which is 1; later rows have 0 there
    Vector symbols;
  };

  Field field_;
  std::size_t symbols_;
  std::vector<Row> rows_;
};

}  // namespace xorloom
