#include "runtime/upkeep/look_in_place.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/missing_files.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Kind = FileState::Kind;

/// Bytes of a file that are read at once, unless a segment has more: they stay in L2 until their
/// checksum is made.
constexpr std::size_t kReadBytes = std::size_t{1} << 18;

/// Memory for all windows that are under way.
constexpr std::size_t kWindowsMemoryBytes = std::size_t{1} << 26;

/// True if a file may be whole although it cannot be read: the system refuses, or has no room.
bool may_be_whole(int error) {
  return error > 0 && error != ENOENT && error != ENOTDIR && error != ELOOP && error != EIO &&
         error != ENAMETOOLONG;
}

/// Segments of a file that are read at once.
struct Window {
  std::size_t file = 0;
  std::shared_ptr<const OpenFile> opened;
  std::vector<Segment> segments;
  std::vector<std::uint8_t> bytes;
  // Results:
  std::vector<bool> are_good;  ///< by segment
  int error = 0;               ///< errno, if any segment could not be read
};

std::size_t bytes_of(const Window& window) {
  const Segment& last = window.segments.back();
  return static_cast<std::size_t>(last.file_offset - window.segments.front().file_offset) +
         last.bytes;
}

/// Reads the segments of a window and compares them. If they cannot be read together, each is read
/// alone: those beside a lost one may be good.
void read_window(Window& window, const Manifest& manifest) {
  const std::uint64_t begin = window.segments.front().file_offset;
  const std::size_t bytes = bytes_of(window);
  window.bytes.resize(std::max(window.bytes.size(), bytes));
  const OpenFile& file = *window.opened;
  const bool are_read = file.read_at(begin, std::span(window.bytes).first(bytes)) == 0;
  window.are_good.clear();
  window.error = 0;
  for (const Segment& segment : window.segments) {
    const auto text =
        std::span(window.bytes)
            .subspan(static_cast<std::size_t>(segment.file_offset - begin), segment.bytes);
    const int code = are_read ? 0 : file.read_at(segment.file_offset, text);
    if (code > 0) window.error = code;
    window.are_good.push_back(code == 0 && checksum(text) == manifest.sums[segment.number].strong);
  }
}

class InPlace {
 public:
  InPlace(const Protection& protection, const PathOfFile& path_of, const std::vector<bool>& is_kept,
          OtherFiles& others, FoundSegments& found, Progress& progress)
      : manifest_(protection.manifest),
        map_(protection.map),
        path_of_(path_of),
        is_kept_(is_kept),
        others_(others),
        found_(found),
        progress_(progress) {
    for (const ProtectionPart& part : protection.parts) parts_.insert(part.file.identity());
    for (const FileIdentity& part : parts_) others_.pass_over(part);
  }

  void run(std::size_t threads) {
    std::vector<Window> windows(slots_for(threads, kReadBytes, kWindowsMemoryBytes));
    run_pipeline(threads, windows.size(),
                 {[&](std::size_t slot) { return begin_window(windows[slot]); },
                  [&](std::size_t slot) { read_window(windows[slot], manifest_); },
                  [&](std::size_t slot) { end_window(windows[slot]); }});
  }

 private:
  /// Takes the next segments of the file that is open, or of the next file that has any.
  bool begin_window(Window& window) {
    while (!opened_ || next_segment_ == map_.first_segment(next_file_)) {
      if (next_file_ == map_.num_files()) return false;
      open_file(next_file_);
      next_segment_ = map_.first_segment(next_file_++);
    }
    window.file = next_file_ - 1;
    window.opened = opened_;
    window.segments.clear();
    while (next_segment_ < map_.first_segment(next_file_) &&
           (window.segments.empty() || bytes_of(window) < kReadBytes)) {
      window.segments.push_back(map_.segment(window.file, next_segment_++));
    }
    return true;
  }

