#include "runtime/transforms/transform_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "runtime/transforms/decoding_passes.hpp"
#include "runtime/transforms/encoding_passes.hpp"

namespace xorloom {
namespace {

const TransformKernel& transform_kernel(const Code& code, Isa isa) {
  const TransformKernelTable& kernels = *kernels_of(isa).transforms;
  return code.field.w() == 8 ? kernels.bytes : kernels.planes;
}

constexpr std::size_t kNever = ~std::size_t{0};

bool has_transforms(const Code& code) {
  const std::size_t w = code.field.w();
  const bool has_kernel = w == 8 || (w == 16 && code.plane_bytes == kPlaneBytes);
  return code.transform_points >= 2 && code.arrangement == Arrangement::kWord && has_kernel;
}

/// The parts of a map that the transforms need. In all families that have transforms, redundant
/// cell k + i is point i, and data cell j is point M + j.
struct Parts {
  EncodingShape shape;
  std::vector<std::size_t> stored;  ///< columns of the map that are redundant cells
  std::vector<std::size_t> lost;    ///< rows of the map that are redundant cells
};

std::optional<Parts> parts_of(const Code& code, const LinearMap& map) {
  if (!has_transforms(code)) return {};
  Parts parts;
  parts.shape.points = code.transform_points;
  parts.shape.has_output.resize(code.transform_points);
  for (std::size_t c = 0; c < map.inputs.size(); ++c) {
    const std::size_t cell = map.inputs[c];
    if (cell >= code.k) {
      parts.stored.push_back(c);
      parts.shape.has_output[cell - code.k] = true;
      continue;
    }
    if (cell >= parts.shape.has_input.size()) parts.shape.has_input.resize(cell + 1);
    parts.shape.has_input[cell] = true;
  }
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    const std::size_t cell = map.outputs[o];
    if (cell < code.k) continue;
    parts.lost.push_back(o);
    parts.shape.has_output[cell - code.k] = true;
  }
  const bool is_encoding = parts.lost.size() == map.outputs.size();
  if (parts.stored.empty() && (!is_encoding || parts.shape.has_input.empty())) return {};
  return parts;
}

/// Work of `passes` over one column.
TileCounts counts_of(const TransformPasses& passes, Isa isa, std::size_t w) {
  constexpr std::size_t kPortableProduct = 64;  // operations for 16 bytes, looked up one by one
  const std::size_t bytes = w / 8;
  const std::size_t products = passes.multiplications() * bytes * bytes;
  const std::size_t lookups = has_gfni(isa) ? 1 : 2;
  TileCounts counts;
  counts.multiplications = products * lookups;
  counts.operations = passes.additions() * bytes + 2 * counts.multiplications +
                      (lookups - 1) * 3 * passes.multiplications() * bytes;
  if (vector_bytes(isa) == 0) counts.operations += products * kPortableProduct;
  counts.loads = passes.loads() * bytes + counts.multiplications;
  counts.stores = passes.stores() * bytes;
  counts.vectors_read = static_cast<std::size_t>(std::ranges::count(passes.has_input(), true));
  counts.vectors_written = static_cast<std::size_t>(std::ranges::count(passes.has_output(), true));
  counts.vector_bytes = std::max<std::size_t>(16, vector_bytes(isa));
  counts.instructions = counts.operations + counts.loads + counts.stores;
  return counts;
}

/// Work of the transforms and of `placed.solve` over one column.
TileCounts counts_of(const PlacedTransforms& placed, Isa isa, std::size_t w) {
  TileCounts counts = counts_of(*placed.passes, isa, w);
  if (!placed.solve) return counts;
  const TileCounts& solving = placed.solve->counts();
  counts.instructions += solving.instructions;
  counts.operations += solving.operations;
  counts.loads += solving.loads + 2 * placed.stored.size();
  counts.stores += solving.stores;
  counts.multiplications += solving.multiplications;
  counts.vectors_read += placed.stored.size();
  counts.vectors_written = placed.solved.size();
  return counts;
}

/// Throws kInternal unless the steps, and `from_rows` after them, multiply out to `map`.
///
/// Shape: from_rows is the matrix of `placed.solve`; empty if `placed.solve` is null.
void prove(const Code& code, const LinearMap& map, const PlacedTransforms& placed,
           const Matrix& from_rows) {
  constexpr std::size_t kMissing = ~std::size_t{0};
  std::vector<std::size_t> number_of(code.locations, kMissing);
  for (std::size_t number = 0; number < placed.location_of_input.size(); ++number) {
    const std::uint32_t location = placed.location_of_input[number];
    if (location < PlacedTransforms::kNowhere) number_of[location] = number;
  }
  Matrix left(map.outputs.size(), placed.passes->has_output().size());
  for (std::size_t p = 0; p < placed.place_of_output.size(); ++p) {
    const std::uint32_t place = placed.place_of_output[p];
    if (place >= PlacedTransforms::kNowhere) continue;
    for (std::size_t o = 0; o < map.outputs.size(); ++o) {
      left(o, p) = placed.solve ? from_rows(o, place) : Field::Symbol{map.outputs[o] == place};
    }
  }
  const Matrix product = placed.passes->product(code.field, left);
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    for (std::size_t c = 0; c < map.inputs.size(); ++c) {
      const std::size_t number = number_of[map.inputs[c]];
      // The transforms do not read stored redundancy: it is added after them.
      if (placed.solve && map.inputs[c] >= code.k) continue;
      const Field::Symbol factor = number == kMissing ? 0 : product(o, number);
      if (factor == map.coefficients(o, c)) continue;
      fail(Status::kInternal,
           fmt::format("transforms of {} give cell {} another factor in cell {} than its matrix",
                       code.name(), map.inputs[c], map.outputs[o]));
    }
  }
}

