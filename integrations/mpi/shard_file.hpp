#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "xorloom/xorloom.hpp"

// Shards as docs/shard-format.md defines them: version 1, with one checksum per block.

namespace xorloom::mpi {

inline constexpr std::size_t kFrameBytes = 16;
inline constexpr std::uint32_t kPrivate = 0600;  ///< permissions: the owner may read and write

/// The set id: 12 random bytes, which all sets of one call of encode() share, and the owner.
using SetId = std::array<std::uint8_t, 16>;

/// Content of a shard's header.
struct ShardHeader {
  SetId set{};
  std::uint64_t generation = 1;
  std::uint32_t location = 0;
  std::uint32_t locations = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t stripe_bytes = 0;
  std::uint64_t block_bytes = 0;
  std::uint64_t last_block_bytes = 0;
  std::string spec;
  std::string name;                      ///< name of the data, which shards remember; see set_name
  std::uint32_t permissions = kPrivate;  ///< of the data, which shards remember

  bool operator==(const ShardHeader&) const = default;

  std::uint64_t blocks() const noexcept {
    return file_bytes / stripe_bytes + (file_bytes % stripe_bytes == 0 ? 0 : 1);
  }
  /// Payload bytes of a block.
  std::size_t payload_bytes(std::uint64_t block) const noexcept {
    return static_cast<std::size_t>(block + 1 == blocks() ? last_block_bytes : block_bytes);
  }
  /// Bytes of the file in a stripe.
  std::size_t stripe_file_bytes(std::uint64_t stripe) const noexcept {
    return static_cast<std::size_t>(std::min(stripe_bytes, file_bytes - stripe * stripe_bytes));
  }
  std::size_t header_bytes() const noexcept;
  std::uint64_t block_offset(std::uint64_t block) const noexcept {
    return header_bytes() + block * (block_bytes + kFrameBytes);
  }
  std::uint64_t shard_bytes() const noexcept;
};

/// The name that shards of the data of a rank remember, and what `xorloom decode` calls the file:
/// "LABEL.rank-3-of-14".
struct SetName {
  std::string label;
  int owner = 0;
  int ranks = 0;
};
std::string to_string(const SetName& name);
std::optional<SetName> set_name_of(const std::string& text);

/// The header of a set, for location 0.
///
/// Errors: throws kInvalidArgument if the code needs larger blocks than the format has.
ShardHeader header_of(const Codec& codec, const SetId& set, std::uint64_t generation,
                      std::uint64_t file_bytes, std::size_t block_bytes, const SetName& name,
                      std::uint32_t permissions = kPrivate);

/// "xorloom-<set id>-<location>.shard".
std::string file_name(const ShardHeader& header);

/// The bytes of a header, which stand at both ends of a shard.
std::vector<std::uint8_t> header_text(const ShardHeader& header);

/// Reads a header from its bytes, or from the beginning of a shard. nullopt: damaged, of another
/// version, or of a kind that encode() does not write (checked in pieces, or changed in place).
std::optional<ShardHeader> read_header(std::span<const std::uint8_t> bytes);

/// The length that a header states, from its first 16 bytes; 0 if it is none.
std::size_t stated_header_bytes(std::span<const std::uint8_t> bytes);

/// Writes the frame before a payload.
void write_frame(const ShardHeader& header, std::size_t location, std::uint64_t block,
                 std::span<const std::uint8_t> payload, std::uint8_t* frame) noexcept;

/// Whether the frame before a payload agrees with it.
bool is_good(const ShardHeader& header, std::size_t location, std::uint64_t block,
             const std::uint8_t* frame, std::span<const std::uint8_t> payload) noexcept;

}  // namespace xorloom::mpi
