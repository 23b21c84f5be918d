#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "runtime/shards/file_info.hpp"
#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

/// Compares a file, while it is encoded, with the set of the same file that it is to replace.
///
/// An edit changes a file's time, and damage does not. So a file with the name, the time and the
/// length of before has to have the bytes of before. Sets that cannot be recovered tell nothing.
class OldContent {
 public:
  /// Looks for a set of a file with this name and time. Archives of files are not compared: their
  /// time is that of a directory. `found` outlives this.
  OldContent(const FoundShards& found, const std::optional<FileInfo>& info);
  ~OldContent();
  OldContent(const OldContent&) = delete;
  OldContent& operator=(const OldContent&) = delete;

  /// Takes the next bytes of the file.
  void compare(std::span<const std::uint8_t> bytes);

  /// After the last bytes: throws kInvalidArgument if the file is damaged.
  void check() const;

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;  ///< until the end, or where both differ
  bool differs_ = false;
  std::uint64_t bytes_ = 0;
  std::uint64_t old_bytes_ = 0;
  std::optional<FileInfo> info_;
};

}  // namespace xorloom
