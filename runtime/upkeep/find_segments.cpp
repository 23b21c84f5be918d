#include "runtime/upkeep/find_segments.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/elsewhere.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/files_now.hpp"
#include "runtime/protection/other_files.hpp"
#include "runtime/protection/stream_reader.hpp"
#include "runtime/upkeep/files_there.hpp"
#include "runtime/upkeep/look_in_place.hpp"
#include "runtime/upkeep/scan_files.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Most comparisons of files of equal length.
constexpr std::size_t kMostComparisons = std::size_t{1} << 17;

/// Most pairs of a protected file and a name of an equal file.
constexpr std::size_t kMostEqual = std::size_t{1} << 19;

class Finder {
 public:
  Finder(const Protection& protection, const fs::path& base, const std::vector<bool>& is_kept,
         std::size_t threads, Progress& progress)
      : protection_(protection),
        manifest_(protection.manifest),
        map_(protection.map),
        base_(base),
        progress_(progress) {
    look_in_place(
        protection, [this](std::size_t file) { return path_of(file); }, is_kept, threads, others_,
        found_, progress);
  }

  void list_files() { found_.there = files_there(protection_, base_); }

  /// Decides, as an update does, which files have other times, and which times were cut.
  void compare_times() {
    times_ = comparable_files(manifest_.files, found_.there.files);
    set_other_times(times_, found_.files);
  }

  bool has_new_files() const {
    return std::ranges::any_of(found_.there.files, [this](const ProtectedFile& file) {
      return !protects(manifest_, file.name);
    });
  }

  bool is_all_whole() const {
    return std::ranges::all_of(
        found_.files, [](const FileState& state) { return state.kind == FileState::Kind::kWhole; });
  }

  /// Adds files that may hold what is not in its place: those beside protected files, and given
  /// ones.
  void add_others(const std::vector<fs::path>& given) {
    std::set<fs::path> directories;
    for (const ProtectedFile& file : manifest_.files) {
      directories.insert((base_ / file.name).parent_path());
    }
    for (const fs::path& directory : directories) {
      others_.add_directory(directory, {.follows_links = manifest_.scope.follows_links});
    }
    add_given(given);
  }

  void add_given(const std::vector<fs::path>& given, bool is_given = true) {
    for (const fs::path& path : given) {
      std::error_code error;
      if (fs::is_directory(path, error)) {
        others_.add_directory(path, {.below = true, .is_given = is_given});
      } else {  // what was named is meant, also by a link
        others_.add_file(path, {.is_given = is_given,
                                .follows_links = is_given || manifest_.scope.follows_links});
      }
    }
  }

  /// Adds all that is below the top directories of protected files.
  void add_trees() {
    for (const fs::path& top : top_directories(manifest_, base_)) {
      others_.add_directory(top, {.below = true, .follows_links = manifest_.scope.follows_links});
    }
  }

  /// Files that have the lengths or times of those that are not whole, in all places that are
  /// searched. They are not searched byte by byte, and nothing is moved away from there: it may be a
  /// copy that somebody keeps.
  void add_alike() {
    const LengthsAndTimes alike = lengths_and_times(protection_, sought());
    if (alike.is_empty()) return;
    num_scanned_ = others_.sources().size();
    add_places(manifest_, base_, alike, others_);
  }

  /// Looks elsewhere for what damage left of files, as an update does.
  void look_elsewhere() {
    SoughtFiles files = sought();
    std::erase_if(files, [this](const auto& each) { return became_.contains(each.first); });
    DirectoryPairs moved;
    for (const auto& [file, source] : equal_) {
      moved.emplace(directory_of_file(file), directory_of_source(source));
    }
    for (const auto& [file, place] :
         find_elsewhere(protection_, base_, files, std::move(moved), found_.sources,
                        others_.sources(), found_.bytes_read)) {
      look_in(file, place.source);
      FileState& state = found_.files[file];
      const fs::path& path = found_.sources[place.source].path;
      const std::string name = path.lexically_relative(base_).string();
      const bool is_out =
          !name.starts_with("../") &&
          !std::ranges::binary_search(found_.there.files, name, {}, &ProtectedFile::name);
      const bool is_gone =
          state.kind == FileState::Kind::kMissing || state.replaced_by || state.has_other_time;
      if (is_out && is_gone && !place.is_whole) state.left_out = path;
    }
  }

  /// True if a file is missing, was not found elsewhere, and was not empty.
  bool is_missing(std::size_t file) const {
    return found_.files[file].kind == FileState::Kind::kMissing && map_.bytes_of_file(file) != 0;
  }

