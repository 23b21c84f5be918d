// How transforms go through the columns: tile after tile.

#include <algorithm>
#include <cstring>

#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {
namespace {

/// Chunks of more bytes together are in no cache when they are computed again. Stores past the
/// caches gain nothing before that: transforms take longer than memory does.
constexpr std::size_t kFarStripe = std::size_t{16} << 20;

void finish_non_temporal_stores() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

bool is_aligned(const void* place) noexcept {
  return reinterpret_cast<std::uintptr_t>(place) % 64 == 0;
}

/// Tiles of a range, in units: of about the same length, so that the last one is not short. Those
/// past the caches have a length of their own.
class Tiles {
 public:
  Tiles(std::size_t units, std::size_t most, bool is_far)
      : count_((units + most - 1) / most),
        units_(is_far ? most : units / count_),
        longer_(is_far ? 0 : units % count_) {}

  std::size_t count() const { return count_; }
  std::size_t units(std::size_t tile) const { return units_ + (tile < longer_ ? 1 : 0); }

 private:
  std::size_t count_;
  std::size_t units_;
  std::size_t longer_;  ///< that have one more; the first ones
};

}  // namespace

/// A pass over a tile. No pass: rows of a table become 0.
struct TransformKernels::Call {
  TransformPass pass;
  TransformBlock block;
};

struct TransformKernels::Scratch {
  std::uint8_t* zero;      ///< or null: passes skip what is not there
  std::uint8_t* unwanted;  ///< the same of outputs
  std::uint8_t* tables;
  std::uint8_t* rows;
  Call* calls;
  const std::uint8_t** inputs;
  std::uint8_t** outputs;
  std::uint8_t** solved;
};

/// Of the rows of a tile.
std::size_t TransformKernels::padded_bytes(std::size_t bytes) const noexcept {
  return (bytes + unit_bytes_ - 1) / unit_bytes_ * unit_bytes_;
}

std::size_t TransformKernels::bytes_of_lists() const {
  return passes_.steps().size() * sizeof(Call) +
         (location_of_input_.size() + place_of_output_.size() + num_rows_ + solved_.size()) *
             sizeof(std::uint8_t*);
}

void TransformKernels::run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                           std::size_t end, Stores stores) const noexcept {
  if (begin == end) return;
  const bool is_far = stores == Stores::kNonTemporal &&
                      chunk_bytes > kFarStripe / (counts_.vectors_read + counts_.vectors_written);
  if (!is_far) stores = Stores::kOrdinary;
  const ScratchPool::Buffer buffer(*pool_);
  Scratch scratch{};
  const Tiles tiles((end - begin + unit_bytes_ - 1) / unit_bytes_,
                    (is_far ? far_bytes_ : near_bytes_) / unit_bytes_, is_far);
  std::size_t column = begin;
  std::size_t last_bytes = 0;
  for (std::size_t tile = 0; tile < tiles.count(); ++tile) {
    const std::size_t bytes = std::min(tiles.units(tile) * unit_bytes_, end - column);
    if (bytes == last_bytes) {
      advance(scratch, bytes);
    } else {
      const std::size_t row_bytes = padded_bytes(bytes);
      place_rows(scratch, buffer.bytes(), row_bytes);
      point_at(scratch, chunks, column, row_bytes);
      list_calls(scratch, bytes, stores);
    }
    run_tile(scratch, chunks, column, bytes, stores);
    last_bytes = bytes;
    column += bytes;
  }
  if (stores == Stores::kNonTemporal) finish_non_temporal_stores();
}

void TransformKernels::place_rows(Scratch& scratch, std::uint8_t* buffer,
                                  std::size_t row_bytes) const noexcept {
  std::uint8_t* next = buffer;
  const auto take = [&](std::size_t bytes) {
    std::uint8_t* const first = next;
    next += bytes;
    return first;
  };
  if (!skips_missing_) {
    scratch.zero = take(row_bytes);
    scratch.unwanted = take(row_bytes);
    std::memset(scratch.zero, 0, row_bytes);
  }
  scratch.tables = take(passes_.tables() * passes_.points() * row_bytes);
  scratch.rows = take(num_rows_ * row_bytes);
  scratch.calls = reinterpret_cast<Call*>(take(passes_.steps().size() * sizeof(Call)));
  scratch.inputs = reinterpret_cast<const std::uint8_t**>(next);
  scratch.outputs = reinterpret_cast<std::uint8_t**>(next) + location_of_input_.size();
  scratch.solved = scratch.outputs + place_of_output_.size();
}

