#include "runtime/plans/batch_run.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "codes/text/counted.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/batch_stripes.hpp"

namespace xorloom {
namespace {

/// The failures of a batch: statuses for the caller, and the sentence of the first stripe.
class Failures {
 public:
  explicit Failures(const Batch& batch) noexcept : batch_(batch) {
    std::ranges::fill(batch.statuses, Status::kOk);
  }

  /// Records that `stripe` failed with the sentence of last_error(). Its first failure counts.
  void note(std::size_t stripe, Status status) noexcept {
    if (!batch_.statuses.empty() && batch_.statuses[stripe] == Status::kOk) {
      batch_.statuses[stripe] = status;
    }
    if (stripe >= first_) return;
    first_ = stripe;
    status_ = status;
    std::strncpy(sentence_.data(), last_error(), sentence_.size() - 1);
  }

  /// The status of the call. Precondition: every stripe was run or noted.
  Status result() const noexcept {
    if (first_ == SIZE_MAX) return Status::kOk;
    return report(status_, "stripe {}: {}", first_, sentence_.data());
  }

  /// Marks every stripe as failed with `status`, which it returns. No stripe was run.
  Status all(Status status) const noexcept {
    std::ranges::fill(batch_.statuses, status);
    return status;
  }

 private:
  const Batch& batch_;
  std::size_t first_ = SIZE_MAX;  ///< the first stripe that failed
  Status status_ = Status::kOk;   ///< status of stripe first_
  std::array<char, 1024> sentence_{};
};

Status check_shape(const Batch& batch) {
  const std::size_t count = batch.stripes.size();
  if (!batch.statuses.empty() && batch.statuses.size() != count) {
    return report(Status::kInvalidArgument, "{} statuses are not one for each of {} stripes",
                  batch.statuses.size(), count);
  }
  if (batch.chunk_bytes % batch.chunk_multiple != 0) {
    return report(Status::kInvalidArgument, "chunk_bytes = {} is not a multiple of {}",
                  batch.chunk_bytes, batch.chunk_multiple);
  }
  return Status::kOk;
}

/// A computation whose columns are the stripes of a batch, so that threads share these like a large
/// stripe. A stripe is kLineBytes columns, since ranges begin at multiples of that.
class StripesAsColumns final : public Computation {
 public:
  StripesAsColumns(const BatchStripes& stripes, std::size_t work) noexcept
      : Computation({.column_multiple = kLineBytes,
                     .cost = std::max<std::size_t>(1, work / columns_of(stripes))}),
        stripes_(stripes) {}

  static std::size_t columns_of(const BatchStripes& stripes) noexcept {
    return stripes.size() * kLineBytes;
  }

  std::size_t memory_bytes() const noexcept override { return sizeof *this; }

  void run(std::uint8_t* const*, std::size_t, std::size_t begin, std::size_t end,
           Stores) const noexcept override {
    for (std::size_t s = begin / kLineBytes; s < end / kLineBytes; ++s) {
      const BatchPlan* const plan = stripes_.plan(s);
      if (plan == nullptr || plan->runs_alone) continue;
      const Computation& computation = *plan->impl->computation;
      if (plan->is_crowded) {
        computation.run(stripes_.chunks[s], stripes_.chunk_bytes, 0, plan->columns, plan->stores);
      } else {
        computation.run_uncrowded(stripes_.chunks[s], stripes_.chunk_bytes, 0, plan->columns,
                                  plan->stores);
      }
    }
  }

