#include "runtime/machine/executable_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace xorloom {
namespace {

/// MFD_EXEC of Linux 6.3 and later; headers may be older. Without it such a system may refuse to
/// execute the file.
constexpr unsigned int kMayBeExecuted = 0x10;

/// A nameless file in memory; less than 0 if there is none.
int file_in_memory() noexcept {
  constexpr unsigned int kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int file = ::memfd_create("xorloom", kFlags | kMayBeExecuted);
  if (file >= 0 || errno != EINVAL) return file;
  return ::memfd_create("xorloom", kFlags);
}

bool write_all(int file, std::span<const std::uint8_t> bytes) noexcept {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// Makes the processor fetch what was just written. Processors off x86 have caches of instructions
/// that stores do not reach.
void forget_old_instructions(void* pages, std::size_t bytes) noexcept {
  auto* const first = static_cast<char*>(pages);
  __builtin___clear_cache(first, first + bytes);
}

}  // namespace

std::optional<ExecutableMemory> ExecutableMemory::in_sealed_file(
    std::span<const std::uint8_t> code) noexcept {
  const int file = file_in_memory();
  if (file < 0) return std::nullopt;
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  void* pages = MAP_FAILED;
  if (write_all(file, code) && ::fcntl(file, F_ADD_SEALS, kSeals) == 0) {
    pages = ::mmap(nullptr, code.size(), PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
  }
  ::close(file);
  if (pages == MAP_FAILED) return std::nullopt;
  forget_old_instructions(pages, code.size());
  return ExecutableMemory(pages, code.size(), CodeMemory::kSealedFile);
}

std::optional<ExecutableMemory> ExecutableMemory::in_own_pages(
    std::span<const std::uint8_t> code) noexcept {
  void* pages =
      ::mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return std::nullopt;
  ExecutableMemory memory(pages, code.size(), CodeMemory::kOwnPages);
  std::memcpy(pages, code.data(), code.size());
  if (::mprotect(pages, code.size(), PROT_READ | PROT_EXEC) != 0) return std::nullopt;
  forget_old_instructions(pages, code.size());
  return memory;
}

std::optional<ExecutableMemory> ExecutableMemory::hold(
    std::span<const std::uint8_t> code) noexcept {
  if (code.empty()) return std::nullopt;
  if (auto memory = in_sealed_file(code)) return memory;
  return in_own_pages(code);
}

ExecutableMemory::ExecutableMemory(ExecutableMemory&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      kind_(other.kind_) {}

ExecutableMemory& ExecutableMemory::operator=(ExecutableMemory&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(bytes_, other.bytes_);
  std::swap(kind_, other.kind_);
  return *this;
}

ExecutableMemory::~ExecutableMemory() {
  if (pages_ != nullptr) ::munmap(pages_, bytes_);
}

}  // namespace xorloom
