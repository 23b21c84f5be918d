#include "cli/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace xorloom::cli {
namespace {

using Sets = std::vector<const ReportSet*>;

std::string times(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// "24 XORs, proved minimal; 45 direct."
std::string xors_sentence(const Sets& sets) {
  const ReportSet& best =
      **std::ranges::min_element(sets, {}, [](const ReportSet* set) { return set->cost.xors; });
  std::string text = times(best.cost.xors, "XOR");
  if (best.lower_bound == best.cost.xors) {
    text += ", proved minimal";
  } else if (best.lower_bound) {
    text += fmt::format(", at least {} proved necessary", *best.lower_bound);
  }
  if (best.cost.xors != best.direct_xors) text += fmt::format("; {} direct", best.direct_xors);
  return text + ".";
}

/// "48 multiplications and 72 XORs."
std::string symbols_sentence(const Sets& sets) {
  const ReportSet& best = **std::ranges::min_element(
      sets, {}, [](const ReportSet* set) { return set->cost.multiplications; });
  return fmt::format("{} and {}.", times(best.cost.multiplications, "multiplication"),
                     times(best.cost.xors, "XOR"));
}

/// " On 6 cores it takes 5 steps instead of 8."
std::string steps_sentence(const Sets& sets) {
  const CoresCost* best = nullptr;
  const CoresCost* direct = nullptr;
  for (const ReportSet* set : sets) {
    if (set->on_cores.empty()) continue;
    const CoresCost& on = *std::ranges::max_element(set->on_cores, {}, &CoresCost::cores);
    if (best == nullptr || on.makespan < best->makespan) best = &on;
    if (set->source == "direct") direct = &on;
  }
  if (best == nullptr || best->cores == 1) return "";
  const std::string steps =
      fmt::format(" On {} cores it takes {}", best->cores, times(best->makespan, "step"));
  if (direct == nullptr || direct->makespan == best->makespan) return steps + ".";
  return steps + fmt::format(" instead of {}.", direct->makespan);
}

/// " Reads 2.94 bytes per byte rebuilt."
std::string reads_sentence(const Sets& sets) {
  std::optional<double> least;
  for (const ReportSet* set : sets) {
    if (set->reads) least = std::min(least.value_or(1e300), set->reads->bytes_per_byte());
  }
  return least ? fmt::format(" Reads {:.2f} bytes per byte rebuilt.", *least) : "";
}

/// The speed of the fastest set on the best instruction set, where a stripe lies in L2.
struct Speed {
  double gigabytes = 0;
  std::optional<double> limit{};
};

void keep_faster(std::optional<Speed>& fastest, const Speed& speed) {
  if (!fastest || speed.gigabytes > fastest->gigabytes) fastest = speed;
}

/// " Encodes at 73 GB/s in L2, 0.90 of plain XOR."
std::string speed_sentence(const Sets& sets) {
  std::optional<Speed> measured;
  std::optional<Speed> predicted;
  for (const ReportSet* set : sets) {
    if (set->runs.empty()) continue;
    const IsaRun& run = set->runs.front();
    if (run.measured) keep_faster(measured, {run.measured->l2, set->limit_in_l2});
    if (run.predicted) keep_faster(predicted, {run.predicted->l2});
  }
  const std::optional<Speed>& speed = measured ? measured : predicted;
  if (!speed) return "";
  const bool encodes = sets.front()->request.erased.empty();
  const std::string verb = measured  ? encodes ? "Encodes" : "Rebuilds"
                           : encodes ? "Predicted to encode"
                                     : "Predicted to rebuild";
  const std::string share =
      speed->limit ? fmt::format(", {:.2f} of plain XOR", speed->gigabytes / *speed->limit) : "";
  return fmt::format(" {} at {:.3g} GB/s in L2, on one core{}.", verb, speed->gigabytes, share);
}

}  // namespace

std::string verdict_of(std::span<const ReportSet> sets) {
  Sets all;
  Sets over_bits;
  for (const ReportSet& set : sets) {
    all.push_back(&set);
    if (set.file.program.is_xor()) over_bits.push_back(&set);
  }
  const std::string costs = over_bits.empty()
                                ? symbols_sentence(all)
                                : xors_sentence(over_bits) + steps_sentence(over_bits);
  return costs + reads_sentence(all) + speed_sentence(all);
}

}  // namespace xorloom::cli
