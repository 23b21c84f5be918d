#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/subspace.hpp"
#include "xorloom/error_location.hpp"

namespace xorloom {

/// Finds the fewest locations of a stripe that can be wrong.
///
/// Syndromes alone prove no location wrong: with r redundant chunks at hand, and e found wrong,
/// other sets of r - e + 1 locations or more come to the same syndromes if their errors are alike.
/// What is found is so under an assumption: see ErrorLocation::unique_up_to.
///
/// A syndrome is one symbol for each redundant cell: what the cell holds, plus what it should hold
/// by the data. Wrong symbols e in cells E make H·e of it, H being (parity | 1). All columns of
/// symbols of the same chunks are wrong in the same cells, so all syndromes together lie in the
/// space that the columns of H for these cells span. The smallest set of locations whose space
/// holds them is the answer, if there is one alone. So more locations can be found than from one
/// column: with m redundant chunks of an MDS code m - 1, where one column shows m/2.
///
/// What lost locations would add to a syndrome is any sum of their columns. It is left out of
/// account by counting only what such sums do not change.
///
/// Source: J. Metzner and E. Kapturowski, A general decoding technique applicable to replicated
/// file disagreement location and concatenated code decoding, IEEE Transactions on Information
/// Theory, 1990.
class ErrorLocator {
 public:
  /// Shape:   lost ascends; the chunks of lost locations are zeros where syndromes are computed.
  /// Buffers: keeps a reference to the code.
  ErrorLocator(const Code& code, std::span<const std::size_t> lost);

  /// Symbols of a syndrome.
  std::size_t symbols() const { return lost_.symbols(); }

  /// Takes the syndrome of one column in.
  ///
  /// Shape: a symbol for each of code.redundant.
  void add(std::span<const Field::Symbol> syndrome);

  /// Whether no further syndrome can change the answer.
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
  /// Of each location that is not lost, the columns of H for its cells, reduced.
  std::vector<std::vector<std::vector<Field::Symbol>>> columns_;
};

}  // namespace xorloom
