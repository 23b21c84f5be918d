#include "cli/trees/tree_extractor.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/shell/streams.hpp"
#include "cli/trees/archive_call.hpp"
#include "cli/trees/coroutine.hpp"
#include "cli/trees/tree_names.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom::cli {
namespace {

using Reader = std::unique_ptr<archive, decltype(&::archive_read_free)>;
using Writer = std::unique_ptr<archive, decltype(&::archive_write_free)>;

/// Flags for what libarchive restores and refuses. Owners, ACLs and extended attributes are not
/// restored.
constexpr int kDiskFlags = ARCHIVE_EXTRACT_PERM | ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_SPARSE |
                           ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NODOTDOT |
                           ARCHIVE_EXTRACT_SECURE_NOABSOLUTEPATHS;

// Permissions that are restored. Setuid and setgid would give others the user's rights. Directories
// keep the sticky bit.
constexpr mode_t kFileBits = 0777;
constexpr mode_t kDirectoryBits = S_ISVTX | 0777;

/// Bytes copied at once in place of hard links.
constexpr std::size_t kCopiedBytes = std::size_t{1} << 20;

std::string text_of(const char* text) { return printable(text == nullptr ? "" : text); }

/// The first part of a relative path; empty if the path names the directory itself. Throws kDamaged
/// if the path is absolute or contains "..".
std::string first_name(std::string_view path) {
  const bool is_absolute = path.starts_with('/');
  bool has_parent = false;
  std::string first;
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    has_parent = has_parent || part == "..";
    if (first.empty() && !part.empty() && part != ".") first = part;
  }
  if (is_absolute || has_parent) {
    fail(
        Status::kDamaged,
        fmt::format("the archive names '{}', which leads out of the directory: nothing is unpacked",
                    excerpt(path)));
  }
  return first;
}

/// True if a part of the path is a name of this program for unfinished files. An archive may not
/// create such files, since the next run would take them for its own.
bool has_unfinished_part(const std::filesystem::path& path) {
  return std::ranges::any_of(path,
                             [](const auto& part) { return is_unfinished_name(part.native()); });
}

/// `path` without slashes at its end, so that lstat does not follow a link of this name.
std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

/// True if another file system might take what this one refuses.
bool is_of_file_system(int code) {
  constexpr std::array kCodes = {EINVAL, EILSEQ, ENAMETOOLONG, EPERM, ENOTSUP, ENOSYS, EFBIG};
  return std::ranges::find(kCodes, code) != kCodes.end();
}

/// True if a file cannot get one more name.
bool is_lack_of_links(int code) {
  return code == EPERM || code == ENOTSUP || code == ENOSYS || code == EMLINK;
}

/// True for errors that the archive causes on any system, such as a file below a file.
bool is_of_archive(int code) {
  constexpr std::array kCodes = {ENOTDIR, ENOENT, EISDIR, ENOTEMPTY, EEXIST, ELOOP};
  return std::ranges::find(kCodes, code) != kCodes.end();
}

}  // namespace

/// Passes bytes from the thread that calls write() to a thread that unpacks. write() offers a span
/// and waits until it is used up; the unpacking thread waits in libarchive for the next span. If
/// the system refuses a second thread, both take turns on one (Coroutine).
class TreeExtractor::Unpacker {
  /// Changes the working directory of the process; the destructor changes it back.
  class WorkingDirectory {
   public:
    explicit WorkingDirectory(const std::filesystem::path& directory)
        : before_(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {
      if (before_.number() < 0 || ::chdir(directory.c_str()) != 0) {
        fail_on_io("go to the directory", directory, errno);
      }
    }
    ~WorkingDirectory() { static_cast<void>(::fchdir(before_.number()) == 0); }
    WorkingDirectory(const WorkingDirectory&) = delete;
    WorkingDirectory& operator=(const WorkingDirectory&) = delete;

   private:
    Descriptor before_;
  };

 public:
  Unpacker(const PendingTree& tree, std::function<void(const std::string&)> check_name,
           bool keeps_going)
      : tree_(tree),
        check_name_(std::move(check_name)),
        keeps_going_(keeps_going),
        working_directory_(std::in_place, tree.path()) {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {  // the system has no more threads
      turns_ = std::make_unique<Coroutine>([this] { run(); });
    }
  }

  ~Unpacker() {
    end(true);
    wait_for_end();
  }

  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  void write(std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return;
    std::unique_lock lock(mutex_);
    offered_ = bytes;
    changed_.notify_all();
    wait(lock, [this] { return offered_.empty() || is_done_; });
    offered_ = {};
    if (error_) std::rethrow_exception(error_);
  }

