#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace xorloom {

/// A regular file in memory, as it was long when it was opened. What is read of it comes from the
/// disk, or from what the system keeps of that, and is shared by all processes that map the file.
class MappedFile {
 public:
  /// Errors: throws kIo, also if the path is no regular file.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Who reads behind the end of a file that was cut short since gets a signal; is_whole comes
  /// first.
  std::span<const std::uint8_t> bytes() const { return bytes_; }

  /// Whether the file has not been cut short since.
  bool is_whole() const noexcept;

 private:
  int descriptor_ = -1;
  std::span<const std::uint8_t> bytes_;
};

}  // namespace xorloom
