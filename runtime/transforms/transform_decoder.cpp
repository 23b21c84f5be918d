#include "runtime/transforms/transform_decoder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/engine/accept.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kBytes = 256;  ///< values of a byte

/// Measured with AVX-512 for 16 to 2048 points: making and proving a decoder took 20 to 35 ns per
/// point, and running it 0.06 to 0.15 ns per instruction and line.
constexpr double kNanosecondsOfDecoder = 500;
constexpr double kNanosecondsOfPoint = 30;
constexpr double kNanosecondsOfInstruction = 0.1;

std::vector<std::uint8_t> factors_of_bytes(const WordFactors& form) {
  const std::size_t size = form.bytes();
  const std::size_t bytes = form.field().w() / 8;
  std::vector<std::uint8_t> factors(bytes * kBytes * size);
  for (std::size_t b = 0; b < bytes; ++b) {
    std::uint8_t* const first = factors.data() + b * kBytes * size;
    for (std::size_t bit = 0; bit < 8; ++bit) {
      const std::size_t half = std::size_t{1} << bit;
      std::uint8_t* const added = first + half * size;
      form.write(Field::Symbol{1} << (8 * b + bit), added);
      for (std::size_t v = 1; v < half; ++v) {
        for (std::size_t i = 0; i < size; ++i) {
          added[v * size + i] = static_cast<std::uint8_t>(added[i] ^ first[v * size + i]);
        }
      }
    }
  }
  return factors;
}

/// `count` locations at about equal distances.
///
/// Shape: count is at most the number of redundant locations.
std::vector<std::size_t> spread_losses(const Code& code, std::size_t count) {
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < count; ++i) lost.push_back(i * code.locations / count);
  return lost;
}

}  // namespace

std::unique_ptr<const TransformDecoder> TransformDecoder::make(const Code& code, Isa isa) {
  auto all = TransformKernels::make_decoding_of_all(code, isa);
  if (all == nullptr) return nullptr;
  std::unique_ptr<const TransformDecoder> decoder(new TransformDecoder(code, std::move(all)));
  decoder->accept();
  return decoder;
}

TransformDecoder::TransformDecoder(const Code& code, std::unique_ptr<const TransformKernels> all)
    : code_(code),
      all_(std::move(all)),
      locator_(code.field, all_->passes().points()),
      codewords_(code),
      known_constant_(all_->passes().points()),
      wanted_constant_(all_->passes().points()),
      factors_of_bytes_(factors_of_bytes(all_->form())) {
  for (const TransformStep& step : all_->passes().steps()) {
    const std::uint32_t rows = std::uint32_t{1} << step.levels;
    for (std::uint32_t i = 0; i < rows; ++i) {
      if (step.kind == TransformKind::kScaledInputs) {
        known_constant_[step.row + i] = step.first_constant + i;
      } else if (step.kind == TransformKind::kScaledOutputs) {
        wanted_constant_[step.row + i] = step.first_constant + rows - 1 + i;
      }
    }
  }
}

void TransformDecoder::set_factor(Field::Symbol factor, std::uint32_t constant,
                                  std::vector<std::uint8_t>& factors) const {
  const std::size_t size = all_->form().bytes();
  std::uint8_t* const to = factors.data() + constant * size;
  const std::uint8_t* const low = factors_of_bytes_.data() + factor % kBytes * size;
  if (code_.field.w() == 8) {
    std::memcpy(to, low, size);
    return;
  }
  const std::uint8_t* const high = factors_of_bytes_.data() + (kBytes + factor / kBytes) * size;
  for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<std::uint8_t>(low[i] ^ high[i]);
}

std::optional<TransformDecoder::Located> TransformDecoder::located(
    std::span<const std::size_t> lost, std::span<const std::size_t> wanted) const {
  enum : std::uint8_t { kThere, kLost, kWanted };
  std::vector<std::uint8_t> state(code_.locations, kThere);
  std::size_t unread = 0;  // lost data cells, for each of which redundancy is read
  for (const std::size_t location : lost) {
    if (location >= code_.locations || state[location] != kThere) return std::nullopt;
    state[location] = wanted.empty() ? kWanted : kLost;
    if (location < code_.k) ++unread;
  }
  for (const std::size_t location : wanted) {
    if (location >= code_.locations || state[location] != kLost) return std::nullopt;
    state[location] = kWanted;
  }
  Located located;
  located.cells.inputs.reserve(code_.k);
  located.cells.outputs.reserve(wanted.empty() ? lost.size() : wanted.size());
  located.logarithms.resize(all_->passes().points());
  std::fill_n(located.logarithms.begin(), code_.transform_points + code_.k, 1);
  for (Cell cell = 0; cell < code_.num_cells(); ++cell) {
    if (state[cell] == kWanted) {
      located.cells.outputs.push_back(cell);
    } else if (state[cell] == kThere && (cell < code_.k || unread != 0)) {
      if (cell >= code_.k) --unread;
      located.cells.inputs.push_back(cell);
      located.logarithms[point_of(cell)] = 0;
    }
  }
  if (unread != 0) return std::nullopt;
  locator_.to_logarithms(located.logarithms);
  return located;
}

