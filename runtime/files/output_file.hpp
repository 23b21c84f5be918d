#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "runtime/files/pending_file.hpp"

namespace xorloom {

/// A file that is written from its beginning to its end, and appears under its name complete or not
/// at all.
///
/// An old file of that name stays until then; a name that is a symbolic link is replaced, not what
/// it points at. If the file system can, the file has no name before it is complete, and a killed
/// program leaves nothing of it. Else it has a hidden name and is locked as long as its program
/// runs; the next output of that name removes what a dead program left.
class OutputFile {
 public:
  /// The file gets the permissions of the file that it replaces, or those of a new file, but none
  /// that `most` does not have.
  ///
  /// Errors: throws kInvalidArgument if the path names no file or a directory, kIo if no file can
  ///         be made there.
  explicit OutputFile(std::filesystem::path destination, mode_t most = kAnyPermissions);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Appends bytes; whole pages of zeros become holes. Errors: throws kIo.
  void write(std::span<const std::uint8_t> bytes);

  /// Syncs what was written, gives the file its name, and syncs the directory. Errors: throws kIo.
  void commit();

  const std::filesystem::path& destination() const { return destination_; }

 private:
  void make_hidden(mode_t permissions);
  void give_name();

  std::filesystem::path destination_;
  std::optional<PendingName> hidden_;  ///< set if the file has a hidden name, to be removed
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;  ///< bytes appended
  bool ends_in_hole_ = false;
  bool is_locked_ = false;
};

/// Suffix of the hidden names of output files, before 16 random hexadecimal digits. It differs from
/// that of pending files, which another program may need.
inline constexpr std::string_view kOutputSuffix = ".xorloom-output-";

}  // namespace xorloom
