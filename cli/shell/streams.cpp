#include "cli/shell/streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>

#include "cli/shell/progress.hpp"
#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom::cli {
namespace {

std::string unprinted;  ///< see print_failure()

/// Reads the rest of an input, in pieces small enough for `done` to show progress.
template <typename Bytes>
Bytes rest_of(Input& input, std::size_t most_bytes, std::atomic<std::uint64_t>& done) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  Bytes bytes;
  // One byte more than expected, so that the end is seen without another round.
  bytes.resize(input.known_bytes() == 0 ? kPiece : input.known_bytes() + 1);
  std::size_t size = 0;
  for (;;) {
    if (size == bytes.size()) bytes.resize(2 * size);
    const std::size_t room = std::min(kPiece, bytes.size() - size);
    const std::size_t got =
        input.read({reinterpret_cast<std::uint8_t*>(bytes.data()) + size, room});
    size += got;
    done = size;
    if (size > most_bytes) fail_on_long_text(input.name(), most_bytes);
    if (got < room) break;
  }
  bytes.resize(size);
  return bytes;
}

/// The descriptor that `path` names, such as /dev/fd/3; else standard output or error, if it is the
/// same file. nullopt: neither.
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

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Descriptor::~Descriptor() {
  if (number_ > STDERR_FILENO) ::close(number_);
}

Input::Input(const std::string& path)
    : name_(input_name(path)),
      file_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor() < 0 || ::fstat(descriptor(), &status_) != 0) {
    fail_on_io("read", name_, errno);
  }
  if (S_ISDIR(status_.st_mode)) fail_on_io("read", name_, EISDIR);
  identity_ = {status_.st_dev, status_.st_ino};
  const bool is_pipe = S_ISFIFO(status_.st_mode) || S_ISSOCK(status_.st_mode);
  if (!is_pipe) permissions_ = permissions_within(status_.st_mode & 07777U);
  if (!S_ISREG(status_.st_mode)) return;
  const off_t position = ::lseek(descriptor(), 0, SEEK_CUR);
  known_bytes_ = static_cast<std::size_t>(std::max<off_t>(0, status_.st_size - position));
}

std::size_t Input::read(std::span<std::uint8_t> bytes) {
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(descriptor(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_on_io("read", name_, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size < bytes.size()) check_unchanged();
  return size;
}

void Input::check_unchanged() const {
  struct stat now {};
  if (!S_ISREG(status_.st_mode)) return;
  if (::fstat(descriptor(), &now) != 0) fail_on_io("read", name_, errno);
  if (is_unchanged(status_, now)) return;
  fail(Status::kIo, fmt::format("cannot read {}: it was changed in the meantime", name_));
}

bool Input::is_terminal() const { return ::isatty(descriptor()) != 0; }

std::vector<std::uint8_t> read_rest(Input& input, std::atomic<std::uint64_t>& done) {
  return rest_of<std::vector<std::uint8_t>>(input, std::numeric_limits<std::size_t>::max(), done);
}

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_text(const std::string& path, std::size_t most_bytes) {
  struct stat status {};
  if (path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
    fail(Status::kIo, "cannot read {}: it is a pipe, not a regular file; - reads standard input",
         path);
  }
  if (path != "-") return read_text_file(path, most_bytes);
  Input input(path);
  std::atomic<std::uint64_t> done{0};
  return rest_of<std::string>(input, most_bytes, done);
}

Output::Output(const std::string& path, mode_t most)
    : name_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  if (const auto own = own_descriptor(path)) {
    descriptor_ = *own;
    return;
  }
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const auto type = status.type();
  if (type == std::filesystem::file_type::directory) {
    fail_on_io("write", path, EISDIR);
  }
  if (std::filesystem::exists(status) && type != std::filesystem::file_type::regular) {
    device_.emplace(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    descriptor_ = device_->number();
    if (descriptor_ < 0) fail_on_io("write", path, errno);
    return;
  }
  file_.emplace(follow_links(path), most);
}

bool Output::is_terminal() const { return !file_ && ::isatty(descriptor_) != 0; }

void Output::write(std::span<const std::uint8_t> bytes) {
  if (file_) return file_->write(bytes);
  write_to(descriptor_, bytes, name_);
}

void Output::write(std::string_view text) { write(bytes_of(text)); }

void Output::commit() {
  if (file_) file_->commit();
}

void Output::finish(std::string_view text) {
  write(text);
  commit();
}

void write_output(const std::string& path, std::span<const std::uint8_t> bytes, mode_t most) {
  Output output(path, most);
  output.write(bytes);
  output.commit();
}

void write_output(const std::string& path, std::string_view text) {
  write_output(path, bytes_of(text));
}

void print(std::string_view text) {
  try {
    write_output("-", text);
  } catch (const Error& error) {
    if (unprinted.empty()) unprinted = error.what();
  }
}

const std::string& print_failure() { return unprinted; }

void note(std::string_view line) noexcept {
  if (!is_quiet()) say(line);
}

void say(std::string_view line) noexcept {
  const auto held = without_progress_line();
  // A failure cannot be reported anywhere.
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

}  // namespace xorloom::cli
