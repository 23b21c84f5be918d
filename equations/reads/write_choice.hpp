#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// Which chunks of a stripe get new data, and what is known of the others.
struct StripeWrite {
  std::vector<std::size_t> touched;            ///< locations of data, ascending
  std::vector<bool> is_whole;                  ///< by touched: none of the old data stays
  std::vector<bool> is_readable;               ///< by location: its old chunk can be read
  std::vector<bool> is_written;                ///< by location: its new chunk is to be written
  std::vector<std::uint64_t> read_costs = {};  ///< by location, of a chunk; empty: 1 each
};

/// How new redundancy is had: of some locations from the old one and the difference of the data, of
/// the others from all of the data that they depend on.
struct WriteChoice {
  std::vector<std::size_t> changed;    ///< locations of redundancy that get the difference added
  std::vector<std::size_t> reencoded;  ///< those that are encoded again; both ascend
  std::vector<std::size_t> reads;      ///< locations whose old chunk is read, ascending
  std::vector<std::size_t> rebuilt;    ///< locations that are needed and cannot be read
  std::uint64_t cost = 0;              ///< of reading
  std::size_t terms = 0;               ///< coefficients that are multiplied, to tell equals apart
};

enum class WritePolicy {
  kPlanned,   ///< whichever reads the least
  kDelta,     ///< add differences wherever that is possible
  kReencode,  ///< encode again
};

/// Chooses, for each write of a code, how to get the new redundancy.
///
/// What has to be written does not depend on the choice; what has to be read does. Redundancy that
/// depends on the same data goes the same way. Locations that are not written are left out.
class WriteChooser {
 public:
  /// Buffers: keeps a reference to the code. Cost: one pass over its matrix.
  explicit WriteChooser(const Code& code);

  /// The one with the lowest cost; of several, the one with the fewest terms.
  ///
  /// Shape:  as StripeWrite says.
  /// Errors: none; a location that is needed and cannot be read is among those to be rebuilt, which
  ///         counts as reading k chunks.
  WriteChoice choose(const StripeWrite& write, WritePolicy policy = WritePolicy::kPlanned) const;

 private:
  WriteChoice choice(const StripeWrite& write, const std::vector<std::size_t>& changed,
                     const std::vector<std::size_t>& reencoded) const;

  const Code* code_;
  std::vector<bool> has_redundancy_;
  std::vector<std::vector<std::size_t>> reached_;  ///< by location of data
  std::vector<std::vector<std::size_t>> depends_;  ///< by location of redundancy, data locations
};

}  // namespace xorloom
