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

std::size_t rows_at_once(const TransformKernel& kernel) {
  return kernel.has_strips ? kRowsOfStrips : kRowsOfTiles;
}

constexpr std::size_t kNever = ~std::size_t{0};

std::vector<Field::Symbol> any_factors(const std::vector<bool>& flags) {
  return {flags.begin(), flags.end()};
}

std::size_t padded(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

}  // namespace

struct TransformKernels::Recovery {
  EncodingShape data;
  std::vector<bool> is_stored;  ///< by output
  std::vector<bool> is_wanted;  ///< by data cell
};

/// The parts of a map that matter here. Redundant cell k + i is point i, and data cell j is point
/// M + j, as the families lay them out that have transforms.
struct TransformKernels::Parts {
  EncodingShape shape;
  std::vector<std::size_t> stored;         ///< columns of the map that are redundant cells
  std::vector<std::size_t> stored_points;  ///< their points
  std::vector<std::size_t> lost;           ///< rows of the map that are redundant cells
  std::vector<std::size_t> lost_points;
};

std::optional<TransformKernels::Parts> TransformKernels::parts_of(const Code& code,
                                                                  const LinearMap& map) {
  const std::size_t w = code.field.w();
  const bool has_kernel = w == 8 || (w == 16 && code.plane_bytes == kPlaneBytes);
  if (code.transform_points < 2 || code.arrangement != Arrangement::kWord || !has_kernel) return {};
  Parts parts;
  parts.shape.points = code.transform_points;
  parts.shape.has_output.resize(code.transform_points);
  for (std::size_t c = 0; c < map.inputs.size(); ++c) {
    const std::size_t cell = map.inputs[c];
    if (cell >= code.k) {
      parts.stored.push_back(c);
      parts.stored_points.push_back(cell - code.k);
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
    parts.lost_points.push_back(cell - code.k);
    parts.shape.has_output[cell - code.k] = true;
  }
  const bool is_encoding = parts.lost.size() == map.outputs.size();
  if (parts.stored.empty() && (!is_encoding || parts.shape.has_input.empty())) return {};
  return parts;
}

std::unique_ptr<const TransformKernels> TransformKernels::make(
    const Code& code, const LinearMap& map, Isa isa,
    const std::function<bool(std::size_t)>& is_wanted) {
  const std::optional<Parts> parts = parts_of(code, map);
  if (!parts) return nullptr;
  const TransformKernel& kernel = transform_kernel(code, isa);
  const std::optional<Recovery> recovery = recovery_of(code, map, *parts, isa);
  const std::unique_ptr<TransformKernels> counted =
      recovery ? count_recovering(code, isa, *recovery) : nullptr;
  std::size_t instructions = kNever;
  if (!parts->shape.has_input.empty()) {
    instructions =
        instructions_to_solve(code, map, *parts, isa) +
        TransformKernels(code, isa,
                         encoding_passes(parts->shape, kernel.max_levels, rows_at_once(kernel)))
            .counts_.instructions;
  }
  const bool recovers = counted && counted->counts_.instructions < instructions;
  if (recovers) instructions = counted->counts_.instructions;
  if (instructions == kNever || !is_wanted(instructions)) return nullptr;
  const auto make_with = [&](std::size_t rows) {
    return recovers ? make_recovering(code, map, isa, *recovery, rows)
                    : make_encoding(code, map, isa, *parts,
                                    encoding_passes(parts->shape, kernel.max_levels, rows));
  };
  std::unique_ptr<TransformKernels> made = make_with(rows_at_once(kernel));
  if (made->strip_bytes_ != 0) {
    std::unique_ptr<TransformKernels> far = make_with(kRowsOfFarStrips);
    far->is_past_caches_ = true;
    made->past_caches_ = std::move(far);
  }
  if (made->strip_bytes_ != 0 && !recovers) {
    if (auto passes = encoding_passes_in_strips(parts->shape, kernel.max_levels)) {
      made->near_ = make_encoding(code, map, isa, *parts, std::move(*passes));
    }
  }
  return made;
}

std::unique_ptr<TransformKernels> TransformKernels::make_encoding(const Code& code,
                                                                  const LinearMap& map, Isa isa,
                                                                  const Parts& parts,
                                                                  TransformPasses passes) {
  std::unique_ptr<TransformKernels> made(new TransformKernels(code, isa, std::move(passes)));
  made->place_encoding(code, map, parts, isa);
  made->finish();
  made->prove_encoding(code, map, parts);
  return made;
}

/// The data that is left, the outputs that are stored, and the data that a map recovers; none if
/// transforms do not recover it.
std::optional<TransformKernels::Recovery> TransformKernels::recovery_of(const Code& code,
                                                                        const LinearMap& map,
                                                                        const Parts& parts,
                                                                        Isa isa) {
  const std::size_t points = parts.shape.points;
  if (parts.stored.empty() || !parts.lost.empty() || map.inputs.size() != code.k ||
      !may_recover(points, transform_kernel(code, isa).max_levels)) {
    return {};
  }
  Recovery recovery{
      {points, parts.shape.has_input, {}}, std::vector<bool>(points), std::vector<bool>(code.k)};
  recovery.data.has_input.resize(code.k);
  for (const std::size_t point : parts.stored_points) recovery.is_stored[point] = true;
  for (const Cell cell : map.outputs) recovery.is_wanted[cell] = true;
  return recovery;
}

/// Counts do not depend on the factors, which take longer.
std::unique_ptr<TransformKernels> TransformKernels::count_recovering(const Code& code, Isa isa,
                                                                     const Recovery& recovery) {
  const RecoveringShape shape{recovery.data, any_factors(recovery.is_stored),
                              any_factors(recovery.is_wanted)};
  const TransformKernel& kernel = transform_kernel(code, isa);
  return std::unique_ptr<TransformKernels>(new TransformKernels(
      code, isa, recovering_passes(shape, kernel.max_levels, rows_at_once(kernel))));
}

std::unique_ptr<TransformKernels> TransformKernels::make_recovering(const Code& code,
                                                                    const LinearMap& map, Isa isa,
                                                                    const Recovery& recovery,
                                                                    std::size_t rows) {
  const RecoveringShape shape =
      recovering_shape(code.field, recovery.data, recovery.is_stored, recovery.is_wanted);
  const std::size_t max_levels = transform_kernel(code, isa).max_levels;
  std::unique_ptr<TransformKernels> made(
      new TransformKernels(code, isa, recovering_passes(shape, max_levels, rows)));
  const std::size_t points = recovery.data.points;
  const std::size_t first_stored = made->passes_.has_input().size() - points;
  made->location_of_input_.resize(first_stored, kNone);
  made->location_of_input_.resize(first_stored + points, kNowhere);
  made->place_of_output_.resize(made->passes_.has_output().size(), kNowhere);
  for (const Cell cell : map.inputs) {
    made->location_of_input_[cell < code.k ? cell : first_stored + cell - code.k] = cell;
  }
  for (const Cell cell : map.outputs) made->place_of_output_[points + cell] = cell;
  made->finish();
  made->prove_places(code, map);
  return made;
}

std::unique_ptr<const TransformKernels> TransformKernels::make_decoding(
    const Code& code, const LinearMap& map, Isa isa,
    const std::function<bool(std::size_t)>& is_wanted) {
  const std::optional<Parts> parts = parts_of(code, map);
  if (!parts || parts->stored.empty() || map.inputs.size() != code.k) return nullptr;
  const std::size_t points = std::bit_ceil(code.transform_points + code.k);
  const auto point_of = [&](Cell cell) {
    return cell < code.k ? code.transform_points + cell : cell - code.k;
  };
  std::vector<bool> is_known(points);
  std::vector<bool> is_zero(points);
  std::vector<bool> is_wanted_there(points);
  for (const Cell cell : map.inputs) is_known[point_of(cell)] = true;
  for (const Cell cell : map.outputs) is_wanted_there[point_of(cell)] = true;
  std::fill(is_zero.begin() + static_cast<std::ptrdiff_t>(code.transform_points + code.k),
            is_zero.end(), true);
  const std::size_t max_levels = transform_kernel(code, isa).max_levels;
  const auto passes_of = [&](const DecodingShape& shape) {
    return decoding_passes(shape, max_levels);
  };
  // Counts do not depend on the factors, which take longer.
  std::unique_ptr<TransformKernels> made(new TransformKernels(
      code, isa, passes_of({points, any_factors(is_known), any_factors(is_wanted_there)})));
  if (!is_wanted(made->counts_.instructions)) return nullptr;
  made.reset(new TransformKernels(
      code, isa, passes_of(decoding_shape(code.field, is_known, is_zero, is_wanted_there))));
  made->location_of_input_.resize(points, kNowhere);
  made->place_of_output_.resize(points, kNowhere);
  for (const Cell cell : map.inputs) made->location_of_input_[point_of(cell)] = cell;
  for (const Cell cell : map.outputs) made->place_of_output_[point_of(cell)] = cell;
  made->counts_.vectors_read = map.inputs.size();
  made->counts_.vectors_written = map.outputs.size();
  made->skips_missing_ = true;
  made->finish();
  made->prove_places(code, map);
  return made;
}

TransformKernels::TransformKernels(const Code& code, Isa isa, TransformPasses passes)
    : kernel_(transform_kernel(code, isa)),
      form_(code.field, kernel_.form),
      passes_(std::move(passes)),
      unit_bytes_(std::lcm(kernel_.unit_bytes, kColumns)),
      block_bytes_(plane_block_bytes(code)) {
  count(isa, code.field.w());
}

/// Places of inputs and outputs of transforms that encode, and what computes lost data from them.
void TransformKernels::place_encoding(const Code& code, const LinearMap& map, const Parts& parts,
                                      Isa isa) {
  place_of_output_.resize(passes_.points(), kNone);
  location_of_input_.resize(padded(passes_.has_input().size(), passes_.points()), kNone);
  for (std::size_t j = 0; j < passes_.has_input().size(); ++j) {
    if (passes_.has_input()[j]) location_of_input_[j] = static_cast<std::uint32_t>(j);
  }
  if (parts.stored.empty()) {
    for (const std::size_t point : parts.lost_points) {
      place_of_output_[point] = static_cast<std::uint32_t>(code.k + point);
    }
    return;
  }
  const auto add_row = [&](std::size_t point) {
    place_of_output_[point] = static_cast<std::uint32_t>(num_rows_++);
  };
  for (const std::size_t point : parts.stored_points) {
    stored_.push_back(static_cast<std::uint32_t>(code.k + point));
    add_row(point);
  }
  std::ranges::for_each(parts.lost_points, add_row);
  // What is lost, from the syndromes and what the transforms make of lost redundancy.
  Code rows;
  rows.field = code.field;
  rows.arrangement = code.arrangement;
  rows.plane_bytes = code.plane_bytes;
  rows.locations = num_rows_ + map.outputs.size();
  LinearMap from_rows{{}, {}, Matrix(map.outputs.size(), num_rows_)};
  for (std::size_t row = 0; row < num_rows_; ++row) {
    from_rows.inputs.push_back(static_cast<Cell>(row));
  }
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    from_rows.outputs.push_back(static_cast<Cell>(num_rows_ + o));
    solved_.push_back(map.outputs[o]);
    for (std::size_t s = 0; s < parts.stored.size(); ++s) {
      from_rows.coefficients(o, s) = map.coefficients(o, parts.stored[s]);
    }
  }
  for (std::size_t l = 0; l < parts.lost.size(); ++l) {
    from_rows.coefficients(parts.lost[l], stored_.size() + l) = 1;
  }
  solve_ = std::make_unique<const WordKernels>(rows, direct_symbols(rows, from_rows), isa);
  const TileCounts& solving = solve_->counts();
  counts_.instructions += solving.instructions;
  counts_.operations += solving.operations;
  counts_.loads += solving.loads + 2 * stored_.size();
  counts_.stores += solving.stores;
  counts_.multiplications += solving.multiplications;
  counts_.vectors_read += stored_.size();
  counts_.vectors_written = solved_.size();
  cost_ += solve_->cost();
}

