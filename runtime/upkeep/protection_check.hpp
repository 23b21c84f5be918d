#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/find_segments.hpp"

namespace xorloom {

/// Bytes `begin` to `end` - 1 of a protected file, which cannot be recovered.
struct LostBytes {
  std::size_t file;
  std::uint64_t begin;
  std::uint64_t end;
  /// False if they may come back once files can be read that the system refuses to read now, or a
  /// disk is mounted.
  bool is_known = true;
};

/// Kinds of bytes that cannot be recovered.
enum class Loss {
  kLost,
  kChanged,  ///< the user changed the file: nothing is lost
  /// May be whole, or recoverable once unreadable files can be read, or a disk is mounted.
  kUnread,
};

/// State of protected files and of their protection.
struct ProtectionCheck {
  FoundSegments found;
  std::vector<bool> is_good;  ///< redundant blocks, chunk by chunk: chunk · chunk_blocks + row
  std::vector<std::size_t> bad_blocks;   ///< number of damaged blocks, by part
  std::size_t most_lost = 0;             ///< most chunks lost in a row that lost any data
  std::size_t most_needed = 0;           ///< most data chunks lost in a row
  std::vector<std::uint64_t> lost_rows;  ///< rows that lost more than the code survives
  std::vector<LostBytes> lost;
  std::uint64_t bytes_read = 0;

  bool is_whole(const Protection& protection) const;
};

Loss loss_of(const ProtectionCheck& check, const LostBytes& bytes);

/// The number of bytes that cannot be recovered, for one kind of loss.
std::uint64_t bytes_beyond_repair(const ProtectionCheck& check, Loss loss);

/// The data chunks that have lost something in a row, ascending.
std::vector<std::size_t> lost_chunks(const Protection& protection, const FoundSegments& found,
                                     std::uint64_t row);

/// The redundant chunks whose block in a row is not good, counted from 0, ascending.
std::vector<std::size_t> lost_redundancy(const Protection& protection,
                                         const std::vector<bool>& is_good, std::uint64_t row);

/// Looks for all that is protected, and reads all redundancy. `threads` as for run_pipeline().
ProtectionCheck check_protection(const Protection& protection, const std::filesystem::path& base,
                                 const std::vector<std::filesystem::path>& others,
                                 std::size_t threads, Progress& progress);

/// The files that can be restored now, or once the system lets all be read, but not once an update
/// has given up what it wants to. With `may_missing_return`, also those that can be restored once
/// missing files are back.
///
/// Shape: `after` maps what stays protected to its place in the stream before. Numbers are those of
///        `protection`, ascending.
std::vector<std::size_t> lost_by_giving_up(const Protection& protection, const FileMap& after,
                                           const ProtectionCheck& check, bool may_missing_return);

/// Reads all redundancy, and no files.
ProtectionCheck check_redundancy(const Protection& protection, std::size_t threads,
                                 Progress& progress);

}  // namespace xorloom