/// Places the inputs and outputs of transforms that encode. Adds the kernels that solve for lost
/// data.
PlacedTransforms placed_encoding(const Code& code, const LinearMap& map, Isa isa,
                                 const Parts& parts, TransformPasses passes) {
  PlacedTransforms placed(std::move(passes));
  const std::vector<bool>& has_input = placed.passes->has_input();
  const std::size_t points = placed.passes->points();
  placed.place_of_output.resize(points, PlacedTransforms::kNone);
  placed.location_of_input.resize((has_input.size() + points - 1) / points * points,
                                  PlacedTransforms::kNone);
  for (std::size_t j = 0; j < has_input.size(); ++j) {
    if (has_input[j]) placed.location_of_input[j] = static_cast<std::uint32_t>(j);
  }
  if (parts.stored.empty()) {
    for (const Cell cell : map.outputs) placed.place_of_output[cell - code.k] = cell;
    prove(code, map, placed, {});
    return placed;
  }
  const auto add_row = [&](Cell cell) {
    placed.place_of_output[cell - code.k] = static_cast<std::uint32_t>(placed.num_rows++);
  };
  for (const std::size_t c : parts.stored) {
    placed.stored.push_back(map.inputs[c]);
    add_row(map.inputs[c]);
  }
  for (const std::size_t o : parts.lost) add_row(map.outputs[o]);
  // Computes the outputs from the syndromes, and from lost redundancy as the transforms compute it.
  Code rows;
  rows.field = code.field;
  rows.arrangement = code.arrangement;
  rows.plane_bytes = code.plane_bytes;
  rows.locations = placed.num_rows + map.outputs.size();
  LinearMap from_rows{{}, {}, Matrix(map.outputs.size(), placed.num_rows)};
  for (std::size_t row = 0; row < placed.num_rows; ++row) {
    from_rows.inputs.push_back(static_cast<Cell>(row));
  }
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    from_rows.outputs.push_back(static_cast<Cell>(placed.num_rows + o));
    placed.solved.push_back(map.outputs[o]);
    for (std::size_t s = 0; s < parts.stored.size(); ++s) {
      from_rows.coefficients(o, s) = map.coefficients(o, parts.stored[s]);
    }
  }
  for (std::size_t l = 0; l < parts.lost.size(); ++l) {
    from_rows.coefficients(parts.lost[l], placed.stored.size() + l) = 1;
  }
  placed.solve = std::make_shared<const WordKernels>(rows, direct_symbols(rows, from_rows), isa);
  prove(code, map, placed, from_rows.coefficients);
  return placed;
}