namespace {

void compare(const Code& code, const LinearMap& map, std::size_t output, std::size_t input,
             Field::Symbol factor) {
  if (factor == map.coefficients(output, input)) return;
  fail(Status::kInternal,
       fmt::format("transforms of {} give cell {} another factor in cell {} than its matrix",
                   code.name(), map.inputs[input], map.outputs[output]));
}

}  // namespace

/// Multiplies out what the steps do, and what follows them, and compares it with the map.
void TransformKernels::prove_encoding(const Code& code, const LinearMap& map,
                                      const Parts& parts) const {
  Matrix left(map.outputs.size(), passes_.points());
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    for (std::size_t s = 0; s < parts.stored.size(); ++s) {
      left(o, parts.stored_points[s]) = map.coefficients(o, parts.stored[s]);
    }
  }
  for (std::size_t l = 0; l < parts.lost.size(); ++l) left(parts.lost[l], parts.lost_points[l]) = 1;
  const Matrix product = passes_.product(code.field, left);
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    for (std::size_t c = 0; c < map.inputs.size(); ++c) {
      if (map.inputs[c] < code.k) compare(code, map, o, c, product(o, map.inputs[c]));
    }
  }
}

/// The same where inputs and outputs are cells.
void TransformKernels::prove_places(const Code& code, const LinearMap& map) const {
  const auto numbers = [&](const std::vector<std::uint32_t>& locations) {
    std::vector<std::size_t> number_of(code.locations, kNone);
    for (std::size_t number = 0; number < locations.size(); ++number) {
      if (locations[number] < kNowhere) number_of[locations[number]] = number;
    }
    return number_of;
  };
  const std::vector<std::size_t> input_of = numbers(location_of_input_);
  const std::vector<std::size_t> output_of = numbers(place_of_output_);
  Matrix left(map.outputs.size(), passes_.has_output().size());
  for (std::size_t o = 0; o < map.outputs.size(); ++o) left(o, output_of[map.outputs[o]]) = 1;
  const Matrix product = passes_.product(code.field, left);
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    for (std::size_t c = 0; c < map.inputs.size(); ++c) {
      compare(code, map, o, c, product(o, input_of[map.inputs[c]]));
    }
  }
}

