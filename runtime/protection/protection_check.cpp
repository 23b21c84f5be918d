#include "runtime/protection/protection_check.hpp"

#include <algorithm>

namespace xorloom {
namespace {

/// Reads every redundant block of the parts.
void read_redundancy(const Protection& protection, ProtectionCheck& check, Progress& progress) {
  const std::uint64_t rows = protection.chunk_blocks();
  check.is_good.resize(protection.code.m * static_cast<std::size_t>(rows));
  std::vector<std::uint8_t> payload(protection.block_bytes());
  for (const ProtectionPart& part : protection.parts) {
    std::size_t bad = 0;
    // What lies behind the end is not looked for, unless it may be shifted.
    const std::uint64_t end = part.shifts.size() == 1 ? part.file.bytes() : part_bytes(part.header);
    for (std::uint64_t chunk = 0; chunk < part.header.count; ++chunk) {
      for (std::uint64_t row = 0; row < rows; ++row) {
        const bool is_there = redundant_block_offset(part.header, chunk, row) < end;
        const bool is_good = is_there && part.read_block(chunk, row, payload);
        check.is_good[static_cast<std::size_t>((part.header.first + chunk) * rows + row)] = is_good;
        if (!is_good) ++bad;
        progress.done += payload.size();
        check.bytes_read += payload.size();
      }
    }
    check.bad_blocks.push_back(bad);
  }
}

/// Adds what a file has lost in a block.
void add_lost(std::vector<LostBytes>& lost, const Segment& segment) {
  const std::uint64_t end = segment.file_offset + segment.bytes;
  lost.push_back({segment.file, segment.file_offset, end});
}

/// Ranges that meet become one.
void join_ranges(std::vector<LostBytes>& lost) {
  std::ranges::sort(lost, [](const LostBytes& a, const LostBytes& b) {
    return std::pair(a.file, a.begin) < std::pair(b.file, b.begin);
  });
  std::vector<LostBytes> joined;
  for (const LostBytes& range : lost) {
    if (!joined.empty() && joined.back().file == range.file && joined.back().end == range.begin) {
      joined.back().end = range.end;
    } else {
      joined.push_back(range);
    }
  }
  lost = std::move(joined);
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

std::vector<std::size_t> lost_chunks(const Protection& protection, const FoundSegments& found,
                                     std::uint64_t row) {
  std::vector<std::size_t> lost;
  for (std::size_t chunk = 0; chunk < protection.code.k; ++chunk) {
    const std::uint64_t begin = protection.manifest.stream_at(chunk, row);
    bool is_lost = false;
    protection.map.visit_segments(
        begin, begin + protection.manifest.block_bytes,
        [&](const Segment& segment) { is_lost |= !found.places[segment.number].is_found(); });
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
                                 Progress& progress) {
  ProtectionCheck check;
  check.found = find_segments(protection, base, others, progress);
  const std::uint64_t rows = protection.chunk_blocks();
  progress.begin("checking redundancy", protection.code.m * rows * protection.block_bytes());
  read_redundancy(protection, check, progress);
  check.bytes_read += check.found.bytes_read;
  const bool is_all_found = check.found.is_all_found();
  for (std::uint64_t row = 0; !is_all_found && row < rows; ++row) {
    const std::vector<std::size_t> lost = lost_chunks(protection, check.found, row);
    if (lost.empty()) continue;
    const std::size_t redundant = lost_redundancy(protection, check.is_good, row).size();
    check.most_needed = std::max(check.most_needed, lost.size());
    check.most_lost = std::max(check.most_lost, lost.size() + redundant);
    if (lost.size() + redundant <= protection.code.m) continue;
    check.lost_rows.push_back(row);
    for (const std::size_t chunk : lost) {
      const std::uint64_t begin = protection.manifest.stream_at(chunk, row);
      protection.map.visit_segments(begin, begin + protection.manifest.block_bytes,
                                    [&](const Segment& segment) {
                                      if (!check.found.places[segment.number].is_found()) {
                                        add_lost(check.lost, segment);
                                      }
                                    });
    }
  }
  join_ranges(check.lost);
  return check;
}

}  // namespace xorloom
