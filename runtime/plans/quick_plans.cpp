#include "runtime/plans/quick_plans.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/plans/repair_plan.hpp"

namespace xorloom {
namespace {

/// Of the map of a plan and of what encodes: more are worth machine code at once.
constexpr std::size_t kMostTerms = std::size_t{1} << 15;

/// What making rows with a locator, proving them by codewords and running them took with AVX-512.
constexpr double kNanosecondsOfRows = 1000;
constexpr double kNanosecondsOfByteMap = 16;
constexpr double kNanosecondsOfInstruction = 0.13;

/// Rows of fewer terms are made sooner than transforms.
constexpr std::size_t kFewTerms = 512;
constexpr std::size_t kUsualChunk = 4096;

}  // namespace

/// What a plan of machine code takes to be made, about, until one was.
std::uint64_t QuickPlans::usual_making(const Code& code) {
  const std::uint64_t terms = code.redundant.size() * code.data.size();
  if (code.arrangement == Arrangement::kWord) return 500'000 + 100 * terms;
  return 300'000 + 700 * terms * code.field.w() * code.field.w();
}

bool QuickPlans::fits(const PlanOptions& options) {
  const Executor executor = options.execution.executor;
  return (executor == Executor::kAuto || executor == Executor::kRanges) &&
         options.engine == Engine::kAuto && options.style == EquationForm::kAuto &&
         options.effort == Effort::kAuto && options.rates == nullptr;
}

const TransformDecoder* QuickPlans::transforms() {
  if (code_.transform_points == 0) return nullptr;
  std::call_once(making_transforms_, [&] {
    try {
      transforms_ = TransformDecoder::make(code_, options_.isa);
    } catch (const Error&) {
      // Plans are made as for any other code.
    }
  });
  return transforms_.get();
}

bool QuickPlans::is_accepted(const Computation& kernels) {
  const std::uint32_t rows = kernels.kernel_rows();
  if ((rows & ~accepted_rows_.load(std::memory_order_acquire)) == 0) return true;
  try {
    accept_kernels(code_, options_.isa, rows);
  } catch (const Error&) {
    return false;  // plans are made as for anything else
  }
  accepted_rows_.fetch_or(rows, std::memory_order_release);
  return true;
}

/// Whether rows take less time than transforms, from the losses on.
bool QuickPlans::takes_rows(const TransformDecoder& transforms, std::size_t outputs,
                            std::uint64_t decoded) const {
  const std::size_t terms = outputs * code_.k;
  if (terms > kMostTerms) return false;
  const std::size_t bytes = code_.field.w() / 8;
  const std::size_t chunk_bytes = decoded / code_.k;
  const auto instructions = static_cast<double>(
      dense_kernel_counts(code_.field.w(), outputs, code_.k, options_.isa).instructions);
  const double nanoseconds =
      kNanosecondsOfRows + kNanosecondsOfByteMap * static_cast<double>(terms * bytes * bytes) +
      kNanosecondsOfInstruction * instructions * static_cast<double>(chunk_bytes / kLineBytes + 2);
  return nanoseconds < transforms.nanoseconds(chunk_bytes);
}

std::optional<Plan> QuickPlans::by_points(const TransformDecoder& transforms,
                                          std::span<const std::size_t> lost,
                                          std::span<const std::size_t> wanted,
                                          std::uint64_t decoded) {
  const std::size_t outputs = wanted.empty() ? lost.size() : wanted.size();
  if (takes_rows(transforms, outputs, decoded)) {
    const std::optional<LinearMap> map = transforms.map(lost, wanted);
    if (!map) return std::nullopt;
    auto kernels = kernels_of_rows(code_, *map, options_.isa);
    if (!is_accepted(*kernels)) return std::nullopt;
    transforms.codewords().check(*map, *kernels);
    return make_proved_plan(code_, *map, options_, std::move(kernels));
  }
  std::optional<TransformDecoder::Decoding> made = transforms.decoding(lost, wanted);
  if (!made) return std::nullopt;
  return make_proved_plan(code_, made->cells, options_, std::move(made->kernels));
}

std::optional<Plan> QuickPlans::by_map(const LinearMap& map) {
  if (map.inputs.size() * map.outputs.size() > kMostTerms) return std::nullopt;
  Plan plan = make_kernel_plan(code_, map, options_);
  if (!is_accepted(*PlanAccess::impl_of(plan).computation)) return std::nullopt;
  return plan;
}

std::optional<QuickPlans::Made> QuickPlans::make(std::span<const std::size_t> lost,
                                                 std::span<const std::size_t> wanted,
                                                 std::uint64_t decoded) {
  const std::size_t outputs = (wanted.empty() ? lost : wanted).size() * code_.subchunks;
  if (!are_wanted_ || outputs == 0) return std::nullopt;
  const TransformDecoder* const transforms = this->transforms();
  std::optional<Plan> plan;
  if (transforms != nullptr) plan = by_points(*transforms, lost, wanted, decoded);
  // The map says what is wrong with the losses.
  if (!plan && outputs * code_.data.size() <= kMostTerms) {
    plan = by_map(in_memory_map(code_, lost, wanted));
  }
  if (!plan) return std::nullopt;
  const Computation& computation = *PlanAccess::impl_of(*plan).computation;
  const std::uint64_t data_columns = code_.k * code_.rows();  // bytes of data to a column
  const std::uint64_t enough = making_nanoseconds() * kWorkOfNanosecond * data_columns /
                               std::max<std::uint64_t>(1, computation.cost());
  if (decoded >= enough) return std::nullopt;
  return Made{*std::move(plan), enough};
}

std::optional<Plan> QuickPlans::make_encoding() {
  if (!are_wanted_) return std::nullopt;
  if (code_.redundant.size() * code_.data.size() > kFewTerms) {
    if (const TransformDecoder* const transforms = this->transforms()) {
      const std::vector<std::size_t> redundant(code_.redundant.begin(), code_.redundant.end());
      std::optional<Plan> plan = by_points(*transforms, redundant, {}, code_.k * kUsualChunk);
      if (plan) return plan;
    }
  }
  return by_map(encoding_map(code_));
}

void QuickPlans::note_making(std::uint64_t nanoseconds) noexcept {
  constexpr std::uint64_t kShare = 4;  // of the last one
  const std::uint64_t before = making_nanoseconds_.load(std::memory_order_relaxed);
  making_nanoseconds_.store(before - before / kShare + nanoseconds / kShare,
                            std::memory_order_relaxed);
}

}  // namespace xorloom
