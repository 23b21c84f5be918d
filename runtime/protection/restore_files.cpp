#include "runtime/protection/restore_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/protection/write_parts.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Kind = FileState::Kind;

/// The file of a name, before anything stands there again: its directory is made.
PendingFile pending_file_at(const fs::path& path) {
  std::error_code error;
  fs::create_directories(directory_of(path), error);
  if (error) fail_on_io("write", path, error.value());
  return PendingFile(path);
}

/// Gives what stands under a name another one beside it, and leaves the name as it is where the file
/// system has links. Returns the other name.
fs::path keep_beside(const fs::path& path) {
  for (int number = 1;; ++number) {
    fs::path kept = path;
    kept += number == 1 ? ".damaged" : fmt::format(".damaged-{}", number);
    if (::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, kept.c_str(), 0) == 0) return kept;
    if (errno == EEXIST) continue;
    if (const int code = rename_to_free_name(path, kept); code == 0) {
      return kept;
    } else if (code != EEXIST) {
      fail_on_io("rename", path, code);
    }
  }
}

/// Permissions and time, as far as the system lets them be.
void set_info(const fs::path& path, const ProtectedFile& file) {
  const timespec modified{static_cast<std::time_t>(file.modified_seconds),
                          static_cast<long>(file.modified_nanoseconds)};
  const std::array<timespec, 2> times{timespec{0, UTIME_OMIT}, modified};
  static_cast<void>(::chmod(path.c_str(), file.permissions));
  static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), times.data(), AT_SYMLINK_NOFOLLOW));
}

class Restorer {
 public:
  Restorer(const Protection& protection, const ProtectionCheck& check, fs::path base,
           const Options& options, Progress& progress)
      : protection_(protection),
        check_(check),
        found_(check.found),
        base_(std::move(base)),
        options_(options),
        progress_(progress),
        is_lost_(protection.map.num_files()) {
    for (const LostBytes& range : check.lost) is_lost_[range.file] = true;
  }

  RestoredFiles run() {
    sort_out();
    copy_found();
    rebuild_rows();
    name_files();
    return std::move(result_);
  }

 private:
  fs::path path_of(std::size_t file) const { return base_ / protection_.manifest.files[file].name; }

  /// Decides what to do about each file, and begins those that are rebuilt.
  void sort_out() {
    std::set<std::uint32_t> moved_from;
    for (std::size_t file = 0; file < is_lost_.size(); ++file) {
      const FileState& state = found_.files[file];
      if (state.kind == Kind::kWhole) continue;
      if (is_lost_[file]) {
        result_.lost.push_back(path_of(file));
        continue;
      }
      if (state.kind == Kind::kMoved && moved_from.insert(state.source).second) {
        moved_back_.push_back(file);
        continue;
      }
      remove_leftovers_of(path_of(file));
      rebuilt_.emplace(file, pending_file_at(path_of(file)));
    }
  }

  void write(PendingFile& file, const Segment& segment, std::span<const std::uint8_t> bytes) {
    file.write_at(segment.file_offset, bytes);
    result_.bytes_written += bytes.size();
    progress_.done += bytes.size();
  }

  /// Copies the segments of rebuilt files that were found.
  void copy_found() {
    std::uint64_t bytes = 0;
    for (const auto& [file, pending] : rebuilt_) bytes += protection_.map.bytes_of_file(file);
    progress_.begin("restoring", bytes);
    std::vector<std::uint8_t> buffer(protection_.block_bytes());
    for (auto& [file, pending] : rebuilt_) {
      for (std::size_t s = protection_.map.first_segment(file);
           s < protection_.map.first_segment(file + 1); ++s) {
        if (!found_.places[s].is_found()) continue;
        const Segment segment = protection_.map.segment(file, s);
        const auto found = std::span(buffer).first(segment.bytes);
        if (!found_.read(protection_.manifest, s, found)) fail_changed(s);
        write(pending, segment, found);
      }
    }
  }

