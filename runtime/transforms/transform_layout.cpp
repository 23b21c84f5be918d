// Where the rows of a tile of transforms lie, and in which calls its steps run.

#include <algorithm>

#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {
namespace {

/// Columns of a tile, at most. In the caches they are few, so that the rows stay near the core. Past
/// them a stretch of each chunk is long enough for the memory's own prefetching.
constexpr std::size_t kNearBytes = 448;
constexpr std::size_t kFarBytes = 2112;

/// Bytes of the rows of strips, at most: they stay in the first cache of a core beside the inputs.
/// Without these rows, tiles may have more columns, and few tiles take less time to begin.
constexpr std::size_t kStripTables = std::size_t{16} << 10;
constexpr std::size_t kBytesWithStrips = 2048;

/// Bytes of all rows of a tile, unless these are many.
constexpr std::size_t kNearScratch = std::size_t{256} << 10;
constexpr std::size_t kFarScratch = std::size_t{512} << 10;

/// The same where passes upwards leave their rows in tables. Each pass goes through two or three of
/// these in order, so that they may lie in a cache farther away. Longer tiles gain nothing then.
constexpr std::size_t kManyRowsScratch = std::size_t{4} << 20;

}  // namespace

/// Factors and buffers, when it is known where all lies.
void TransformKernels::finish() {
  const std::size_t factor_bytes = form_.bytes();
  factors_.resize(passes_.constants().size() * factor_bytes);
  for (std::size_t i = 0; i < passes_.constants().size(); ++i) {
    form_.write(passes_.constants()[i], factors_.data() + i * factor_bytes);
  }
  place_tables();
  join_steps();
  for (const std::uint32_t location : location_of_input_) {
    input_moves_.push_back(location < kNowhere ? ~std::size_t{0} : 0);
  }
  for (const std::uint32_t place : place_of_output_) {
    output_moves_.push_back(place < kNowhere ? ~std::size_t{0} : 0);
  }
  if (strip_bytes_ != 0) {
    near_bytes_ = far_bytes_ = tile_bytes(kBytesWithStrips, kFarScratch);
  } else if (skips_missing_) {
    near_bytes_ = far_bytes_ = tile_bytes(kNearBytes, kManyRowsScratch);
  } else {
    near_bytes_ = tile_bytes(kNearBytes, kNearScratch);
    far_bytes_ = tile_bytes(kFarBytes, kFarScratch);
  }
  pool_ = std::make_unique<ScratchPool>(scratch_rows() *
                                            padded_bytes(std::max(near_bytes_, far_bytes_)) +
                                        strip_table_bytes() + bytes_of_lists());
}

/// Tables of strips, if they stay in the first cache, and those that other steps read or write.
void TransformKernels::place_tables() {
  constexpr std::uint32_t kUnused = 0;
  const std::size_t tables = passes_.tables();
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
  for (const TransformStep& step : passes_.steps()) {
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

namespace {

/// Outputs of whole tiles are not, as some blocks of them may be stored past the caches alone.
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

}  // namespace

/// Steps whose blocks follow each other become one call.
void TransformKernels::join_steps() {
  const std::vector<TransformStep>& steps = passes_.steps();
  const std::size_t points = passes_.points();
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

/// The zero row, the row of outputs that nobody wants, the tables of the transforms, and outputs.
std::size_t TransformKernels::scratch_rows() const {
  return (skips_missing_ ? 0 : 2) + num_wide_ * passes_.points() + num_rows_;
}

/// Whole strips, or an odd number of units: the rows of a pass, which are a power of two apart,
/// then lie in different sets of a cache.
std::size_t TransformKernels::tile_bytes(std::size_t most, std::size_t most_scratch) const {
  const std::size_t bytes = std::min(most, most_scratch / scratch_rows());
  if (strip_bytes_ != 0) return std::max(bytes / strip_bytes_, std::size_t{1}) * strip_bytes_;
  const std::size_t units = bytes / unit_bytes_;
  return (units == 0 ? 1 : units - (units + 1) % 2) * unit_bytes_;
}

}  // namespace xorloom
