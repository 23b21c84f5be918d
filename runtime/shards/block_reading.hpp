#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/shard_block.hpp"

namespace xorloom {

/// Faults of a block.
enum class BlockFault {
  kDamaged,       ///< its checksum does not match
  kStale,         ///< of another generation
  kUnreadable,    ///< the system could not read it
  kMissing,       ///< the file ends before the block does
  kContradicted,  ///< whole, but another whole copy differs
  kLostWrite,     ///< whole, but older than the last change of its stripe
  kWrong,         ///< its checksum matches, but the rest of the stripe shows that it is wrong
};

/// "damaged", "of another generation", …
const char* to_string(BlockFault fault);

struct BadBlock {
  std::size_t shard;  ///< its number in ShardSet::shards
  BlockFault fault;
};

/// Result of reading blocks.
struct BlocksRead {
  std::vector<BadBlock> bad;        ///< each block once
  std::vector<std::size_t> shards;  ///< shards that were read from, each once
  std::uint64_t bytes_read = 0;     ///< frames and payloads
};

/// Adds all copies of `location` to `result.bad`, except those that are in it already.
void name_copies(const OpenedSet& set, std::size_t location, BlockFault fault, BlocksRead& result);

/// Reads the block that a location has in one stripe, from every copy of its shard: all of it, or
/// the pieces that are wanted if the set's blocks are checked in pieces.
///
/// The chunk gets what all good copies agree on, block by block or piece by piece. A copy with an
/// earlier stamp than another is not good.
class BlockReader {
 public:
  /// Buffers: keeps a reference to the set.
  BlockReader(const OpenedSet& set, std::size_t location, std::uint64_t stripe);

  /// Reads the block into `chunk`. False if no copy is good, or good copies differ.
  ///
  /// Shape: `chunk` is the same in all calls, and has the payload's size.
  bool read(std::span<std::uint8_t> chunk, BlocksRead& result);

  /// Reads at least `pieces` into `chunk`, none of them twice; the whole block if it has no pieces.
  /// False if a piece has no good copy, or good copies differ. The rest of `chunk` is left as it
  /// is.
  ///
  /// Shape: `pieces` ascend.
  bool read(std::span<const std::uint32_t> pieces, std::span<std::uint8_t> chunk,
            BlocksRead& result);

  /// The stamp of what is in the chunk; 0 if nothing was read.
  std::uint64_t stamp() const { return stamp_; }

  /// True if all readable copies have `stamp`, and there is one. Reads frames only.
  bool has_stamp(std::uint64_t stamp, BlocksRead& result) const;

 private:
  struct Copy {
    std::size_t shard;
    std::uint64_t stamp = 0;  ///< the good frame's; 0: not read yet
    Frame frame;              ///< if blocks have pieces: its good frame; empty: not read yet
    bool is_used = true;      ///< its good data are used; false: given up
    bool is_named = false;    ///< is in BlocksRead::bad
    bool is_counted = false;  ///< is in BlocksRead::shards
  };

  const ShardHeader& header_of(const Copy& copy) const;
  void name(Copy& copy, BlockFault fault, BlocksRead& result) const;
  bool read_bytes(Copy& copy, std::uint64_t offset, std::span<std::uint8_t> bytes,
                  std::span<std::uint8_t> more, BlocksRead& result) const;
  bool is_good(Copy& copy, BlockState state, BlocksRead& result) const;
  std::uint64_t rank_of(std::uint64_t stamp) const;
  bool is_outdated(Copy& copy, std::uint64_t stamp, BlocksRead& result);
  bool read_ranges(Copy& copy, std::span<const std::uint32_t> pieces,
                   std::span<std::uint8_t> payload, BlocksRead& result) const;
  bool read_block(std::span<std::uint8_t> chunk, BlocksRead& result);
  bool read_pieces(std::span<const std::uint32_t> pieces, std::span<std::uint8_t> chunk,
                   BlocksRead& result);

  const OpenedSet* set_;
  std::uint64_t stripe_;
  bool is_distrusted_;  ///< known to be wrong in every copy
  std::vector<Copy> copies_;
  std::uint64_t stamp_ = 0;
  std::vector<bool> has_piece_;  ///< pieces in the chunk; one entry if blocks have no pieces
};

}  // namespace xorloom
