#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/shards/shard_header.hpp"

namespace xorloom {

/// What a shard header remembers of the file that was encoded. Readers may pass over it: it is in
/// ShardHeader::extra, where bit 0 of the optional flags says so. docs/shard-format.md has the
/// bytes.
struct FileInfo {
  std::string name;                   ///< without directories; see why_no_name
  std::uint32_t permissions = 0;      ///< as chmod takes them, at most 07777
  std::int64_t modified_seconds = 0;  ///< since 1970
  std::uint32_t modified_nanoseconds = 0;

  friend bool operator==(const FileInfo&, const FileInfo&) = default;
};

inline constexpr std::size_t kMaxFileNameBytes = 255;

/// Why a text is no name that a file of any directory can have, as a phrase; none if it is one. A
/// name has no directories in it; it may have control characters, as archives have.
std::optional<std::string> why_no_name(std::string_view name);

/// Makes a header remember a file.
///
/// Errors: throws kInvalidArgument if its name is none.
void remember(const FileInfo& info, ShardHeader& header);

/// What a header remembers; none if that is nothing, or not what this version would write.
std::optional<FileInfo> remembered(const ShardHeader& header);

/// Whether the content is an archive of files, in the pax format, which decode unpacks: bit 1 of
/// the optional flags. A reader that passes over it gives the archive itself.
bool holds_files(const ShardHeader& header);

/// Makes a header say so.
void mark_as_files(ShardHeader& header);

}  // namespace xorloom
