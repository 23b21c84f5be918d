#include "runtime/upkeep/plan_update.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/protection/other_files.hpp"
#include "runtime/upkeep/files_there.hpp"
#include "runtime/upkeep/find_segments.hpp"
#include "runtime/upkeep/look_in_place.hpp"
#include "runtime/upkeep/protection_check.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// An old segment that a file still has.
struct StillThere {
  std::uint64_t offset;  ///< in the file now
  Segment segment;       ///< as it was
};

class Planner {
 public:
  Planner(const Protection& old, const ListedFiles& listed, ProtectionScope scope,
          bool keeps_damaged, const FilesNow& now)
      : old_(old),
        listed_(listed),
        kept_as_(listed.files.size()),
        stays_damaged_(listed.files.size()),
        found_in_(listed.files.size()) {
    plan_.manifest.block_bytes = old.manifest.block_bytes;
    plan_.manifest.chunk_blocks = old.manifest.chunk_blocks;
    plan_.manifest.scope = std::move(scope);
    plan_.manifest.directories = listed.attributes;
    plan_.bytes_read = now.bytes_read;
    is_kept_.resize(old.manifest.files.size());
    for (const auto& [before, file] : now.same) {
      is_kept_[before] = true;
      kept_as_[file] = before;
    }
    plan_.keeps_damaged = keeps_damaged && now.unclear.empty();
    for (const auto& [file, before] : now.damaged) {
      plan_.files.damaged.push_back(name_of(file));
      if (!plan_.keeps_damaged) continue;
      is_kept_[before] = true;
      kept_as_[file] = before;
      stays_damaged_[file] = true;
    }
    held_ = now.held;
    replaced_ = now.replaced;
    for (const std::size_t before : held_) {
      plan_.files.held.push_back(old.manifest.files[before].name);
    }
    for (std::size_t file = 0; file < listed.files.size(); ++file) {
      if (!kept_as_[file]) plan_.read.push_back(file);
    }
  }

  /// Finds old segments in the files that are read.
  void look(const fs::path& base, std::size_t threads, Progress& progress) {
    std::map<fs::path, std::size_t> by_path;
    std::vector<fs::path> added;
    for (const std::size_t file : plan_.read) {
      by_path[base / name_of(file)] = file;
      const auto number = old_number(name_of(file));
      if (!number || is_kept_[*number]) added.push_back(base / name_of(file));
    }
    places_ = find_in_changed(old_, base, is_kept_, added, threads, progress);
    const FoundSegments& found = places_;
    plan_.bytes_read += found.bytes_read;
    for (std::size_t file = 0; file < is_kept_.size(); ++file) {
      if (is_kept_[file]) continue;
      const FileState& state = found.files[file];
      // The caller refuses to give up the target of a link that leads nowhere now.
      if (state.kind == FileState::Kind::kUnreadable && state.error != ENOLINK) {
        fail_on_io("read", base / old_.manifest.files[file].name, state.error);
      }
      if (state.kind == FileState::Kind::kMoved) {
        const auto now = by_path.find(found.sources[state.source].path);
        if (now != by_path.end()) moved_from_.try_emplace(now->second, file);
      }
      for (std::size_t s = old_.map.first_segment(file); s < old_.map.first_segment(file + 1);
           ++s) {
        const Segment segment = old_.map.segment(file, s);
        const SegmentPlace& place = found.places[s];
        const auto now =
            place.is_found() ? by_path.find(found.sources[place.source].path) : by_path.end();
        if (now == by_path.end()) {
          give_up(segment);
        } else {
          found_in_[now->second].push_back({place.offset, segment});
        }
      }
    }
  }