  /// The files that are not whole, and were not found whole.
  SoughtFiles sought() const {
    SoughtFiles files;
    for (std::size_t file = 0; file < map_.num_files(); ++file) {
      if (is_missing(file) || is_partly_lost(map_, found_, file)) files[file] = false;
    }
    return files;
  }

  bool has_missing() const {
    for (std::size_t file = 0; file < map_.num_files(); ++file) {
      if (is_missing(file)) return true;
    }
    return false;
  }

  /// Looks for files that have only changed their names, even to that of another protected file,
  /// and for files that have a copy. A source is opened once for all files, and once in all calls.
  /// If a file equal to a protected one has several names, only the first is read.
  void look_for_moved() {
    std::vector<std::uint32_t> sources(
        others_.sources().begin() + static_cast<std::ptrdiff_t>(num_compared_.value_or(0)),
        others_.sources().end());
    if (!num_compared_) {
      for (const FileState& state : found_.files) {
        if (state.source != SegmentPlace::kLost) sources.push_back(state.source);
      }
    }
    num_compared_ = others_.sources().size();
    std::multimap<std::pair<std::uint64_t, ModifiedTime>, std::size_t> alike;  // files
    for (std::size_t file = 0; file < map_.num_files(); ++file) {
      const FileState::Kind kind = found_.files[file].kind;
      const std::uint64_t bytes = map_.bytes_of_file(file);
      if (kind == FileState::Kind::kWhole || kind == FileState::Kind::kMoved) continue;
      if (bytes != 0) alike.emplace(std::pair(bytes, time_before(file)), file);
    }
    std::map<std::size_t, std::vector<std::uint32_t>> equal;  // sources, by file
    std::size_t comparisons = 0;
    std::size_t num_equal = 0;
    const auto compare = [&](std::size_t file, std::uint32_t source) {
      const std::pair comparison(file, others_.first_name(source));
      if (!equal_.contains(comparison)) {
        if (++comparisons > kMostComparisons || !is_what_was(file, source)) return;
        equal_.insert(comparison);
      }
      if (++num_equal <= kMostEqual) equal[file].push_back(source);
    };
    // A new name leaves the time, so files of one time come first: many may have one length.
    for (const std::uint32_t source : sources) {
      const SourceFile& other = found_.sources[source];
      if (!other.modified) continue;
      const auto [begin, end] = alike.equal_range({other.bytes, *other.modified});
      for (auto file = begin; file != end; ++file) compare(file->second, source);
    }
    for (const std::uint32_t source : sources) {
      const SourceFile& other = found_.sources[source];
      constexpr ModifiedTime kFirst{std::numeric_limits<std::int64_t>::min(), 0};
      const auto end = alike.lower_bound({other.bytes + 1, kFirst});
      for (auto file = alike.lower_bound({other.bytes, kFirst});
           file != end && comparisons < kMostComparisons; ++file) {
        if (other.modified != file->first.second) compare(file->second, source);
      }
    }
    // A directory is taken to have moved to the one that has equal files for most of its files.
    std::map<std::pair<fs::path, fs::path>, std::size_t> votes;
    for (const auto& [file, same] : equal) {
      const fs::path before = directory_of_file(file);
      std::set<fs::path> now;
      for (const std::uint32_t source : same) now.insert(directory_of_source(source));
      for (const fs::path& directory : now) ++votes[{before, directory}];
    }
    for (auto& [file, same] : equal) {
      const fs::path before = directory_of_file(file);
      std::ranges::stable_sort(same, std::greater(), [&, file = file](std::uint32_t source) {
        return std::tuple(others_.contains(source), !moved_from_.contains(source),
                          found_.sources[source].has_time(time_of(manifest_.files[file])),
                          votes.at({before, directory_of_source(source)}),
                          num_equal_ends(manifest_.files[file].name, found_.sources[source].path));
      });
      take_whole(file, same.front());
    }
  }

  /// Looks for files under whose names other protected files are, whole. Those others are moved
  /// files if they are nowhere else.
  void look_for_replaced() {
    std::multimap<std::uint64_t, std::size_t> by_bytes;
    for (std::size_t file = 0; file < map_.num_files(); ++file) {
      if (map_.bytes_of_file(file) != 0) by_bytes.emplace(map_.bytes_of_file(file), file);
    }
    std::size_t comparisons = 0;
    for (FileState& state : found_.files) {
      if (!is_there_and_damaged(state) || state.error != 0) continue;
      const auto [begin, end] = by_bytes.equal_range(state.bytes);
      for (auto file = begin; file != end && comparisons < kMostComparisons; ++file) {
        if (!may_be_replaced_by(state, file->second)) continue;
        const bool is_known = equal_.contains({file->second, state.source});
        comparisons += is_known ? 0 : 1;
        if (!is_known && !is_what_was(file->second, state.source)) continue;
        state.replaced_by = file->second;
        take_name(file->second, state.source);
        break;
      }
    }
  }

