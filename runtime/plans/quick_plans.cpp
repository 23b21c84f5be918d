#include "runtime/plans/quick_plans.hpp"

#include <algorithm>
#include <utility>

#include "equations/build/sparse_sums.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/plans/plan_proof.hpp"
#include "runtime/plans/repair_plan.hpp"

namespace xorloom {
namespace {

/// Most terms of a map that kernels run by rows. If there are more, machine code pays at once.
constexpr std::size_t kMostTerms = std::size_t{1} << 15;
constexpr std::size_t kMostTermsOfBits = std::size_t{1} << 18;

/// Measured with AVX-512: making rows with a locator, proving them by codewords, running them.
constexpr double kNanosecondsOfRows = 1000;
constexpr double kNanosecondsOfByteMap = 16;
constexpr double kNanosecondsOfInstruction = 0.13;

/// Rows of fewer terms are made sooner than transforms and sums.
constexpr std::size_t kFewTerms = 512;
constexpr std::size_t kUsualChunk = 4096;

/// Nanoseconds that a plan of machine code takes to be made at least.
constexpr std::uint64_t kLeastMaking = 300'000;

/// Time to make the best plan, as a multiple of a fast search: 5 to 20 on packets, if the store has
/// neither plan.
constexpr std::uint64_t kBestToFirst = 10;

/// Factor by which due_ grows when making a plan failed.
constexpr std::uint64_t kDelay = 4;

}  // namespace

/// Nanoseconds that a plan of machine code takes to be made: an estimate until one was made.
std::uint64_t QuickPlans::usual_making(const Code& code) {
  const std::uint64_t terms = code.redundant.size() * code.data.size();
  if (code.arrangement == Arrangement::kWord) return 500'000 + 100 * terms;
  return kLeastMaking + 700 * terms * code.field.w() * code.field.w();
}

bool QuickPlans::fits(const PlanOptions& options) {
  const Executor executor = options.execution.executor;
  return (executor == Executor::kAuto || executor == Executor::kRanges) &&
         options.engine != Engine::kCode && options.style == EquationForm::kAuto &&
         options.effort == Effort::kAuto && options.rates == nullptr;
}

const TransformDecoder* QuickPlans::transforms() {
  if (code_.transform_points == 0) return nullptr;
  const auto make = [&]() -> std::unique_ptr<const TransformDecoder> {
    try {
      return TransformDecoder::make(code_, options_.isa);
    } catch (const Error&) {
      return nullptr;  // plans are made as for any other code
    }
  };
  return transforms_.get(make).get();
}

bool QuickPlans::is_accepted(const Computation& kernels) {
  const std::uint32_t rows = kernels.facts().kernel_rows;
  if ((rows & ~accepted_rows_.load(std::memory_order_acquire)) == 0) return true;
  try {
    accept_kernels(code_, options_.isa, rows);
  } catch (const Error&) {
    return false;  // plans are made as for anything else
  }
  accepted_rows_.fetch_or(rows, std::memory_order_release);
  return true;
}

/// True if rows take less time than transforms, making and proving included.
bool QuickPlans::takes_rows(const TransformDecoder& transforms, std::size_t outputs,
                            std::uint64_t decoded) const {
  const std::size_t terms = outputs * code_.k;
  if (terms > kMostTerms) return false;
  const std::size_t bytes = code_.field.w() / 8;
  const std::size_t chunk_bytes = decoded / code_.k;
  const std::size_t lines = chunk_bytes / kLineBytes + 2;
  const auto instructions = static_cast<double>(
      dense_kernel_counts(code_.field.w(), outputs, code_.k, options_.isa).instructions);
  const double nanoseconds = kNanosecondsOfRows +
                             kNanosecondsOfByteMap * static_cast<double>(terms * bytes * bytes) +
                             kNanosecondsOfInstruction * instructions * static_cast<double>(lines);
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
    try {
      transforms.codewords().check(*map, *kernels);
    } catch (const Error&) {
      return std::nullopt;
    }
    return make_proved_plan(code_, *map, options_, std::move(kernels));
  }
  std::optional<TransformDecoder::Decoding> made;
  try {
    made = transforms.decoding(lost, wanted);
  } catch (const Error& error) {
    if (error.kind() != Status::kInternal) throw;
  }
  if (!made) return std::nullopt;
  return make_proved_plan(code_, made->cells, options_, std::move(made->kernels));
}