  void finish() {
    end(false);
    wait_for_end();
    working_directory_.reset();
    if (error_) std::rethrow_exception(error_);
    if (ran_out_) fail(Status::kDamaged, "the archive of the files has no end: it was cut");
  }

  std::size_t entries() const { return entries_; }
  std::size_t left_out() const { return left_out_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void end(bool is_cut_off) {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
    is_cut_off_ = is_cut_off_ || is_cut_off;
    changed_.notify_all();
  }

  /// Waits until `holds` returns true, by the work of the other thread or of the other stack.
  template <typename Predicate>
  void wait(std::unique_lock<std::mutex>& lock, const Predicate& holds) {
    if (!turns_) return changed_.wait(lock, holds);
    while (!holds()) {
      lock.unlock();
      turns_->is_inside() ? turns_->pause() : turns_->resume();
      lock.lock();
    }
  }

  void wait_for_end() {
    if (thread_.joinable()) return thread_.join();
    std::unique_lock lock(mutex_);
    wait(lock, [this] { return is_done_; });
  }

  /// Callback of libarchive: gives it the span offered next, which stays lent until the next call.
  static la_ssize_t give(archive* reader, void* unpacker, const void** bytes) {
    auto& self = *static_cast<Unpacker*>(unpacker);
    std::unique_lock lock(self.mutex_);
    if (std::exchange(self.is_lent_, false)) {
      self.offered_ = {};
      self.changed_.notify_all();
    }
    self.wait(lock, [&] { return !self.offered_.empty() || self.is_ended_; });
    if (self.is_cut_off_) {
      ::archive_set_error(reader, ECANCELED, "there are no more bytes");
      return -1;
    }
    if (self.offered_.empty()) {  // the archive marks its own end: this one was cut
      self.ran_out_ = true;
      return 0;
    }
    self.is_lent_ = true;
    *bytes = self.offered_.data();
    return static_cast<la_ssize_t>(self.offered_.size());
  }

  void run() noexcept {
    std::exception_ptr error;
    try {
      unpack();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    error_ = error;
    is_done_ = true;
    changed_.notify_all();
  }

  void unpack() {
    const Reader reader(::archive_read_new(), ::archive_read_free);
    const Writer disk(::archive_write_disk_new(), ::archive_write_free);
    if (!reader || !disk) throw std::bad_alloc();
    ::archive_write_disk_set_options(disk.get(), kDiskFlags);
    check_read(*reader, in_archive([&] {
      const int code = ::archive_read_support_format_tar(reader.get());
      if (code < ARCHIVE_WARN) return code;
      return ::archive_read_open(reader.get(), this, nullptr, give, nullptr);
    }));
    for (;;) {
      archive_entry* entry = nullptr;
      const int code = in_archive([&] { return ::archive_read_next_header(reader.get(), &entry); });
      if (code == ARCHIVE_EOF) break;
      check_read(*reader, code);
      if (is_wanted(*entry)) unpack_entry(*reader, *disk, *entry);
    }
    // Sets times and permissions of directories: last, since creating files in them changes times.
    const auto uninterrupted = hold_off_abandoning();
    const int code = in_archive([&] { return ::archive_write_close(disk.get()); });
    check_finished(*disk, code, "a directory");
    check_directories();
    if (copies_ == 0) return;
    remarks_.push_back(fmt::format("copied, since this file system has no more hard links: {}{}",
                                   first_copy_,
                                   copies_ == 1 ? "" : fmt::format(" and {} more", copies_ - 1)));
  }

  /// Adds a remark for each directory that lacks its permissions or time: libarchive reports none.
  void check_directories() {
    constexpr std::time_t kCoarse = 2;  // seconds; some file systems round times to it
    for (const auto& [name, wanted] : directories_) {
      struct stat status {};
      if (::lstat(name.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
      const auto [permissions, time] = wanted;
      if ((status.st_mode & kDirectoryBits) == permissions && status.st_mtime <= time + kCoarse &&
          status.st_mtime >= time - kCoarse) {
        continue;
      }
      remarks_.push_back(fmt::format("{} could not be given its permissions and time", name));
    }
  }

  /// Throws std::bad_alloc if the last error was a lack of memory, which may come without a text.
  static void check_memory(archive& failed) {
    const bool is_lack = ::archive_errno(&failed) == ENOMEM;
    if (is_lack || ::archive_error_string(&failed) == nullptr) throw std::bad_alloc();
  }

  static void check_read(archive& reader, int code) {
    if (code < ARCHIVE_OK) check_memory(reader);
    if (code >= ARCHIVE_WARN) return;
    fail(Status::kDamaged,
         fmt::format("the content is no archive of files that can be unpacked: {}",
                     text_of(::archive_error_string(&reader))));
  }

  /// Checks the result of writing `name`. A warning counts as an error, since libarchive only warns
  /// of a full disk. Errors: throws kIo if the system refused to write, else kDamaged.
  void check_made(archive& disk, la_ssize_t code, const std::string& name) const {
    if (code >= ARCHIVE_OK) return;
    check_memory(disk);
    const int number = ::archive_errno(&disk);
    if (number > 0 && !is_of_archive(number))
      fail_on_io("write", tree_.destination() / name, number);
    fail(Status::kDamaged, fmt::format("'{}' of the archive is not unpacked, nor is the rest: {}",
                                       excerpt(name), text_of(::archive_error_string(&disk))));
  }

  /// Checks the result of setting permissions and times. A file system may lack them: a remark.
  void check_finished(archive& disk, int code, const std::string& name) {
    const int number = ::archive_errno(&disk);
    const bool is_system = number == ENOSPC || number == EDQUOT || number == EIO ||
                           number == EFBIG || number == ENOMEM;
    if (code != ARCHIVE_WARN || is_system) return check_made(disk, code, name);
    remarks_.push_back(fmt::format("{} could not be given its permissions and time: {}", name,
                                   text_of(::archive_error_string(&disk))));
  }

  /// True if `entry` is to be unpacked; then drops the permission bits that it may not have.
  bool is_wanted(archive_entry& entry) {
    const char* const path = ::archive_entry_pathname(&entry);
    if (path == nullptr || *path == '\0') {
      fail(Status::kDamaged, "the archive of the files has an entry without a name");
    }
    const std::string name = first_name(path);
    if (name.empty()) return false;  // the tree itself, which stays as it is
    if (has_unfinished_part(path)) {
      remarks_.push_back(fmt::format("left out: {}: its name is that of an unfinished file", path));
      return false;
    }
    if (tree_.path().native().size() + std::strlen(path) + 2 > PATH_MAX) {
      leave_out(path, std::strerror(ENAMETOOLONG));
      return false;
    }
    if (const char* const target = ::archive_entry_hardlink(&entry)) {
      static_cast<void>(first_name(target));
    } else if (const auto type = ::archive_entry_filetype(&entry);
               type != AE_IFREG && type != AE_IFDIR && type != AE_IFLNK) {
      remarks_.push_back(fmt::format("left out: {}: it is no file, directory or link", path));
      return false;
    }
    const bool is_directory = ::archive_entry_filetype(&entry) == AE_IFDIR;
    const mode_t permissions =
        ::archive_entry_perm(&entry) & (is_directory ? kDirectoryBits : kFileBits);
    ::archive_entry_set_perm(&entry, permissions);
    if (is_directory)
      directories_[without_slashes(path)] = {permissions, ::archive_entry_mtime(&entry)};
    if (names_.insert(name).second) check_name_(name);
    return true;
  }

  /// Leaves an entry out if that is wanted, else throws kIo.
  void leave_out(const std::string& name, const std::string& why) {
    if (!keeps_going_) {
      fail(Status::kIo, fmt::format("'{}' of the archive cannot be written here, and nothing is "
                                    "unpacked: {}; --keep-going unpacks the rest, and -o FILE "
                                    "writes the archive as it is",
                                    excerpt(name), printable(why)));
    }
    remarks_.push_back(fmt::format("left out: {}: {}", name, why));
    ++left_out_;
  }

  /// Makes a copy in place of a hard link.
  void copy_linked(archive_entry& entry, const std::string& name) {
    const std::string target = ::archive_entry_hardlink(&entry);
    if (leads_through_link(target)) {
      fail(Status::kDamaged,
           fmt::format("'{}' of the archive leads through a link: nothing is unpacked",
                       excerpt(target)));
    }
    const OpenFile from = open_regular_file(target);
    const Descriptor to(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    const std::filesystem::path destination = tree_.destination() / name;
    if (to.number() < 0) fail_on_io("write", destination, errno);
    std::vector<std::uint8_t> bytes(kCopiedBytes);
    for (std::uint64_t at = 0; at < from.bytes(); at += bytes.size()) {
      bytes.resize(
          static_cast<std::size_t>(std::min<std::uint64_t>(kCopiedBytes, from.bytes() - at)));
      if (const int code = from.read_at(at, bytes); code != 0) fail_on_io("read", target, code);
      write_to(to.number(), bytes, destination);
    }
    struct stat status {};
    if (::stat(target.c_str(), &status) != 0) fail_on_io("read", target, errno);
    const std::array<timespec, 2> times{status.st_atim, status.st_mtim};
    static_cast<void>(::fchmod(to.number(), status.st_mode & kFileBits));
    static_cast<void>(::futimens(to.number(), times.data()));
    if (copies_++ == 0) first_copy_ = name;
  }

  /// Makes an entry, without its content. False if it needs none, or is left out.
  bool make_entry(archive& disk, archive_entry& entry, const std::string& name) {
    if (const auto why = names_made_.why_not_distinct(name)) {
      leave_out(name, *why);
      return false;
    }
    const bool is_link = ::archive_entry_hardlink(&entry) != nullptr;
    const int code = in_archive([&] { return ::archive_write_header(&disk, &entry); });
    const int number = code < ARCHIVE_OK ? ::archive_errno(&disk) : 0;
    if (is_link && is_lack_of_links(number)) {
      copy_linked(entry, name);
      ++entries_;
      return false;
    }
    // For a name that the file system forbids it may say that there is no such name, as for a hard
    // link to a file that was left out.
    const bool is_forbidden = number == ENOENT && (!is_link || left_out_ != 0);
    if (is_of_file_system(number) || is_forbidden) {
      leave_out(name, std::strerror(number));
      return false;
    }
    check_made(disk, code, name);
    return true;
  }

  /// Unpacks an entry. Each step holds off abandon_pending_files(), so that no file is created
  /// while a signal removes the tree.
  void unpack_entry(archive& reader, archive& disk, archive_entry& entry) {
    const std::string name = ::archive_entry_pathname(&entry);
    {
      const auto uninterrupted = hold_off_abandoning();
      if (!make_entry(disk, entry, name)) return;
    }
    for (;;) {
      const void* bytes = nullptr;
      std::size_t count = 0;
      la_int64_t offset = 0;
      const int code =
          in_archive([&] { return ::archive_read_data_block(&reader, &bytes, &count, &offset); });
      if (code == ARCHIVE_EOF) break;
      check_read(reader, code);
      if (count == 0) continue;
      const auto uninterrupted = hold_off_abandoning();
      const auto written =
          in_archive([&] { return ::archive_write_data_block(&disk, bytes, count, offset); });
      check_made(disk, written, name);
    }
    const auto uninterrupted = hold_off_abandoning();
    check_finished(disk, in_archive([&] { return ::archive_write_finish_entry(&disk); }), name);
    ++entries_;
  }

  const PendingTree& tree_;
  std::function<void(const std::string&)> check_name_;
  bool keeps_going_;
  std::optional<WorkingDirectory> working_directory_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::span<const std::uint8_t> offered_;  ///< by write(); empty once it is used up
  bool is_lent_ = false;                   ///< libarchive is using `offered_`
  bool is_ended_ = false;                  ///< no more bytes will be offered
  bool is_cut_off_ = false;                ///< the extractor is destroyed: stop unpacking
  bool ran_out_ = false;                   ///< libarchive wanted more bytes after the end
  bool is_done_ = false;                   ///< unpacking has ended: no more bytes are taken
  std::exception_ptr error_;

  // Used by the unpacking thread only, until is_done_.
  std::set<std::string> names_;  ///< at the top
  TreeNames names_made_;
  std::size_t left_out_ = 0;
  std::size_t copies_ = 0;  ///< copies made in place of hard links
  std::string first_copy_;
  std::map<std::string, std::pair<mode_t, std::time_t>> directories_;
  std::size_t entries_ = 0;
  std::vector<std::string> remarks_;
  std::thread thread_;
  std::unique_ptr<Coroutine> turns_;  ///< replaces `thread_` if the system refuses one
};

TreeExtractor::TreeExtractor(const PendingTree& tree,
                             std::function<void(const std::string&)> check_name, bool keeps_going)
    : unpacker_(std::make_unique<Unpacker>(tree, std::move(check_name), keeps_going)) {}

TreeExtractor::~TreeExtractor() = default;

void TreeExtractor::write(std::span<const std::uint8_t> bytes) { unpacker_->write(bytes); }

void TreeExtractor::finish() { unpacker_->finish(); }

std::size_t TreeExtractor::entries() const { return unpacker_->entries(); }

std::size_t TreeExtractor::left_out() const { return unpacker_->left_out(); }

const std::vector<std::string>& TreeExtractor::remarks() const { return unpacker_->remarks(); }

}  // namespace xorloom::cli
