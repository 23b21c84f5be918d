#include "runtime/machine/executable_memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <utility>

namespace xorloom {

std::optional<ExecutableMemory> ExecutableMemory::hold(
    std::span<const std::uint8_t> code) noexcept {
  if (code.empty()) return std::nullopt;
  void* pages =
      ::mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return std::nullopt;
  ExecutableMemory memory(pages, code.size());
  std::memcpy(pages, code.data(), code.size());
  if (::mprotect(pages, code.size(), PROT_READ | PROT_EXEC) != 0) return std::nullopt;
  return memory;
}

ExecutableMemory::ExecutableMemory(ExecutableMemory&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ExecutableMemory& ExecutableMemory::operator=(ExecutableMemory&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

ExecutableMemory::~ExecutableMemory() {
  if (pages_ != nullptr) ::munmap(pages_, bytes_);
}

}  // namespace xorloom