/// A plan by the code's sums. If one location is lost, it reads the cells that the family knows.
std::optional<Plan> QuickPlans::by_sums(std::span<const std::size_t> lost,
                                        std::span<const std::size_t> wanted) {
  if (code_.subchunks == 1 || !Codewords::can_check(code_)) return std::nullopt;
  if (wanted.empty()) wanted = lost;
  const std::vector<bool> is_lost = location_flags(code_, lost, "lost");
  const std::vector<bool> is_wanted = wanted_flags(code_, wanted, lost, is_lost);
  LinearMap cells;
  for (Cell cell = 0; cell < code_.num_cells(); ++cell) {
    const std::size_t location = code_.location_of_cell(cell);
    if (!is_lost[location]) cells.inputs.push_back(cell);
    if (is_wanted[location]) cells.outputs.push_back(cell);
  }
  if (lost.size() == 1 && !code_.repair_cells.empty() && !code_.repair_cells[lost[0]].empty()) {
    cells.inputs = code_.repair_cells[lost[0]];
  }
  try {
    const std::optional<Program> program = program_by_sums(code_, cells.inputs, cells.outputs);
    if (!program) return std::nullopt;
    cells.inputs = program->inputs;
    auto kernels = std::make_unique<const WordKernels>(code_, *program, options_.isa);
    if (!is_accepted(*kernels)) return std::nullopt;
    codewords_.get([&] { return std::make_unique<const Codewords>(code_); })
        ->check(cells, *kernels);
    return make_proved_plan(code_, cells, options_, std::move(kernels));
  } catch (const Error& error) {
    if (error.kind() != Status::kInternal && error.kind() != Status::kUnsupported) throw;
    return std::nullopt;  // plans are made as for any other code
  }
}

/// Kernels for packets read the terms of each bit.
bool QuickPlans::are_few_terms(std::size_t inputs, std::size_t outputs) const {
  const std::size_t terms = inputs * outputs;
  if (code_.arrangement == Arrangement::kWord) return terms <= kMostTerms;
  return terms * code_.field.w() * code_.field.w() <= kMostTermsOfBits;
}

/// A plan of the rows of a proved map.
std::optional<Plan> QuickPlans::by_rows(const LinearMap& map) {
  auto kernels = kernels_of_rows(code_, map, options_.isa);
  if (!is_accepted(*kernels)) return std::nullopt;
  return make_proved_plan(code_, map, options_, std::move(kernels));
}

std::optional<QuickPlans::Made> QuickPlans::make(std::span<const std::size_t> lost,
                                                 std::span<const std::size_t> wanted,
                                                 std::uint64_t decoded) {
  const std::size_t outputs = (wanted.empty() ? lost : wanted).size() * code_.subchunks;
  if (!are_wanted_ || outputs == 0) return std::nullopt;
  const TransformDecoder* const transforms = this->transforms();
  std::optional<Plan> plan;
  if (transforms != nullptr) plan = by_points(*transforms, lost, wanted, decoded);
  if (!plan && outputs * code_.data.size() > kFewTerms) plan = by_sums(lost, wanted);
  // in_memory_map throws if the losses are wrong.
  if (!plan && are_few_terms(code_.data.size(), outputs)) {
    const LinearMap map = in_memory_map(code_, lost, wanted, 0);
    prove_map(map, code_, contents_);
    plan = by_rows(map);
  }
  if (!plan) return std::nullopt;
  return serving(*std::move(plan), decoded, code_.k * code_.rows(), making_nanoseconds());
}

/// A quick plan for a call of `bytes` bytes; a column has `bytes_of_column` of them. nullopt if
/// another plan, which takes `making` nanoseconds to be made, pays at once.
std::optional<QuickPlans::Made> QuickPlans::serving(Plan plan, std::uint64_t bytes,
                                                    std::uint64_t bytes_of_column,
                                                    std::uint64_t making) const {
  if (are_final()) return Made{std::move(plan), kNever};
  const std::uint64_t cost = PlanAccess::impl_of(plan).computation->cost();
  const std::uint64_t enough =
      making * kWorkOfNanosecond * bytes_of_column / std::max<std::uint64_t>(1, cost);
  if (bytes >= enough) return std::nullopt;
  return Made{std::move(plan), enough};
}