 private:
  const BatchStripes& stripes_;
};

/// Runs the stripes that have a plan. Precondition: all pointers were checked.
void run_checked(const BatchStripes& stripes, Failures& failures) noexcept {
  std::size_t work = 0;  // work of the stripes that threads share
  for (std::size_t s = 0; s < stripes.size(); ++s) {
    BatchPlan* const plan = stripes.plan(s);
    if (plan == nullptr) continue;
    if (plan->runs_alone) {
      const Status status = run_checked(*plan->impl, stripes.chunks[s], stripes.chunk_bytes);
      if (status != Status::kOk) failures.note(s, status);
      continue;
    }
    work += plan->work;
    if (plan->was_looked_at) continue;
    plan->was_looked_at = true;
    // The first stripe decides for all. If others lie differently, they are only slower.
    plan->is_crowded = plan->impl->computation->are_crowded(stripes.chunks[s], stripes.chunk_bytes);
  }
  if (work == 0) return;
  execute(StripesAsColumns(stripes, work), nullptr, stripes.plans.front().impl->execution, nullptr,
          StripesAsColumns::columns_of(stripes));
}

bool can_run_all(const BatchStripes& stripes) {
  return are_ascending(stripes) || are_ascending_by_location(stripes) || are_apart(stripes);
}

/// Notes the stripes that must not run as failed, and removes their plans.
///
/// Shape:  plan_of_stripe is not empty.
/// Errors: throws std::bad_alloc.
void refuse_wrong(const BatchStripes& stripes, Failures& failures) {
  const auto refuse = [&](std::size_t stripe, Status status) {
    failures.note(stripe, status);
    stripes.plan_of_stripe[stripe] = BatchStripes::kNone;
  };
  for (std::size_t s = 0; s < stripes.size(); ++s) {
    const BatchPlan* const plan = stripes.plan(s);
    if (plan == nullptr) continue;
    const Status status = check_chunks(*plan->impl, stripes.chunks[s], stripes.chunk_bytes);
    if (status != Status::kOk) refuse(s, status);
  }
  for (const StripeOverlap& overlap : find_overlaps(stripes)) {
    const Status status =
        report(Status::kInvalidArgument, "chunk {} overlaps a chunk of stripe {} within {}, and {}",
               overlap.location, overlap.other_stripe, counted(stripes.chunk_bytes, "byte"),
               overlap.is_written ? "is written" : "that one is written");
    refuse(overlap.stripe, status);
  }
}

/// The stripes of a batch by what they have lost.
struct LossGroups {
  struct Group {
    std::size_t first;  ///< the first stripe of the group
    std::size_t stripes = 0;
  };
  std::vector<Group> groups;
  std::vector<std::uint32_t> of_stripe;  ///< index into `groups`
};

/// Errors: throws std::bad_alloc.
LossGroups group(LossesOfStripes losses, std::size_t stripes) {
  LossGroups result;
  result.of_stripe.resize(stripes);
  if (losses.size() == 1) {
    result.groups.push_back({0, stripes});
    return result;
  }
  std::vector<std::uint32_t> table(std::bit_ceil(2 * stripes), UINT32_MAX);  // hash table of groups
  for (std::size_t s = 0; s < stripes; ++s) {
    std::uint32_t found = s != 0 ? result.of_stripe[s - 1] : UINT32_MAX;
    if (s == 0 || !std::ranges::equal(losses[s], losses[s - 1])) {
      std::uint64_t hash = losses[s].size();
      for (const std::size_t location : losses[s]) {
        hash = (hash ^ location) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
      }
      for (std::size_t slot = hash;; ++slot) {
        std::uint32_t& entry = table[slot & (table.size() - 1)];
        if (entry == UINT32_MAX) {
          entry = static_cast<std::uint32_t>(result.groups.size());
          result.groups.push_back({s});
        }
        found = entry;
        if (std::ranges::equal(losses[result.groups[found].first], losses[s])) break;
      }
    }
    result.of_stripe[s] = found;
    ++result.groups[found].stripes;
  }
  return result;
}

}  // namespace

Status run_batch(const Plan& plan, const Batch& batch) noexcept {
  Failures failures(batch);
  if (const Status status = check_shape(batch); status != Status::kOk) return failures.all(status);
  if (batch.stripes.empty() || batch.chunk_bytes == 0) return Status::kOk;
  try {
    BatchPlan of_all(PlanAccess::impl_of(plan), batch.chunk_bytes, batch.stripes.size());
    BatchStripes stripes{batch.stripes, batch.chunk_bytes, {&of_all, 1}};
    std::vector<std::uint32_t> plan_of_stripe;
    if (!can_run_all(stripes)) {
      plan_of_stripe.resize(stripes.size());
      stripes.plan_of_stripe = plan_of_stripe;
      refuse_wrong(stripes, failures);
    }
    run_checked(stripes, failures);
    return failures.result();
  } catch (...) {
    return failures.all(report_exception());
  }
}

Status run_batch(const PlanOfLosses& plan_of, LossesOfStripes losses, const Batch& batch) noexcept {
  Failures failures(batch);
  const std::size_t count = batch.stripes.size();
  if (const Status status = check_shape(batch); status != Status::kOk) return failures.all(status);
  if (losses.size() != 1 && losses.size() != count) {
    return failures.all(report(Status::kInvalidArgument,
                               "{} sets of losses are not one for each of {} stripes, nor one",
                               losses.size(), count));
  }
  if (count == 0) return Status::kOk;
  try {
    LossGroups sets = group(losses, count);
    std::vector<Plan> made;  // plans live until all have run
    std::vector<BatchPlan> plans;
    std::vector<std::uint32_t> plan_of_group(sets.groups.size(), BatchStripes::kNone);
    std::vector<Status> why(sets.groups.size(), Status::kOk);
    made.reserve(sets.groups.size());
    plans.reserve(sets.groups.size());
    for (std::size_t g = 0; g < sets.groups.size(); ++g) {
      const LossGroups::Group& those = sets.groups[g];
      try {
        made.push_back(plan_of(losses[those.first], those.stripes));
        plan_of_group[g] = static_cast<std::uint32_t>(plans.size());
        plans.emplace_back(PlanAccess::impl_of(made.back()), batch.chunk_bytes, count);
      } catch (...) {
        why[g] = report_exception();
        failures.note(those.first, why[g]);
      }
    }
    for (std::size_t s = 0; s < count; ++s) {
      std::uint32_t& entry = sets.of_stripe[s];
      if (why[entry] != Status::kOk) failures.note(s, why[entry]);
      entry = plan_of_group[entry];
    }
    if (batch.chunk_bytes == 0) return failures.result();
    const BatchStripes stripes{batch.stripes, batch.chunk_bytes, plans, sets.of_stripe};
    if (!can_run_all(stripes)) refuse_wrong(stripes, failures);
    run_checked(stripes, failures);
    return failures.result();
  } catch (...) {
    return failures.all(report_exception());
  }
}

}  // namespace xorloom
