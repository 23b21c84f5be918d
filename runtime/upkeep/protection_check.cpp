#include "runtime/upkeep/protection_check.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "runtime/files/pipeline.hpp"
#include "runtime/upkeep/files_there.hpp"
#include "runtime/upkeep/scan_files.hpp"

namespace xorloom {
namespace {

/// Blocks of a redundant chunk that are read together.
struct RedundantBlocks {
  std::size_t part = 0;
  std::uint64_t chunk = 0;  ///< number in the part
  std::uint64_t row = 0;    ///< first row
  std::vector<std::uint8_t> payload;
  std::vector<bool> are_good;  ///< by row
};

constexpr std::uint64_t kRowsAtOnce = 64;
constexpr std::size_t kPayloadsMemoryBytes = std::size_t{1} << 26;

/// Reads every redundant block of the parts.
void read_redundancy(const Protection& protection, std::size_t threads, ProtectionCheck& check,
                     Progress& progress) {
  const std::uint64_t rows = protection.chunk_blocks();
  const std::size_t block_bytes = protection.block_bytes();
  progress.begin("checking redundancy", protection.code.m * rows * block_bytes);
  check.is_good.resize(protection.code.m * static_cast<std::size_t>(rows));
  check.bad_blocks.resize(protection.parts.size());
  std::vector<RedundantBlocks> slots(slots_for(threads, block_bytes, kPayloadsMemoryBytes));
  RedundantBlocks next;
  const auto begin = [&](std::size_t slot) {
    if (next.row == rows) {
      next.row = 0;
      ++next.chunk;
    }
    while (next.part < protection.parts.size() &&
           (rows == 0 || next.chunk == protection.parts[next.part].header.count)) {
      next.chunk = 0;
      ++next.part;
    }
    if (next.part == protection.parts.size()) return false;
    RedundantBlocks& blocks = slots[slot];
    blocks.part = next.part;
    blocks.chunk = next.chunk;
    blocks.row = next.row;
    next.row += std::min(kRowsAtOnce, rows - next.row);
    blocks.are_good.assign(static_cast<std::size_t>(next.row - blocks.row), false);
    return true;
  };
  const auto read = [&](std::size_t slot) {
    RedundantBlocks& blocks = slots[slot];
    const ProtectionPart& part = protection.parts[blocks.part];
    blocks.payload.resize(block_bytes);
    // Blocks past the end of the file are not looked for, unless they may be displaced.
    const std::uint64_t end = part.shifts.size() == 1 ? part.file.bytes() : part_bytes(part.header);
    for (std::size_t i = 0; i < blocks.are_good.size(); ++i) {
      const std::uint64_t row = blocks.row + i;
      const bool is_there = redundant_block_offset(part.header, blocks.chunk, row) < end;
      blocks.are_good[i] = is_there && part.read_block(blocks.chunk, row, blocks.payload);
    }
  };
  const auto count = [&](std::size_t slot) {
    const RedundantBlocks& blocks = slots[slot];
    const std::uint64_t chunk = protection.parts[blocks.part].header.first + blocks.chunk;
    for (std::size_t i = 0; i < blocks.are_good.size(); ++i) {
      check.is_good[static_cast<std::size_t>(chunk * rows + blocks.row) + i] = blocks.are_good[i];
      if (!blocks.are_good[i]) ++check.bad_blocks[blocks.part];
    }
    progress.done += blocks.are_good.size() * block_bytes;
    check.bytes_read += blocks.are_good.size() * block_bytes;
  };
  run_pipeline(threads, slots.size(), {begin, read, count});
}

/// True if a file may be whole, although it cannot be read here.
bool may_come_back(const FoundSegments& found, std::size_t file) {
  return found.files[file].kind == FileState::Kind::kUnreadable || found.files[file].is_away;
}

/// Adds a lost segment of a file.
void add_lost(const FoundSegments& found, const Segment& segment, bool is_row_known,
              std::vector<LostBytes>& lost) {
  const std::uint64_t end = segment.file_offset + segment.bytes;
  lost.push_back({segment.file, segment.file_offset, end,
                  is_row_known && !may_come_back(found, segment.file)});
}

/// The number of data chunks that a row has lost even if all files that may come back are whole.
std::size_t num_known_lost(const Protection& protection, const FoundSegments& found,
                           std::uint64_t row, const std::vector<std::size_t>& lost) {
  std::size_t known = 0;
  for (const std::size_t chunk : lost) {
    const std::uint64_t begin = protection.manifest.stream_at(chunk, row);
    const std::uint64_t end = begin + protection.manifest.block_bytes;
    bool is_known = protection.map.is_given_up(begin, end);
    protection.map.visit_segments(begin, end, [&](const Segment& segment) {
      is_known |= !found.places[segment.number].is_found() && !may_come_back(found, segment.file);
    });
    known += is_known ? 1 : 0;
  }
  return known;
}

/// Sorts ranges, and joins adjacent ones.
void join_ranges(std::vector<LostBytes>& lost) {
  std::ranges::sort(lost, [](const LostBytes& a, const LostBytes& b) {
    return std::pair(a.file, a.begin) < std::pair(b.file, b.begin);
  });
  std::vector<LostBytes> joined;
  for (const LostBytes& range : lost) {
    const bool goes_on = !joined.empty() && joined.back().file == range.file &&
                         joined.back().end == range.begin &&
                         joined.back().is_known == range.is_known;
    if (goes_on) {
      joined.back().end = range.end;
    } else {
      joined.push_back(range);
    }
  }
  lost = std::move(joined);
}

/// Finds the rows that lost more than the code survives, and the bytes that are lost with them.
void note_losses(const Protection& protection, ProtectionCheck& check) {
  check.most_needed = 0;
  check.most_lost = 0;
  check.lost_rows.clear();
  check.lost.clear();
  if (check.found.is_all_found()) return;
  for (std::uint64_t row = 0; row < protection.chunk_blocks(); ++row) {
    const std::vector<std::size_t> lost = lost_chunks(protection, check.found, row);
    if (lost.empty()) continue;
    const std::size_t redundant = lost_redundancy(protection, check.is_good, row).size();
    check.most_needed = std::max(check.most_needed, lost.size());
    check.most_lost = std::max(check.most_lost, lost.size() + redundant);
    if (lost.size() + redundant <= protection.code.m) continue;
    check.lost_rows.push_back(row);
    const bool is_known =
        num_known_lost(protection, check.found, row, lost) + redundant > protection.code.m;
    for (const std::size_t chunk : lost) {
      const std::uint64_t begin = protection.manifest.stream_at(chunk, row);
      protection.map.visit_segments(begin, begin + protection.manifest.block_bytes,
                                    [&](const Segment& segment) {
                                      if (!check.found.places[segment.number].is_found()) {
                                        add_lost(check.found, segment, is_known, check.lost);
                                      }
                                    });
    }
  }
  join_ranges(check.lost);
}

/// True if bytes are lost, unless a file has them that nobody would look for there.
bool is_any_to_search_for(const ProtectionCheck& check) {
  return std::ranges::any_of(check.lost, [&](const LostBytes& lost) {
    return loss_of(check, lost) == Loss::kLost || check.found.files[lost.file].is_away;
  });
}

}  // namespace

bool ProtectionCheck::is_whole(const Protection& protection) const {
  const auto is_file_whole = [](const FileState& state) {
    return state.kind == FileState::Kind::kWhole;
  };
  const bool has_all_parts = protection.parts.size() == protection.parts.front().header.parts;
  return has_all_parts && protection.unusable.empty() &&
         std::ranges::all_of(found.files, is_file_whole) &&
         std::ranges::all_of(bad_blocks, [](std::size_t bad) { return bad == 0; }) &&
         std::ranges::all_of(protection.parts, [](const auto& p) { return p.defects.empty(); });
}

Loss loss_of(const ProtectionCheck& check, const LostBytes& bytes) {
  if (is_changed_on_purpose(check.found.files[bytes.file].kind)) return Loss::kChanged;
  return bytes.is_known ? Loss::kLost : Loss::kUnread;
}

std::uint64_t bytes_beyond_repair(const ProtectionCheck& check, Loss loss) {
  std::uint64_t bytes = 0;
  for (const LostBytes& lost : check.lost) {
    if (loss_of(check, lost) == loss) bytes += lost.end - lost.begin;
  }
  return bytes;
}

std::vector<std::size_t> lost_chunks(const Protection& protection, const FoundSegments& found,
                                     std::uint64_t row) {
  std::vector<std::size_t> lost;
  for (std::size_t chunk = 0; chunk < protection.code.k; ++chunk) {
    const std::uint64_t begin = protection.manifest.stream_at(chunk, row);
    const std::uint64_t end = begin + protection.manifest.block_bytes;
    bool is_lost = protection.map.is_given_up(begin, end);
    protection.map.visit_segments(begin, end, [&](const Segment& segment) {
      is_lost |= !found.places[segment.number].is_found();
    });
    if (is_lost) lost.push_back(chunk);
  }
  return lost;
}

std::vector<std::size_t> lost_redundancy(const Protection& protection,
                                         const std::vector<bool>& is_good, std::uint64_t row) {
  std::vector<std::size_t> lost;
  for (std::size_t chunk = 0; chunk < protection.code.m; ++chunk) {
    if (!is_good[chunk * static_cast<std::size_t>(protection.chunk_blocks()) +
                 static_cast<std::size_t>(row)]) {
      lost.push_back(chunk);
    }
  }
  return lost;
}

ProtectionCheck check_protection(const Protection& protection, const std::filesystem::path& base,
                                 const std::vector<std::filesystem::path>& others,
                                 std::size_t threads, Progress& progress) {
  ProtectionCheck check;
  check.found = find_segments(protection, base, others, threads, progress);
  note_away(protection, base, check.found);
  check.found.others = place_of_others(protection, check.found, base);
  read_redundancy(protection, threads, check, progress);
  note_losses(protection, check);
  // Other protected files may have the bytes.
  while (is_any_to_search_for(check) &&
         search_all(protection.manifest, protection.map, check.found, progress)) {
    note_away(protection, base, check.found);
    note_losses(protection, check);
  }
  check.bytes_read += check.found.bytes_read;
  return check;
}

std::vector<std::size_t> lost_by_giving_up(const Protection& protection, const FileMap& after,
                                           const ProtectionCheck& check, bool may_missing_return) {
  struct Wanted {
    std::size_t file;  ///< stays protected, and misses something in the row
    bool is_counted;   ///< its chunk counts as lost even if missing files come back
  };
  std::set<std::size_t> blocked;  // cannot be restored now
  for (const LostBytes& bytes : check.lost) blocked.insert(bytes.file);
  std::set<std::size_t> lost_before;
  std::set<std::size_t> lost;
  for (std::uint64_t row = 0; row < protection.chunk_blocks(); ++row) {
    const std::size_t redundant = lost_redundancy(protection, check.is_good, row).size();
    std::size_t known_before = redundant;  // if files that are missing or not readable are whole
    std::size_t known_after = redundant;
    std::size_t all_after = redundant;
    std::vector<Wanted> wanted;
    for (std::size_t chunk = 0; chunk < protection.code.k; ++chunk) {
      const std::uint64_t begin = protection.manifest.stream_at(chunk, row);
      const std::uint64_t end = begin + protection.manifest.block_bytes;
      const bool is_given_up = after.is_given_up(begin, end);
      bool is_lost = false;
      bool is_known = false;
      std::vector<std::size_t> missing;
      protection.map.visit_segments(begin, end, [&](const Segment& segment) {
        if (check.found.places[segment.number].is_found()) return;
        is_lost = true;
        const FileState::Kind kind = check.found.files[segment.file].kind;
        if (kind == FileState::Kind::kUnreadable) return;
        is_known |= kind != FileState::Kind::kMissing || !may_missing_return;
        const bool is_kept = !after.is_given_up(segment.at, segment.at + segment.bytes);
        if (is_kept) missing.push_back(segment.file);
      });
      for (const std::size_t file : missing) wanted.push_back({file, is_known});
      known_before += is_known || protection.map.is_given_up(begin, end) ? 1U : 0U;
      known_after += is_known || is_given_up ? 1U : 0U;
      all_after += is_lost || is_given_up ? 1U : 0U;
    }
    const std::size_t most = protection.code.m;
    for (const auto& [file, is_counted] : wanted) {
      const std::size_t own = is_counted ? 0 : 1;
      if (known_before + own > most) {
        lost_before.insert(file);
      } else if (known_after + own > most || (all_after > most && !blocked.contains(file))) {
        lost.insert(file);
      }
    }
  }
  std::erase_if(lost, [&](std::size_t file) { return lost_before.contains(file); });
  return {lost.begin(), lost.end()};
}

ProtectionCheck check_redundancy(const Protection& protection, std::size_t threads,
                                 Progress& progress) {
  ProtectionCheck check;
  read_redundancy(protection, threads, check, progress);
  return check;
}

}  // namespace xorloom
