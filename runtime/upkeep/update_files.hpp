#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/protect_files.hpp"
#include "runtime/upkeep/plan_update.hpp"

namespace xorloom {

struct UpdateRequest {
  std::vector<std::filesystem::path> paths;    ///< more files and directories to protect
  std::vector<std::string> excluded;           ///< more patterns: see excludes()
  std::vector<std::filesystem::path> outputs;  ///< all protection files of one protection
  std::filesystem::path base;   ///< names are relative to it; empty: where the first part is
  Options options;              ///< threads are those of the pipeline; see run_pipeline
  bool accept_damage = false;   ///< take damaged files for edited ones
  bool keeps_going = false;     ///< leave out what cannot be read; if it is protected, it stays so
  bool accept_missing = false;  ///< give up directories whose files are all missing
  bool follows_links = false;   ///< follow links from now on: see ProtectionScope
  bool is_trial = false;        ///< find out what would be done, and write nothing
  ReadingBounds bounds{};
  std::size_t memory_bytes = kUsualMemoryBytes;  ///< memory that the program may take, about
};

/// The way in which a protection is updated.
enum class UpdateWay {
  kNothing,  ///< nothing changed
  kAdded,    ///< the redundancy of new data is added
  kWhole,    ///< all files are read and protected anew
};

struct UpdatedSet {
  std::filesystem::path base;  ///< names of files are relative to it
  UpdateWay way = UpdateWay::kNothing;
  std::string why_whole;      ///< if kWhole: why all files are read, as a phrase
  UpdatedFiles files;         ///< damaged ones stay protected as before, unless accepted
  std::size_t num_files = 0;  ///< files that are protected now
  std::size_t k = 0;
  std::size_t m = 0;
  std::size_t given_up = 0;  ///< most chunks of a row that are given up
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::vector<LeftOut> left_out;
  std::size_t unreadable = 0;        ///< files and directories among `left_out`
  std::vector<std::string> remarks;  ///< a sentence each
};

/// Takes into a protection what is new, edited, renamed and gone since it was made. Files with
/// their old size and time are not read, so their damage is not taken in. Each protection file
/// appears complete or not at all; until then the old protection stays.
///
/// If rows would lose more than a quarter of their redundancy to what is given up, or the
/// protection is damaged, all files are read, and protected anew. Then those that were not edited
/// are compared with their checksums. Files that are found damaged stay protected as before; then
/// the redundancy of new data is added, however much is given up.
///
/// Errors: throws what open_protection() and list_files() throw; FilesAreDamaged;
///         kInvalidArgument if not all protection files are named, or no file is left; kIo if all
///         files of a directory are gone and were not renamed, if a file changes while it is read,
///         or if reading or writing fails.
/// Cost:   reads what changed and is new, and reads and writes the redundancy once.
UpdatedSet update_files(const UpdateRequest& request, Progress& progress);

}  // namespace xorloom