/// Places transforms that read and write cells. The functions give the input and output of a cell.
PlacedTransforms placed_by_number(const Code& code, const LinearMap& map, PlacedTransforms placed,
                                  const std::function<std::size_t(Cell)>& number_of_input,
                                  const std::function<std::size_t(Cell)>& number_of_output) {
  for (const Cell cell : map.inputs) placed.location_of_input[number_of_input(cell)] = cell;
  placed.place_of_output.resize(placed.passes->has_output().size(), PlacedTransforms::kNowhere);
  for (const Cell cell : map.outputs) placed.place_of_output[number_of_output(cell)] = cell;
  prove(code, map, placed, {});
  return placed;
}

/// Shape of the transforms that recover the outputs of `map`, with 1 in place of each factor.
/// nullopt: transforms cannot recover them.
std::optional<RecoveringShape> recovery_of(const Code& code, const LinearMap& map,
                                           const Parts& parts, std::size_t max_levels) {
  const std::size_t points = parts.shape.points;
  if (parts.stored.empty() || !parts.lost.empty() || map.inputs.size() != code.k ||
      !may_recover(points, max_levels)) {
    return {};
  }
  RecoveringShape shape{{points, parts.shape.has_input, {}},
                        std::vector<Field::Symbol>(points),
                        std::vector<Field::Symbol>(code.k)};
  shape.data.has_input.resize(code.k);
  for (const std::size_t c : parts.stored) shape.stored[map.inputs[c] - code.k] = 1;
  for (const Cell cell : map.outputs) shape.wanted[cell] = 1;
  return shape;
}

PlacedTransforms placed_recovering(const Code& code, const LinearMap& map,
                                   const RecoveringShape& shape, std::size_t max_levels,
                                   std::size_t rows) {
  PlacedTransforms placed(recovering_passes(with_factors(code.field, shape), max_levels, rows));
  const std::size_t points = shape.data.points;
  const std::size_t first_stored = placed.passes->has_input().size() - points;
  placed.location_of_input.resize(first_stored, PlacedTransforms::kNone);
  placed.location_of_input.resize(first_stored + points, PlacedTransforms::kNowhere);
  return placed_by_number(
      code, map, std::move(placed),
      [&](Cell cell) { return cell < code.k ? cell : first_stored + cell - code.k; },
      [&](Cell cell) { return points + cell; });
}

std::size_t point_of_cell(const Code& code, Cell cell) {
  return cell < code.k ? code.transform_points + cell : cell - code.k;
}

/// The shape of a decoding without known or wanted points.
DecodingShape empty_shape(const Code& code) {
  const std::size_t points = std::bit_ceil(code.transform_points + code.k);
  return {points, std::vector<Field::Symbol>(points), std::vector<Field::Symbol>(points)};
}

/// Places of `passes` by point, none with an input or output yet. Passes skip the points without.
PlacedTransforms skipping_missing(TransformPasses passes) {
  PlacedTransforms placed(std::move(passes));
  placed.location_of_input.resize(placed.passes->points(), PlacedTransforms::kNowhere);
  placed.skips_missing = true;
  return placed;
}

/// Instructions of the kernels that compute lost cells from syndromes. A lost redundant cell adds
/// one more row.
std::size_t instructions_to_solve(const Code& code, const LinearMap& map, const Parts& parts,
                                  Isa isa) {
  if (parts.stored.empty()) return 0;
  return dense_kernel_counts(code.field.w(), map.outputs.size(), parts.stored.size(), isa)
             .instructions +
         2 * parts.stored.size();
}

}  // namespace

