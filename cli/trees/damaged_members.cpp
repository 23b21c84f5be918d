#include "cli/trees/damaged_members.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include "cli/trees/archive_call.hpp"
#include "runtime/files/modified_time.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/compare_file.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kGivenBytes = std::size_t{256} << 10;

using Reader = std::unique_ptr<archive, decltype(&::archive_read_free)>;

/// A regular file below the roots.
struct FileNow {
  std::string path;
  std::string name;  ///< in an archive of the roots
  std::uint64_t bytes = 0;
  ModifiedTime time{};
  bool is_accounted = false;  ///< a member was this file, or the file cannot be read
  /// Members that damage may have made this file of. False: only if it has the name of one of them.
  std::map<std::string, bool> is_damage_of{};
};

/// A file that is compared with a member.
struct Candidate {
  FileNow* now;
  OpenFile file;
  bool differs = false;
  std::uint64_t alike = 0;        ///< bytes of equal pieces that are not all zeros
  std::uint64_t equal_bytes = 0;  ///< equal bytes of pieces that differ
  bool has_piece = false;
};

/// Bytes of the pieces that are compared. One equal piece tells damage from another file.
constexpr std::size_t kComparedBytes = 1024;

/// Files of the time of a member that are compared with it, at most: as long as the file of its
/// name, size and time has the same bytes, only a few others of this size.
constexpr std::size_t kMostCandidates = 64;
constexpr std::size_t kMostBesideOwn = 4;

class Comparison {
 public:
  Comparison(const std::vector<TreeRoot>& roots,
             const std::function<std::size_t(std::span<std::uint8_t>)>& read)
      : read_(read), given_(kGivenBytes) {
    for (const TreeRoot& root : roots) {
      add_file(root.path, root.name, ::stat);
      std::error_code error;
      if (!root.is_directory) continue;
      std::filesystem::recursive_directory_iterator entry(root.path, error);
      for (; !error && entry != std::filesystem::recursive_directory_iterator();
           entry.increment(error)) {
        const std::string path = entry->path().string();
        add_file(path, root.name + path.substr(root.path.size()), ::lstat);
      }
    }
  }

  std::vector<std::string> run() {
    const Reader reader(::archive_read_new(), ::archive_read_free);
    if (!reader) throw std::bad_alloc();
    int code = in_archive([&] {
      const int supported = ::archive_read_support_format_tar(reader.get());
      if (supported < ARCHIVE_WARN) return supported;
      return ::archive_read_open(reader.get(), this, nullptr, give, nullptr);
    });
    while (code >= ARCHIVE_WARN) {
      archive_entry* entry = nullptr;
      code = in_archive([&] { return ::archive_read_next_header(reader.get(), &entry); });
      if (code == ARCHIVE_EOF || code < ARCHIVE_WARN) break;
      if (::archive_entry_pathname(entry) == nullptr) continue;
      if (::archive_entry_hardlink(entry) != nullptr) {
        account_for(*entry);  // a hard link may have no type
      } else if (::archive_entry_filetype(entry) == AE_IFREG && ::archive_entry_size(entry) != 0) {
        compare(*reader, *entry);
      }
    }
    std::vector<std::string> damaged;
    for (const FileNow& now : files_) {
      const bool has_name = now.is_damage_of.contains(now.name);
      const bool is_damaged = std::ranges::any_of(now.is_damage_of, [&](const auto& member) {
        return (member.second || has_name) && !found_.contains(member.first);
      });
      if (is_damaged && !now.is_accounted) damaged.push_back(now.path);
    }
    std::ranges::sort(damaged);
    return damaged;
  }

