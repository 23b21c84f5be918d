#include "runtime/upkeep/rebuild_files.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/shards/stripe_buffer.hpp"
#include "runtime/upkeep/replace_file.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Kind = FileState::Kind;

/// Most files that are written at once: as many as may be open, except for a few.
std::size_t most_open_files() {
  constexpr std::size_t kOthers = 256;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return kOthers;
  return std::clamp<std::size_t>(files.rlim_cur, 2 * kOthers, std::size_t{1} << 16) - kOthers;
}

bool is_full_disk(int code) { return code == ENOSPC || code == EDQUOT; }

class Rebuilder {
 public:
  Rebuilder(const Protection& protection, const ProtectionCheck& check,
            const RebuildRequest& request, Progress& progress, std::vector<std::string>& failures)
      : protection_(protection),
        check_(check),
        found_(check.found),
        request_(request),
        reader_(request.sources),
        progress_(progress),
        failures_(failures) {}

  RebuiltFiles run() {
    progress_.begin("restoring", bytes_wanted());
    const std::size_t most = most_open_files();
    const std::vector<std::size_t>& wanted = request_.files;
    for (auto next = wanted.begin(); next != wanted.end();) {
      while (next != wanted.end() && rebuilt_.size() < most) begin_file(*next++);
      copy_found();
      rebuild_rows();
      finish_files();
    }
    return std::move(result_);
  }

 private:
  fs::path path_of(std::size_t file) const {
    return request_.to / protection_.manifest.files[file].name;
  }

  /// Runs `act` for one file. If the system refuses, notes the failure, and the other files go on.
  template <typename Do>
  bool attempt(std::size_t file, const Do& act) {
    try {
      act();
      return true;
    } catch (const Error& error) {
      if (error.kind() == Status::kInternal) throw;
      failures_.emplace_back(error.what());
      const auto* const io = dynamic_cast<const IoError*>(&error);
      if (io == nullptr || !is_full_disk(io->code)) return false;
      result_.bytes_without_room += protection_.map.bytes_of_file(file);
      return false;
    }
  }

  void begin_file(std::size_t file) {
    attempt(file, [&] {
      const fs::path path = path_of(file);
      PendingFile pending(path, {}, S_IRUSR | S_IWUSR);
      check_distinct(file, pending);
      rebuilt_.emplace(file, std::move(pending));
    });
  }

  /// Throws if a file would replace another protected one whose name differs in case alone.
  void check_distinct(std::size_t file, const PendingFile& pending) {
    if (same_but_for_case_.empty()) {
      for (std::size_t each = 0; each < protection_.map.num_files(); ++each) {
        same_but_for_case_[in_small_letters(protection_.manifest.files[each].name)].push_back(each);
      }
    }
    for (const std::size_t other :
         same_but_for_case_.at(in_small_letters(protection_.manifest.files[file].name))) {
      const Kind kind = found_.files[other].kind;
      const bool is_kept =
          request_.is_in_place && (kind == Kind::kWhole || kind == Kind::kUnreadable);
      const bool is_there = is_kept || rebuilt_.contains(other) || result_.files.contains(other);
      if (other == file || !is_there || !ignores_case(pending.temporary())) continue;
      fail(Status::kIo, fmt::format("cannot write {}: this file system takes it for {}",
                                    path_of(file).string(), path_of(other).string()));
    }
  }

  std::uint64_t bytes_wanted() const {
    std::uint64_t bytes = 0;
    for (const std::size_t file : request_.files) bytes += protection_.map.bytes_of_file(file);
    return bytes;
  }

