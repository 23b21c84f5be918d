#include "cli/streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "codes/error.hpp"
#include "runtime/pending_file.hpp"

namespace xorloom::cli {
namespace {

/// Closes a descriptor that was opened here, and leaves standard ones open.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

[[noreturn]] void fail_on(Status kind, const char* what, const std::string& path, int code) {
  fail(kind, fmt::format("cannot {} {}: {}", what, path, std::strerror(code)));
}

template <typename Bytes>
Bytes read_whole(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const Descriptor file(standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) fail_on(Status::kInvalidArgument, "read", name, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail_on(Status::kInvalidArgument, "read", name, errno);
  if (S_ISDIR(status.st_mode)) fail_on(Status::kInvalidArgument, "read", name, EISDIR);

  Bytes bytes;
  std::size_t size = 0;
  // One more than a regular file holds, so that its end is seen without another round.
  bytes.resize(S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : 0);
  for (;;) {
    if (size == bytes.size()) bytes.resize(std::max<std::size_t>(1 << 16, size * 2));
    const ssize_t got = ::read(file.number(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_on(Status::kIo, "read", name, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

/// The descriptor a path names, as /dev/fd/3 does, or standard output or error if that leads to the
/// same file.
std::optional<int> own_descriptor(const std::string& path) {
  std::vector<int> candidates{STDOUT_FILENO, STDERR_FILENO};
  const std::filesystem::path name(path);
  std::error_code ignored;
  if (std::filesystem::equivalent(name.parent_path(), "/proc/self/fd", ignored)) {
    candidates.insert(candidates.begin(), std::atoi(name.filename().c_str()));
  }
  struct stat target {
  }, own{};
  if (::stat(path.c_str(), &target) != 0) return std::nullopt;
  for (const int candidate : candidates) {
    if (::fstat(candidate, &own) != 0) continue;
    if (own.st_dev == target.st_dev && own.st_ino == target.st_ino) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::uint8_t> read_input(const std::string& path) {
  return read_whole<std::vector<std::uint8_t>>(path);
}

std::size_t known_input_bytes(const std::string& path) noexcept {
  struct stat status {};
  const int found = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  return found == 0 && S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
}

std::string read_text(const std::string& path) { return read_whole<std::string>(path); }

void write_output(const std::string& path, std::span<const std::uint8_t> bytes) {
  if (path == "-") return write_to(STDOUT_FILENO, bytes, "standard output");
  if (const auto own = own_descriptor(path)) return write_to(*own, bytes, path);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const auto type = status.type();
  if (type == std::filesystem::file_type::directory)
    fail_on(Status::kInvalidArgument, "write", path, EISDIR);
  if (std::filesystem::exists(status) && type != std::filesystem::file_type::regular) {
    const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.number() < 0) fail_on(Status::kInvalidArgument, "write", path, errno);
    return write_to(device.number(), bytes, path);
  }
  PendingFile file(follow_links(path));
  file.write(bytes);
  file.finish();
  file.commit();
  sync_directory(file.destination().parent_path());
}

void write_output(const std::string& path, std::string_view text) {
  write_output(path, bytes_of(text));
}

void print(std::string_view text) { write_output("-", text); }

void note(std::string_view line) noexcept {
  // Nothing is left to tell anyone if this fails.
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

}  // namespace xorloom::cli