  /// Finds out what damaged files have lost.
  void look_at_damaged(const fs::path& base, std::size_t threads, Progress& progress) {
    std::map<std::size_t, fs::path> damaged;  // paths now, by old file
    for (std::size_t file = 0; file < stays_damaged_.size(); ++file) {
      if (stays_damaged_[file]) damaged[*kept_as_[file]] = base / name_of(file);
    }
    if (damaged.empty()) return;
    for (const std::size_t before : held_)
      damaged[before] = base / old_.manifest.files[before].name;
    std::vector<bool> is_passed(old_.map.num_files(), true);
    for (const auto& each : damaged) is_passed[each.first] = false;
    const auto path_of = [&](std::size_t before) {
      const auto now = damaged.find(before);
      return now == damaged.end() ? base / old_.manifest.files[before].name : now->second;
    };
    FoundSegments looked;
    OtherFiles others(looked.sources);
    look_in_place(old_, path_of, is_passed, threads, others, looked, progress);
    plan_.bytes_read += looked.bytes_read;
    for (std::size_t s = 0; s < looked.places.size(); ++s) {
      if (!looked.places[s].is_found()) places_.places[s] = {};
    }
    for (std::size_t file = 0; file < stays_damaged_.size(); ++file) {
      if (!stays_damaged_[file]) continue;
      const std::size_t before = *kept_as_[file];
      places_.files[before] = looked.files[before];
      if (name_of(file) != old_.manifest.files[before].name) {
        places_.files[before].became = base / name_of(file);
      }
    }
  }

  /// Finds a place where other files have the names of protected ones. Precondition: it is known
  /// what is damaged.
  void look_for_others(const fs::path& base) {
    for (const std::size_t file : replaced_) places_.files[file].kind = FileState::Kind::kReplaced;
    plan_.others = place_of_others(old_, places_, base);
  }

  UpdatePlan finish() {
    end_ = old_.map.stream_bytes();
    for (std::size_t file = 0; file < listed_.files.size(); ++file) {
      ProtectedFile now = listed_.files[file];
      if (stays_damaged_[file]) {
        now = old_.manifest.files[*kept_as_[file]];
        now.name = name_of(file);
      } else if (const auto before = kept_as_[file]) {
        now.pieces = old_.manifest.files[*before].pieces;
      } else {
        now.pieces = pieces_of(file);
      }
      plan_.manifest.files.push_back(std::move(now));
    }
    set_given_up();
    set_sums();
    report();
    return std::move(plan_);
  }

 private:
  const std::string& name_of(std::size_t file) const { return listed_.files[file].name; }

  /// The number of the old file with a name.
  std::optional<std::size_t> old_number(const std::string& name) const {
    const std::vector<ProtectedFile>& files = old_.manifest.files;
    const auto found = std::ranges::lower_bound(files, name, {}, &ProtectedFile::name);
    if (found == files.end() || found->name != name) return std::nullopt;
    return static_cast<std::size_t>(found - files.begin());
  }

  std::optional<std::size_t> moved_from(std::size_t file) const {
    const auto moved = moved_from_.find(file);
    return moved == moved_from_.end() ? std::nullopt : std::optional(moved->second);
  }

  bool has_pieces_of(std::size_t file, std::size_t old_file) const {
    return plan_.manifest.files[file].pieces == old_.manifest.files[old_file].pieces;
  }

  void give_up(const Segment& segment) {
    plan_.manifest.given_up.push_back({segment.at, segment.bytes});
  }

  /// Places of a file's bytes in the stream: old bytes keep theirs, new ones go behind the end.
  std::vector<Piece> pieces_of(std::size_t file) {
    std::vector<StillThere>& found = found_in_[file];
    std::ranges::sort(found, {}, &StillThere::offset);
    std::vector<Piece> pieces;
    const std::uint64_t block = old_.manifest.block_bytes;
    const auto add = [&](const Piece& piece) {
      // Pieces that meet within a block stay apart: they are segments with sums of their own.
      const bool goes_on =
          !pieces.empty() && pieces.back().end() == piece.at && piece.at % block == 0;
      if (goes_on) {
        pieces.back().bytes += piece.bytes;
      } else {
        pieces.push_back(piece);
      }
    };
    std::uint64_t offset = 0;
    const auto add_new = [&](std::uint64_t up_to) {
      if (up_to == offset) return;
      add({end_, up_to - offset});
      end_ += up_to - offset;
      offset = up_to;
    };
    for (const StillThere& each : found) {
      if (each.offset < offset) {
        give_up(each.segment);
        continue;
      }
      add_new(each.offset);
      add({each.segment.at, each.segment.bytes});
      old_segments_[each.segment.at] = each.segment.number;
      offset += each.segment.bytes;
    }
    add_new(listed_.files[file].bytes);
    return pieces;
  }

