#include "runtime/files/changed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom {

ChangedFile::ChangedFile(const std::filesystem::path& path, const FileIdentity& meant)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) fail_on_io("write", path_, errno);
  struct stat status {};
  const int code = ::fstat(descriptor_, &status) == 0 ? 0 : errno;
  if (code == 0 && FileIdentity{status.st_dev, status.st_ino} == meant) return;
  ::close(descriptor_);
  if (code != 0) fail_on_io("write", path_, code);
  fail(Status::kIo,
       fmt::format("cannot change {}: it is not the file that was there before", path_.string()));
}

ChangedFile::ChangedFile(ChangedFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

ChangedFile::~ChangedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ChangedFile::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes,
                           std::span<const std::uint8_t> more) const {
  write_to_at(descriptor_, offset, bytes, more, path_);
}

void ChangedFile::cut_behind(std::uint64_t bytes) const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_on_io("write", path_, errno);
  if (static_cast<std::uint64_t>(status.st_size) <= bytes) return;
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail_on_io("cut", path_, errno);
}

void ChangedFile::sync() const {
  if (const int code = sync_file(descriptor_); code != 0) fail_on_io("write", path_, code);
}

}  // namespace xorloom
