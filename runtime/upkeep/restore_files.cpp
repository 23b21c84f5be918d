#include "runtime/upkeep/restore_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/upkeep/files_there.hpp"
#include "runtime/upkeep/kept_files.hpp"
#include "runtime/upkeep/locked_directories.hpp"
#include "runtime/upkeep/look_in_place.hpp"
#include "runtime/upkeep/moved_directories.hpp"
#include "runtime/upkeep/rebuild_files.hpp"
#include "runtime/upkeep/replace_file.hpp"
#include "runtime/upkeep/rewrite_parts.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Kind = FileState::Kind;

class Restorer {
 public:
  Restorer(const Protection& protection, const ProtectionCheck& check,
           const RestoreRequest& request, Progress& progress)
      : protection_(protection),
        check_(check),
        found_(check.found),
        sources_(check.found.sources),
        request_(request),
        base_(request.base),
        to_(request.to.empty() ? request.base : request.to),
        progress_(progress),
        is_lost_(protection.map.num_files()) {
    for (const LostBytes& range : check.lost) {
      is_lost_[range.file] = true;
      if (loss_of(check, range) == Loss::kLost) is_known_lost_.insert(range.file);
    }
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      const FileState& state = found_.files[file];
      if (state.kind != Kind::kReplaced) continue;
      replaced_by_[state.source] = file;
      std::error_code error;
      const bool is_whole_there =
          found_.files[*state.replaced_by].became.empty() &&
          fs::is_regular_file(fs::symlink_status(sources_[state.source].path, error));
      if (is_whole_there) whole_under_.try_emplace(*state.replaced_by, state.source);
    }
  }

  RestoredFiles run() {
    const auto is_whole = [](const FileState& state) { return state.kind == Kind::kWhole; };
    const bool may_write = !request_.is_trial && request_.to.empty();
    if (may_write && !std::ranges::all_of(found_.files, is_whole)) lock_parts(protection_, locks_);
    move_directories_back();
    sort_out();
    if (request_.is_trial) {
      say_what_would_be();
    } else {
      // All leftovers go before any file is begun: long names may have the same hidden names.
      remove_all_leftovers();
      rebuilt_ = rebuild_files(protection_, check_,
                               {wanted_, sources_, to_, request_.to.empty(), request_.options},
                               progress_, result_.failures);
      result_.bytes_written = rebuilt_.bytes_written;
      result_.bytes_without_room = rebuilt_.bytes_without_room;
      name_files();
    }
    result_.files += result_.rebuilt.size();
    if (request_.removes_kept) remove_kept();
    locks_.unlock_all();
    for (const fs::path& directory : made_) {
      set_directory_info(directory, to_, protection_.manifest.directories);
    }
    return std::move(result_);
  }

 private:
  fs::path path_of(std::size_t file) const { return to_ / protection_.manifest.files[file].name; }

  /// Where a path is now, if a trial did not move back the directory that it is in.
  fs::path present(const fs::path& path) const {
    if (!request_.is_trial) return path;
    for (const auto& [to, from] : directories_back_) {
      if (path == to) return from;
      if (is_below(path.string(), to.string())) return from / path.lexically_relative(to);
    }
    return path;
  }

  bool is_asked_for(std::size_t file) const { return request_.only.empty() || request_.only[file]; }

  /// Runs `act` for one file. If the system refuses, notes the failure, and the other files go on.
  template <typename Do>
  bool attempt(const Do& act) {
    try {
      act();
      return true;
    } catch (const Error& error) {
      if (error.kind() == Status::kInternal) throw;
      result_.failures.emplace_back(error.what());
      return false;
    }
  }

  /// Renames directories back whose files are all in another one now. Not if only some files are
  /// asked for: those are renamed alone.
  void move_directories_back() {
    if (!request_.only.empty()) return;
    const auto is_moved = [this](std::size_t file) {
      return found_.files[file].kind == Kind::kMoved && is_moved_by_name(file);
    };
    for (const auto& [from, to] : moved_directories(protection_, found_, base_, is_moved)) {
      if (!may_be_renamed(from, to)) continue;
      attempt([&, &source = from, &destination = to] { move_directory_back(source, destination); });
    }
  }

  void move_directory_back(const fs::path& from, const fs::path& to) {
    if (!request_.is_trial) {
      make_directory(to);
      // A lock in the directory would move along, and look like one of another program there.
      locks_.unlock_below(from);
      locks_.lock(directory_of(from));
      if (const int code = rename_to_free_name(from, to); code != 0)
        fail_on_io("rename", from, code);
    }
    result_.moved_back.emplace_back(to, from);
    directories_back_.emplace_back(to, from);
    for (SourceFile& source : sources_) {
      if (!is_below(source.path.string(), from.string())) continue;
      source.path = to / source.path.lexically_relative(from);
      moved_along_.insert(source.path);
    }
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      const FileState& state = found_.files[file];
      if (state.kind != Kind::kMoved || sources_[state.source].path != path_of(file)) continue;
      if (in_place_.insert(file).second) ++result_.files;
    }
    // Their new paths are known by now, if the disk fails here.
    if (!request_.is_trial) sync_directories({directory_of(to), directory_of(from)});
  }

  /// Decides what to do about each file.
  void sort_out() {
    std::set<std::uint32_t> moved_from;
    for (const std::size_t file : in_place_) moved_from.insert(found_.files[file].source);
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      const FileState& state = found_.files[file];
      if (state.kind == Kind::kWhole || in_place_.contains(file) || !is_asked_for(file)) continue;
      if (!request_.to.empty() && has_content_of(protection_, file, path_of(file))) {
        result_.already.push_back(path_of(file));
        continue;
      }
      if (is_lost_[file] && state.kind != Kind::kUnreadable) {
        (state.kind == Kind::kEdited     ? result_.edited
         : state.kind == Kind::kReplaced ? result_.replaced
         : is_known_lost_.contains(file) ? result_.lost
         : state.is_away                 ? result_.away
                                         : result_.blocked)
            .push_back(path_of(file));
        continue;
      }
      if (state.kind == Kind::kUnreadable && (request_.to.empty() || is_lost_[file])) {
        result_.unreadable.push_back(
            fmt::format("{}: {}", path_of(file).string(), reading_error(state.error)));
        continue;
      }
      if (!attempt([&] { begin_in_directory(file); })) continue;
      if (may_be_moved_back(file) && moved_from.insert(*place_of(file)).second) {
        moved_back_.push_back(file);
      } else {
        wanted_.push_back(file);
      }
    }
    std::ranges::stable_sort(wanted_, {},
                             [&](std::size_t file) { return protection_.map.bytes_of_file(file); });
  }

  /// Lists in the result what name_files() would do.
  void say_what_would_be() {
    const auto say_if_kept = [this](const fs::path& path, std::size_t file) {
      std::error_code error;
      if (!fs::exists(fs::symlink_status(present(path), error)) || is_moved_away(file)) return;
      result_.kept.emplace_back(path, free_kept_name(path, is_reserved()));
    };
    for (const std::size_t file : moved_back_) {
      const fs::path path = path_of(file);
      result_.moved_back.emplace_back(path, sources_[*place_of(file)].path);
      ++result_.files;
      say_if_kept(path, file);
    }
    for (const std::size_t file : wanted_) {
      const fs::path path = path_of(file);
      result_.rebuilt.push_back(path);
      say_if_kept(path, file);
    }
  }

  /// Removes what killed programs left of any protected file, even of those that are whole by now.
  void remove_all_leftovers() {
    std::map<fs::path, std::vector<std::size_t>> files_in;
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      files_in[directory_of(path_of(file))].push_back(file);
    }
    for (const ProtectionPart& part : protection_.parts) files_in[directory_of(part.path)];
    for (const auto& [directory, files] : files_in) {
      std::error_code error;
      std::vector<std::string> unfinished = names_in(directory, error);
      std::erase_if(unfinished, [](const auto& name) { return !is_unfinished_name(name); });
      if (unfinished.empty()) continue;
      try {
        locks_.lock(directory);
      } catch (const Error&) {  // what is left there is in nobody's way
        continue;
      }
      for (const std::string& name : unfinished) {
        const bool is_ours = std::ranges::any_of(files, [&](std::size_t file) {
          return is_hidden_name_of(name, path_of(file), kHiddenSuffix);
        });
        if (is_ours) ::unlink((directory / name).c_str());
      }
    }
  }

  /// True if names may be changed in a directory: in `to_` and below, elsewhere only if links are
  /// to be followed.
  bool may_write_in(const fs::path& directory) const {
    return request_.follows_links || is_within(directory, to_);
  }

  void check_within(const fs::path& path) {
    if (may_write_in(directory_of(path))) return;
    ++result_.failures_behind_links;
    fail(Status::kIo,
         fmt::format("cannot write {}: a link in its path leads out of {}, and nothing "
                     "is changed there unless option dereference is given",
                     path.string(), to_.string()));
  }

  /// Makes the directory of a file that is restored. In a trial, only finds out what prevents it.
  void begin_in_directory(std::size_t file) {
    const fs::path path = path_of(file);
    const std::string what = in_the_way(to_, present(path).lexically_relative(to_).string());
    if (!what.empty()) {
      fail(Status::kIo, fmt::format("cannot restore {}: {}; move it away, and repair again",
                                    path.string(), what));
    }
    if (request_.is_trial && request_.to.empty()) check_within(path);
    if (::access(nearest_directory(path).c_str(), W_OK) != 0) fail_on_io("write", path, errno);
    if (!request_.is_trial) make_directory(path);
  }

  /// Makes the directory of a file, and locks it against other programs that write there.
  void make_directory(const fs::path& path) {
    const fs::path directory = directory_of(path);
    if (locks_.contains(directory)) return;
    check_within(path);
    const mode_t permissions = permissions_of_new_directory(protection_);
    const int code = create_directories(directory, permissions, made_);
    if (code != 0) fail_on_io("write", path, code);
    locks_.lock(directory);
    for (fs::path each = directory; each != to_ && each.has_relative_path();
         each = each.parent_path()) {
      directories_.insert(each);
    }
    directories_.insert(to_);
  }

  /// The source with a file's whole content under another name: the one that it moved to or, if its
  /// own name has other content, one with the name of another protected file.
  std::optional<std::uint32_t> place_of(std::size_t file) const {
    const FileState& state = found_.files[file];
    if (state.kind == Kind::kMoved) return state.source;
    const auto under = whole_under_.find(file);
    const bool is_other =
        state.error == 0 && (state.kind == Kind::kDamaged || is_changed_on_purpose(state.kind));
    return is_other && under != whole_under_.end() ? std::optional(under->second) : std::nullopt;
  }

  /// True if a file has another name now, and what has that name is no copy that the user keeps.
  bool is_moved_by_name(std::size_t file) const {
    const auto place = place_of(file);
    return request_.to.empty() && is_asked_for(file) && place &&
           !may_be_copy(protection_, base_, file, sources_[*place]);
  }

  /// True if what has the name of a file is moved back to its own name.
  bool is_moved_away(std::size_t file) const {
    return found_.files[file].kind == Kind::kReplaced &&
           std::ranges::any_of(moved_back_, [&](std::size_t other) {
             return place_of(other) == found_.files[file].source;
           });
  }

  /// Whether a name is changed: on one file system, within the base, and where it can be written.
  bool may_be_renamed(const fs::path& from, const fs::path& to) const {
    const auto now = identity_of_name(from);
    const fs::path directory = nearest_directory(to);
    const auto then = file_identity(directory);
    return now && then && now->device == then->device && may_write_in(directory_of(from)) &&
           ::access(directory_of(from).c_str(), W_OK) == 0 &&
           ::access(directory.c_str(), W_OK) == 0;
  }

  /// True if a source may be renamed: it does not have the name of a protected file, or that file
  /// is restored, too.
  bool may_leave_name(std::uint32_t source) const {
    const auto replaced = replaced_by_.find(source);
    return replaced == replaced_by_.end() ||
           (is_asked_for(replaced->second) && !is_lost_[replaced->second]);
  }

  bool may_be_moved_back(std::size_t file) const {
    return is_moved_by_name(file) && may_leave_name(*place_of(file)) &&
           !moved_along_.contains(path_of(file)) &&
           may_be_renamed(sources_[*place_of(file)].path, path_of(file));
  }

  bool is_protected(const fs::path& path) const {
    return protects(protection_.manifest, path.lexically_relative(to_).string());
  }

  IsReserved is_reserved() const {
    return [this](const fs::path& path) { return is_protected(path); };
  }

  /// Present paths of the files that are whole by now, or would be.
  std::set<fs::path> whole_files() const {
    std::set<fs::path> whole;
    for (const fs::path& path : result_.rebuilt) whole.insert(present(path));
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      if (found_.files[file].kind == Kind::kWhole || in_place_.contains(file)) {
        whole.insert(present(path_of(file)));
      }
    }
    for (const auto& each : result_.moved_back) whole.insert(present(each.first));
    return whole;
  }

  /// Removes a kept file, now at `path`, if nothing is lost by that; else notes why it stays.
  void remove_if_spare(std::size_t file, const fs::path& path, const fs::path& kept,
                       std::span<const fs::path> places, const std::set<fs::path>& whole) {
    const KeptKind kind = kind_of_kept(protection_, places, whole, file, path);
    if (kind == KeptKind::kOtherTime) return result_.not_removed.push_back(kept);
    if (kind == KeptKind::kOnlyCopy) return result_.only_copies.push_back(kept);
    const int code =
        request_.is_trial ? ::access(directory_of(path).c_str(), W_OK) : ::unlink(path.c_str());
    if (code == 0) return result_.removed.push_back(kept);
    result_.unremoved.push_back("cannot remove " + path.string() + ": " + std::strerror(errno));
  }

  /// Removes what repairs have kept of files that are whole by now, except edits and only copies.
  void remove_kept() {
    const std::set<fs::path> whole = whole_files();
    std::vector<fs::path> places;  // present paths of all files
    for (std::size_t f = 0; f < is_lost_.size(); ++f) places.push_back(present(path_of(f)));
    std::map<fs::path, std::map<std::string, std::size_t>> names;  // files, by directory and name
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      const fs::path path = path_of(file);
      if (!is_asked_for(file) || !whole.contains(places[file])) continue;
      names[directory_of(path)][path.filename().string()] = file;
      if (!request_.is_trial) continue;
      const auto kept =
          std::ranges::find(result_.kept, path, &std::pair<fs::path, fs::path>::first);
      if (kept != result_.kept.end()) {
        remove_if_spare(file, places[file], kept->second, places, whole);
      }
    }
    for (const auto& [directory, files] : names) {
      std::error_code error;
      if (!may_write_in(directory)) continue;
      const fs::path now = present(directory);
      for (const auto& [name, file] : kept_names(names_in(now, error), files)) {
        const fs::path path = directory / name;
        if (is_protected(path) || fs::is_directory(fs::symlink_status(now / name, error))) continue;
        remove_if_spare(file, now / name, path, places, whole);
      }
    }
  }

  void name_files() {
    progress_.begin("syncing");
    const IsReserved reserved = is_reserved();
    const auto uninterrupted = hold_off_abandoning();
    for (const std::size_t file : moved_back_) {
      if (attempt([&] { move_back(file); })) ++result_.files;
    }
    std::map<std::size_t, std::optional<KeptFile>> kept;
    for (const auto& each : rebuilt_.files) {
      attempt([&] { kept[each.first] = keep_beside(each.second.destination(), reserved); });
    }
    sync_directories(directories_);  // old content is renamed on the disk before it is replaced
    for (auto& each : rebuilt_.files) {
      const auto of_file = kept.find(each.first);
      if (of_file == kept.end()) continue;
      PendingFile& pending = each.second;
      const bool is_put = attempt([&] {
        if (const auto other = put_in_place(pending, of_file->second, reserved)) {
          result_.kept.emplace_back(pending.destination(), *other);
        }
        result_.rebuilt.push_back(pending.destination());
      });
      if (!of_file->second) continue;
      if (is_put) {
        result_.kept.emplace_back(pending.destination(), of_file->second->kept);
      } else if (file_identity(pending.destination()) == of_file->second->identity) {
        ::unlink(of_file->second->kept.c_str());  // it still has its own name
      }
    }
    sync_directories(directories_);
  }

  /// Gives a file its name back. What has that name now is moved back, too, or kept.
  void move_back(std::size_t file) {
    const fs::path to = path_of(file);
    if (identity_of_name(to)) {
      const fs::path kept = free_kept_name(to, is_reserved());
      if (const int code = rename_to_free_name(to, kept); code != 0) fail_on_io("rename", to, code);
      if (is_moved_away(file)) {
        now_at_[found_.files[file].source] = kept;
      } else {
        result_.kept.emplace_back(to, kept);
      }
    }
    const fs::path& named = sources_[*place_of(file)].path;
    const auto kept = now_at_.find(*place_of(file));
    const fs::path& from = kept == now_at_.end() ? named : kept->second;
    if (const int code = rename_to_free_name(from, to); code != 0) fail_on_io("rename", from, code);
    set_info(to, protection_.manifest.files[file], to);
    directories_.insert(directory_of(from));
    result_.moved_back.emplace_back(to, named);
  }

  const Protection& protection_;
  const ProtectionCheck& check_;
  const FoundSegments& found_;
  std::vector<SourceFile> sources_;  ///< at their present paths
  const RestoreRequest& request_;
  fs::path base_;
  fs::path to_;  ///< directory to restore files in
  Progress& progress_;
  std::vector<bool> is_lost_;
  std::set<std::size_t> is_known_lost_;
  std::vector<std::size_t> wanted_;      ///< files that are rebuilt
  std::vector<std::size_t> moved_back_;  ///< files that are renamed
  std::set<std::size_t> in_place_;       ///< files moved back with a directory
  std::set<fs::path> moved_along_;       ///< paths of all moved back with one
  /// Directories that were moved back, or would be: to and from.
  std::vector<std::pair<fs::path, fs::path>> directories_back_;
  std::map<std::uint32_t, std::size_t> replaced_by_;  ///< source -> the file whose name it has
  std::map<std::size_t, std::uint32_t> whole_under_;  ///< file -> source with another file's name
  std::map<std::uint32_t, fs::path> now_at_;          ///< paths of sources between two renames
  RebuiltFiles rebuilt_;
  std::set<fs::path> directories_;  ///< directories with changed names
  std::deque<fs::path> made_;       ///< directories, the inner ones first
  LockedDirectories locks_;
  RestoredFiles result_;
};

}  // namespace

RestoredFiles restore_files(const Protection& protection, const ProtectionCheck& check,
                            const RestoreRequest& request, Progress& progress) {
  if (std::error_code error; !request.to.empty() && !request.is_trial) {
    fs::create_directories(request.to, error);
    if (error) fail_on_io("make the directory", request.to, error.value());
  }
  RestoredFiles result = Restorer(protection, check, request, progress).run();
  if (request.only.empty() && request.to.empty() && result.is_complete()) {
    try {
      rewrite_parts(protection, check, request, progress, result);
    } catch (const Error& error) {  // what was restored is to be told all the same
      if (error.kind() != Status::kIo) throw;
      result.rewriting_failure = error.what();
    }
  }
  return result;
}

}  // namespace xorloom
