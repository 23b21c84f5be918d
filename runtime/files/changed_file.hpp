#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "runtime/files/open_file.hpp"

namespace xorloom {

/// A regular file that is changed in place. Nothing protects its content: the caller must have
/// written the new content elsewhere before.
class ChangedFile {
 public:
  /// Opens the file if it is the one `meant`.
  ///
  /// Errors: throws kIo if it cannot be written or is another file. The members below throw kIo,
  ///         too.
  ChangedFile(const std::filesystem::path& path, const FileIdentity& meant);
  ChangedFile(ChangedFile&& other) noexcept;
  ChangedFile(const ChangedFile&) = delete;
  ChangedFile& operator=(const ChangedFile&) = delete;
  ChangedFile& operator=(ChangedFile&&) = delete;
  ~ChangedFile();

  /// Writes two spans one behind the other at `offset`. Threads may write at different offsets at
  /// once.
  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes,
                std::span<const std::uint8_t> more = {}) const;

  /// Cuts the file to `bytes` bytes; a shorter file stays as it is.
  void cut_behind(std::uint64_t bytes) const;

  /// Syncs the file to disk, so that it survives a loss of power.
  void sync() const;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace xorloom