std::unique_ptr<const TransformKernels> TransformKernels::make(
    const Code& code, const LinearMap& map, Isa isa,
    const std::function<bool(std::size_t)>& is_wanted) {
  const std::optional<Parts> parts = parts_of(code, map);
  if (!parts) return nullptr;
  const TransformKernel& kernel = transform_kernel(code, isa);
  const std::size_t max_levels = kernel.max_levels;
  const std::size_t usual_rows = kernel.has_strips ? kRowsOfStrips : kRowsOfTiles;
  const auto instructions_of = [&](const TransformPasses& passes) {
    return counts_of(passes, isa, code.field.w()).instructions;
  };
  std::size_t instructions = kNever;
  if (!parts->shape.has_input.empty()) {
    instructions = instructions_to_solve(code, map, *parts, isa) +
                   instructions_of(encoding_passes(parts->shape, max_levels, usual_rows));
  }
  bool recovers = false;
  const std::optional<RecoveringShape> recovery = recovery_of(code, map, *parts, max_levels);
  if (recovery) {
    // Counts do not depend on the factors, which are slow to compute.
    const std::size_t to_recover =
        instructions_of(recovering_passes(*recovery, max_levels, usual_rows));
    recovers = to_recover < instructions;
    instructions = std::min(instructions, to_recover);
  }
  if (instructions == kNever || !is_wanted(instructions)) return nullptr;
  const auto make_encoding = [&](TransformPasses passes) {
    return std::unique_ptr<TransformKernels>(new TransformKernels(
        code, isa, placed_encoding(code, map, isa, *parts, std::move(passes))));
  };
  const auto make_with = [&](std::size_t rows) {
    if (!recovers) return make_encoding(encoding_passes(parts->shape, max_levels, rows));
    return std::unique_ptr<TransformKernels>(
        new TransformKernels(code, isa, placed_recovering(code, map, *recovery, max_levels, rows)));
  };
  std::unique_ptr<TransformKernels> made = make_with(usual_rows);
  if (made->strip_bytes_ == 0) return made;
  std::unique_ptr<TransformKernels> far = make_with(kRowsOfFarStrips);
  far->is_past_caches_ = true;
  made->past_caches_ = std::move(far);
  if (!recovers) {
    if (auto passes = encoding_passes_in_strips(parts->shape, max_levels)) {
      made->near_ = make_encoding(std::move(*passes));
    }
  }
  return made;
}

std::unique_ptr<const TransformKernels> TransformKernels::make_decoding(
    const Code& code, const LinearMap& map, Isa isa,
    const std::function<bool(std::size_t)>& is_wanted) {
  const std::optional<Parts> parts = parts_of(code, map);
  if (!parts || parts->stored.empty() || map.inputs.size() != code.k) return nullptr;
  const auto point_of = [&](Cell cell) { return point_of_cell(code, cell); };
  DecodingShape shape = empty_shape(code);
  for (const Cell cell : map.inputs) shape.known[point_of(cell)] = 1;
  for (const Cell cell : map.outputs) shape.wanted[point_of(cell)] = 1;
  std::vector<bool> is_zero(code.transform_points + code.k);
  is_zero.resize(shape.points, true);
  const std::size_t max_levels = transform_kernel(code, isa).max_levels;
  // Counts do not depend on the factors, which are slow to compute.
  const TransformPasses counted = decoding_passes(shape, max_levels);
  if (!is_wanted(counts_of(counted, isa, code.field.w()).instructions)) return nullptr;
  PlacedTransforms placed = skipping_missing(
      decoding_passes(with_factors(code.field, std::move(shape), is_zero), max_levels));
  return std::unique_ptr<const TransformKernels>(new TransformKernels(
      code, isa, placed_by_number(code, map, std::move(placed), point_of, point_of)));
}

std::unique_ptr<const TransformKernels> TransformKernels::make_decoding_of_all(const Code& code,
                                                                               Isa isa) {
  if (!has_transforms(code)) return nullptr;
  DecodingShape shape = empty_shape(code);
  for (Cell cell = 0; cell < code.num_cells(); ++cell) {
    const std::size_t point = point_of_cell(code, cell);
    shape.known[point] = shape.wanted[point] = 1;
  }
  PlacedTransforms placed =
      skipping_missing(decoding_passes(shape, transform_kernel(code, isa).max_levels));
  placed.place_of_output.resize(shape.points, kNowhere);
  return std::unique_ptr<const TransformKernels>(
      new TransformKernels(code, isa, std::move(placed)));
}

