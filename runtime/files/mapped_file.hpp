#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace xorloom {

/// A regular file mapped to memory, with the length that it had when it was opened. Its bytes come
/// from the disk or the page cache, and are shared by all processes that map the file.
class MappedFile {
 public:
  /// Errors: throws kIo, also if the path is no regular file.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Reading behind the end of a file that was cut short raises a signal: call is_whole() first.
  std::span<const std::uint8_t> bytes() const { return bytes_; }

  /// True if the file has not been cut short since it was opened.
  bool is_whole() const noexcept;

 private:
  int descriptor_ = -1;
  std::span<const std::uint8_t> bytes_;
};

}  // namespace xorloom