  /// Looks for files that an update would take for damaged ones under new names, or for the same.
  void look_for_damaged() {
    const ListedFiles& listed = found_.there;
    FilesNow now;
    try {
      now = find_files_now(protection_, listed, times_, base_, FilesRead::kAmbiguous, progress_);
    } catch (const UnreadFile&) {  // nothing is known of their names then
      return;
    }
    found_.bytes_read += now.bytes_read;
    const auto set_became = [&](std::size_t before, const ProtectedFile& file) {
      became_[before] = file.name;
      look_in(before, others_.add_source(base_ / file.name, file.bytes, false));
    };
    for (const auto& [file, before] : now.damaged) {
      if (listed.files[file].name != manifest_.files[before].name)
        set_became(before, listed.files[file]);
    }
    for (const LeftOut& each : files_set_aside(listed, now)) {
      found_.set_aside[each.name] = each.why;
    }
    for (const auto& [before, file] : now.same) {
      FileState& state = found_.files[before];
      if (listed.files[file].name == manifest_.files[before].name) {
        state.looks_the_same = true;
      } else if (state.kind == FileState::Kind::kMissing && map_.bytes_of_file(before) == 0) {
        state.kind = FileState::Kind::kMoved;
        state.source = others_.add_source(base_ / listed.files[file].name, 0, false);
      } else if (state.kind == FileState::Kind::kMissing) {
        set_became(before, listed.files[file]);
      }
    }
  }

  void look_for_equal() { take_equal(manifest_, map_, found_); }

  bool is_all_found() const { return found_.is_all_found(); }

  /// Searches damaged files and others byte by byte.
  void scan() {
    std::vector<std::uint32_t> scanned;
    for (const FileState& state : found_.files) {
      if (is_there_and_damaged(state)) scanned.push_back(state.source);
    }
    const std::size_t num_others = num_scanned_.value_or(others_.sources().size());
    std::copy_if(others_.sources().begin(),
                 others_.sources().begin() + static_cast<std::ptrdiff_t>(num_others),
                 std::back_inserter(scanned),
                 [&](std::uint32_t source) { return others_.first_name(source) == source; });
    scan_files(manifest_, map_, scanned, LookUp::kAll, reader_, found_, progress_);
    look_beside(manifest_, map_, reader_, found_);
  }

  FoundSegments finish() {
    found_.unsearched = others_.unsearched();
    count_found(map_, found_);
    for (FileState& state : found_.files) {
      if (state.replaced_by) {
        state.kind = FileState::Kind::kReplaced;
      } else if (is_there_and_damaged(state) && state.has_other_time && state.error == 0) {
        state.kind = FileState::Kind::kEdited;
      }
    }
    for (const auto& [file, name] : became_) {
      found_.files[file].kind = FileState::Kind::kDamaged;
      found_.files[file].replaced_by.reset();
      found_.files[file].became = base_ / name;
    }
    for (const auto& [file, name] : became_) {
      const auto other = std::ranges::lower_bound(manifest_.files, name, {}, &ProtectedFile::name);
      if (other == manifest_.files.end() || other->name != name) continue;
      FileState& state = found_.files[static_cast<std::size_t>(other - manifest_.files.begin())];
      if (state.kind == FileState::Kind::kWhole || !state.became.empty()) continue;
      state.kind = FileState::Kind::kReplaced;
      state.replaced_by = file;
    }
    return std::move(found_);
  }

 private:
  static bool is_there_and_damaged(const FileState& state) {
    return state.kind == FileState::Kind::kDamaged && state.source != SegmentPlace::kLost;
  }

  template <typename Visit>
  void visit_segments_of(std::size_t file, const Visit& visit) const {
    for (std::size_t s = map_.first_segment(file); s < map_.first_segment(file + 1); ++s) {
      visit(map_.segment(file, s));
    }
  }

  fs::path path_of(std::size_t file) const { return base_ / manifest_.files[file].name; }

  /// The time of a protected file, cut if the times of all files were.
  ModifiedTime time_before(std::size_t file) const {
    return time_of(times_.before.empty() ? manifest_.files[file] : times_.before[file]);
  }

