#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Pages that hold machine code. No page is ever writable and executable at once. If the system
/// offers files in memory, no page that was written through becomes executable.
///
/// A nameless file in memory takes the code, is sealed against any further write, and is mapped as
/// executable. Processes that must not make written pages executable (MemoryDenyWriteExecute,
/// PR_SET_MDWE) may do that. If there are no such files, or none may be executed, pages are written
/// and then become executable instead of writable.
class ExecutableMemory {
 public:
  /// nullopt if the system gives no executable memory.
  ///
  /// Buffers: the code is copied; it begins at a page.
  static std::optional<ExecutableMemory> hold(std::span<const std::uint8_t> code) noexcept;

  ExecutableMemory(ExecutableMemory&& other) noexcept;
  ExecutableMemory& operator=(ExecutableMemory&& other) noexcept;
  ~ExecutableMemory();

  const void* begin() const noexcept { return pages_; }
  std::size_t bytes() const noexcept { return bytes_; }
  CodeMemory kind() const noexcept { return kind_; }

 private:
  ExecutableMemory(void* pages, std::size_t bytes, CodeMemory kind) noexcept
      : pages_(pages), bytes_(bytes), kind_(kind) {}

  static std::optional<ExecutableMemory> in_sealed_file(
      std::span<const std::uint8_t> code) noexcept;
  static std::optional<ExecutableMemory> in_own_pages(std::span<const std::uint8_t> code) noexcept;

  void* pages_;
  std::size_t bytes_;
  CodeMemory kind_;
};

}  // namespace xorloom
