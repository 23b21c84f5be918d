#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Order of computation of a tile for streams that begin at the same offset of a page, whose lines
/// compete for the ways of one set of L1.
///
/// Bands of a tile share nothing but inputs, and each reads all of them. So the streams of inputs
/// are divided into groups whose lines fit a set. All bands add up what they need of a group before
/// the next group is read. The band that ends a group begins the next one, as its sums are in
/// registers.
///
///     inputs 0 … 5    band 0, band 1
///     inputs 6 … 9            band 1, band 0
struct StreamGroups {
  /// Contribution of a group of inputs to the outputs of a band, which is a range of equations.
  struct Part {
    std::size_t group;
    std::size_t begin;
    std::size_t end;
  };
  std::vector<std::size_t> group_of_input;
  std::vector<Part> parts;  ///< in order of computation
  std::size_t number = 0;   ///< number of groups
};

/// Groups of the tile; nullopt if it has so few streams of inputs that groups gain nothing.
///
/// Shape: the tile is a turn of a kernel whose vectors lie at `places`.
std::optional<StreamGroups> stream_groups(const Program& tile, const TilePlaces& places,
                                          const MachineFacts& machine);

/// Rewrites the tile of an XOR program to compute it part by part. Each part keeps the order of
/// `tile` and leaves out inputs of other groups; instructions add up to
/// MachineFacts::added_operands() operands to a sum. If `shares_anew`, a search shares the sums of
/// each part anew, in a greedy order. That tile has fewer instructions.
///
/// Shape: groups are those of the tile.
/// Cost:  about that of reading the tile once for each group, or that of Effort::kFast for each
///        part.
Program grouped_tile(const Program& tile, const StreamGroups& groups, const MachineFacts& machine,
                     bool shares_anew);

}  // namespace xorloom
