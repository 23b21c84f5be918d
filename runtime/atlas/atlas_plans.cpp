#include "runtime/atlas/atlas_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/repair_plan.hpp"

namespace xorloom {
namespace {

/// True if each of `locations` has at least one of `elements` (ascending).
bool are_all_read(const Code& code, std::span<const std::size_t> locations,
                  const std::vector<Element>& elements) {
  const std::size_t rows = units_of_chunk(code);
  return std::ranges::all_of(locations, [&](std::size_t location) {
    const auto first = std::ranges::lower_bound(elements, location * rows);
    return first != elements.end() && *first / rows == location;
  });
}

bool is_any_read(const Code& code, std::span<const std::size_t> locations,
                 const std::vector<Element>& elements) {
  return std::ranges::any_of(locations, [&](std::size_t location) {
    return are_all_read(code, {&location, 1}, elements);
  });
}

}  // namespace

AtlasPlans::AtlasPlans(const std::string& path, const Code& code, const PlanOptions& options) {
  if (path.empty()) return;
  if (options.style == EquationForm::kDirect && word_bits_of(code) == 0) {
    fail(Status::kInvalidArgument,
         fmt::format(
             "style = direct asks for direct equations, but the atlas {} holds iterative ones",
             path));
  }
  atlas_.emplace(path);
  atlas_->check_code(code);
}

std::optional<Plan> AtlasPlans::encoding(const Code& code, const PlanOptions& options) const {
  return plan(code, options, {}, {}, {});
}

std::optional<Plan> AtlasPlans::decoding(const Code& code, const PlanOptions& options,
                                         Locations lost, Locations wanted,
                                         Locations at_hand) const {
  if (!atlas_) return std::nullopt;
  const std::vector<bool> is_lost = location_flags(code, lost, "lost");
  const bool are_lost = std::ranges::all_of(
      wanted, [&](std::size_t location) { return location < code.locations && is_lost[location]; });
  if (lost.empty() || !are_lost) return std::nullopt;
  return plan(code, options, wanted.empty() ? lost : wanted, lost, at_hand);
}

Plan AtlasPlans::repair(const Code& code, const PlanOptions& options, const Repair& repair) const {
  if (are_survivors_alike(code, repair)) {
    auto plan = decoding(code, options, repair.erased, repair.wanted, repair.at_hand);
    if (plan) return *std::move(plan);
  }
  return make_repair_plan(code, repair, options);
}

std::optional<Plan> AtlasPlans::plan(const Code& code, const PlanOptions& options,
                                     Locations pattern, Locations lost, Locations at_hand) const {
  if (!atlas_) return std::nullopt;
  try {
    std::optional<Atlas::Found> found = atlas_->find(code, pattern);
    if (!found) return std::nullopt;
    const std::vector<Element>& reads = found->equations.inputs;
    if (is_any_read(code, lost, reads) || !are_all_read(code, at_hand, reads)) return std::nullopt;
    PlanOptions how = options;
    if (!found->two_way) how.effort = Effort::kFast;  // a greedy order takes no time to speak of
    const auto machine = vector_machine(how.isa, code.packet_bytes);
    Plan plan = make_plan(code, found->equations, how,
                          machine ? found->order(machine->xor_operands) : nullptr);
    made_.fetch_add(1, std::memory_order_relaxed);
    return plan;
  } catch (const Error& error) {
    const Status kind = error.kind();
    // Too much for this machine's kernels, or machine code is wanted and there is none.
    if (kind == Status::kUnsupported) return std::nullopt;
    if (kind != Status::kDamaged && kind != Status::kInternal && kind != Status::kParse) throw;
    damaged_.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }
}

void AtlasPlans::count(PlanCounts& counts) const noexcept {
  counts.from_atlas += made_.load(std::memory_order_relaxed);
  counts.atlas_damaged += damaged_.load(std::memory_order_relaxed);
}

}  // namespace xorloom
