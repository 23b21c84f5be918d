#include "runtime/files/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"

namespace xorloom {

MappedFile::MappedFile(const std::filesystem::path& path)
    // O_NONBLOCK: a pipe must not make anyone wait.
    : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (descriptor_ < 0) fail_on_io("read", path, errno);
  const auto close = [this] { ::close(descriptor_); };
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    close();
    fail(Status::kIo, fmt::format("{} is not a regular file", path.string()));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (memory == MAP_FAILED) {
    const int code = errno;
    close();
    fail_on_io("map", path, code);
  }
  bytes_ = {static_cast<const std::uint8_t*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
  ::close(descriptor_);
}

bool MappedFile::is_whole() const noexcept {
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 &&
         static_cast<std::size_t>(status.st_size) >= bytes_.size();
}

}  // namespace xorloom
