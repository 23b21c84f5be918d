#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/shards/stripe_reading.hpp"

namespace xorloom {

/// Neighbouring blocks of a shard with the same fault.
struct BadBlocks {
  std::uint64_t first;
  std::uint64_t last;
  BlockFault fault;
};

/// Neighbouring stripes that cannot be recovered, for the loss of the same locations.
struct LostStripes {
  std::uint64_t first;
  std::uint64_t last;
  std::vector<std::size_t> lost;
};

/// Neighbouring stripes whose redundancy does not agree with their data, if other sets of no more
/// chunks could be wrong instead of `likely`.
struct SuspectStripes {
  std::uint64_t first;
  std::uint64_t last;
  std::vector<std::size_t> likely;  ///< locations that would explain it; empty: unknown
};

/// Summary of the wrong chunks that redundancy has found, BlockFault::kWrong, over all stripes.
struct WrongChunks {
  std::size_t most = 0;  ///< the most that were found in a stripe; 0: none
  /// The findings hold for every stripe if no stripe has more wrong chunks than this.
  std::size_t unique_up_to = std::numeric_limits<std::size_t>::max();
};

/// "if at most 2 chunks of a stripe are wrong": the assumption under which the findings hold.
std::string assumption_text(const WrongChunks& wrong);

/// Damage that reading the stripes of a set has found.
struct SetDamage {
  std::map<std::size_t, std::vector<BadBlocks>>
      bad_blocks;  ///< by the number of the shard in its set
  std::vector<LostStripes> lost_stripes;
  std::vector<SuspectStripes> suspect_stripes;  ///< if redundancy was checked
  WrongChunks wrong;                            ///< if redundancy was checked
  std::vector<FileRange> lost_bytes;            ///< ascending; only if lost stripes were salvaged
  std::uint64_t bytes_read = 0;

  /// Adds a stripe; they come in ascending order.
  void add(const StripeReading& reading);

  /// Adds lost bytes alone; they come in ascending order.
  void add_lost_bytes(const FileRange& lost);

  /// True if a stripe is lost. Cost: logarithmic in the number of ranges.
  bool is_lost(std::uint64_t stripe) const;

  /// The number of lost stripes.
  std::uint64_t num_lost() const;

  /// A copy without the bad blocks that nothing can rebuild because their stripes are lost.
  SetDamage reparable(const OpenedSet& set) const;

  /// Marks the stripes past the end of all shards as lost. With `stripes`, only those in that
  /// range.
  void add_beyond(const OpenedSet& set, const StripeRange& stripes = {});
};

/// "blocks 3-5, 9 damaged; block 7 of another generation": the bad blocks of a shard in a phrase,
/// cut short after a few.
std::string to_string(const std::vector<BadBlocks>& blocks);

/// "stripes 3-5 lost locations {0, 3} (in bytes 192-383 of the file); …": what cannot be recovered,
/// cut short after a few.
std::string to_string(const std::vector<LostStripes>& stripes, const ShardHeader& header);

/// "of 9 stripes, stripes 3-5 lost …; at most 96 of 576 bytes are lost, and decode --salvage …":
/// the lost stripes, the bytes in lost chunks, and the way to the others if there are any.
std::string loss_text(const std::vector<LostStripes>& stripes, const OpenedSet& set);

/// ", and decode --salvage …", or "" if the lost chunks of the stripes hold the whole file.
std::string way_to_the_rest(const std::vector<LostStripes>& stripes, const OpenedSet& set);

/// Hint how to get what is left of a file that cannot be recovered.
inline constexpr std::string_view kSalvageWay = "option salvage of decode writes what is left";

/// "stripe 3 (bytes 192-255 of the file), most likely at locations {0, 3}; …", cut short after a
/// few.
std::string to_string(const std::vector<SuspectStripes>& stripes, const ShardHeader& header);

}  // namespace xorloom
