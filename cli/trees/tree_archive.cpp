#include "cli/trees/tree_archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/shell/streams.hpp"
#include "cli/trees/archive_call.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom::cli {
namespace {

namespace fs = std::filesystem;

/// Bytes read from a file at once.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;

using Writer = std::unique_ptr<archive, decltype(&::archive_write_free)>;
using Entry = std::unique_ptr<archive_entry, decltype(&::archive_entry_free)>;
using Links =
    std::unique_ptr<archive_entry_linkresolver, decltype(&::archive_entry_linkresolver_free)>;

struct stat status_of(const std::string& path, bool follow) {
  struct stat status {};
  const int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
  if (::fstatat(AT_FDCWD, path.c_str(), &status, flags) != 0) fail_on_io("read", path, errno);
  return status;
}

/// The names in a directory, in descending order.
std::vector<std::string> names_from_last(const std::string& path) {
  std::vector<std::string> names = names_in(path);
  std::ranges::reverse(names);
  return names;
}

const char* kind_text(mode_t mode) {
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISFIFO(mode) ? "a pipe" : "a device";
}

}  // namespace

/// Makes the archive in steps: a step adds an entry or a piece of a file.
class TreeArchive::Maker {
 public:
  explicit Maker(std::vector<TreeRoot> roots) : piece_(kPieceBytes) {
    std::ranges::sort(roots, std::greater(), &TreeRoot::name);
    roots_ = std::move(roots);
    if (!writer_ || !links_) throw std::bad_alloc();
    ::archive_entry_linkresolver_set_strategy(links_.get(), ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE);
    check(in_archive([&] { return ::archive_write_set_format_pax(writer_.get()); }));
    check(in_archive([&] { return ::archive_write_add_filter_none(writer_.get()); }));
    check(::archive_write_set_bytes_per_block(writer_.get(), 0));
    check(in_archive(
        [&] { return ::archive_write_open(writer_.get(), this, nullptr, take, nullptr); }));
  }

