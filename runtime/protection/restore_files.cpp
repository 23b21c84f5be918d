#include "runtime/protection/restore_files.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/protection/moved_directories.hpp"
#include "runtime/protection/replace_file.hpp"
#include "runtime/protection/rewrite_parts.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Kind = FileState::Kind;

/// How many files may be written at once: as many as may be open, but for some.
std::size_t most_open_files() {
  constexpr std::size_t kOthers = 256;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return kOthers;
  return std::clamp<std::size_t>(files.rlim_cur, 2 * kOthers, std::size_t{1} << 16) - kOthers;
}

/// Throws unless a directory is within another, whatever links there are.
void check_within(const fs::path& directory, const fs::path& base, const fs::path& path) {
  const fs::path relative = fs::weakly_canonical(directory).lexically_relative(fs::canonical(base));
  if (!relative.empty() && *relative.begin() != "..") return;
  fail(Status::kIo, fmt::format("cannot write {}: a link in its path leads out of {}",
                                path.string(), base.string()));
}

class Restorer {
 public:
  Restorer(const Protection& protection, const ProtectionCheck& check, fs::path base,
           const Options& options, Progress& progress)
      : protection_(protection),
        check_(check),
        found_(check.found),
        sources_(check.found.sources),
        reader_(sources_),
        base_(std::move(base)),
        options_(options),
        progress_(progress),
        is_lost_(protection.map.num_files()) {
    for (const LostBytes& range : check.lost) is_lost_[range.file] = true;
  }

  RestoredFiles run() {
    move_directories_back();
    sort_out();
    progress_.begin("restoring", bytes_wanted());
    const std::size_t most = most_open_files();
    for (auto next = wanted_.begin(); next != wanted_.end();) {
      while (next != wanted_.end() && rebuilt_.size() < most) begin_file(*next++);
      copy_found();
      rebuild_rows();
      finish_files();
    }
    name_files();
    result_.files += result_.rebuilt.size();
    return std::move(result_);
  }

 private:
  fs::path path_of(std::size_t file) const { return base_ / protection_.manifest.files[file].name; }

  /// Does something for one file; if the system refuses, the others go on.
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

  /// Renames directories whose files are all in another one now.
  void move_directories_back() {
    const auto may_be_moved = [this](std::size_t file) { return may_be_moved_back(file); };
    for (const auto& [from, to] : moved_directories(protection_, found_, base_, may_be_moved)) {
      attempt([&, &source = from, &destination = to] { move_directory_back(source, destination); });
    }
  }

