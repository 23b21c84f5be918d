#include "runtime/files/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "runtime/files/file_error.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/nameless_file.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Unit of holes: most file systems have blocks of at most this size.
constexpr std::size_t kPageBytes = 4096;

std::size_t to_next_page(std::uint64_t offset) {
  return kPageBytes - static_cast<std::size_t>(offset % kPageBytes);
}

/// Bytes of the zero pages at the beginning of `bytes`; 0 if `offset` is not at a page's edge.
std::size_t zero_pages(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  if (offset % kPageBytes != 0) return 0;
  std::size_t zeros = 0;
  while (bytes.size() - zeros >= kPageBytes && bytes[zeros] == 0 &&
         std::memcmp(&bytes[zeros], &bytes[zeros + 1], kPageBytes - 1) == 0) {
    zeros += kPageBytes;
  }
  return zeros;
}

/// Removes a file with a leftover's name if it is a leftover. This can lock a file that is just
/// being made, before its maker does; its maker then makes another.
void remove_leftover_file(const fs::path& path) {
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int descriptor = ::open(path.c_str(), kFlags | O_RDWR);  // as NFS wants it for a lock
  if (descriptor < 0 && errno == EACCES) descriptor = ::open(path.c_str(), kFlags | O_RDONLY);
  if (descriptor < 0) return;
  struct stat opened {};
  const bool is_file =
      ::fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_nlink == 1;
  if (is_file && lock_leftover(descriptor, path)) ::unlink(path.c_str());
  ::close(descriptor);
}

}  // namespace

OutputFile::OutputFile(fs::path destination, mode_t most) : destination_(std::move(destination)) {
  const std::optional<mode_t> permissions = permissions_of_file(destination_);
  for (const fs::path& left : hidden_names_of(destination_, kOutputSuffix))
    remove_leftover_file(left);
  const auto uninterrupted = hold_off_abandoning();
  descriptor_ = open_nameless(directory_of(destination_), O_WRONLY, 0666U & most);
  if (descriptor_ >= 0) {
    is_locked_ = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  } else {
    make_hidden(0666U & most);
  }
  if (permissions) static_cast<void>(::fchmod(descriptor_, *permissions & most));
}

OutputFile::~OutputFile() {
  const auto uninterrupted = hold_off_abandoning();
  if (hidden_) ::unlink(hidden_->name().c_str());
  hidden_.reset();
  if (descriptor_ >= 0) ::close(descriptor_);  // from here on another program may have the name
}

/// Makes a file under a hidden name. If it can be locked, others may remove it once the lock ends.
void OutputFile::make_hidden(mode_t permissions) {
  std::string_view suffix = kOutputSuffix;
  while (descriptor_ < 0) {
    hidden_.emplace(hidden_name_beside(destination_, suffix));
    const char* const name = hidden_->name().c_str();
    descriptor_ = ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (descriptor_ < 0) {
      const int code = errno;
      hidden_.reset();
      if (code != EEXIST) fail_on_io("write", destination_, code);
      continue;
    }
    if (suffix != kOutputSuffix) return;
    is_locked_ = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    struct stat made {};
    if (is_locked_ && ::fstat(descriptor_, &made) == 0 && made.st_nlink != 0) return;
    // Another program took it for a leftover and removes it; or there are no locks.
    if (!is_locked_ && errno != EWOULDBLOCK) {
      ::unlink(name);
      suffix = kHiddenSuffix;
    }
    hidden_.reset();
    ::close(std::exchange(descriptor_, -1));
  }
}

void OutputFile::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::size_t hole = zero_pages(bytes, bytes_);
    if (hole != 0 && ::lseek(descriptor_, static_cast<off_t>(hole), SEEK_CUR) < 0) {
      fail_on_io("write", destination_, errno);
    }
    bytes_ += hole;
    bytes = bytes.subspan(hole);
    ends_in_hole_ = hole != 0 && bytes.empty();
    // Up to the next page of zeros.
    std::size_t end = std::min(bytes.size(), to_next_page(bytes_));
    while (end < bytes.size() && zero_pages(bytes.subspan(end), bytes_ + end) == 0) {
      end = std::min(bytes.size(), end + kPageBytes);
    }
    write_to(descriptor_, bytes.first(end), destination_);
    bytes_ += end;
    bytes = bytes.subspan(end);
  }
}

/// Gives a nameless file its name if that is free, else a hidden one.
void OutputFile::give_name() {
  int code = name_nameless(descriptor_, destination_);
  while (code == EEXIST) {
    hidden_.emplace(hidden_name_beside(destination_, is_locked_ ? kOutputSuffix : kHiddenSuffix));
    code = name_nameless(descriptor_, hidden_->name());
    if (code != 0) hidden_.reset();
  }
  if (code != 0) fail_on_io("write", destination_, code);
  // On some file systems only what had a name when it was synced survives a loss of power.
  if (code = sync_file(descriptor_); code != 0) fail_on_io("write", destination_, code);
}

void OutputFile::commit() {
  if (ends_in_hole_ && ::ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0) {
    fail_on_io("write", destination_, errno);
  }
  if (const int code = sync_file(descriptor_); code != 0) fail_on_io("write", destination_, code);
  {
    const auto uninterrupted = hold_off_abandoning();
    if (!hidden_) give_name();
    if (hidden_) {
      if (::rename(hidden_->name().c_str(), destination_.c_str()) != 0) {
        fail_on_io("write", destination_, errno);
      }
      hidden_.reset();
    }
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_on_io("write", destination_, errno);
  if (const int code = sync_directory(directory_of(destination_)); code != 0) {
    fail_on_io("write", destination_, code);
  }
}

}  // namespace xorloom