  std::size_t read(std::span<std::uint8_t> bytes) {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      if (taken_ == made_.size() && !make_more()) break;
      const std::size_t count = std::min(made_.size() - taken_, bytes.size() - filled);
      std::copy_n(made_.begin() + static_cast<std::ptrdiff_t>(taken_), count,
                  bytes.begin() + static_cast<std::ptrdiff_t>(filled));
      taken_ += count;
      filled += count;
    }
    return filled;
  }

  std::size_t entries() const { return entries_; }
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  /// A directory whose names are being added.
  struct Level {
    std::string path;               ///< in the file system
    std::string name;               ///< in the archive
    std::vector<std::string> left;  ///< names to add, the next one last
  };

  /// A file whose bytes are being added.
  struct File {
    File(std::string its_path, int its_descriptor)
        : path(std::move(its_path)), descriptor(its_descriptor) {}
    std::string path;
    Descriptor descriptor;
    struct stat status {};   ///< status at opening
    std::uint64_t left = 0;  ///< bytes to add
  };

  /// Callback of libarchive: takes `count` bytes of the archive.
  static la_ssize_t take(archive* writer, void* maker, const void* bytes, std::size_t count) {
    const auto* const first = static_cast<const std::uint8_t*>(bytes);
    auto& made = static_cast<Maker*>(maker)->made_;
    try {
      made.insert(made.end(), first, first + count);
    } catch (const std::bad_alloc&) {
      ::archive_set_error(writer, ENOMEM, "there is no memory");
      return -1;
    }
    return static_cast<la_ssize_t>(count);
  }

  void check(la_ssize_t code) {
    if (code >= ARCHIVE_OK) return;
    // Some errors for lack of memory have no text.
    const char* const why = ::archive_error_string(writer_.get());
    if (why == nullptr || ::archive_errno(writer_.get()) == ENOMEM) throw std::bad_alloc();
    fail(Status::kIo, fmt::format("cannot make the archive: {}", printable(why)));
  }

  /// Replaces `made_` by the next bytes of the archive; false at its end.
  bool make_more() {
    made_.clear();
    taken_ = 0;
    while (made_.empty()) {
      if (is_closed_) return false;
      step();
    }
    return true;
  }

  void step() {
    if (file_) return add_piece();
    while (!levels_.empty() && levels_.back().left.empty()) levels_.pop_back();
    if (!levels_.empty()) {
      Level& level = levels_.back();
      const std::string name = std::move(level.left.back());
      level.left.pop_back();
      const std::string path = level.path.ends_with('/') ? level.path : level.path + '/';
      if (is_unfinished_name(name)) {
        left_out_.push_back(
            fmt::format("{}{}: its name is that of an unfinished file", path, name));
        return;
      }
      return add(path + name, level.name + '/' + name, false);
    }
    if (!roots_.empty()) {
      const TreeRoot root = std::move(roots_.back());
      roots_.pop_back();
      return add(root.path, root.name, true);
    }
    check(in_archive([&] { return ::archive_write_close(writer_.get()); }));
    is_closed_ = true;
  }

  /// Adds an entry. The bytes of a file and the names in a directory are left to later steps.
  /// `follow`: a symbolic link stands for its target.
  void add(const std::string& path, const std::string& name, bool follow) {
    struct stat status = status_of(path, follow);
    if (S_ISREG(status.st_mode)) return add_file(path, name, follow);
    const Entry entry = new_entry(name, status);
    if (S_ISDIR(status.st_mode)) {
      levels_.push_back({path, name, names_from_last(path)});
    } else if (S_ISLNK(status.st_mode)) {
      std::error_code error;
      const fs::path target = fs::read_symlink(path, error);
      if (error) fail_on_io("read", path, error.value());
      ::archive_entry_set_symlink(entry.get(), target.c_str());
    } else {
      left_out_.push_back(fmt::format("{}: it is {}", path, kind_text(status.st_mode)));
      return;
    }
    write(*entry);
  }

  void add_file(const std::string& path, const std::string& name, bool follow) {
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW);
    const int descriptor = ::open(path.c_str(), flags);
    if (descriptor < 0) fail_on_io("read", path, errno);
    file_.emplace(path, descriptor);
    struct stat& status = file_->status;
    if (::fstat(descriptor, &status) != 0) fail_on_io("read", path, errno);
    if (!S_ISREG(status.st_mode)) fail_on_change(path);
    file_->left = static_cast<std::uint64_t>(status.st_size);
    Entry entry = new_entry(name, status);
    ::archive_entry_set_size(entry.get(), status.st_size);
    if (status.st_nlink > 1) link_to_earlier(entry, status);
    if (::archive_entry_hardlink(entry.get()) != nullptr) file_.reset();
    write(*entry);
    if (file_ && file_->left == 0) end_file();
  }

  /// Makes `entry` a hard link if the archive already has the file under another name.
  void link_to_earlier(Entry& entry, const struct stat& status) {
    ::archive_entry_set_dev(entry.get(), status.st_dev);
    ::archive_entry_set_ino64(entry.get(), static_cast<la_int64_t>(status.st_ino));
    ::archive_entry_set_nlink(entry.get(), static_cast<unsigned>(status.st_nlink));
    archive_entry* linked = entry.release();
    archive_entry* other = nullptr;
    in_archive([&] { ::archive_entry_linkify(links_.get(), &linked, &other); });
    entry.reset(linked);
    // The archive must not depend on these numbers of this machine.
    ::archive_entry_set_dev(linked, 0);
    ::archive_entry_set_ino64(linked, 0);
    ::archive_entry_set_nlink(linked, 1);
  }

  Entry new_entry(const std::string& name, const struct stat& status) {
    Entry entry(::archive_entry_new(), ::archive_entry_free);
    if (!entry) throw std::bad_alloc();
    ::archive_entry_set_pathname(entry.get(), name.c_str());
    ::archive_entry_set_filetype(entry.get(), status.st_mode & S_IFMT);
    ::archive_entry_set_perm(entry.get(), status.st_mode & 07777);
    ::archive_entry_set_mtime(entry.get(), status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    return entry;
  }

  void write(archive_entry& entry) {
    // In the locale "C" of the program, libarchive cannot convert names that are not ASCII. It
    // stores their bytes with "hdrcharset=BINARY" and warns, which is what we want.
    const int code = in_archive([&] { return ::archive_write_header(writer_.get(), &entry); });
    if (code != ARCHIVE_WARN || ::archive_errno(writer_.get()) == ENOMEM) check(code);
    ++entries_;
  }

  void add_piece() {
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(file_->left, piece_.size()));
    const ssize_t got = ::read(file_->descriptor.number(), piece_.data(), wanted);
    if (got < 0 && errno == EINTR) return;
    if (got < 0) fail_on_io("read", file_->path, errno);
    if (got == 0) fail_on_change(file_->path);
    const auto count = static_cast<std::size_t>(got);
    for (std::size_t done = 0; done < count;) {
      const la_ssize_t written = in_archive(
          [&] { return ::archive_write_data(writer_.get(), piece_.data() + done, count - done); });
      check(written);
      // libarchive takes nothing if it has lost the size of the entry for lack of memory.
      if (written == 0) throw std::bad_alloc();
      done += static_cast<std::size_t>(written);
    }
    file_->left -= count;
    if (file_->left == 0) end_file();
  }

  void end_file() {
    struct stat after {};
    if (::fstat(file_->descriptor.number(), &after) != 0) fail_on_io("read", file_->path, errno);
    if (!is_unchanged(file_->status, after)) fail_on_change(file_->path);
    file_.reset();
  }

  [[noreturn]] static void fail_on_change(const std::string& path) {
    fail(Status::kIo,
         fmt::format("cannot read {}: it was changed in the meantime", quoted_path(path, 0)));
  }

  std::vector<TreeRoot> roots_;  ///< roots to add, the next one last
  std::vector<Level> levels_;    ///< from a root to the current directory
  std::optional<File> file_;
  std::vector<std::uint8_t> piece_;  ///< buffer for bytes of `file_`
  std::vector<std::uint8_t> made_;   ///< bytes of the archive
  std::size_t taken_ = 0;            ///< bytes of `made_` that read() has returned
  bool is_closed_ = false;
  std::size_t entries_ = 0;
  std::vector<std::string> left_out_;
  Writer writer_{::archive_write_new(), ::archive_write_free};
  Links links_{::archive_entry_linkresolver_new(), ::archive_entry_linkresolver_free};
};

TreeArchive::TreeArchive(std::vector<TreeRoot> roots)
    : maker_(std::make_unique<Maker>(std::move(roots))) {}

TreeArchive::~TreeArchive() = default;

std::size_t TreeArchive::read(std::span<std::uint8_t> bytes) { return maker_->read(bytes); }

std::size_t TreeArchive::entries() const { return maker_->entries(); }

const std::vector<std::string>& TreeArchive::left_out() const { return maker_->left_out(); }

}  // namespace xorloom::cli
