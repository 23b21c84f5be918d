#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "runtime/files/open_file.hpp"

namespace xorloom {

/// A regular file that is changed where it is. Nothing protects what it holds: whoever changes it
/// has written down before what it becomes.
class ChangedFile {
 public:
  /// Opens a file as long as it is the one that is meant.
  ///
  /// Errors: throws kIo if it cannot be written or is another file. So do all that follow.
  ChangedFile(const std::filesystem::path& path, const FileIdentity& meant);
  ChangedFile(ChangedFile&& other) noexcept;
  ChangedFile(const ChangedFile&) = delete;
  ChangedFile& operator=(const ChangedFile&) = delete;
  ChangedFile& operator=(ChangedFile&&) = delete;
  ~ChangedFile();

  /// Writes two spans one behind the other at an offset; several threads may, at different ones.
  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes,
                std::span<const std::uint8_t> more = {}) const;

  /// Takes away what lies behind that many bytes; a file that is shorter stays as it is.
  void cut_behind(std::uint64_t bytes) const;

  /// Makes all of it last through a loss of power.
  void sync() const;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace xorloom