/// Of the kernels that take syndromes to what was lost. A lost redundant cell adds one more row.
std::size_t TransformKernels::instructions_to_solve(const Code& code, const LinearMap& map,
                                                    const Parts& parts, Isa isa) {
  if (parts.stored.empty()) return 0;
  return dense_kernel_counts(code.field.w(), map.outputs.size(), parts.stored.size(), isa)
             .instructions +
         2 * parts.stored.size();
}

void TransformKernels::count(Isa isa, std::size_t w) {
  constexpr std::size_t kPortableProduct = 64;  // operations for 16 bytes, looked up one by one
  const std::size_t bytes = w / 8;
  const std::size_t products = passes_.multiplications() * bytes * bytes;
  const bool is_portable = vector_bytes(isa) == 0;
  const std::size_t lookups = has_gfni(isa) ? 1 : 2;
  counts_.multiplications = products * lookups;
  counts_.operations = passes_.additions() * bytes + 2 * counts_.multiplications +
                       (lookups - 1) * 3 * passes_.multiplications() * bytes;
  if (is_portable) counts_.operations += products * kPortableProduct;
  counts_.loads = passes_.loads() * bytes + counts_.multiplications;
  counts_.stores = passes_.stores() * bytes;
  counts_.vectors_read = static_cast<std::size_t>(std::ranges::count(passes_.has_input(), true));
  counts_.vectors_written =
      static_cast<std::size_t>(std::ranges::count(passes_.has_output(), true));
  counts_.vector_bytes = std::max<std::size_t>(16, vector_bytes(isa));
  counts_.instructions = counts_.operations + counts_.loads + counts_.stores;
  cost_ = passes_.multiplications() + passes_.additions() / 2;
}

