#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/field/field.hpp"

namespace xorloom {

/// The vectors that are sums of multiples of some vectors over a field.
class Subspace {
 public:
  /// Of vectors of that many symbols; the vector of zeros alone.
  Subspace(Field field, std::size_t symbols) : field_(std::move(field)), symbols_(symbols) {}

  std::size_t dimension() const { return rows_.size(); }
  std::size_t symbols() const { return symbols_; }

  /// Takes a vector in. False if it was in.
  ///
  /// Cost: O(dimension · symbols) multiplications, as that of the others.
  bool add(std::span<const Field::Symbol> vector);

  bool contains(std::span<const Field::Symbol> vector) const;
  bool contains(const Subspace& other) const;

  /// The one representative of all vectors that differ from this one by one of the subspace.
  std::vector<Field::Symbol> reduced(std::span<const Field::Symbol> vector) const;

 private:
  struct Row {
    std::size_t pivot;  ///< the first symbol other than 0, which is 1; later rows have 0 there
    std::vector<Field::Symbol> symbols;
  };

  Field field_;
  std::size_t symbols_;
  std::vector<Row> rows_;
};

}  // namespace xorloom