void TransformKernels::point_at(Scratch& scratch, std::uint8_t* const* chunks, std::size_t column,
                                std::size_t row_bytes) const noexcept {
  for (std::size_t j = 0; j < location_of_input_.size(); ++j) {
    const std::uint32_t location = location_of_input_[j];
    scratch.inputs[j] = location == kNone      ? scratch.zero
                        : location == kNowhere ? nullptr
                                               : chunks[location] + column;
  }
  for (std::size_t i = 0; i < place_of_output_.size(); ++i) {
    const std::uint32_t place = place_of_output_[i];
    scratch.outputs[i] = place == kNone      ? scratch.unwanted
                         : place == kNowhere ? nullptr
                         : solve_            ? scratch.rows + place * row_bytes
                                             : chunks[place] + column;
  }
}

/// To the columns that follow, for a tile as long as the one before.
void TransformKernels::advance(const Scratch& scratch, std::size_t bytes) const noexcept {
  for (std::size_t j = 0; j < location_of_input_.size(); ++j) {
    scratch.inputs[j] += location_of_input_[j] >= kNowhere ? 0 : bytes;
  }
  if (solve_) return;
  for (std::size_t i = 0; i < place_of_output_.size(); ++i) {
    scratch.outputs[i] += place_of_output_[i] >= kNowhere ? 0 : bytes;
  }
}

void TransformKernels::list_calls(Scratch& scratch, std::size_t bytes,
                                  Stores stores) const noexcept {
  const std::size_t row_bytes = padded_bytes(bytes);
  const std::size_t factor_bytes = form_.bytes();
  const auto table = [&](std::uint8_t number, std::size_t row) {
    return scratch.tables + (number * passes_.points() + row) * row_bytes;
  };
  Call* call = scratch.calls;
  for (const TransformStep& step : passes_.steps()) {
    TransformBlock block{};
    if (step.is_clear) {
      block.to = table(step.to, step.row);
      block.bytes = step.count * row_bytes;
      *call++ = {nullptr, block};
      continue;
    }
    const std::size_t rows = std::size_t{1} << step.levels;
    block.step = step.distance * row_bytes;
    block.factors = factors_.data() + step.first_constant * factor_bytes;
    block.bytes = step.count * row_bytes;
    block.tables = step.tables;
    block.table_bytes = passes_.points() * row_bytes;
    block.adds = step.adds;
    if (step.derived != TransformStep::kNoTable) block.derived = table(step.derived, step.row);
    if (step.from != TransformStep::kNoTable) block.from = table(step.from, step.row);
    if (step.reads_inputs()) {
      block.inputs = scratch.inputs + step.input;
      block.bytes = bytes;
      const std::size_t following = step.input + rows;
      if (step.kind != TransformKind::kSolved && stores == Stores::kNonTemporal &&
          following + rows <= location_of_input_.size()) {
        block.prefetched = scratch.inputs + following;
      }
    }
    if (!step.writes_outputs()) {
      block.to = table(step.to, step.row);
    } else {
      block.bytes = bytes;
      block.outputs = scratch.outputs + step.output;
      block.streams = stores == Stores::kNonTemporal && !solve_;
      for (std::size_t i = 0; i < rows; ++i) {
        const std::uint8_t* const output = block.outputs[i];
        if (output == nullptr) continue;
        if (output == scratch.unwanted || !is_aligned(output)) block.streams = false;
      }
    }
    *call++ = {kernel_.pass[step.levels - 1][static_cast<std::size_t>(step.kind)], block};
  }
}

void TransformKernels::run_tile(const Scratch& scratch, std::uint8_t* const* chunks,
                                std::size_t column, std::size_t bytes,
                                Stores stores) const noexcept {
  const Call* const end = scratch.calls + passes_.steps().size();
  for (const Call* call = scratch.calls; call != end; ++call) {
    if (call->pass == nullptr) {
      std::memset(call->block.to, 0, call->block.bytes);
    } else {
      call->pass(call->block);
    }
  }
  if (!solve_) return;
  const std::size_t row_bytes = padded_bytes(bytes);
  for (std::size_t i = 0; i < stored_.size(); ++i) {
    kernel_.add(scratch.rows + i * row_bytes, chunks[stored_[i]] + column, bytes);
  }
  for (std::size_t row = 0; row < num_rows_; ++row) {
    scratch.solved[row] = scratch.rows + row * row_bytes;
  }
  for (std::size_t o = 0; o < solved_.size(); ++o) {
    scratch.solved[num_rows_ + o] = chunks[solved_[o]] + column;
  }
  solve_->run(scratch.solved, bytes, 0, bytes, stores);
}

}  // namespace xorloom
