// Lays out the rows of a tile of transforms, makes the calls that run its steps, and goes through
// the columns tile after tile.

#include <algorithm>
#include <cstring>

#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {
namespace {

/// Maximum columns of a tile. In the caches a tile has few columns, so that its rows stay near the
/// core. Past the caches, the stretch of each chunk is long enough for the hardware prefetcher.
constexpr std::size_t kNearBytes = 448;
constexpr std::size_t kFarBytes = 2112;

/// Maximum bytes of the rows of strips: they stay in L1 beside the inputs. A tile without these
/// rows may have more columns, up to kBytesWithStrips, and fewer tiles take less time to set up.
constexpr std::size_t kStripTables = std::size_t{16} << 10;
constexpr std::size_t kBytesWithStrips = 2048;

/// Maximum bytes of all rows of a tile, unless there are very many rows.
constexpr std::size_t kNearScratch = std::size_t{256} << 10;
constexpr std::size_t kFarScratch = std::size_t{512} << 10;

/// Maximum bytes of all rows of a tile if passes upwards leave their rows in tables. Each pass goes
/// through two or three tables in order, so that they may lie in a cache farther away. Longer tiles
/// gain nothing then.
constexpr std::size_t kManyRowsScratch = std::size_t{4} << 20;

/// Chunks of more bytes together are in no cache when they are computed again. For fewer bytes,
/// stores past the caches gain nothing: transforms take longer than memory does.
constexpr std::size_t kFarStripe = std::size_t{16} << 20;

/// Prefetch distance in bytes for inputs in memory.
constexpr std::size_t kFarAhead = 512;
constexpr std::size_t kFarStripsAhead = 2 * kStripBytes;

bool is_aligned(const void* place) noexcept {
  return reinterpret_cast<std::uintptr_t>(place) % 64 == 0;
}

/// True if blocks of such steps may run in one call. For outputs of whole tiles, stores past the
/// caches may be allowed in some blocks only.
bool may_be_joined(const TransformStep& step) {
  switch (step.kind) {
    case TransformKind::kInputs:
    case TransformKind::kUp:
    case TransformKind::kDown:
      return true;
    case TransformKind::kOutputs:
      return step.is_in_strips;
    default:
      return false;
  }
}

void clear_or_run(TransformPass pass, const TransformBlock& block) noexcept {
  if (pass == nullptr) {
    std::memset(block.to, 0, block.bytes);
  } else {
    pass(block);
  }
}

}  // namespace

/// A pass over a tile. `pass` is null: rows of a table become 0.
struct TransformKernels::Call {
  TransformPass pass;
  TransformBlock block;
  bool is_in_strips;
  bool ends_strips;   ///< the last call of those in strips
  bool has_columns;   ///< in strips: reads inputs or writes outputs, not only whole rows of tables
  bool sums_columns;  ///< in strips: writes sums to rows of the tile
};

struct TransformKernels::Scratch {
  std::uint8_t* zero;      ///< row of zeros; null: passes skip missing inputs
  std::uint8_t* unwanted;  ///< row for outputs that are not wanted; null: passes skip them
  std::uint8_t* tables;
  std::uint8_t* strip_tables;
  std::uint8_t* rows;
  Call* calls;
  Call* end_of_calls;
  const std::uint8_t** inputs;
  std::uint8_t** outputs;
  std::uint8_t** solved;
};