  void move_directory_back(const fs::path& from, const fs::path& to) {
    make_directory(to);
    locks_.try_emplace(directory_of(from), directory_of(from));
    if (const int code = rename_to_free_name(from, to); code != 0) fail_on_io("rename", from, code);
    sync_directories({directory_of(to), directory_of(from)});
    result_.moved_back.emplace_back(to, from);
    for (SourceFile& source : sources_) {
      const fs::path relative = source.path.lexically_relative(from);
      if (!relative.empty() && *relative.begin() != ".." && relative != ".")
        source.path = to / relative;
    }
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      const FileState& state = found_.files[file];
      if (state.kind != Kind::kMoved || sources_[state.source].path != path_of(file)) continue;
      in_place_.insert(file);
      ++result_.files;
    }
  }

  /// Decides what to do about each file.
  void sort_out() {
    std::set<std::uint32_t> moved_from;
    for (const std::size_t file : in_place_) moved_from.insert(found_.files[file].source);
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      const FileState& state = found_.files[file];
      if (state.kind == Kind::kWhole || in_place_.contains(file)) continue;
      if (state.kind == Kind::kUnreadable) {
        result_.unreadable.push_back(
            fmt::format("{}: {}", path_of(file).string(), std::strerror(state.error)));
        continue;
      }
      if (is_lost_[file]) {
        result_.lost.push_back(path_of(file));
        continue;
      }
      if (!attempt([&] { make_directory(path_of(file)); })) continue;
      if (may_be_moved_back(file) && moved_from.insert(state.source).second) {
        moved_back_.push_back(file);
      } else {
        wanted_.push_back(file);
      }
    }
    std::ranges::stable_sort(wanted_, {},
                             [&](std::size_t file) { return protection_.map.bytes_of_file(file); });
    // All of them before any file is begun: long names may have the same hidden names.
    remove_all_leftovers();
  }

  /// Removes what killed programs have left of any protected file, be it whole by now.
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
        locks_.try_emplace(directory, directory);
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

  /// Makes the directory of a file and holds it against other programs that write there.
  void make_directory(const fs::path& path) {
    const fs::path directory = directory_of(path);
    std::error_code error;
    if (locks_.contains(directory)) return;
    check_within(directory, base_, path);
    fs::create_directories(directory, error);
    if (error) fail_on_io("write", path, error.value());
    locks_.try_emplace(directory, directory);
    for (fs::path each = directory; each != base_ && each.has_relative_path();
         each = each.parent_path()) {
      directories_.insert(each);
    }
    directories_.insert(base_);
  }

  /// The directory of a path, or the first one above it that is there.
  static fs::path nearest_directory(const fs::path& path) {
    fs::path directory = directory_of(path);
    std::error_code error;
    while (!fs::exists(directory, error) && directory.has_parent_path() &&
           directory != directory.parent_path()) {
      directory = directory_of(directory);
    }
    return directory;
  }

  /// Whether a file that moved is renamed: not out of a place that was only to be searched, nor to
  /// another file system.
  bool may_be_moved_back(std::size_t file) const {
    const FileState& state = found_.files[file];
    if (state.kind != Kind::kMoved || sources_[state.source].is_given) return false;
    const auto from = file_identity(sources_[state.source].path);
    const auto to = file_identity(nearest_directory(path_of(file)));
    return from && to && from->device == to->device;
  }

  void begin_file(std::size_t file) {
    attempt([&] {
      const fs::path path = path_of(file);
      std::error_code error;
      if (fs::is_directory(path, error)) fail_on_io("write", path, EISDIR);
      PendingFile pending(path, {}, S_IRUSR | S_IWUSR);
      check_distinct(file, pending);
      rebuilt_.emplace(file, std::move(pending));
    });
  }

  /// Throws if a file would take the place of another protected one, whose name differs in case
  /// alone.
  void check_distinct(std::size_t file, const PendingFile& pending) {
    if (same_but_for_case_.empty()) {
      for (std::size_t each = 0; each < is_lost_.size(); ++each) {
        same_but_for_case_[in_small_letters(protection_.manifest.files[each].name)].push_back(each);
      }
    }
    for (const std::size_t other :
         same_but_for_case_.at(in_small_letters(protection_.manifest.files[file].name))) {
      const Kind kind = found_.files[other].kind;
      const bool is_there = kind == Kind::kWhole || kind == Kind::kUnreadable ||
                            rebuilt_.contains(other) || finished_.contains(other);
      if (other == file || !is_there || !ignores_case(pending.temporary())) continue;
      fail(Status::kIo, fmt::format("cannot write {}: this file system takes it for {}",
                                    path_of(file).string(), path_of(other).string()));
    }
  }

  std::uint64_t bytes_wanted() const {
    std::uint64_t bytes = 0;
    for (const std::size_t file : wanted_) bytes += protection_.map.bytes_of_file(file);
    return bytes;
  }

  /// Writes a segment of a file that is rebuilt, unless that is given up. Zeros become holes.
  void write(const Segment& segment, std::span<const std::uint8_t> bytes) {
    progress_.done += bytes.size();
    if (std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; })) return;
    for (;;) {
      const auto rebuilt = rebuilt_.find(segment.file);
      if (rebuilt == rebuilt_.end()) return;
      try {
        rebuilt->second.write_at(segment.file_offset, bytes);
        result_.bytes_written += bytes.size();
        return;
      } catch (const IoError& error) {
        const bool is_full = error.code == ENOSPC || error.code == EDQUOT;
        give_up(is_full ? largest_rebuilt(segment.file) : segment.file, error.code);
      }
    }
  }

  /// The largest file that is rebuilt now on the same file system, `file` itself if none is larger.
  std::size_t largest_rebuilt(std::size_t file) const {
    const auto device = [&](std::size_t of) {
      const auto identity = file_identity(rebuilt_.at(of).temporary());
      return identity ? identity->device : dev_t{0};
    };
    std::size_t largest = file;
    for (const auto& each : rebuilt_) {
      const bool is_larger =
          protection_.map.bytes_of_file(each.first) > protection_.map.bytes_of_file(largest);
      if (is_larger && device(each.first) == device(file)) largest = each.first;
    }
    return largest;
  }

  /// Removes what was written of a file that cannot be rebuilt.
  void give_up(std::size_t file, int code) {
    attempt([&] { fail_on_io("write", path_of(file), code); });
    rebuilt_.erase(file);
  }

  /// Copies the segments of rebuilt files that were found.
  void copy_found() {
    std::vector<std::uint8_t> buffer(protection_.block_bytes());
    std::vector<std::size_t> files;
    for (const auto& each : rebuilt_) files.push_back(each.first);
    for (const std::size_t file : files) {
      for (std::size_t s = protection_.map.first_segment(file);
           s < protection_.map.first_segment(file + 1); ++s) {
        if (!found_.places[s].is_found()) continue;
        const Segment segment = protection_.map.segment(file, s);
        const auto found = std::span(buffer).first(segment.bytes);
        read_found(segment, found);
        write(segment, found);
      }
    }
  }

  [[noreturn]] static void fail_changed(const fs::path& path) {
    fail(Status::kIo,
         fmt::format("{} was changed by another program in the meantime", path.string()));
  }

  /// Reads a segment that was found.
  void read_found(const Segment& segment, std::span<std::uint8_t> bytes) {
    const SegmentPlace& place = found_.places[segment.number];
    if (reader_.read(place, bytes, protection_.manifest.sums[segment.number].strong)) return;
    fail_changed(sources_[place.source].path);
  }

  /// Computes the segments that were not found, row by row.
  void rebuild_rows() {
    if (found_.is_all_found()) return;
    const Code& code = protection_.code;
    const Codec codec = CodecAccess::codec_of(code, options_);
    StripeBuffer buffer(code, protection_.block_bytes());
    buffer.set_chunk_bytes(protection_.block_bytes());
    for (std::uint64_t row = 0; row < protection_.chunk_blocks(); ++row) {
      const std::vector<std::size_t> lost = lost_chunks(protection_, found_, row);
      if (lost.empty() || !is_wanted(row, lost)) continue;
      std::vector<std::size_t> erased = lost;
      for (const std::size_t chunk : read_row(row, lost, buffer)) erased.push_back(code.k + chunk);
      check_run(codec.decode(buffer.chunks(), erased, buffer.chunk_bytes()));
      for (const std::size_t chunk : lost) write_chunk(row, chunk, buffer);
    }
  }

  /// Whether any file that is rebuilt needs a chunk of a row, and the row can be had.
  bool is_wanted(std::uint64_t row, const std::vector<std::size_t>& lost) const {
    if (std::ranges::binary_search(check_.lost_rows, row)) return false;
    bool is_wanted = false;
    for (const std::size_t chunk : lost) {
      visit_lost(row, chunk,
                 [&](const Segment& segment) { is_wanted |= rebuilt_.contains(segment.file); });
    }
    return is_wanted;
  }

  template <typename Visit>
  void visit_lost(std::uint64_t row, std::size_t chunk, const Visit& visit) const {
    const std::uint64_t begin = protection_.manifest.stream_at(chunk, row);
    protection_.map.visit_segments(begin, begin + protection_.manifest.block_bytes,
                                   [&](const Segment& segment) {
                                     if (!found_.places[segment.number].is_found()) visit(segment);
                                   });
  }

  /// Reads what a row has, and answers which redundant chunks are not there or not needed.
  std::vector<std::size_t> read_row(std::uint64_t row, const std::vector<std::size_t>& lost,
                                    StripeBuffer& buffer) {
    for (std::size_t chunk = 0; chunk < protection_.code.k; ++chunk) {
      if (std::ranges::binary_search(lost, chunk)) continue;
      const std::span<std::uint8_t> bytes = buffer.chunk(chunk);
      std::ranges::fill(bytes, std::uint8_t{0});
      const std::uint64_t begin = protection_.manifest.stream_at(chunk, row);
      protection_.map.visit_segments(begin, begin + bytes.size(), [&](const Segment& segment) {
        const auto offset = static_cast<std::size_t>(segment.at - begin);
        read_found(segment, bytes.subspan(offset, segment.bytes));
      });
    }
    std::vector<std::size_t> absent = lost_redundancy(protection_, check_.is_good, row);
    for (const ProtectionPart& part : protection_.parts) {
      for (std::uint64_t i = 0; i < part.header.count; ++i) {
        const std::size_t chunk = part.header.first + static_cast<std::size_t>(i);
        if (std::ranges::binary_search(absent, chunk)) continue;
        if (!part.read_block(i, row, buffer.chunk(protection_.code.k + chunk))) {
          fail_changed(part.path);
        }
      }
    }
    return absent;
  }

  /// Writes what a chunk of a row has of files that are rebuilt.
  void write_chunk(std::uint64_t row, std::size_t chunk, const StripeBuffer& buffer) {
    const std::uint64_t begin = protection_.manifest.stream_at(chunk, row);
    visit_lost(row, chunk, [&](const Segment& segment) {
      const std::span<const std::uint8_t> bytes =
          buffer.chunk(chunk).subspan(static_cast<std::size_t>(segment.at - begin), segment.bytes);
      if (checksum(bytes) != protection_.manifest.sums[segment.number].strong) {
        fail(Status::kInternal,
             fmt::format("byte {} of {} was computed wrong, and nothing was replaced",
                         segment.file_offset, path_of(segment.file).string()));
      }
      write(segment, bytes);
    });
  }

  /// Brings the files that are complete to the disk. They get their names when all are there.
  void finish_files() {
    for (auto& each : rebuilt_) {
      attempt([&] {
        auto& [file, pending] = each;
        pending.set_bytes(protection_.map.bytes_of_file(file));
        pending.finish();
        set_info(pending.temporary(), protection_.manifest.files[file], pending.destination());
        finished_.emplace(file, std::move(pending));
      });
    }
    rebuilt_.clear();
  }

  bool is_protected(const fs::path& path) const {
    const std::string name = path.lexically_relative(base_).string();
    const auto found =
        std::ranges::lower_bound(protection_.manifest.files, name, {}, &ProtectedFile::name);
    return found != protection_.manifest.files.end() && found->name == name;
  }

  void name_files() {
    progress_.begin("syncing");
    const auto is_reserved = [this](const fs::path& path) { return is_protected(path); };
    const auto uninterrupted = hold_off_abandoning();
    for (const std::size_t file : moved_back_) {
      if (attempt([&] { move_back(file); })) ++result_.files;
    }
    std::map<std::size_t, std::optional<KeptFile>> kept;
    for (const auto& each : finished_) {
      attempt([&] { kept[each.first] = keep_beside(each.second.destination(), is_reserved); });
    }
    sync_directories(directories_);  // what was there has another name before it loses its own
    for (auto& each : finished_) {
      const auto of_file = kept.find(each.first);
      if (of_file == kept.end()) continue;
      PendingFile& pending = each.second;
      const bool is_put = attempt([&] {
        if (const auto other = put_in_place(pending, of_file->second, is_reserved)) {
          result_.kept.emplace_back(pending.destination(), *other);
        }
        result_.rebuilt.push_back(pending.destination());
      });
      if (!of_file->second) continue;
      if (is_put) {
        result_.kept.emplace_back(pending.destination(), of_file->second->kept);
      } else if (file_identity(pending.destination()) == of_file->second->identity) {
        ::unlink(of_file->second->kept.c_str());  // it has its own name still
      }
    }
    sync_directories(directories_);
  }

  void move_back(std::size_t file) {
    const fs::path to = path_of(file);
    const fs::path& from = sources_[found_.files[file].source].path;
    if (const int code = rename_to_free_name(from, to); code != 0) fail_on_io("rename", from, code);
    set_info(to, protection_.manifest.files[file], to);
    directories_.insert(directory_of(from));
    result_.moved_back.emplace_back(to, from);
  }

  const Protection& protection_;
  const ProtectionCheck& check_;
  const FoundSegments& found_;
  std::vector<SourceFile> sources_;  ///< where they are by now
  SourceReader reader_;
  fs::path base_;
  const Options& options_;
  Progress& progress_;
  std::vector<bool> is_lost_;
  std::map<std::string, std::vector<std::size_t>> same_but_for_case_;  ///< files, when first needed
  std::vector<std::size_t> wanted_;                                    ///< files that are rebuilt
  std::vector<std::size_t> moved_back_;                                ///< files that are renamed
  std::set<std::size_t> in_place_;               ///< files that came with their directory
  std::map<std::size_t, PendingFile> rebuilt_;   ///< of those that are wanted, now
  std::map<std::size_t, PendingFile> finished_;  ///< and before
  std::set<fs::path> directories_;               ///< that change
  std::map<fs::path, DirectoryLock> locks_;
  RestoredFiles result_;
};

}  // namespace

RestoredFiles restore_files(const Protection& protection, const ProtectionCheck& check,
                            const fs::path& base, const Options& options, Progress& progress) {
  RestoredFiles result = Restorer(protection, check, base, options, progress).run();
  if (result.lost.empty() && result.unreadable.empty() && result.failures.empty()) {
    rewrite_parts(protection, check, base, options, progress, result);
  }
  return result;
}

}  // namespace xorloom