  void keep_file(std::size_t file, const fs::path& path) {
    opened_ = nullptr;
    found_.files[file].kind = Kind::kWhole;
    const std::uint32_t source = others_.add_source(path, map_.bytes_of_file(file), false);
    for (std::size_t s = map_.first_segment(file); s < map_.first_segment(file + 1); ++s) {
      found_.places[s] = {source, map_.segment(file, s).file_offset};
    }
  }

  /// Opens a file and sets its state as if all that is to be read of it were good.
  void open_file(std::size_t file) {
    FileState& state = found_.files[file];
    const fs::path path = path_of_(file);
    if (!is_kept_.empty() && is_kept_[file]) return keep_file(file, path);
    auto opened = std::make_shared<const OpenFile>(path);
    opened_ = nullptr;
    if (!opened->is_open()) {
      state.error = opened->error() == ENOENT || opened->error() == ENOTDIR ? 0 : opened->error();
      if (manifest_.scope.follows_links && leads_nowhere({}, path.string())) {
        state.error = ENOLINK;
      }
      struct stat status {};
      if (may_be_whole(state.error)) {
        state.kind = Kind::kUnreadable;
      } else if (::lstat(path.c_str(), &status) == 0) {
        // An update gives the file up if neither a file nor a link is there.
        const bool may_be_damage = state.error != 0 || S_ISLNK(status.st_mode);
        state.kind = may_be_damage ? Kind::kDamaged : Kind::kMissing;
      }
      progress_.done += map_.bytes_of_file(file);
      return;
    }
    if (parts_.contains(opened->identity())) {
      fail(Status::kDamaged, fmt::format("{} is a protection file, and is among the files that it "
                                         "says it protects",
                                         path.string()));
    }
    struct stat status {};
    const ProtectedFile& before = manifest_.files[file];
    state.has_other_time =
        ::stat(path.c_str(), &status) == 0 && !is_same_time(time_of(before), time_of(status));
    state.bytes = opened->bytes();
    state.source = others_.add_protected(path, opened->bytes(), opened->identity());
    state.kind = opened->bytes() == map_.bytes_of_file(file) ? Kind::kWhole : Kind::kDamaged;
    opened_ = std::move(opened);
  }

  void end_window(const Window& window) {
    FileState& state = found_.files[window.file];
    for (std::size_t i = 0; i < window.segments.size(); ++i) {
      const Segment& segment = window.segments[i];
      if (window.are_good[i]) {
        found_.places[segment.number] = {state.source, segment.file_offset};
      } else if (state.kind == Kind::kWhole) {
        state.kind = Kind::kDamaged;
      }
    }
    if (may_be_whole(window.error)) {
      state.error = window.error;
      state.kind = Kind::kUnreadable;
    }
    const std::size_t bytes = bytes_of(window);
    progress_.done += bytes;
    found_.bytes_read += bytes;
  }

  const Manifest& manifest_;
  const FileMap& map_;
  const PathOfFile& path_of_;
  const std::vector<bool>& is_kept_;
  OtherFiles& others_;
  FoundSegments& found_;
  Progress& progress_;
  std::set<FileIdentity> parts_;
  std::shared_ptr<const OpenFile> opened_;  ///< the file with number next_file_ - 1
  std::size_t next_file_ = 0;
  std::size_t next_segment_ = 0;
};

}  // namespace

void look_in_place(const Protection& protection, const PathOfFile& path_of,
                   const std::vector<bool>& is_kept, std::size_t threads, OtherFiles& others,
                   FoundSegments& found, Progress& progress) {
  found.places.resize(protection.map.num_segments());
  found.files.resize(protection.map.num_files());
  std::uint64_t bytes = 0;
  for (std::size_t file = 0; file < protection.map.num_files(); ++file) {
    if (is_kept.empty() || !is_kept[file]) bytes += protection.map.bytes_of_file(file);
  }
  progress.begin("checking", bytes);
  InPlace(protection, path_of, is_kept, others, found, progress).run(threads);
}

std::string reading_error(int error) {
  if (error != ENOLINK) return std::strerror(error);
  return "a symbolic link in its path leads nowhere, as if a disk were not mounted; if what it led "
         "to is lost, remove the link";
}

}  // namespace xorloom