TransformDecoder::Decoding TransformDecoder::unproved(Located located, bool is_past_caches) const {
  const std::size_t points = all_->passes().points();
  TransformKernels::Decoding decoding{
      std::vector<std::uint32_t>(points, PlacedTransforms::kNowhere),
      std::vector<std::uint32_t>(points, PlacedTransforms::kNowhere), all_->factors(),
      located.cells.inputs.size(), located.cells.outputs.size()};
  const auto order = static_cast<std::uint32_t>(code_.field.size() - 1);
  const auto logarithm = [&](std::size_t point) {
    return static_cast<std::uint32_t>(located.logarithms[point]);
  };
  for (const Cell cell : located.cells.inputs) {
    const std::size_t point = point_of(cell);
    decoding.location_of_input[point] = cell;
    set_factor(code_.field.exponential(logarithm(point)), known_constant_[point], decoding.factors);
  }
  for (const Cell cell : located.cells.outputs) {
    const std::size_t point = point_of(cell);
    decoding.place_of_output[point] = cell;
    set_factor(code_.field.exponential(order - logarithm(point)), wanted_constant_[point],
               decoding.factors);
  }
  return {std::move(located.cells), all_->with(std::move(decoding), is_past_caches)};
}

std::optional<TransformDecoder::Decoding> TransformDecoder::decoding(
    std::span<const std::size_t> lost, std::span<const std::size_t> wanted) const {
  std::optional<Located> located = this->located(lost, wanted);
  if (!located) return std::nullopt;
  Decoding made = unproved(*std::move(located), false);
  codewords_.check(made.cells, *made.kernels);
  return made;
}

std::optional<LinearMap> TransformDecoder::map(std::span<const std::size_t> lost,
                                               std::span<const std::size_t> wanted) const {
  std::optional<Located> located = this->located(lost, wanted);
  if (!located) return std::nullopt;
  LinearMap map = std::move(located->cells);
  map.coefficients = Matrix(map.outputs.size(), map.inputs.size());
  const auto order = static_cast<std::uint32_t>(code_.field.size() - 1);
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    const auto point = static_cast<Field::Symbol>(point_of(map.outputs[o]));
    const auto derivative = static_cast<std::uint32_t>(located->logarithms[point]);
    const std::span<Field::Symbol> row = map.coefficients.row(o);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto known = static_cast<Field::Symbol>(point_of(map.inputs[i]));
      std::uint32_t divisor = derivative + code_.field.logarithm(point ^ known);
      if (divisor >= order) divisor -= order;
      row[i] = code_.field.exponential(static_cast<std::uint32_t>(located->logarithms[known]) +
                                       order - divisor);
    }
  }
  return map;
}

/// Accepts a decoder of the most losses, spread over all locations: on chunks within one tile, and
/// on chunks of more than one tile.
void TransformDecoder::accept() const {
  // is_past_caches: non-temporal stores are tried, too.
  const Decoding made = unproved(*located(spread_losses(code_, code_.redundant.size()), {}), true);
  const std::size_t unit = chunk_multiple(code_);
  const std::size_t tile = made.kernels->facts().tile_columns;
  for (const std::size_t bytes : {unit, (tile / unit + 6) * unit}) {
    xorloom::accept(code_, codewords_.test_case(made.cells, bytes), *made.kernels);
  }
}

double TransformDecoder::nanoseconds(std::size_t chunk_bytes) const {
  const auto points = static_cast<double>(all_->passes().points());
  const std::size_t lines = chunk_bytes / kLineBytes + 1;
  return kNanosecondsOfDecoder + points * kNanosecondsOfPoint +
         kNanosecondsOfInstruction * static_cast<double>(all_->counts().instructions) *
             static_cast<double>(lines);
}

}  // namespace xorloom
