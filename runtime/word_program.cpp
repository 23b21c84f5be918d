#include "runtime/word_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "codes/error.hpp"

namespace xorloom {
namespace {

/// Of each input, at least: what is fetched ahead is a slice of all inputs, and while the steps go
/// over one slice it is the less disturbed the less there is.
constexpr std::size_t kMinSliceBytes = 768;

/// Where all cells together have fewer bytes they stay in the second cache, and fetching ahead costs.
constexpr std::size_t kPrefetchBytes = std::size_t{2} << 20;

const WordKernels& word_kernels(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::kSsse3:
      return kSsse3Words;
    case Isa::kAvx2:
      return kAvx2Words;
    case Isa::kAvx2Gfni:
      return kAvx2GfniWords;
    case Isa::kAvx512:
      return kAvx512Words;
    case Isa::kAvx512Gfni:
      return kAvx512GfniWords;
#elif defined(__aarch64__)
    case Isa::kNeon:
      return kNeonWords;
#endif
    case Isa::kPortable:
      return kPortableWords;
    default:
      fail(Status::kUnsupported, fmt::format("this build has no kernels for {}", to_string(isa)));
  }
}

WordKernel word_kernel(std::size_t w, Isa isa) {
  switch (w) {
    case 4:
      return word_kernels(isa).nibbles;
    case 8:
      return word_kernels(isa).bytes;
    case 16:
      return word_kernels(isa).pairs;
    case 32:
      return word_kernels(isa).quads;
    default:
      fail(Status::kUnsupported, fmt::format("w = {}, but words have 4, 8, 16 or 32 bits", w));
  }
}

void finish_non_temporal_stores() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

}  // namespace

WordProgram::WordProgram(const Code& code, const LinearMap& map, Isa isa, const CodeMaking& making)
    : code_(WordCode::make(code, map, isa, making)),
      subchunks_(code.subchunks),
      kernel_(word_kernel(code.field.w(), isa)),
      form_(code.field, kernel_.form),
      reduction_(static_cast<std::uint32_t>(code.field.polynomial() ^ code.field.size())),
      few_bytes_(std::max<std::size_t>(8, vector_bytes(isa)) * code.field.w() / 8),
      num_cells_(std::max<std::size_t>(1, map.inputs.size() + map.outputs.size())) {
  std::map<std::vector<std::size_t>, std::size_t> number_of;
  std::vector<std::vector<std::size_t>> outputs;
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    const auto row = map.coefficients.row(o);
    std::vector<std::size_t> support;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] != 0) support.push_back(i);
    }
    const auto [known, is_new] = number_of.try_emplace(std::move(support), outputs.size());
    if (is_new) outputs.emplace_back();
    outputs[known->second].push_back(o);
  }
  for (const auto& group : outputs) add_steps(map, group);
  for (const Step& step : steps_) {
    turn_bytes_ = std::lcm(turn_bytes_, kernel_.turn_bytes[step.rows - 1]);
  }
}

/// Steps of about as many rows each.
void WordProgram::add_steps(const LinearMap& map, const std::vector<std::size_t>& outputs) {
  const std::size_t parts = (outputs.size() + kernel_.max_rows - 1) / kernel_.max_rows;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = part * outputs.size() / parts;
    const std::size_t end = (part + 1) * outputs.size() / parts;
    add_step(map, std::span(outputs).subspan(begin, end - begin));
    steps_.back().part = part;
    steps_.back().parts = parts;
  }
}

/// The outputs have the same inputs.
void WordProgram::add_step(const LinearMap& map, std::span<const std::size_t> outputs) {
  const auto alpha = static_cast<Cell>(subchunks_);
  Step step{sources_.size(), 0, 0, 0, coefficients_.size(), targets_.size(), outputs.size(), 0, 1};
  for (const std::size_t o : outputs) {
    targets_.push_back({map.outputs[o] / alpha, map.outputs[o] % alpha});
  }
  const std::uint32_t all = (1U << outputs.size()) - 1;
  const auto ones_of = [&](std::size_t input) {
    std::uint32_t ones = 0;
    for (std::size_t r = 0; r < outputs.size(); ++r) {
      if (map.coefficients(outputs[r], input) == 1) ones |= 1U << r;
    }
    return ones;
  };
  const auto add_sources = [&](const auto& is_wanted) {
    const std::size_t before = sources_.size();
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
      if (map.coefficients(outputs.front(), i) == 0) continue;
      const std::uint32_t ones = ones_of(i);
      if (!is_wanted(ones)) continue;
      sources_.push_back({map.inputs[i] / alpha, map.inputs[i] % alpha, ones});
      if (ones == all) continue;
      for (const std::size_t o : outputs) {
        coefficients_.push_back(map.coefficients(o, i));
        factors_.resize(factors_.size() + form_.bytes());
        form_.write(coefficients_.back(), factors_.data() + factors_.size() - form_.bytes());
      }
    }
    return sources_.size() - before;
  };
  step.num_plain = add_sources([&](std::uint32_t ones) { return ones == all; });
  step.num_without_ones = add_sources([&](std::uint32_t ones) { return ones == 0; });
  add_sources([&](std::uint32_t ones) { return ones != 0 && ones != all; });
  step.num_sources = sources_.size() - step.first_source;
  steps_.push_back(step);
}