  void set_given_up() {
    std::vector<Piece>& given_up = plan_.manifest.given_up;
    given_up.insert(given_up.end(), old_.manifest.given_up.begin(), old_.manifest.given_up.end());
    std::ranges::sort(given_up, {}, &Piece::at);
    std::vector<Piece> joined;
    for (const Piece& piece : given_up) {
      if (!joined.empty() && joined.back().end() == piece.at) {
        joined.back().bytes += piece.bytes;
      } else {
        joined.push_back(piece);
      }
    }
    given_up = std::move(joined);
  }

  void set_sums() {
    const FileMap map = plan_.manifest.map();
    plan_.manifest.sums.resize(map.num_segments());
    plan_.is_new.resize(map.num_segments());
    for (std::size_t file = 0; file < listed_.files.size(); ++file) {
      const std::size_t first = map.first_segment(file);
      for (std::size_t s = first; s < map.first_segment(file + 1); ++s) {
        if (const auto before = kept_as_[file]) {
          plan_.manifest.sums[s] =
              old_.manifest.sums[old_.map.first_segment(*before) + (s - first)];
          continue;
        }
        const std::uint64_t at = map.segment(file, s).at;
        plan_.is_new[s] = at >= old_.map.stream_bytes();
        if (!plan_.is_new[s]) plan_.manifest.sums[s] = old_.manifest.sums[old_segments_.at(at)];
      }
    }
  }

  void report() {
    UpdatedFiles& files = plan_.files;
    std::set<std::size_t> renamed;
    std::set<std::string> new_names;
    for (std::size_t file = 0; file < listed_.files.size(); ++file) {
      const std::string& name = name_of(file);
      const std::optional<std::size_t> of_name = old_number(name);
      std::optional<std::size_t> before = kept_as_[file];
      for (const auto other : {of_name, moved_from(file)}) {
        if (!before && other && has_pieces_of(file, *other)) before = other;
      }
      if (before && old_.manifest.files[*before].name != name) {
        files.renamed.emplace_back(old_.manifest.files[*before].name, name);
        renamed.insert(*before);
        new_names.insert(name);
      } else if (before) {
        ++files.same;
      } else {
        (of_name ? files.edited : files.added).push_back(name);
      }
    }
    for (std::size_t file = 0; file < is_kept_.size(); ++file) {
      const std::string& name = old_.manifest.files[file].name;
      files.before.push_back(name);
      const bool is_there =
          std::ranges::binary_search(listed_.files, name, {}, &ProtectedFile::name);
      if (is_kept_[file] || renamed.contains(file)) continue;
      if (!is_there) files.gone.push_back(name);
      if (is_there && new_names.contains(name)) files.replaced.push_back(name);
    }
  }

  const Protection& old_;
  const ListedFiles& listed_;
  std::vector<bool> is_kept_;                          ///< by old file
  std::vector<std::optional<std::size_t>> kept_as_;    ///< by file: the old file that it is
  std::vector<bool> stays_damaged_;                    ///< by file: keeps its old protection
  std::set<std::size_t> held_;                         ///< missing old files, still protected
  std::vector<std::size_t> replaced_;                  ///< see FilesNow
  std::vector<std::vector<StillThere>> found_in_;      ///< by file: the old segments that it has
  std::map<std::size_t, std::size_t> moved_from_;      ///< by file: the old file moved to it
  std::map<std::uint64_t, std::size_t> old_segments_;  ///< by place in the stream
  std::uint64_t end_ = 0;                              ///< end of the stream
  FoundSegments places_;                               ///< places of old segments
  UpdatePlan plan_;
};

}  // namespace

std::map<std::string, std::string> UpdatedFiles::held_out() const {
  std::map<std::string, std::string> places;
  for (const std::string& name : held) {
    const auto place = moved_out.damaged.find(name);
    if (place != moved_out.damaged.end()) places.insert(*place);
  }
  return places;
}

UpdatePlan plan_update(const Protection& old, const ListedFiles& listed, const FilesNow& now,
                       ProtectionScope scope, const fs::path& base, bool keeps_damaged,
                       std::size_t threads, Progress& progress) {
  Planner planner(old, listed, std::move(scope), keeps_damaged, now);
  planner.look(base, threads, progress);
  planner.look_at_damaged(base, threads, progress);
  planner.look_for_others(base);
  return planner.finish();
}

}  // namespace xorloom