  fs::path directory_of_file(std::size_t file) const { return path_of(file).parent_path(); }

  fs::path directory_of_source(std::uint32_t source) const {
    return found_.sources[source].path.parent_path();
  }

  /// Notes that a missing file was found under the name of another protected one.
  void take_name(std::size_t file, std::uint32_t source) {
    FileState& state = found_.files[file];
    if (state.kind != FileState::Kind::kMissing) return;
    state.kind = FileState::Kind::kMoved;
    state.source = source;
    visit_segments_of(file, [&](const Segment& segment) {
      found_.places[segment.number] = {source, segment.file_offset};
    });
  }

  /// Notes that a source has the whole content of a protected file.
  void take_whole(std::size_t file, std::uint32_t source) {
    FileState& state = found_.files[file];
    if (state.kind == FileState::Kind::kMissing && others_.contains(source)) {
      state.kind = FileState::Kind::kMoved;
      state.source = source;
      moved_from_.insert(source);
    }
    visit_segments_of(file, [&](const Segment& segment) {
      SegmentPlace& place = found_.places[segment.number];
      if (!place.is_found()) place = {source, segment.file_offset};
    });
  }

  /// False if a file has its old time, but `other` had a different one: `other` is a copy of its
  /// damage.
  bool may_be_replaced_by(const FileState& state, std::size_t other) const {
    const auto file = static_cast<std::size_t>(&state - found_.files.data());
    const std::vector<ProtectedFile>& before = times_.before;
    return state.has_other_time || time_of(before[file]) == time_of(before[other]);
  }

  /// Looks for the segments of a file in their places in a source.
  void look_in(std::size_t file, std::uint32_t source) {
    std::vector<std::uint8_t> bytes;
    visit_segments_of(file, [&](const Segment& segment) {
      SegmentPlace& place = found_.places[segment.number];
      if (place.is_found()) return;
      bytes.resize(segment.bytes);
      const SegmentPlace there{source, segment.file_offset};
      if (reader_.read(there, bytes, manifest_.sums[segment.number].strong)) place = there;
    });
  }

  /// True if a source has the content of a protected file.
  bool is_what_was(std::size_t file, std::uint32_t source) {
    return source != found_.files[file].source &&
           compare_file(protection_, file, reader_.open(source), CompareUp::kToDifference,
                        found_.bytes_read)
               .is_equal;
  }

  const Protection& protection_;
  const Manifest& manifest_;
  const FileMap& map_;
  fs::path base_;
  Progress& progress_;
  FoundSegments found_;
  ComparableFiles times_{};  ///< see compare_times()
  SourceReader reader_{found_.sources};
  std::set<std::uint32_t> moved_from_;
  std::set<std::pair<std::size_t, std::uint32_t>> equal_;  ///< {file, equal source's first name}
  OtherFiles others_{found_.sources};
  std::map<std::size_t, std::string> became_;  ///< damaged file -> its other name now
  std::optional<std::size_t> num_scanned_{};   ///< number of others_ to search; nullopt: all
  std::optional<std::size_t> num_compared_{};  ///< number of others_ compared so far
};

}  // namespace

FoundSegments find_segments(const Protection& protection, const fs::path& base,
                            const std::vector<fs::path>& others, std::size_t threads,
                            Progress& progress) {
  Finder finder(protection, base, {}, threads, progress);
  finder.list_files();
  if (!finder.is_all_whole()) {
    finder.compare_times();
    finder.add_others(others);
    finder.look_for_moved();
    finder.look_for_replaced();
    finder.look_for_equal();
    if (finder.has_missing()) {
      finder.add_trees();
      finder.look_for_moved();
    }
    finder.add_alike();
    finder.look_for_moved();
    finder.look_for_equal();
    finder.look_for_damaged();
    finder.look_elsewhere();
    if (!finder.is_all_found()) {
      finder.scan();
      finder.look_for_equal();
    }
  } else if (finder.has_new_files()) {
    finder.compare_times();
    finder.look_for_damaged();
  }
  return finder.finish();
}

FoundSegments find_in_changed(const Protection& protection, const fs::path& base,
                              const std::vector<bool>& is_kept, const std::vector<fs::path>& others,
                              std::size_t threads, Progress& progress) {
  Finder finder(protection, base, is_kept, threads, progress);
  finder.add_given(others, false);  // an update protects them
  finder.look_for_moved();
  if (!finder.is_all_found()) finder.scan();
  return finder.finish();
}

}  // namespace xorloom