std::size_t TransformKernels::memory_bytes() const noexcept {
  return sizeof *this + pool_->bytes() + factors_.size() +
         passes_.steps().size() * sizeof(TransformStep) +
         passes_.constants().size() * sizeof(Field::Symbol) + joined_.size() * sizeof(Joined) +
         (wide_place_.size() + strip_place_.size()) * sizeof(std::uint32_t) +
         (input_moves_.size() + output_moves_.size()) * sizeof(std::size_t) +
         (location_of_input_.size() + place_of_output_.size() + stored_.size() + solved_.size()) *
             sizeof(std::uint32_t) +
         (solve_ ? solve_->memory_bytes() : 0) + (past_caches_ ? past_caches_->memory_bytes() : 0) +
         (near_ ? near_->memory_bytes() : 0);
}

std::vector<const Computation*> TransformKernels::others() const {
  std::vector<const Computation*> others;
  for (const TransformKernels* other : {past_caches_.get(), near_.get()}) {
    if (other != nullptr) others.push_back(other);
  }
  return others;
}

/// Tiles in the caches and past them, turns of many vectors of what solves, and parts of a vector.
LoopSizes TransformKernels::loop_sizes() const noexcept {
  const std::size_t few = block_bytes_ == 0
                              ? 2 * counts_.vector_bytes
                              : std::max(unit_bytes_, block_bytes_) + 2 * block_bytes_;
  return {kTurnMultiple, few, 1};
}

std::optional<std::string> TransformKernels::find_wrong_product(const Field& field) const {
  const std::vector<Field::Symbol>& constants = passes_.constants();
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const std::uint8_t* const factor = factors_.data() + i * form_.bytes();
    if (auto wrong = form_.find_wrong_entry(field, constants[i], factor)) return wrong;
  }
  return solve_ ? solve_->find_wrong_product(field) : std::nullopt;
}

}  // namespace xorloom
