#include "codes/text/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// A file descriptor that its destructor closes.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_to_read(Status kind, const std::string& path, const char* why) {
  fail(kind, "cannot read {}: {}", path, why);
}

void check_regular(const std::string& path, mode_t mode) {
  if (S_ISREG(mode)) return;
  if (S_ISDIR(mode)) fail_to_read(Status::kIo, path, std::strerror(EISDIR));
  fail_to_read(
      Status::kIo, path,
      S_ISFIFO(mode) ? "it is a pipe, not a regular file" : "it is a device, not a regular file");
}

}  // namespace

std::string read_text_file(const std::string& path, std::size_t most_bytes) {
  const Descriptor file(path);
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) {
    // A name that is too long for a file may be a whole text that was given instead.
    const int code = errno;
    fail_to_read(Status::kIo, code == ENAMETOOLONG ? excerpt(path) : path, std::strerror(code));
  }
  check_regular(path, status.st_mode);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > most_bytes) fail_on_long_text(path, most_bytes);
  std::string text;
  // One byte more than the size, so that the end is seen without another read.
  text.resize(size + 1);
  for (std::size_t filled = 0;;) {
    const ssize_t got = ::read(file.number(), text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_to_read(Status::kIo, path, std::strerror(errno));
    filled += static_cast<std::size_t>(got);
    if (filled > most_bytes) fail_on_long_text(path, most_bytes);
    if (got == 0) {
      text.resize(filled);
      return text;
    }
    // The file has grown, or is one of /proc, whose files have size 0.
    if (filled == text.size()) text.resize(std::min(2 * filled + 4096, most_bytes + 1));
  }
}

std::string_view without_mark(std::string_view text) {
  return text.substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
}

void fail_on_long_text(const std::string& name, std::size_t most_bytes) {
  fail(Status::kInvalidArgument, "{} has more than {} bytes, the most that are read of it", name,
       most_bytes);
}

}  // namespace xorloom
