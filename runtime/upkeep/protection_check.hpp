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

/// Bytes of a protected file that cannot be recovered, from one up to another.
struct LostBytes {
  std::size_t file;
  std::uint64_t begin;
  std::uint64_t end;
  /// False if they may come back once the files that the system does not let be read can be read.
  bool is_known = true;
};

/// What it means that bytes cannot be recovered.
enum class Loss {
  kLost,
  kChanged,  ///< somebody changed the file, so that nothing is lost
  kUnread,   ///< they may be whole, or may be recovered with the help of files that cannot be read
};

/// What is left of protected files and of their protection.
struct ProtectionCheck {
  FoundSegments found;
  std::vector<bool> is_good;  ///< redundant blocks, chunk by chunk: chunk · chunk_blocks + row
  std::vector<std::size_t> bad_blocks;   ///< by part: its damaged blocks
  std::size_t most_lost = 0;             ///< chunks lost in a row, of those with any data lost
  std::size_t most_needed = 0;           ///< data chunks lost in a row
  std::vector<std::uint64_t> lost_rows;  ///< that lost more than the code survives
  std::vector<LostBytes> lost;
  std::uint64_t bytes_read = 0;

  bool is_whole(const Protection& protection) const;
};

Loss loss_of(const ProtectionCheck& check, const LostBytes& bytes);

/// The bytes of one kind that cannot be recovered.
std::uint64_t bytes_beyond_repair(const ProtectionCheck& check, Loss loss);

/// The data chunks of which a row has lost something, ascending.
std::vector<std::size_t> lost_chunks(const Protection& protection, const FoundSegments& found,
                                     std::uint64_t row);

/// The redundant chunks whose block in a row is not good, counted from 0, ascending.
std::vector<std::size_t> lost_redundancy(const Protection& protection,
                                         const std::vector<bool>& is_good, std::uint64_t row);

/// Looks for everything that is protected and reads all redundancy that there is. Threads as
/// run_pipeline() takes them.
ProtectionCheck check_protection(const Protection& protection, const std::filesystem::path& base,
                                 const std::vector<std::filesystem::path>& others,
                                 std::size_t threads, Progress& progress);

/// The files that could be restored, and could not be once an update had given up what it wants to.
///
/// Shape: `after` maps what stays protected to where it was in the stream. Numbers are those of
///        `protection`, ascending.
std::vector<std::size_t> lost_by_giving_up(const Protection& protection, const FileMap& after,
                                           const ProtectionCheck& check);

/// Reads all redundancy that there is, and no files.
ProtectionCheck check_redundancy(const Protection& protection, std::size_t threads,
                                 Progress& progress);

}  // namespace xorloom
