#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/shards/file_info.hpp"
#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

/// Compares a file, while it is encoded, with the set of the same file that it is to replace.
///
/// An edit changes a file's time, and damage does not. So a file with its old name and time must
/// have its old bytes. If the old set cannot be recovered, it is not replaced.
class OldContent {
 public:
  /// Looks for a set of a file with this name and time. Archives of files are not compared here;
  /// see check_archives(). Precondition: `found` outlives this. Errors: throws kIo if that set
  /// cannot be read.
  OldContent(const FoundShards& found, const std::optional<FileInfo>& info);
  ~OldContent();
  OldContent(const OldContent&) = delete;
  OldContent& operator=(const OldContent&) = delete;

  /// Takes the next bytes of the file.
  void compare(std::span<const std::uint8_t> bytes);

  /// Call it after the last bytes. Throws kInvalidArgument if the file is damaged, kIo if a part of
  /// the set could not be read.
  void check() const;

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
  bool is_unread_ = false;  ///< the rest of the set could not be read
  bool differs_ = false;
  std::uint64_t bytes_ = 0;
  std::uint64_t old_bytes_ = 0;
  std::optional<FileInfo> info_;
};

/// Compares files with an archive that `read` reads, see SetEncoding::read. Returns the paths of
/// the files that have their time in the archive but other bytes, as if by damage.
using FindDamaged = std::function<std::vector<std::string>(
    const std::function<std::size_t(std::span<std::uint8_t>)>& read)>;

/// Compares files with those archives of files among the sets `found` that they are to replace.
///
/// Errors: throws kInvalidArgument if a file is damaged, kIo if a set cannot be recovered. The
///         function `read` that `find_damaged` gets throws, too.
void check_archives(const FoundShards& found, const FindDamaged& find_damaged);

}  // namespace xorloom