  /// Writes a segment of a file that is being rebuilt; not if the file was given up. Zeros become
  /// holes.
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
        give_up(is_full_disk(error.code) ? largest_rebuilt(segment.file) : segment.file,
                error.code);
      }
    }
  }

  /// The largest file being rebuilt on the same file system; `file` itself if none is larger.
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
    attempt(file, [&] { fail_on_io("write", path_of(file), code); });
    rebuilt_.erase(file);
  }

  /// Copies the segments of rebuilt files that were found.
  void copy_found() {
    std::vector<std::uint8_t> buffer(protection_.block_bytes());
    std::vector<std::size_t> files;
    for (const auto& each : rebuilt_) files.push_back(each.first);
    for (const std::size_t file : files) {
      const auto copy = [&] {
        for (std::size_t s = protection_.map.first_segment(file);
             s < protection_.map.first_segment(file + 1); ++s) {
          if (!found_.places[s].is_found()) continue;
          const Segment segment = protection_.map.segment(file, s);
          const auto found = std::span(buffer).first(segment.bytes);
          read_found(segment, found);
          write(segment, found);
        }
      };
      if (!attempt(file, copy)) rebuilt_.erase(file);
    }
  }

  /// Throws, as a file that was whole cannot be read now. `error`: errno; 0 or less: it was
  /// changed.
  [[noreturn]] static void fail_read(const fs::path& path, int error) {
    if (error > 0) fail_on_io("read", path, error);
    fail(Status::kIo,
         fmt::format("{} was changed by another program in the meantime", path.string()));
  }

  /// Reads a segment that was found.
  void read_found(const Segment& segment, std::span<std::uint8_t> bytes) {
    const SegmentPlace& place = found_.places[segment.number];
    if (reader_.read(place, bytes, protection_.manifest.sums[segment.number].strong)) return;
    fail_read(request_.sources[place.source].path, reader_.error());
  }

  /// Computes the segments that were not found, row by row.
  void rebuild_rows() {
    if (found_.is_all_found()) return;
    const Code& code = protection_.code;
    const Codec codec = CodecAccess::codec_of(code, request_.options);
    StripeBuffer buffer(code, protection_.block_bytes());
    buffer.set_chunk_bytes(protection_.block_bytes());
    for (std::uint64_t row = 0; row < protection_.chunk_blocks(); ++row) {
      const std::vector<std::size_t> lost = lost_chunks(protection_, found_, row);
      if (lost.empty() || !is_wanted(row, lost)) continue;
      const auto rebuild = [&] {
        std::vector<std::size_t> erased = lost;
        for (const std::size_t chunk : read_row(row, lost, buffer))
          erased.push_back(code.k + chunk);
        check_run(codec.decode(buffer.chunks(), erased, buffer.chunk_bytes()));
        for (const std::size_t chunk : lost) write_chunk(row, chunk, buffer);
      };
      const std::set<std::size_t> files = files_in(row, lost);
      if (attempt(*files.begin(), rebuild)) continue;
      for (const std::size_t file : files) rebuilt_.erase(file);
    }
  }

  /// The files being rebuilt that need any of `chunks` of a row.
  std::set<std::size_t> files_in(std::uint64_t row, const std::vector<std::size_t>& chunks) const {
    std::set<std::size_t> files;
    for (const std::size_t chunk : chunks) {
      visit_lost(row, chunk, [&](const Segment& segment) {
        if (rebuilt_.contains(segment.file)) files.insert(segment.file);
      });
    }
    return files;
  }

  /// True if a file being rebuilt needs a lost chunk of the row, and the row can be recovered.
  bool is_wanted(std::uint64_t row, const std::vector<std::size_t>& lost) const {
    if (std::ranges::binary_search(check_.lost_rows, row)) return false;
    return !files_in(row, lost).empty();
  }

  template <typename Visit>
  void visit_lost(std::uint64_t row, std::size_t chunk, const Visit& visit) const {
    const std::uint64_t begin = protection_.manifest.stream_at(chunk, row);
    protection_.map.visit_segments(begin, begin + protection_.manifest.block_bytes,
                                   [&](const Segment& segment) {
                                     if (!found_.places[segment.number].is_found()) visit(segment);
                                   });
  }

  /// Reads the chunks that a row has. Returns the redundant chunks that are lost.
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
          fail_read(part.path, part.error_of_block(i, row));
        }
      }
    }
    return absent;
  }

  /// Writes the parts of a chunk that belong to files being rebuilt.
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

  /// Completes files and syncs them. They get their names when all are there.
  void finish_files() {
    for (auto& each : rebuilt_) {
      attempt(each.first, [&] {
        auto& [file, pending] = each;
        pending.set_bytes(protection_.map.bytes_of_file(file));
        pending.finish();
        set_info(pending.temporary(), protection_.manifest.files[file], pending.destination());
        result_.files.emplace(file, std::move(pending));
      });
    }
    rebuilt_.clear();
  }

  const Protection& protection_;
  const ProtectionCheck& check_;
  const FoundSegments& found_;
  const RebuildRequest& request_;
  SourceReader reader_;
  Progress& progress_;
  std::vector<std::string>& failures_;
  std::map<std::string, std::vector<std::size_t>> same_but_for_case_;  ///< filled when needed
  std::map<std::size_t, PendingFile> rebuilt_;                         ///< files that are begun
  RebuiltFiles result_;
};

}  // namespace

RebuiltFiles rebuild_files(const Protection& protection, const ProtectionCheck& check,
                           const RebuildRequest& request, Progress& progress,
                           std::vector<std::string>& failures) {
  return Rebuilder(protection, check, request, progress, failures).run();
}

}  // namespace xorloom
