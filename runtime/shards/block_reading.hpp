#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/shard_block.hpp"

namespace xorloom {

/// What can be wrong with a block.
enum class BlockFault {
  kDamaged,       ///< its checksum does not hold
  kStale,         ///< it is of another generation
  kUnreadable,    ///< the system could not read it
  kMissing,       ///< the file ends before it does
  kContradicted,  ///< another copy of it is whole too, and differs
  kLostWrite,     ///< it is whole, and was not written when its stripe last changed
  kWrong,         ///< its checksum holds, and the rest of the stripe tells that it is wrong
};

/// "damaged", "of another generation", …
const char* to_string(BlockFault fault);

struct BadBlock {
  std::size_t shard;  ///< its number in ShardSet::shards
  BlockFault fault;
};

/// What reading blocks came to.
struct BlocksRead {
  std::vector<BadBlock> bad;        ///< each block once
  std::vector<std::size_t> shards;  ///< that something was read of, each once
  std::uint64_t bytes_read = 0;     ///< frames and what lies behind them
};

/// Adds all copies of a location to the bad blocks, but for those that are among them.
void name_copies(const OpenedSet& set, std::size_t location, BlockFault fault, BlocksRead& result);

/// Reads the block that a location has in one stripe, from every copy of its shard: all of it, or
/// the pieces that are wanted if the set's blocks are checked in pieces.
///
/// What the chunk gets is what all copies that have it good agree on, block by block or piece by
/// piece. Copies with an earlier stamp than another has are not good.
class BlockReader {
 public:
  /// Buffers: keeps a reference to the set.
  BlockReader(const OpenedSet& set, std::size_t location, std::uint64_t stripe);

  /// Brings the block into a chunk. False if no copy has it good, or several do and differ.
  ///
  /// Shape: the chunk is the same in all calls, and has the payload's size.
  bool read(std::span<std::uint8_t> chunk, BlocksRead& result);

  /// Brings at least some pieces into a chunk, none of them read twice; the whole block if it has
  /// no pieces. False as above for any of them. What is not read of the chunk is left as it is.
  ///
  /// Shape: pieces ascend.
  bool read(std::span<const std::uint32_t> pieces, std::span<std::uint8_t> chunk,
            BlocksRead& result);

  /// The stamp of what was brought into the chunk; 0 if nothing was.
  std::uint64_t stamp() const { return stamp_; }

  /// Whether all frames of copies that can be read have a stamp; only frames are read. False if no
  /// copy can be read.
  bool has_stamp(std::uint64_t stamp, BlocksRead& result) const;

 private:
  struct Copy {
    std::size_t shard;
    std::uint64_t stamp = 0;  ///< once a good frame was read
    Frame frame;              ///< once it was read and is good, where there are pieces
    bool is_used = true;      ///< not given up: what it has good is taken
    bool is_named = false;    ///< among the bad ones
    bool is_counted = false;  ///< among the shards
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
  std::vector<bool> has_piece_;  ///< in the chunk; of a block without pieces there is one
};

}  // namespace xorloom
