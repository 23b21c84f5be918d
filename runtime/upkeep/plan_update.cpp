#include "runtime/upkeep/plan_update.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/upkeep/find_segments.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// An old segment in a file as it is now.
struct StillThere {
  std::uint64_t offset;  ///< in the file now
  Segment segment;       ///< as it was
};

/// Files by number, and the old ones that they are.
using Renames = std::map<std::size_t, std::size_t>;

class Planner {
 public:
  /// Shape: `renamed` are listed files and the old ones whose protection they keep.
  Planner(const Protection& old, const ListedFiles& listed, ProtectionScope scope,
          bool keeps_damaged, const Renames& renamed)
      : old_(old),
        listed_(listed),
        kept_as_(listed.files.size()),
        stays_damaged_(listed.files.size()),
        found_in_(listed.files.size()) {
    const FileChanges changes = compare_files(old.manifest.files, listed.files);
    plan_.manifest.block_bytes = old.manifest.block_bytes;
    plan_.manifest.chunk_blocks = old.manifest.chunk_blocks;
    plan_.manifest.scope = std::move(scope);
    plan_.manifest.directories = listed.attributes;
    is_kept_.resize(old.manifest.files.size());
    for (const auto& [before, now] : changes.same) {
      is_kept_[before] = true;
      kept_as_[now] = before;
    }
    const auto leave_damaged = [&](std::size_t now, std::size_t before) {
      plan_.files.damaged.push_back(name_of(now));
      if (!keeps_damaged) return;
      is_kept_[before] = true;
      kept_as_[now] = before;
      stays_damaged_[now] = true;
    };
    for (const auto& [before, now] : changes.resized) leave_damaged(now, before);
    for (const auto& [now, before] : renamed) leave_damaged(now, before);
    plan_.keeps_damaged = keeps_damaged;
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
      if (!old_number(name_of(file))) added.push_back(base / name_of(file));
    }
    const FoundSegments found = find_in_changed(old_, base, is_kept_, added, threads, progress);
    plan_.bytes_read = found.bytes_read;
    for (std::size_t file = 0; file < is_kept_.size(); ++file) {
      if (is_kept_[file]) continue;
      const FileState& state = found.files[file];
      // Who calls this refuses to give up what a link leads to that leads nowhere now.
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

  /// Finds new files that are gone ones with another name, and damaged: they have the size and the
  /// time of one, but not its bytes. Where times are coarse, half of the bytes have to be there.
  Renames renamed_and_damaged() const {
    Renames renamed;
    std::map<SizeAndTime, std::size_t> gone;
    for (std::size_t file = 0; file < is_kept_.size(); ++file) {
      const ProtectedFile& before = old_.manifest.files[file];
      if (!is_kept_[file] && before.bytes != 0) gone.emplace(size_and_time(before), file);
    }
    for (const std::size_t file : plan_.read) {
      const auto before = gone.find(size_and_time(listed_.files[file]));
      if (old_number(name_of(file)) || before == gone.end()) continue;
      std::uint64_t there = 0;
      for (const StillThere& each : found_in_[file]) there += each.segment.bytes;
      const ProtectedFile& was = old_.manifest.files[before->second];
      const bool is_likely = was.modified_nanoseconds != 0 || 2 * there >= was.bytes;
      if (there < was.bytes && is_likely) renamed.emplace(file, before->second);
    }
    return renamed;
  }

  /// Says that these are damaged and do not keep their old protection.
  void name_damaged(const Renames& renamed) {
    for (const auto& each : renamed) plan_.files.damaged.push_back(name_of(each.first));
    plan_.keeps_damaged = false;
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

  /// The old file of a name.
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

  /// Where the bytes of a file lie: the old ones where they were, the others behind the end.
  std::vector<Piece> pieces_of(std::size_t file) {
    std::vector<StillThere>& found = found_in_[file];
    std::ranges::sort(found, {}, &StillThere::offset);
    std::vector<Piece> pieces;
    const std::uint64_t block = old_.manifest.block_bytes;
    const auto add = [&](const Piece& piece) {
      // Where a block does not end, two segments meet, which have sums of their own.
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
      } else if (before) {
        ++files.same;
      } else {
        (of_name ? files.edited : files.added).push_back(name);
      }
    }
    for (std::size_t file = 0; file < is_kept_.size(); ++file) {
      const std::string& name = old_.manifest.files[file].name;
      const bool is_there =
          std::ranges::binary_search(listed_.files, name, {}, &ProtectedFile::name);
      if (!is_kept_[file] && !is_there && !renamed.contains(file)) files.gone.push_back(name);
    }
  }

  const Protection& old_;
  const ListedFiles& listed_;
  std::vector<bool> is_kept_;                          ///< by old file
  std::vector<std::optional<std::size_t>> kept_as_;    ///< by file, the old one that it is
  std::vector<bool> stays_damaged_;                    ///< by file: it has its old protection
  std::vector<std::vector<StillThere>> found_in_;      ///< by file
  std::map<std::size_t, std::size_t> moved_from_;      ///< by file, the old one that it is
  std::map<std::uint64_t, std::size_t> old_segments_;  ///< by their places in the stream
  std::uint64_t end_ = 0;                              ///< of the stream
  UpdatePlan plan_;
};

}  // namespace

UpdatePlan plan_update(const Protection& old, const ListedFiles& listed, ProtectionScope scope,
                       const fs::path& base, bool keeps_damaged, std::size_t threads,
                       Progress& progress) {
  Planner planner(old, listed, scope, keeps_damaged, {});
  planner.look(base, threads, progress);
  const Renames renamed = planner.renamed_and_damaged();
  if (renamed.empty()) return planner.finish();
  std::set<std::size_t> were;
  for (const auto& each : renamed) were.insert(each.second);
  if (!keeps_damaged || were.size() != renamed.size()) {
    planner.name_damaged(renamed);
    return planner.finish();
  }
  Planner again(old, listed, std::move(scope), true, renamed);
  again.look(base, threads, progress);
  return again.finish();
}

}  // namespace xorloom