 private:
  template <typename Look>
  void add_file(const std::string& path, std::string name, const Look& look) {
    struct stat status {};
    if (look(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    const ModifiedTime time = time_of(status);
    files_.push_back({path, std::move(name), static_cast<std::uint64_t>(status.st_size), time});
    by_time_[time].push_back(&files_.back());
    for (const ModifiedTime& cut : cut_times(time)) by_time_[cut].push_back(&files_.back());
  }

  /// The files that have the time of a member, or one of both times is the other, cut.
  std::vector<FileNow*> files_of_time(archive_entry& member) {
    const ModifiedTime time{::archive_entry_mtime(&member),
                            static_cast<std::uint32_t>(::archive_entry_mtime_nsec(&member))};
    std::set<ModifiedTime> times = cut_times(time);
    times.insert(time);
    std::vector<FileNow*> files;
    for (const ModifiedTime& each : times) {
      const auto found = by_time_.find(each);
      if (found == by_time_.end()) continue;
      std::ranges::copy_if(found->second, std::back_inserter(files),
                           [&](const FileNow* now) { return each == time || now->time == each; });
    }
    return files;
  }

  /// Callback of libarchive: gives it the next bytes of the archive.
  static la_ssize_t give(archive* /*reader*/, void* comparison, const void** bytes) {
    auto& self = *static_cast<Comparison*>(comparison);
    try {
      const std::size_t count = self.read_(self.given_);
      *bytes = self.given_.data();
      return static_cast<la_ssize_t>(count);
    } catch (const std::exception&) {  // the rest of the archive tells nothing
      return -1;
    }
  }

  /// The files of the time of a member: the one of its name, those of its size, and the others.
  static std::vector<Candidate> candidates(const std::string& name, std::uint64_t bytes,
                                           std::vector<FileNow*> files) {
    std::ranges::stable_sort(files, std::greater(), [&](const FileNow* now) {
      return std::pair(now->name == name, now->bytes == bytes);
    });
    std::vector<Candidate> found;
    for (FileNow* const now : files) {
      if (found.size() == kMostCandidates) break;
      Candidate candidate{now, OpenFile(now->path)};
      if (candidate.file.is_open()) {
        found.push_back(std::move(candidate));
      } else {
        now->is_accounted = true;
      }
    }
    return found;
  }

  /// A hard link has no bytes of its own in the archive: they are compared under another name.
  void account_for(archive_entry& entry) {
    for (FileNow* const now : files_of_time(entry)) {
      now->is_accounted |= now->name == ::archive_entry_pathname(&entry);
    }
  }

  /// Compares a member with the files of its time: it may be one of them, whole or damaged.
  void compare(archive& reader, archive_entry& entry) {
    const std::string name = ::archive_entry_pathname(&entry);
    const auto bytes = static_cast<std::uint64_t>(::archive_entry_size(&entry));
    std::vector<Candidate> all = candidates(name, bytes, files_of_time(entry));
    if (all.empty()) return;
    const bool has_own = all.front().now->name == name && all.front().now->bytes == bytes;
    const auto num_of_size = static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const Candidate& candidate) { return candidate.now->bytes == bytes; }));
    std::size_t compared = has_own ? std::min(kMostBesideOwn, num_of_size) : all.size();
    if (!read_member(reader, all, compared)) return;
    for (Candidate& candidate : std::span(all).first(compared)) {
      FileNow& now = *candidate.now;
      if (!candidate.differs && now.bytes == bytes) {
        now.is_accounted = true;
        found_.insert(name);
      } else if (const bool is_of = is_damage(candidate, name, bytes);
                 is_of || now.bytes == bytes) {
        now.is_damage_of[name] |= is_of;
      }
    }
  }

  static bool is_damage(const Candidate& candidate, const std::string& name, std::uint64_t bytes) {
    const FileNow& now = *candidate.now;
    if (now.name == name || candidate.has_piece) return true;
    if (candidate.alike != 0 && 2 * candidate.alike >= now.bytes) return true;
    if (now.bytes > bytes) return false;
    const std::uint64_t zeros = zero_bytes(candidate.file);
    if (now.bytes < bytes) return zeros == now.bytes;
    // A small file may be of the time of another one by chance: files are written within one tick.
    const bool is_like = now.bytes > kComparedBytes || 2 * candidate.equal_bytes >= now.bytes;
    return (now.time.second != 0 && is_like) || 2 * zeros >= now.bytes;
  }

  /// Reads the current entry beside the first `compared` files. If the first of them turns out to
  /// differ, all others are compared, too. False if the entry cannot be read to its end.
  bool read_member(archive& reader, std::vector<Candidate>& all, std::size_t& compared) {
    for (;;) {
      const void* bytes = nullptr;
      std::size_t count = 0;
      la_int64_t offset = 0;
      const int code =
          in_archive([&] { return ::archive_read_data_block(&reader, &bytes, &count, &offset); });
      if (code == ARCHIVE_EOF || code < ARCHIVE_WARN) return code == ARCHIVE_EOF;
      const std::span<const std::uint8_t> was(static_cast<const std::uint8_t*>(bytes), count);
      const auto compare_all = [&](std::span<Candidate> candidates) {
        for (Candidate& candidate : candidates) {
          compare_bytes(candidate, was, static_cast<std::uint64_t>(offset));
        }
      };
      compare_all(std::span(all).first(compared));
      if (compared == all.size() || !all.front().differs) continue;
      const std::span<Candidate> rest = std::span(all).subspan(compared);
      catch_up(rest, all.front().file, static_cast<std::uint64_t>(offset));
      compare_all(rest);
      compared = all.size();
    }
  }

  /// Compares files with the beginning of a member, up to `end`, which another file still has.
  void catch_up(std::span<Candidate> candidates, const OpenFile& with, std::uint64_t end) {
    std::vector<std::uint8_t> was(kGivenBytes);
    for (std::uint64_t at = 0; at < end; at += was.size()) {
      const auto bytes = std::span(was).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(was.size(), end - at)));
      const bool is_read = with.read_at(at, bytes) == 0;
      for (Candidate& candidate : candidates) {
        candidate.differs |= !is_read;
        compare_bytes(candidate, bytes, at);
      }
    }
  }

  void compare_bytes(Candidate& candidate, std::span<const std::uint8_t> was,
                     std::uint64_t offset) {
    const std::uint64_t end = candidate.file.bytes();
    const auto there = static_cast<std::size_t>(
        std::min<std::uint64_t>(was.size(), end > offset ? end - offset : 0));
    now_.resize(std::max(now_.size(), there));
    const auto now = std::span(now_).first(there);
    if (candidate.file.read_at(offset, now) != 0) {
      candidate.now->is_accounted = true;  // the file cannot be read
      return;
    }
    candidate.differs |= there != was.size();
    for (std::size_t at = 0; at < there; at += kComparedBytes) {
      const std::size_t count = std::min(kComparedBytes, there - at);
      if (!std::ranges::equal(now.subspan(at, count), was.subspan(at, count))) {
        candidate.differs = true;
        for (std::size_t i = at; i < at + count; ++i) candidate.equal_bytes += now[i] == was[i];
      } else if (std::ranges::any_of(now.subspan(at, count), [](auto byte) { return byte != 0; })) {
        candidate.alike += count;
        candidate.has_piece |= count == kComparedBytes;
      }
    }
  }

  const std::function<std::size_t(std::span<std::uint8_t>)>& read_;
  std::vector<std::uint8_t> given_;  ///< bytes of the archive that libarchive reads
  std::vector<std::uint8_t> now_;    ///< bytes of a file
  std::deque<FileNow> files_;
  std::map<ModifiedTime, std::vector<FileNow*>> by_time_;  ///< by their times, and these cut
  std::set<std::string> found_;  ///< members that are there whole, under whatever name
};

}  // namespace

std::vector<std::string> damaged_members(
    const std::vector<TreeRoot>& roots,
    const std::function<std::size_t(std::span<std::uint8_t>)>& read) {
  return Comparison(roots, read).run();
}

}  // namespace xorloom::cli
