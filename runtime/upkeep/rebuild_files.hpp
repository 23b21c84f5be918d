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

/// Which protected files are written anew, and where.
struct RebuildRequest {
  std::vector<std::size_t> files;          ///< in the order in which disks get them
  const std::vector<SourceFile>& sources;  ///< of the segments that were found, where they are now
  std::filesystem::path to;                ///< the directory of the names, which are there
  bool is_in_place = true;                 ///< other protected files are there, too
  Options options{};
};

struct RebuiltFiles {
  std::map<std::size_t, PendingFile> files;  ///< complete and synced, without their names
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_without_room = 0;  ///< of the files that a full disk has not
};

/// Writes files from the segments that were found and from the redundancy, with the permissions and
/// times that they had. Every segment has its checksum. Files that cannot be written are left out,
/// and `failures` gets a sentence for each; if a disk is full, these are the largest.
///
/// Shape:  all bytes of the files can be had.
/// Errors: throws kIo if reading fails or something else changes the files; kInternal if a block is
///         computed wrong.
/// Cost:   memory for one row of blocks at a time, and a plan for each set of lost chunks.
RebuiltFiles rebuild_files(const Protection& protection, const ProtectionCheck& check,
                           const RebuildRequest& request, Progress& progress,
                           std::vector<std::string>& failures);

}  // namespace xorloom