  [[noreturn]] void fail_changed(std::size_t segment) const {
    fail(Status::kIo, fmt::format("{} was changed by another program in the meantime",
                                  found_.sources[found_.places[segment].source].path.string()));
  }

  /// Computes the segments that were not found, row by row.
  void rebuild_rows() {
    if (std::ranges::all_of(found_.places, &SegmentPlace::is_found)) return;
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
    const std::uint64_t begin = protection_.stream_at(chunk, row);
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
      const std::uint64_t begin = protection_.stream_at(chunk, row);
      protection_.map.visit_segments(begin, begin + bytes.size(), [&](const Segment& segment) {
        const auto part =
            bytes.subspan(static_cast<std::size_t>(segment.at - begin), segment.bytes);
        if (!found_.read(protection_.manifest, segment.number, part)) fail_changed(segment.number);
      });
    }
    std::vector<std::size_t> absent = lost_redundancy(protection_, check_.is_good, row);
    for (const ProtectionPart& part : protection_.parts) {
      for (std::uint64_t i = 0; i < part.header.count; ++i) {
        const std::size_t chunk = part.header.first + static_cast<std::size_t>(i);
        if (std::ranges::binary_search(absent, chunk)) continue;
        if (!part.read_block(i, row, buffer.chunk(protection_.code.k + chunk))) {
          fail(Status::kIo, fmt::format("{} was changed by another program in the meantime",
                                        part.path.string()));
        }
      }
    }
    return absent;
  }

  /// Writes what a chunk of a row has of files that are rebuilt.
  void write_chunk(std::uint64_t row, std::size_t chunk, const StripeBuffer& buffer) {
    const std::uint64_t begin = protection_.stream_at(chunk, row);
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

  /// Gives every file its name, once all of them are on the disk.
  void name_files() {
    progress_.begin("syncing");
    std::set<fs::path> directories;
    for (auto& [file, pending] : rebuilt_) {
      pending.finish();
      set_info(pending.temporary(), protection_.manifest.files[file]);
      directories.insert(directory_of(pending.destination()));
    }
    const auto uninterrupted = hold_off_abandoning();
    for (const std::size_t file : moved_back_) move_back(file, directories);
    for (const auto& [file, pending] : rebuilt_) {
      if (!was_there(file)) continue;
      result_.kept.emplace_back(pending.destination(), keep_beside(pending.destination()));
    }
    sync_directories(directories);  // what was there has another name before it loses its own
    for (auto& [file, pending] : rebuilt_) {
      pending.commit(was_there(file) ? Existing::kReplace : Existing::kRefuse);
      result_.rebuilt.push_back(pending.destination());
    }
    sync_directories(directories);
  }

  bool was_there(std::size_t file) const { return found_.files[file].kind == Kind::kDamaged; }

  void move_back(std::size_t file, std::set<fs::path>& directories) {
    const fs::path to = path_of(file);
    const fs::path& from = found_.sources[found_.files[file].source].path;
    std::error_code error;
    fs::create_directories(directory_of(to), error);
    const int code = error ? error.value() : rename_to_free_name(from, to);
    if (code != 0) fail_on_io("rename", from, code);
    directories.insert(directory_of(to));
    directories.insert(directory_of(from));
    result_.moved_back.emplace_back(to, from);
  }

  const Protection& protection_;
  const ProtectionCheck& check_;
  const FoundSegments& found_;
  fs::path base_;
  const Options& options_;
  Progress& progress_;
  std::vector<bool> is_lost_;
  std::map<std::size_t, PendingFile> rebuilt_;  ///< by file
  std::vector<std::size_t> moved_back_;
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
  for (const ProtectionPart* part : damaged) {
    remove_leftovers_of(part->path);
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
  const DirectoryLock lock(base);
  RestoredFiles result = Restorer(protection, check, base, options, progress).run();
  const std::vector<const ProtectionPart*> damaged = damaged_parts(protection, check);
  if (result.lost.empty() && !damaged.empty()) {
    rewrite_parts(protection, damaged, base, options, progress, result);
  }
  return result;
}

}  // namespace xorloom
