#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// A write to some chunks of a stripe, and the state of the others.
struct StripeWrite {
  std::vector<std::size_t> touched;  ///< locations of data, ascending
  std::vector<bool> is_whole;        ///< by entry of `touched`: no old data stays
  std::vector<bool> is_readable;     ///< by location: true if its old chunk can be read
  std::vector<bool> is_written;      ///< by location: true if its new chunk has to be written
  std::vector<std::uint64_t> read_costs = {};  ///< by location: cost of its chunk; empty: 1 each
};

/// How to get new redundancy: at some locations from the old redundancy and the difference of the
/// data (delta), at the others from all data that they depend on (re-encoding).
struct WriteChoice {
  std::vector<std::size_t> changed;    ///< redundant locations that add the difference; ascending
  std::vector<std::size_t> reencoded;  ///< redundant locations that are encoded again; ascending
  std::vector<std::size_t> reads;      ///< locations whose old chunk is read, ascending
  std::vector<std::size_t> rebuilt;    ///< locations that are needed but cannot be read
  std::uint64_t cost = 0;              ///< cost of reading
  std::size_t terms = 0;               ///< coefficients to multiply; decides between equal costs
};

enum class WritePolicy {
  kPlanned,   ///< whatever reads the least
  kDelta,     ///< add differences if possible
  kReencode,  ///< always encode again
};

/// Chooses how to get the new redundancy, for each write of a code.
///
/// The choice does not change what is written, only what is read. Redundant locations that depend
/// on the same data get the same choice. Locations that are not written are left out.
class WriteChooser {
 public:
  /// Buffers: keeps a reference to the code. Cost: one pass over its matrix.
  explicit WriteChooser(const Code& code);

  /// Returns the choice with the lowest cost; of several, one with the fewest terms.
  ///
  /// Shape:  as StripeWrite says.
  /// Errors: none; a location that is needed but cannot be read goes to `rebuilt`, which counts as
  ///         reading k chunks.
  WriteChoice choose(const StripeWrite& write, WritePolicy policy = WritePolicy::kPlanned) const;

 private:
  WriteChoice choice(const StripeWrite& write, const std::vector<std::size_t>& changed,
                     const std::vector<std::size_t>& reencoded) const;

  const Code* code_;
  std::vector<bool> has_redundancy_;
  std::vector<std::vector<std::size_t>> reached_;  ///< by data location: redundant locations
  std::vector<std::vector<std::size_t>> depends_;  ///< by redundant location: data locations
};

}  // namespace xorloom