/// Numbers the tables: those of strips, if they stay in L1, and those that other steps read or
/// write.
void TransformKernels::place_tables() {
  constexpr std::uint32_t kUnused = 0;
  const std::size_t tables = placed_.passes->tables();
  const auto place = [&](const std::vector<bool>& is_used, std::vector<std::uint32_t>& places) {
    std::uint32_t used = 0;
    places.assign(tables, kUnused);
    for (std::size_t table = 0; table < tables; ++table) {
      if (is_used[table]) places[table] = used++;
    }
    return used;
  };
  std::vector<bool> is_wide(tables);
  std::vector<bool> is_narrow(tables);
  for (const TransformStep& step : placed_.passes->steps()) {
    if (step.to != TransformStep::kNoTable) {
      (step.is_in_strips && !step.ends_strips ? is_narrow : is_wide)[step.to] = true;
    }
    if (step.is_in_strips) continue;
    if (step.from != TransformStep::kNoTable) is_wide[step.from] = true;
    if (step.derived != TransformStep::kNoTable) is_wide[step.derived] = true;
  }
  num_narrow_ = place(is_narrow, strip_place_);
  strip_bytes_ = kStripBytes;
  if (!kernel_.has_strips || num_narrow_ == 0 || strip_table_bytes() > kStripTables) {
    strip_bytes_ = num_narrow_ = 0;
    is_wide.assign(tables, true);
  }
  num_wide_ = place(is_wide, wide_place_);
}

/// Joins consecutive steps whose blocks follow each other into one call.
void TransformKernels::join_steps() {
  const std::vector<TransformStep>& steps = placed_.passes->steps();
  const std::size_t points = placed_.passes->points();
  const auto place = [&](std::uint8_t table, const TransformStep& step) {
    return table == TransformStep::kNoTable ? 0 : table * points + step.row;
  };
  const auto follows = [&](const TransformStep& step, const Joined& joined) {
    const TransformStep& first = steps[joined.step];
    const std::size_t rows = std::size_t{joined.blocks} << step.levels;
    const std::size_t constants = joined.blocks * ((std::size_t{1} << step.levels) - 1);
    const std::size_t in_tables = rows * step.distance;
    return may_be_joined(step) && !step.is_clear && !first.is_clear && step.kind == first.kind &&
           step.levels == first.levels && step.distance == first.distance &&
           step.is_in_strips == first.is_in_strips &&
           step.first_constant == first.first_constant + constants &&
           (step.writes_outputs() ? step.output == first.output + rows
                                  : place(step.to, step) == place(first.to, first) + in_tables) &&
           (step.reads_inputs() ? step.input == first.input + rows
                                : place(step.from, step) == place(first.from, first) + in_tables);
  };
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (!joined_.empty() && follows(steps[s], joined_.back())) {
      ++joined_.back().blocks;
    } else {
      joined_.push_back({static_cast<std::uint32_t>(s), 1});
    }
  }
}

/// Keeps all steps upwards, and the steps downwards whose blocks have rows of wanted outputs.
void TransformKernels::keep_wanted_steps(const std::vector<Joined>& all) {
  std::vector<std::uint32_t> wanted_before{0};  // by output: number of wanted outputs before it
  wanted_before.reserve(placed_.place_of_output.size() + 1);
  for (const std::uint32_t place : placed_.place_of_output) {
    wanted_before.push_back(wanted_before.back() + (place < kNowhere ? 1 : 0));
  }
  joined_.reserve(all.size());
  for (const Joined& joined : all) {
    const TransformStep& step = placed_.passes->steps()[joined.step];
    const std::size_t rows = (std::size_t{joined.blocks} << step.levels) * step.distance;
    if (!step.is_down() || wanted_before[step.row] != wanted_before[step.row + rows]) {
      joined_.push_back(joined);
    }
  }
}

/// Chooses the columns of tiles: whole strips, or an odd number of units. The rows of a pass, which
/// are a power of two apart, then lie in different cache sets.
void TransformKernels::choose_tiles() {
  // The row of zeros, the row for outputs that are not wanted, the tables, and the rows of outputs.
  const std::size_t rows =
      (placed_.skips_missing ? 0 : 2) + num_wide_ * placed_.passes->points() + placed_.num_rows;
  const auto columns = [&](std::size_t most, std::size_t most_scratch) {
    const std::size_t bytes = std::min(most, most_scratch / rows);
    if (strip_bytes_ != 0) return std::max(bytes / strip_bytes_, std::size_t{1}) * strip_bytes_;
    const std::size_t units = bytes / unit_bytes_;
    return (units == 0 ? 1 : units - (units + 1) % 2) * unit_bytes_;
  };
  if (strip_bytes_ != 0) {
    facts_.tile_columns = far_bytes_ = columns(kBytesWithStrips, kFarScratch);
  } else if (placed_.skips_missing) {
    facts_.tile_columns = far_bytes_ = columns(kNearBytes, kManyRowsScratch);
  } else {
    facts_.tile_columns = columns(kNearBytes, kNearScratch);
    far_bytes_ = columns(kFarBytes, kFarScratch);
  }
  const std::size_t pointers = placed_.location_of_input.size() + placed_.place_of_output.size() +
                               placed_.num_rows + placed_.solved.size();
  pool_ = std::make_shared<const ScratchPool>(
      rows * padded_bytes(std::max(facts_.tile_columns, far_bytes_)) + strip_table_bytes() +
      joined_.size() * sizeof(Call) + pointers * sizeof(std::uint8_t*));
}

