#include "runtime/protection/write_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {
namespace {

struct Unit {
  Unit(const Code& code, std::size_t chunk_bytes) : buffer(code, chunk_bytes) {}
  StripeBuffer buffer;
  std::uint64_t row = 0;
  std::uint64_t rows = 0;
};

/// Makes or compares the checksums of a unit's part of a data chunk.
void sum_chunk(const PartsWriting& writing, const Unit& unit, std::size_t chunk) {
  const Manifest& manifest = writing.manifest;
  const std::uint64_t begin = manifest.stream_at(chunk, unit.row);
  const std::span<const std::uint8_t> bytes = unit.buffer.chunk(chunk);
  writing.map.visit_segments(begin, begin + bytes.size(), [&](const Segment& segment) {
    const SegmentSums sums =
        sums_of(bytes.subspan(static_cast<std::size_t>(segment.at - begin), segment.bytes));
    if (writing.sums == Sums::kMake) {
      writing.manifest.sums[segment.number] = sums;
    } else if (sums != manifest.sums[segment.number]) {
      fail(Status::kIo, fmt::format("{} is not what it was: byte {} and those after it changed",
                                    (writing.base / manifest.files[segment.file].name).string(),
                                    segment.file_offset));
    }
  });
}

void write_redundancy(const Unit& unit, const Code& code, std::vector<PartBeingWritten>& parts) {
  for (PartBeingWritten& part : parts) {
    const PartHeader& header = part.header;
    const auto block_bytes = static_cast<std::size_t>(header.block_bytes);
    for (std::uint64_t chunk = 0; chunk < header.count; ++chunk) {
      const std::span<const std::uint8_t> bytes =
          unit.buffer.chunk(code.k + header.first + static_cast<std::size_t>(chunk));
      for (std::uint64_t i = 0; i < unit.rows; ++i) {
        const std::uint64_t row = unit.row + i;
        const auto payload = bytes.subspan(static_cast<std::size_t>(i) * block_bytes, block_bytes);
        write_redundant_block(part, chunk, row, payload);
      }
    }
  }
}

void write_blocks(const PartsWriting& writing, std::vector<PartBeingWritten>& parts,
                  Progress& progress) {
  const Manifest& manifest = writing.manifest;
  const Code& code = writing.code;
  const Codec codec = CodecAccess::codec_of(code, codec_options(writing.options));
  const std::size_t threads = pipeline_threads(writing.options);
  const std::uint64_t rows_at_once =
      rows_of_unit(code.locations, manifest.block_bytes, manifest.chunk_blocks, threads);
  const auto most_bytes = static_cast<std::size_t>(rows_at_once * manifest.block_bytes);
  const std::size_t num_slots =
      slots_for(threads, StripeBuffer::memory_bytes(code, most_bytes),
                memory_of_units(writing.memory_bytes, manifest, code.locations));
  std::vector<Unit> units;
  for (std::size_t i = 0; i < num_slots; ++i) units.emplace_back(code, most_bytes);
  StreamReader reader(writing.base, manifest.files, writing.map, writing.unread_files);
  std::uint64_t next_row = 0;
  const auto read = [&](std::size_t slot) {
    if (next_row == manifest.chunk_blocks) return false;
    Unit& unit = units[slot];
    unit.row = next_row;
    unit.rows = std::min(rows_at_once, manifest.chunk_blocks - next_row);
    next_row += unit.rows;
    unit.buffer.set_chunk_bytes(static_cast<std::size_t>(unit.rows * manifest.block_bytes));
    for (std::size_t chunk = 0; chunk < code.k; ++chunk) {
      reader.read(manifest.stream_at(chunk, unit.row), unit.buffer.chunk(chunk));
    }
    return true;
  };
  const auto work = [&](std::size_t slot) {
    const Unit& unit = units[slot];
    for (std::size_t chunk = 0; chunk < code.k; ++chunk) sum_chunk(writing, unit, chunk);
    check_run(codec.encode(unit.buffer.chunks(), unit.buffer.chunk_bytes()));
    write_redundancy(unit, code, parts);
  };
  const auto count = [&](std::size_t slot) {
    progress.done += code.k * units[slot].buffer.chunk_bytes();
  };
  run_pipeline(threads, num_slots, {read, work, count});
  reader.check_read();
}

}  // namespace

std::size_t memory_of_units(std::size_t memory_bytes, const Manifest& manifest,
                            std::size_t chunks) {
  const std::uint64_t others = kOtherMemoryBytes + manifest_bytes(manifest) + row_memory(chunks, 0);
  return memory_bytes > others ? memory_bytes - static_cast<std::size_t>(others) : 0;
}

std::uint64_t rows_of_unit(std::size_t locations, std::uint64_t block_bytes, std::uint64_t rows,
                           std::size_t threads) {
  const std::uint64_t row_bytes = locations * block_bytes;
  const std::uint64_t shared = rows * row_bytes / (4 * std::max<std::size_t>(1, threads));
  const std::uint64_t wanted = std::clamp(shared, kLeastUnitBytes, kUnitBytes);
  return std::clamp<std::uint64_t>(wanted / row_bytes, 1, std::max<std::uint64_t>(1, rows));
}

void write_redundant_block(PartBeingWritten& part, std::uint64_t chunk, std::uint64_t row,
                           std::span<const std::uint8_t> payload) {
  std::array<std::uint8_t, kRedundantFrameBytes> frame{};
  put(frame.data(), redundant_block_checksum(part.header, chunk, row, payload));
  part.file.write_at(redundant_block_offset(part.header, chunk, row), frame, payload);
}

void write_parts(const PartsWriting& writing, std::vector<PartBeingWritten>& parts,
                 Progress& progress) {
  write_blocks(writing, parts, progress);
  finish_parts(writing.manifest, parts, progress);
}

void finish_parts(const Manifest& manifest, std::vector<PartBeingWritten>& parts,
                  Progress& progress) {
  progress.begin("syncing");
  for (PartBeingWritten& part : parts) part.header.manifest_bytes = manifest_bytes(manifest);
  RunningChecksum sum;
  std::vector<std::uint8_t> page;
  std::uint64_t number = 0;
  const auto write_page = [&] {
    for (PartBeingWritten& part : parts) {
      const std::vector<std::uint8_t> bytes = page_text(part.header, page, number);
      for (const int copy : {0, 1})
        part.file.write_at(page_offset(part.header, copy, number), bytes);
    }
    page.clear();
    ++number;
  };
  for_text_of(manifest, [&](std::span<const std::uint8_t> text) {
    sum.add(text);
    while (!text.empty()) {
      const std::size_t count = std::min(kPagePayloadBytes - page.size(), text.size());
      page.insert(page.end(), text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count));
      text = text.subspan(count);
      if (page.size() == kPagePayloadBytes) write_page();
    }
  });
  if (!page.empty()) write_page();
  for (PartBeingWritten& part : parts) {
    part.header.manifest_checksum = sum.value();
    const std::vector<std::uint8_t> text = part_header_text(part.header);
    part.file.write_at(part_bytes(part.header) - text.size(), text);
    part.file.write_at(0, text);
    part.file.finish();
  }
}

}  // namespace xorloom
