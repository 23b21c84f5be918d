#include "runtime/upkeep/add_redundancy.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "runtime/files/pipeline.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/protection/redundancy_plan.hpp"
#include "runtime/protection/stream_reader.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Writes the redundancy, some rows at a time.
class Adding {
 public:
  Adding(const Protection& old, UpdatePlan& plan, const Code& code, const FileMap& map,
         std::vector<PartBeingWritten>& parts, BadBlocks bad_blocks, const UpdateRequest& request,
         Progress& progress)
      : old_(old),
        plan_(plan),
        code_(code),
        map_(map),
        parts_(parts),
        bad_blocks_(bad_blocks),
        codec_(CodecAccess::codec_of(code, codec_options(request.options))),
        memory_bytes_(request.memory_bytes),
        unread_files_(request.keeps_going ? UnreadFilesAre::kNoted : UnreadFilesAre::kThrown),
        progress_(progress) {}

  /// Returns true if damaged blocks stay so. Errors: throws DamagedRedundancy; kIo.
  bool run(const fs::path& base, std::size_t threads) {
    const std::uint64_t rows_at_once =
        rows_of_unit(code_.locations, block_bytes(), plan_.manifest.chunk_blocks, threads);
    const auto most_bytes = static_cast<std::size_t>(rows_at_once * block_bytes());
    const std::size_t num_slots =
        slots_for(threads, StripeBuffer::memory_bytes(code_, most_bytes),
                  memory_of_units(memory_bytes_, plan_.manifest, code_.locations));
    for (std::size_t i = 0; i < num_slots; ++i) units_.emplace_back(code_, most_bytes);
    StreamReader reader(base, plan_.manifest.files, map_, unread_files_);
    std::uint64_t next_row = 0;
    run_pipeline(threads, num_slots,
                 {[&](std::size_t slot) {
                    if (next_row == plan_.manifest.chunk_blocks) return false;
                    Unit& unit = units_[slot];
                    unit.row = next_row;
                    unit.rows = std::min(rows_at_once, plan_.manifest.chunk_blocks - next_row);
                    next_row += unit.rows;
                    read(unit, reader);
                    return true;
                  },
                  [&](std::size_t slot) { work(units_[slot]); },
                  [&](std::size_t slot) {
                    has_damage_ |= units_[slot].is_damaged;
                    if (has_damage_ && bad_blocks_ == BadBlocks::kRefused)
                      throw DamagedRedundancy{};
                    progress_.done += units_[slot].rows * code_.m * block_bytes();
                  }});
    reader.check_read();
    return has_damage_;
  }

 private:
  struct Unit {
    Unit(const Code& code, std::size_t chunk_bytes) : buffer(code, chunk_bytes) {}
    StripeBuffer buffer;  ///< new segments with their redundancy, and zeros
    std::uint64_t row = 0;
    std::uint64_t rows = 0;
    std::size_t zeros_of = 0;  ///< chunk size for which chunks without new segments are zeros
    std::vector<Segment> added;
    bool is_damaged = false;  ///< a block of its redundancy is damaged
  };

  std::uint64_t block_bytes() const { return plan_.manifest.block_bytes; }

  /// The first chunk that may have new segments.
  std::size_t first_chunk() const {
    return static_cast<std::size_t>(old_.map.stream_bytes() / block_bytes() /
                                    plan_.manifest.chunk_blocks);
  }

  std::span<std::uint8_t> bytes_of(const Unit& unit, const Segment& segment) const {
    const std::uint64_t block = segment.at / block_bytes();
    const auto chunk = static_cast<std::size_t>(block / plan_.manifest.chunk_blocks);
    const std::uint64_t begin = plan_.manifest.stream_at(chunk, unit.row);
    return unit.buffer.chunk(chunk).subspan(static_cast<std::size_t>(segment.at - begin),
                                            segment.bytes);
  }

  void read(Unit& unit, StreamReader& reader) {
    unit.added.clear();
    unit.is_damaged = false;
    unit.buffer.set_chunk_bytes(static_cast<std::size_t>(unit.rows * block_bytes()));
    for (std::size_t chunk = first_chunk(); chunk < code_.k; ++chunk) {
      const std::uint64_t begin = plan_.manifest.stream_at(chunk, unit.row);
      map_.visit_segments(begin, begin + unit.buffer.chunk_bytes(), [&](const Segment& segment) {
        if (plan_.is_new[segment.number]) unit.added.push_back(segment);
      });
    }
    if (unit.added.empty()) return;
    const bool are_zeros = unit.zeros_of == unit.buffer.chunk_bytes();
    for (std::size_t chunk = are_zeros ? first_chunk() : 0; chunk < code_.k; ++chunk) {
      std::ranges::fill(unit.buffer.chunk(chunk), std::uint8_t{0});
    }
    unit.zeros_of = unit.buffer.chunk_bytes();
    for (const Segment& segment : unit.added) {
      reader.read({segment.file, segment.file_offset, segment.at, segment.bytes},
                  bytes_of(unit, segment));
      plan_.bytes_read += segment.bytes;
    }
  }

  void work(Unit& unit) {
    for (const Segment& segment : unit.added) {
      plan_.manifest.sums[segment.number] = sums_of(bytes_of(unit, segment));
    }
    if (!unit.added.empty()) {
      check_run(codec_.encode(unit.buffer.chunks(), unit.buffer.chunk_bytes()));
    }
    std::vector<std::uint8_t> payload(block_bytes());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::uint64_t chunk = 0; chunk < parts_[i].header.count; ++chunk) {
        for (std::uint64_t row = unit.row; row < unit.row + unit.rows; ++row) {
          if (!old_.parts[i].read_block(chunk, row, payload)) {
            unit.is_damaged = true;
            continue;
          }
          add_redundancy(unit, i, chunk, row, payload);
          write_redundant_block(parts_[i], chunk, row, payload);
        }
      }
    }
  }

  void add_redundancy(const Unit& unit, std::size_t part, std::uint64_t chunk, std::uint64_t row,
                      std::span<std::uint8_t> payload) const {
    if (unit.added.empty()) return;
    const std::size_t location =
        code_.k + parts_[part].header.first + static_cast<std::size_t>(chunk);
    const auto added = unit.buffer.chunk(location).subspan(
        static_cast<std::size_t>((row - unit.row) * block_bytes()), payload.size());
    for (std::size_t i = 0; i < payload.size(); ++i) {
      payload[i] = static_cast<std::uint8_t>(payload[i] ^ added[i]);
    }
  }

  const Protection& old_;
  UpdatePlan& plan_;
  const Code& code_;
  const FileMap& map_;
  std::vector<PartBeingWritten>& parts_;
  BadBlocks bad_blocks_;
  bool has_damage_ = false;
  Codec codec_;
  std::size_t memory_bytes_;
  UnreadFilesAre unread_files_;
  Progress& progress_;
  std::vector<Unit> units_;
};

}  // namespace

bool add_redundancy(const UpdateRequest& request, const Protection& old, UpdatePlan& plan,
                    const Code& code, const FileMap& map, const fs::path& base,
                    BadBlocks bad_blocks, std::vector<PartBeingWritten>& parts,
                    Progress& progress) {
  Adding adding(old, plan, code, map, parts, bad_blocks, request, progress);
  return adding.run(base, pipeline_threads(request.options));
}

}  // namespace xorloom
