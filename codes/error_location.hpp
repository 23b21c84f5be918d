#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/subspace.hpp"
#include "xorloom/error_location.hpp"

namespace xorloom {

/// Locates errors: finds the smallest set of locations of a stripe that can be wrong.
///
/// Syndromes alone do not prove a location wrong: with r redundant chunks at hand and e locations
/// found wrong, suitable errors in other sets of r - e + 1 locations or more give the same
/// syndromes. For what is assumed see ErrorLocation::unique_up_to.
///
/// A syndrome has a symbol per redundant cell: what the cell holds plus what it should hold by the
/// data. An error vector e has the syndrome H·e with the parity checks H = (parity | 1). All
/// columns of symbols are wrong in the same cells, so all syndromes lie in the space that the
/// columns of H for these cells span. The answer is the smallest set of locations whose space
/// contains the syndromes, if it is unique. So more locations are found than from one column of
/// symbols: m - 1 instead of m/2 with m redundant chunks of an MDS code.
///
/// Lost locations add unknown combinations of their columns to a syndrome. So all vectors are
/// reduced modulo the space of these columns.
///
/// Source: J. Metzner and E. Kapturowski, A general decoding technique applicable to replicated
/// file disagreement location and concatenated code decoding, IEEE Transactions on Information
/// Theory, 1990.
class ErrorLocator {
 public:
  /// Shape:   `lost` ascends; syndromes are computed with zeros for the chunks of lost locations.
  /// Buffers: keeps a reference to the code.
  ErrorLocator(const Code& code, std::span<const std::size_t> lost);

  /// Number of symbols of a syndrome.
  std::size_t symbols() const { return lost_.symbols(); }

  /// Adds the syndrome of one column of symbols.
  ///
  /// Shape: a symbol per cell of code.redundant.
  void add(std::span<const Field::Symbol> syndrome);

  /// True if no further syndrome can change the answer.
  bool is_settled() const;

  /// Cost: up to kMostSets sets of locations are tried, smaller ones first.
  ErrorLocation locate() const;

  static constexpr std::size_t kMostSets = 200'000;

 private:
  std::size_t dimension() const { return symbols() - lost_.dimension(); }
  bool find_set(std::size_t size, std::size_t& sets_left,
                std::optional<std::vector<std::size_t>>& found) const;
  std::vector<std::size_t> meeting() const;
  std::size_t unique_up_to(std::size_t size) const;

  const Code& code_;
  std::size_t num_lost_;
  Subspace lost_;
  Subspace syndromes_;  ///< reduced
  /// By location: the columns of H for its cells, reduced; empty: lost.
  std::vector<std::vector<std::vector<Field::Symbol>>> columns_;
};

}  // namespace xorloom
