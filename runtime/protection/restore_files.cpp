#include "runtime/protection/restore_files.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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
#include "runtime/protection/replace_file.hpp"
#include "runtime/protection/write_parts.hpp"
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
        reader_(check.found.sources),
        base_(std::move(base)),
        options_(options),
        progress_(progress),
        is_lost_(protection.map.num_files()) {
    for (const LostBytes& range : check.lost) is_lost_[range.file] = true;
  }

  RestoredFiles run() {
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

  /// Decides what to do about each file.
  void sort_out() {
    std::set<std::uint32_t> moved_from;
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      const FileState& state = found_.files[file];
      if (state.kind == Kind::kWhole) continue;
      if (is_lost_[file]) {
        result_.lost.push_back(path_of(file));
        continue;
      }
      if (!attempt([&] { make_directory(file); })) continue;
      if (may_be_moved_back(file) && moved_from.insert(state.source).second) {
        moved_back_.push_back(file);
      } else {
        wanted_.push_back(file);
      }
    }
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
  void make_directory(std::size_t file) {
    const fs::path path = path_of(file);
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

  /// Whether a file that moved is renamed: not out of a place that was only to be searched, nor to
  /// another file system.
  bool may_be_moved_back(std::size_t file) const {
    const FileState& state = found_.files[file];
    if (state.kind != Kind::kMoved || found_.sources[state.source].is_given) return false;
    const auto from = file_identity(directory_of(found_.sources[state.source].path));
    const auto to = file_identity(directory_of(path_of(file)));
    return from && to && from->device == to->device;
  }

  void begin_file(std::size_t file) {
    attempt([&] {
      const fs::path path = path_of(file);
      std::error_code error;
      if (fs::is_directory(path, error)) fail_on_io("write", path, EISDIR);
      rebuilt_.emplace(file, PendingFile(path, {}, S_IRUSR | S_IWUSR));
    });
  }

  std::uint64_t bytes_wanted() const {
    std::uint64_t bytes = 0;
    for (const std::size_t file : wanted_) bytes += protection_.map.bytes_of_file(file);
    return bytes;
  }

  void write(PendingFile& file, const Segment& segment, std::span<const std::uint8_t> bytes) {
    file.write_at(segment.file_offset, bytes);
    result_.bytes_written += bytes.size();
    progress_.done += bytes.size();
  }

  /// Copies the segments of rebuilt files that were found.
  void copy_found() {
    std::vector<std::uint8_t> buffer(protection_.block_bytes());
    for (auto& [file, pending] : rebuilt_) {
      for (std::size_t s = protection_.map.first_segment(file);
           s < protection_.map.first_segment(file + 1); ++s) {
        if (!found_.places[s].is_found()) continue;
        const Segment segment = protection_.map.segment(file, s);
        const auto found = std::span(buffer).first(segment.bytes);
        read_found(segment, found);
        write(pending, segment, found);
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
    fail_changed(found_.sources[place.source].path);
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
      const auto rebuilt = rebuilt_.find(segment.file);
      if (rebuilt != rebuilt_.end()) write(rebuilt->second, segment, bytes);
    });
  }

  /// Brings the files that are complete to the disk. They get their names when all are there.
  void finish_files() {
    for (auto& [file, pending] : rebuilt_) {
      pending.finish();
      set_info(pending.temporary(), protection_.manifest.files[file], pending.destination());
      finished_.emplace(file, std::move(pending));
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
    for (const std::size_t file : moved_back_) attempt([&] { move_back(file); });
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
    const fs::path& from = found_.sources[found_.files[file].source].path;
    if (const int code = rename_to_free_name(from, to); code != 0) fail_on_io("rename", from, code);
    set_info(to, protection_.manifest.files[file], to);
    directories_.insert(directory_of(from));
    result_.moved_back.emplace_back(to, from);
  }

  const Protection& protection_;
  const ProtectionCheck& check_;
  const FoundSegments& found_;
  SourceReader reader_;
  fs::path base_;
  const Options& options_;
  Progress& progress_;
  std::vector<bool> is_lost_;
  std::vector<std::size_t> wanted_;              ///< files that are rebuilt
  std::vector<std::size_t> moved_back_;          ///< files that are renamed
  std::map<std::size_t, PendingFile> rebuilt_;   ///< of those that are wanted, now
  std::map<std::size_t, PendingFile> finished_;  ///< and before
  std::set<fs::path> directories_;               ///< that change
  std::map<fs::path, DirectoryLock> locks_;
  RestoredFiles result_;
};

/// The parts that are damaged, which are to be written anew.
std::vector<const ProtectionPart*> damaged_parts(const Protection& protection,
                                                 const ProtectionCheck& check) {
  std::vector<const ProtectionPart*> damaged;
  for (std::size_t i = 0; i < protection.parts.size(); ++i) {
    const ProtectionPart& part = protection.parts[i];
    if (check.bad_blocks[i] != 0 || !part.defects.empty()) damaged.push_back(&part);
  }
  return damaged;
}

void rewrite_parts(const Protection& protection, const std::vector<const ProtectionPart*>& damaged,
                   const fs::path& base, const Options& options, Progress& progress,
                   RestoredFiles& result) {
  std::vector<PartBeingWritten> parts;
  std::map<fs::path, DirectoryLock> locks;
  for (const ProtectionPart* part : damaged) {
    const fs::path directory = directory_of(part->path);
    locks.try_emplace(directory, directory);
  }
  for (const ProtectionPart* part : damaged) remove_leftovers_of(part->path);
  for (const ProtectionPart* part : damaged) {
    parts.push_back({PendingFile(part->path), part->header});
  }
  Manifest manifest = protection.manifest;
  progress.begin("protecting", protection.map.stream_bytes());
  write_parts({base, manifest, protection.map, protection.code, options, Sums::kCompare}, parts,
              progress);
  std::set<fs::path> directories;
  const auto uninterrupted = hold_off_abandoning();
  for (PartBeingWritten& part : parts) {
    part.file.commit();
    directories.insert(directory_of(part.file.destination()));
    result.rewritten_parts.push_back(part.file.destination());
    result.bytes_written += part_bytes(part.header);
  }
  sync_directories(directories);
}

}  // namespace

RestoredFiles restore_files(const Protection& protection, const ProtectionCheck& check,
                            const fs::path& base, const Options& options, Progress& progress) {
  RestoredFiles result = Restorer(protection, check, base, options, progress).run();
  const std::vector<const ProtectionPart*> damaged = damaged_parts(protection, check);
  if (result.lost.empty() && result.failures.empty() && !damaged.empty()) {
    rewrite_parts(protection, damaged, base, options, progress, result);
  }
  return result;
}

}  // namespace xorloom
