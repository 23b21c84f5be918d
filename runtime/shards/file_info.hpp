#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/shards/shard_header.hpp"

namespace xorloom {

/// Name, permissions and time of the encoded file. Readers may pass over it: it is in
/// ShardHeader::extra if bit 0 of the optional flags is set. docs/shard-format.md has the bytes.
struct FileInfo {
  std::string name;                   ///< without directories; see why_no_name
  std::uint32_t permissions = 0;      ///< as chmod takes them, at most 07777
  std::int64_t modified_seconds = 0;  ///< since 1970
  std::uint32_t modified_nanoseconds = 0;

  friend bool operator==(const FileInfo&, const FileInfo&) = default;
};

inline constexpr std::size_t kMaxFileNameBytes = 255;

/// Says in a phrase why `name` can name no file in any directory; nullopt if it can. A name has no
/// directories in it; it may have control characters, as names in archives have.
std::optional<std::string> why_no_name(std::string_view name);

/// Stores `info` in `header`.
///
/// Errors: throws kInvalidArgument if why_no_name() refuses the name.
void remember(const FileInfo& info, ShardHeader& header);

/// The file that `header` remembers; nullopt if none, or not as this version would write it.
std::optional<FileInfo> remembered(const ShardHeader& header);

/// True if the content is an archive of files in the pax format, which decode unpacks: bit 1 of the
/// optional flags. A reader that passes over the bit gives the archive itself.
bool holds_files(const ShardHeader& header);

/// Makes holds_files() true.
void mark_as_files(ShardHeader& header);

}  // namespace xorloom