/// Bytes of a row of a tile in whole units. Beside strips an odd number of units, so that rows
/// which are a power of two apart lie in different cache sets.
std::size_t TransformKernels::padded_bytes(std::size_t bytes) const noexcept {
  const std::size_t units = (bytes + unit_bytes_ - 1) / unit_bytes_;
  return (strip_bytes_ == 0 ? units : units | 1) * unit_bytes_;
}

void TransformKernels::run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                           std::size_t end, Stores stores) const noexcept {
  if (begin == end) return;
  const std::size_t chunks_used = counts().vectors_read + counts().vectors_written;
  const bool is_far =
      stores == Stores::kNonTemporal && (is_past_caches_ || chunk_bytes > kFarStripe / chunks_used);
  if (is_far && past_caches_) return past_caches_->run(chunks, chunk_bytes, begin, end, stores);
  if (stores == Stores::kNear && near_) return near_->run(chunks, chunk_bytes, begin, end, stores);
  if (!is_far) stores = Stores::kOrdinary;
  const ScratchPool::Buffer buffer(*pool_);
  Scratch scratch{};
  const std::size_t unit = strip_bytes_ == 0 ? unit_bytes_ : strip_bytes_;
  // Tiles have about the same length, so that the last one is not short. Past the caches all tiles
  // but the last have the maximum length.
  const std::size_t units = (end - begin + unit - 1) / unit;
  const std::size_t most = (is_far ? far_bytes_ : facts_.tile_columns) / unit;
  const std::size_t tiles = (units + most - 1) / most;
  std::size_t column = begin;
  std::size_t last_bytes = 0;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const std::size_t even = units / tiles + (tile < units % tiles ? 1 : 0);
    const std::size_t bytes = std::min((is_far ? most : even) * unit, end - column);
    if (bytes == last_bytes) {
      advance(scratch, bytes);
    } else {
      const std::size_t row_bytes = padded_bytes(bytes);
      place_rows(scratch, buffer.bytes(), row_bytes);
      point_at(scratch, chunks, column, row_bytes);
      scratch.end_of_calls = scratch.calls;
      for (const Joined& joined : joined_) {
        *scratch.end_of_calls++ = call_of(scratch, joined, bytes, stores);
      }
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
  if (!placed_.skips_missing) {
    scratch.zero = take(row_bytes);
    scratch.unwanted = take(row_bytes);
    std::memset(scratch.zero, 0, row_bytes);
  }
  scratch.strip_tables = take(strip_table_bytes());
  scratch.tables = take(num_wide_ * placed_.passes->points() * row_bytes);
  scratch.rows = take(placed_.num_rows * row_bytes);
  scratch.calls = reinterpret_cast<Call*>(take(joined_.size() * sizeof(Call)));
  scratch.inputs = reinterpret_cast<const std::uint8_t**>(next);
  scratch.outputs = reinterpret_cast<std::uint8_t**>(next) + placed_.location_of_input.size();
  scratch.solved = scratch.outputs + placed_.place_of_output.size();
}

void TransformKernels::point_at(Scratch& scratch, std::uint8_t* const* chunks, std::size_t column,
                                std::size_t row_bytes) const noexcept {
  for (std::size_t j = 0; j < placed_.location_of_input.size(); ++j) {
    const std::uint32_t location = placed_.location_of_input[j];
    scratch.inputs[j] = location == kNone      ? scratch.zero
                        : location == kNowhere ? nullptr
                                               : chunks[location] + column;
  }
  for (std::size_t i = 0; i < placed_.place_of_output.size(); ++i) {
    const std::uint32_t place = placed_.place_of_output[i];
    scratch.outputs[i] = place == kNone      ? scratch.unwanted
                         : place == kNowhere ? nullptr
                         : placed_.solve     ? scratch.rows + place * row_bytes
                                             : chunks[place] + column;
  }
}

/// Moves the pointers to the columns that follow, for a tile as long as the one before.
void TransformKernels::advance(const Scratch& scratch, std::size_t bytes) const noexcept {
  for (std::size_t j = 0; j < placed_.location_of_input.size(); ++j) {
    scratch.inputs[j] += placed_.location_of_input[j] < kNowhere ? bytes : 0;
  }
  if (placed_.solve) return;
  for (std::size_t i = 0; i < placed_.place_of_output.size(); ++i) {
    scratch.outputs[i] += placed_.place_of_output[i] < kNowhere ? bytes : 0;
  }
}

TransformKernels::Call TransformKernels::call_of(const Scratch& scratch, const Joined& joined,
                                                 std::size_t bytes, Stores stores) const noexcept {
  const TransformStep& step = placed_.passes->steps()[joined.step];
  const std::size_t wide_bytes = padded_bytes(bytes);
  const bool is_in_strip = strip_bytes_ != 0 && step.is_in_strips;
  const std::size_t row_bytes = is_in_strip ? strip_bytes_ : wide_bytes;
  const std::size_t sum_bytes = step.ends_strips ? wide_bytes : row_bytes;
  const auto wide_table = [&](std::uint8_t number, std::size_t row) {
    return scratch.tables + (wide_place_[number] * placed_.passes->points() + row) * wide_bytes;
  };
  const auto table = [&](std::uint8_t number, std::size_t row) {
    if (!is_in_strip) return wide_table(number, row);
    return scratch.strip_tables +
           (strip_place_[number] * placed_.passes->points() + row) * strip_bytes_;
  };
  Call call{};
  TransformBlock& block = call.block;
  call.is_in_strips = is_in_strip;
  call.ends_strips =
      is_in_strip && placed_.passes->steps()[joined.step + joined.blocks - 1].ends_strips;
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
    block.table_bytes = placed_.passes->points() * row_bytes;
    block.adds = step.adds;
    block.sum_step = step.distance * sum_bytes;
    if (is_in_strip) {
      block.blocks = step.count;
      block.bytes = strip_bytes_;
      block.from_pitch = strip_bytes_;
      block.sum_pitch = sum_bytes;
      if (block.is_far) {
        block.inputs = scratch.inputs + step.input;
        block.inputs_ahead = step.tables * placed_.passes->points() / step.count;
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
  block.streams = stores == Stores::kNonTemporal && !placed_.solve;
  for (std::size_t i = 0; i < rows * joined.blocks; ++i) {
    const std::uint8_t* const output = block.outputs[i];
    if (output == nullptr) continue;
    if (output == scratch.unwanted || !is_aligned(output)) block.streams = false;
  }
  return call;
}

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
  if (!placed_.solve) return;
  const std::size_t row_bytes = padded_bytes(bytes);
  for (std::size_t i = 0; i < placed_.stored.size(); ++i) {
    kernel_.add(scratch.rows + i * row_bytes, chunks[placed_.stored[i]] + column, bytes);
  }
  for (std::size_t row = 0; row < placed_.num_rows; ++row) {
    scratch.solved[row] = scratch.rows + row * row_bytes;
  }
  for (std::size_t o = 0; o < placed_.solved.size(); ++o) {
    scratch.solved[placed_.num_rows + o] = chunks[placed_.solved[o]] + column;
  }
  placed_.solve->run(scratch.solved, bytes, 0, bytes, stores);
}

}  // namespace xorloom
