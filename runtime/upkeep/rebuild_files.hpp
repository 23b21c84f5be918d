#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/files/pending_file.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/protection_check.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// The protected files that are to be written anew, and their directory.
struct RebuildRequest {
  std::vector<std::size_t> files;          ///< in this order, while the disk has room
  const std::vector<SourceFile>& sources;  ///< files with found segments, at their present paths
  std::filesystem::path to;                ///< directory that names are relative to; it exists
  bool is_in_place = true;                 ///< `to` has other protected files, too
  Options options{};
};

struct RebuiltFiles {
  std::map<std::size_t, PendingFile> files;  ///< complete and synced, without their names
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_without_room = 0;  ///< bytes of files that a full disk has no room for
};

/// Writes files from the segments that were found and from the redundancy, with their old
/// permissions and times. Every segment is checked by its checksum. Files that cannot be written
/// are left out, and `failures` gets a sentence for each; if a disk is full, the largest are left
/// out.
///
/// Shape:  all bytes of the files can be recovered.
/// Errors: throws kIo if reading fails or something else changes the files; kInternal if a block is
///         computed wrong.
/// Cost:   memory for one row of blocks at a time, and a plan for each set of lost chunks.
RebuiltFiles rebuild_files(const Protection& protection, const ProtectionCheck& check,
                           const RebuildRequest& request, Progress& progress,
                           std::vector<std::string>& failures);

}  // namespace xorloom