std::size_t WordProgram::memory_bytes() const noexcept {
  return (code_ ? code_->code_bytes() : 0) + steps_.size() * sizeof steps_[0] +
         sources_.size() * sizeof sources_[0] + targets_.size() * sizeof targets_[0] +
         coefficients_.size() * sizeof coefficients_[0] + factors_.size();
}

std::size_t WordProgram::step_cost(std::size_t step) const noexcept {
  return std::max<std::size_t>(1, steps_[step].num_sources * steps_[step].rows);
}

void WordProgram::run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                      std::size_t end, Stores stores) const noexcept {
  if (!code_) return run_steps(0, num_steps(), chunks, chunk_bytes, begin, end, stores);
  const std::size_t tiles_end = begin + (end - begin) / code_->tile_bytes() * code_->tile_bytes();
  code_->run(chunks, chunk_bytes / subchunks_, {begin, tiles_end}, stores);
  run_steps(0, num_steps(), chunks, chunk_bytes, tiles_end, end, Stores::kOrdinary);
}

void WordProgram::run_steps(std::size_t first, std::size_t last, std::uint8_t* const* chunks,
                            std::size_t chunk_bytes, std::size_t begin, std::size_t end,
                            Stores stores) const noexcept {
  WordBlock block{};
  block.reduction = reduction_;
  block.chunks = chunks;
  block.subchunk_bytes = chunk_bytes / subchunks_;
  const bool is_alone = last - first <= 1;
  const std::size_t fetched =
      is_alone ? turn_bytes_ : (kMinSliceBytes + turn_bytes_ - 1) / turn_bytes_ * turn_bytes_;
  if (columns(chunk_bytes) >= kPrefetchBytes / num_cells_) block.prefetch_ahead = fetched;
  for (std::size_t column = begin; column < end;) {
    block.column = column;
    block.bytes = is_alone ? end - column : std::min(fetched, end - column);
    for (std::size_t s = first; s < last; ++s) {
      const Step& step = steps_[s];
      block.sources = sources_.data() + step.first_source;
      block.num_plain = step.num_plain;
      block.num_without_ones = step.num_without_ones;
      block.num_sources = step.num_sources;
      block.factors = factors_.data() + step.first_factor * form_.bytes();
      block.rows = step.rows;
      block.part = is_alone ? 0 : step.part;
      block.parts = is_alone ? 1 : step.parts;
      block.streams = stores == Stores::kNonTemporal;
      for (std::size_t r = 0; r < step.rows; ++r) {
        const Target target = targets_[step.first_target + r];
        block.targets[r] =
            chunks[target.location] + target.subchunk * block.subchunk_bytes + column;
        if (reinterpret_cast<std::uintptr_t>(block.targets[r]) % 64 != 0) block.streams = false;
      }
      kernel_.combine(block);
    }
    column += block.bytes;
  }
  if (stores == Stores::kNonTemporal) finish_non_temporal_stores();
}

std::optional<std::string> WordProgram::find_wrong_product(const Field& field) const {
  const std::uint32_t expected = field.multiply_by_shifts(1U << (field.w() - 1), 2);
  if (reduction_ != expected) {
    return fmt::format("x^{} is {:#x}, not {:#x}", field.w(), reduction_, expected);
  }
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    const std::uint8_t* factor = factors_.data() + i * form_.bytes();
    if (auto wrong = form_.find_wrong_entry(field, coefficients_[i], factor)) return wrong;
  }
  return std::nullopt;
}

}  // namespace xorloom
