// How transforms go through the columns: tile after tile.

#include <algorithm>
#include <cstring>

#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {
namespace {

/// Chunks of more bytes together are in no cache when they are computed again. Stores past the
/// caches gain nothing before that: transforms take longer than memory does.
constexpr std::size_t kFarStripe = std::size_t{16} << 20;

/// How many bytes before they are read inputs that lie in memory are prefetched.
constexpr std::size_t kFarAhead = 512;
constexpr std::size_t kFarStripsAhead = 2 * kStripBytes;

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
  bool is_in_strips;
  bool ends_strips;   ///< the last call of those in strips
  bool has_columns;   ///< in strips: of inputs or outputs, and not of whole rows of a table
  bool sums_columns;  ///< in strips: to rows of the tile
};

struct TransformKernels::Scratch {
  std::uint8_t* zero;      ///< or null: passes skip what is not there
  std::uint8_t* unwanted;  ///< the same of outputs
  std::uint8_t* tables;
  std::uint8_t* strip_tables;
  std::uint8_t* rows;
  Call* calls;
  Call* end_of_calls;
  const std::uint8_t** inputs;
  std::uint8_t** outputs;
  std::uint8_t** solved;
};

/// Of the rows of a tile: whole units. Tables of strips apart, an odd number of them, so that rows
/// which are a power of two apart lie in different sets of a cache.
std::size_t TransformKernels::padded_bytes(std::size_t bytes) const noexcept {
  const std::size_t units = (bytes + unit_bytes_ - 1) / unit_bytes_;
  return (strip_bytes_ == 0 ? units : units | 1) * unit_bytes_;
}

std::size_t TransformKernels::bytes_of_lists() const {
  return joined_.size() * sizeof(Call) +
         (location_of_input_.size() + place_of_output_.size() + num_rows_ + solved_.size()) *
             sizeof(std::uint8_t*);
}

void TransformKernels::run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                           std::size_t end, Stores stores) const noexcept {
  if (begin == end) return;
  const std::size_t chunks_used = counts_.vectors_read + counts_.vectors_written;
  const bool is_far =
      stores == Stores::kNonTemporal && (is_past_caches_ || chunk_bytes > kFarStripe / chunks_used);
  if (is_far && past_caches_) return past_caches_->run(chunks, chunk_bytes, begin, end, stores);
  if (stores == Stores::kNear && near_) return near_->run(chunks, chunk_bytes, begin, end, stores);
  if (!is_far) stores = Stores::kOrdinary;
  const ScratchPool::Buffer buffer(*pool_);
  Scratch scratch{};
  const std::size_t unit = strip_bytes_ == 0 ? unit_bytes_ : strip_bytes_;
  const Tiles tiles((end - begin + unit - 1) / unit, (is_far ? far_bytes_ : near_bytes_) / unit,
                    is_far);
  std::size_t column = begin;
  std::size_t last_bytes = 0;
  for (std::size_t tile = 0; tile < tiles.count(); ++tile) {
    const std::size_t bytes = std::min(tiles.units(tile) * unit, end - column);
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
  scratch.strip_tables = take(strip_table_bytes());
  scratch.tables = take(num_wide_ * passes_.points() * row_bytes);
  scratch.rows = take(num_rows_ * row_bytes);
  scratch.calls = reinterpret_cast<Call*>(take(joined_.size() * sizeof(Call)));
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
    scratch.inputs[j] += input_moves_[j] & bytes;
  }
  if (solve_) return;
  for (std::size_t i = 0; i < place_of_output_.size(); ++i) {
    scratch.outputs[i] += output_moves_[i] & bytes;
  }
}

