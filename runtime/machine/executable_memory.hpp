#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace xorloom {

/// Pages that hold machine code: written first, then executable and no longer writable, never both.
class ExecutableMemory {
 public:
  /// None where the system gives no executable memory.
  ///
  /// Buffers: the code is copied; it begins at a page.
  static std::optional<ExecutableMemory> hold(std::span<const std::uint8_t> code) noexcept;

  ExecutableMemory(ExecutableMemory&& other) noexcept;
  ExecutableMemory& operator=(ExecutableMemory&& other) noexcept;
  ~ExecutableMemory();

  const void* begin() const noexcept { return pages_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  ExecutableMemory(void* pages, std::size_t bytes) noexcept : pages_(pages), bytes_(bytes) {}

  void* pages_;
  std::size_t bytes_;
};

}  // namespace xorloom