std::unique_ptr<const TransformKernels> TransformKernels::with(Decoding decoding,
                                                               bool is_past_caches) const {
  return std::unique_ptr<const TransformKernels>(
      new TransformKernels(*this, std::move(decoding), is_past_caches));
}

TransformKernels::TransformKernels(const Code& code, Isa isa, PlacedTransforms placed)
    : Computation({.column_multiple = kColumns, .is_of_codewords = true}),
      kernel_(transform_kernel(code, isa)),
      form_(code.field, kernel_.form),
      placed_(std::move(placed)),
      unit_bytes_(std::lcm(kernel_.unit_bytes, kColumns)),
      block_bytes_(plane_block_bytes(code)) {
  facts_.cost = placed_.passes->multiplications() + placed_.passes->additions() / 2 +
                (placed_.solve ? placed_.solve->cost() : 0);
  facts_.counts = counts_of(placed_, isa, code.field.w());
  // Tiles in the caches and past them, turns of many vectors of what solves, and parts of a vector.
  facts_.sizes = {kTurnMultiple,
                  block_bytes_ == 0 ? 2 * counts().vector_bytes
                                    : std::max(unit_bytes_, block_bytes_) + 2 * block_bytes_,
                  1};
  const std::size_t factor_bytes = form_.bytes();
  factors_.resize(placed_.passes->constants().size() * factor_bytes);
  for (std::size_t i = 0; i < placed_.passes->constants().size(); ++i) {
    form_.write(placed_.passes->constants()[i], factors_.data() + i * factor_bytes);
  }
  place_tables();
  join_steps();
  choose_tiles();
}

TransformKernels::TransformKernels(const TransformKernels& all, Decoding decoding,
                                   bool is_past_caches)
    : Computation(all.facts_),
      kernel_(all.kernel_),
      form_(all.form_),
      placed_(all.placed_.passes),
      unit_bytes_(all.unit_bytes_),
      block_bytes_(all.block_bytes_),
      factors_(std::move(decoding.factors)),
      strip_bytes_(all.strip_bytes_),
      wide_place_(all.wide_place_),
      strip_place_(all.strip_place_),
      num_wide_(all.num_wide_),
      num_narrow_(all.num_narrow_),
      far_bytes_(all.far_bytes_),
      pool_(all.pool_),
      shares_(true),
      is_past_caches_(is_past_caches) {
  placed_.location_of_input = std::move(decoding.location_of_input);
  placed_.place_of_output = std::move(decoding.place_of_output);
  placed_.skips_missing = true;
  facts_.counts.vectors_read = decoding.reads;
  facts_.counts.vectors_written = decoding.writes;
  keep_wanted_steps(all.joined_);
}

std::size_t TransformKernels::memory_bytes() const noexcept {
  const std::size_t shared = pool_->bytes() +
                             placed_.passes->steps().size() * sizeof(TransformStep) +
                             placed_.passes->constants().size() * sizeof(Field::Symbol);
  return sizeof *this + (shares_ ? 0 : shared) + factors_.size() + joined_.size() * sizeof(Joined) +
         (wide_place_.size() + strip_place_.size()) * sizeof(std::uint32_t) +
         (placed_.location_of_input.size() + placed_.place_of_output.size() +
          placed_.stored.size() + placed_.solved.size()) *
             sizeof(std::uint32_t) +
         (placed_.solve ? placed_.solve->memory_bytes() : 0) +
         (past_caches_ ? past_caches_->memory_bytes() : 0) + (near_ ? near_->memory_bytes() : 0);
}

std::vector<const Computation*> TransformKernels::others() const {
  std::vector<const Computation*> others;
  for (const TransformKernels* other : {past_caches_.get(), near_.get()}) {
    if (other != nullptr) others.push_back(other);
  }
  return others;
}

std::optional<std::string> TransformKernels::find_wrong_product(const Field& field) const {
  const std::vector<Field::Symbol>& constants = placed_.passes->constants();
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const std::uint8_t* const factor = factors_.data() + i * form_.bytes();
    if (auto wrong = form_.find_wrong_entry(field, constants[i], factor)) return wrong;
  }
  return placed_.solve ? placed_.solve->find_wrong_product(field) : std::nullopt;
}

}  // namespace xorloom