TransformKernels::Call TransformKernels::call_of(const Scratch& scratch, const Joined& joined,
                                                 std::size_t bytes, Stores stores) const noexcept {
  const TransformStep& step = passes_.steps()[joined.step];
  const std::size_t wide_bytes = padded_bytes(bytes);
  const bool is_in_strip = this->is_in_strip(step);
  const std::size_t row_bytes = is_in_strip ? strip_bytes_ : wide_bytes;
  const std::size_t sum_bytes = step.ends_strips ? wide_bytes : row_bytes;
  const auto wide_table = [&](std::uint8_t number, std::size_t row) {
    return scratch.tables + (wide_place_[number] * passes_.points() + row) * wide_bytes;
  };
  const auto table = [&](std::uint8_t number, std::size_t row) {
    if (!is_in_strip) return wide_table(number, row);
    return scratch.strip_tables + (strip_place_[number] * passes_.points() + row) * strip_bytes_;
  };
  Call call{};
  TransformBlock& block = call.block;
  call.is_in_strips = is_in_strip;
  call.ends_strips = is_in_strip && passes_.steps()[joined.step + joined.blocks - 1].ends_strips;
  call.sums_columns = call.ends_strips && step.sums();
  if (step.is_clear) {
    block.to = table(step.to, step.row);
    block.bytes = step.count * row_bytes;
    return call;
  }
  call.pass = kernel_.pass[step.levels - 1][static_cast<std::size_t>(step.kind)];
  const std::size_t rows = std::size_t{1} << step.levels;
  block.blocks = joined.blocks;
  block.step = step.distance * row_bytes;
  block.factors = factors_.data() + step.first_constant * form_.bytes();
  block.bytes = step.count * row_bytes;
  block.is_far = stores == Stores::kNonTemporal;
  if (is_in_strip) {
    block.ahead = block.is_far ? kFarStripsAhead : kStripBytes;
  } else if (block.is_far) {
    block.ahead = kFarAhead;
  }
  if (step.sums()) {
    block.tables = step.tables;
    block.table_bytes = passes_.points() * row_bytes;
    block.adds = step.adds;
    block.sum_step = step.distance * sum_bytes;
    if (is_in_strip) {
      block.blocks = step.count;
      block.bytes = strip_bytes_;
      block.from_pitch = strip_bytes_;
      block.sum_pitch = sum_bytes;
      if (block.is_far) {
        block.inputs = scratch.inputs + step.input;
        block.inputs_ahead = step.tables * passes_.points() / step.count;
      }
    }
  }
  if (step.derived != TransformStep::kNoTable) block.derived = table(step.derived, step.row);
  if (step.from != TransformStep::kNoTable) block.from = table(step.from, step.row);
  if (step.reads_inputs()) {
    block.inputs = scratch.inputs + step.input;
    block.bytes = bytes;
    call.has_columns = true;
  }
  if (!step.writes_outputs()) {
    block.to = call.sums_columns ? wide_table(step.to, step.row) : table(step.to, step.row);
    return call;
  }
  block.bytes = bytes;
  call.has_columns = true;
  block.outputs = scratch.outputs + step.output;
  block.streams = stores == Stores::kNonTemporal && !solve_;
  for (std::size_t i = 0; i < rows * joined.blocks; ++i) {
    const std::uint8_t* const output = block.outputs[i];
    if (output == nullptr) continue;
    if (output == scratch.unwanted || !is_aligned(output)) block.streams = false;
  }
  return call;
}

void TransformKernels::list_calls(Scratch& scratch, std::size_t bytes,
                                  Stores stores) const noexcept {
  scratch.end_of_calls = scratch.calls;
  for (const Joined& joined : joined_) {
    *scratch.end_of_calls++ = call_of(scratch, joined, bytes, stores);
  }
}

namespace {

void clear_or_run(TransformPass pass, const TransformBlock& block) noexcept {
  if (pass == nullptr) {
    std::memset(block.to, 0, block.bytes);
  } else {
    pass(block);
  }
}

}  // namespace

void TransformKernels::run_tile(const Scratch& scratch, std::uint8_t* const* chunks,
                                std::size_t column, std::size_t bytes,
                                Stores stores) const noexcept {
  for (Call* call = scratch.calls; call != scratch.end_of_calls;) {
    if (!call->is_in_strips) {
      clear_or_run(call->pass, call->block);
      ++call;
      continue;
    }
    Call* const first = call;
    while (!call++->ends_strips) {
    }
    for (std::size_t begin = 0; begin < bytes; begin += strip_bytes_) {
      const std::size_t strip = std::min(strip_bytes_, bytes - begin);
      for (Call* one = first; one != call; ++one) {
        one->block.begin = one->has_columns || one->sums_columns ? begin : 0;
        if (one->has_columns) one->block.bytes = strip;
        if (one->sums_columns) {
          one->block.bytes = (strip + unit_bytes_ - 1) / unit_bytes_ * unit_bytes_;
        }
        clear_or_run(one->pass, one->block);
      }
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