std::optional<QuickPlans::Made> QuickPlans::make(const LinearMap& map, std::uint64_t bytes) {
  if (!are_wanted_ || !are_few_terms(map.inputs.size(), map.outputs.size())) return std::nullopt;
  std::optional<Plan> plan = by_rows(map);
  if (!plan) return std::nullopt;
  // Plans of parts of the code take less time to be made.
  const std::uint64_t making =
      kLeastMaking + making_nanoseconds() * map.inputs.size() / code_.data.size();
  return serving(*std::move(plan), bytes, code_.rows(), making);
}

std::optional<Plan> QuickPlans::make_encoding() {
  if (!are_wanted_) return std::nullopt;
  if (code_.redundant.size() * code_.data.size() > kFewTerms) {
    const std::vector<std::size_t> redundant = locations_of(code_, code_.redundant);
    if (const TransformDecoder* const transforms = this->transforms()) {
      std::optional<Plan> plan = by_points(*transforms, redundant, {}, code_.k * kUsualChunk);
      if (plan) return plan;
    }
    if (std::optional<Plan> plan = by_sums(redundant, {})) return plan;
  }
  if (!are_few_terms(code_.data.size(), code_.redundant.size())) return std::nullopt;
  const LinearMap map = encoding_map(code_);
  prove_map(map, code_, contents_);
  std::optional<Plan> plan = by_rows(map);
  // The plan may run often: its factors are compared with products by shift and add, too.
  if (plan && PlanAccess::impl_of(*plan).computation->find_wrong_product(code_.field)) {
    return std::nullopt;
  }
  return plan;
}

void QuickPlans::note_making(std::uint64_t nanoseconds) noexcept {
  constexpr std::uint64_t kShare = 4;  // the last one counts 1/4
  const std::uint64_t before = making_nanoseconds_.load(std::memory_order_relaxed);
  making_nanoseconds_.store(before - before / kShare + nanoseconds / kShare,
                            std::memory_order_relaxed);
}

EncodingPlan::EncodingPlan(std::optional<Plan> quick, Make make, std::uint64_t nanoseconds)
    : make_(std::move(make)) {
  if (quick) {
    due_.store(nanoseconds, std::memory_order_relaxed);
    now_.store(&plans_[kByKernels].emplace(*std::move(quick)), std::memory_order_relaxed);
  } else {
    make_level(kSearchedLonger);
  }
}

/// Precondition: the caller holds `making_`.
const Plan& EncodingPlan::make_level(Level level) {
  const Plan& plan = plans_[level].emplace(make_(level == kSearchedLonger));
  now_.store(&plan, std::memory_order_release);
  spent_.store(0, std::memory_order_relaxed);
  return plan;
}

Plan EncodingPlan::best() {
  // The thread that holds the lock may take long, or be one of the process before a fork.
  const std::unique_lock lock(making_, std::try_to_lock);
  if (!lock) return make_(true);
  if (plans_[kSearchedLonger]) return *plans_[kSearchedLonger];
  const Plan& plan = make_level(kSearchedLonger);
  due_.store(kNever, std::memory_order_release);
  return plan;
}

/// Makes the next plan, on one thread. Other threads go on with the current plan.
void EncodingPlan::make_next() noexcept {
  const std::unique_lock lock(making_, std::try_to_lock);
  const std::uint64_t due = due_.load(std::memory_order_relaxed);
  if (!lock || due == kNever || spent_.load(std::memory_order_relaxed) < due) return;
  try {
    const auto begin = std::chrono::steady_clock::now();
    const Level level = plans_[kSearched] ? kSearchedLonger : kSearched;
    make_level(level);
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - begin;
    due_.store(level == kSearchedLonger ? kNever
                                        : kBestToFirst * static_cast<std::uint64_t>(taken.count()),
               std::memory_order_release);
  } catch (...) {
    // The current plan encodes the same bytes. Later there may be enough memory.
    due_.store(kDelay * due, std::memory_order_relaxed);
  }
}

}  // namespace xorloom
