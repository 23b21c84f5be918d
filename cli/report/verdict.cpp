#include "cli/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "cli/shell/short_number.hpp"

namespace xorloom::cli {
namespace {

bool is_over_bits(const ReportSet& set) { return set.file.program.is_xor(); }

std::string times(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

class Verdict {
 public:
  Verdict(const Report& report, std::span<const ReportSet> sets)
      : report_(report), sets_(sets), best_(&least_work()) {}

  std::string text() const {
    return work_sentence() + steps_sentence() + reads_sentence() + speed_sentence();
  }

 private:
  /// Of the sets over bits the one of the fewest XORs, and where there are none of multiplications.
  const ReportSet& least_work() const {
    return *std::ranges::min_element(sets_, {}, [](const ReportSet& set) {
      return std::tuple(!is_over_bits(set), is_over_bits(set) ? 0 : set.cost.multiplications,
                        set.cost.xors);
    });
  }

  std::string name_of(const ReportSet& set) const {
    return fmt::format("set {}", number_of(report_, set));
  }

  std::string at_start(const ReportSet& set) const {
    std::string name = name_of(set);
    name.front() = 'S';
    return name;
  }

  /// "Set 2 has 24 XORs, proved minimal; 45 direct."
  std::string work_sentence() const {
    std::string text = fmt::format("{} has ", at_start(*best_));
    if (!is_over_bits(*best_)) {
      return text + fmt::format("{} and {}.", times(best_->cost.multiplications, "multiplication"),
                                times(best_->cost.xors, "XOR"));
    }
    text += times(best_->cost.xors, "XOR");
    if (best_->lower_bound == best_->cost.xors) {
      text += ", proved minimal";
    } else if (best_->lower_bound) {
      text += fmt::format(", at least {} proved necessary", *best_->lower_bound);
    }
    if (best_->cost.xors != best_->direct_xors) {
      text += fmt::format("; {} direct", best_->direct_xors);
    }
    return text + ".";
  }

  /// " On 6 cores set 3 takes 5 steps, 8 direct."
  std::string steps_sentence() const {
    const auto [set, on] = fewest_steps(sets_);
    if (on == nullptr || on->cores == 1) return "";
    std::string text = fmt::format(" On {} cores {} takes {}", on->cores, name_of(*set),
                                   times(on->makespan, "step"));
    const auto direct = std::ranges::find(sets_, true, &ReportSet::is_direct);
    if (direct != sets_.end() && !direct->on_cores.empty() && &*direct != set) {
      text +=
          fmt::format("; {} direct",
                      std::ranges::max_element(direct->on_cores, {}, &CoresCost::cores)->makespan);
    }
    return text + ".";
  }

  /// " Set 3 reads 2.94 bytes per byte rebuilt."
  std::string reads_sentence() const {
    const ReportSet* least = nullptr;
    for (const ReportSet& set : sets_) {
      if (!set.reads) continue;
      const bool is_less =
          least == nullptr || set.reads->bytes_per_byte() < least->reads->bytes_per_byte();
      if (is_less) least = &set;
    }
    if (least == nullptr) return "";
    return fmt::format(" {} reads {:.2f} bytes per byte rebuilt.", at_start(*least),
                       least->reads->bytes_per_byte());
  }

  /// The fastest set in L2 on one core, and its speed.
  std::pair<const ReportSet*, double> fastest(std::optional<LevelSpeeds> IsaRun::*speeds) const {
    std::pair<const ReportSet*, double> found{nullptr, 0};
    for (const ReportSet& set : sets_) {
      if (set.runs.empty() || !(set.runs.front().*speeds)) continue;
      const double speed = (set.runs.front().*speeds)->l2;
      if (speed > found.second) found = {&set, speed};
    }
    return found;
  }

  /// " Set 2 encodes at 73 GB/s in L2 on one core, 0.90 of plain XOR."
  std::string speed_sentence() const {
    const char* const verb = report_.erased.empty() ? "encode" : "rebuild";
    if (const auto [set, speed] = fastest(&IsaRun::measured); set != nullptr) {
      const std::string share =
          set->limit_in_l2 ? fmt::format(", {:.2f} of plain XOR", speed / *set->limit_in_l2) : "";
      return fmt::format(" {} {}s at {} GB/s in L2 on one core{}.", at_start(*set), verb,
                         short_number(speed), share);
    }
    const auto [set, speed] = fastest(&IsaRun::predicted);
    if (set == nullptr) return "";
    const std::string error = report_.error
                                  ? fmt::format(" (nine of ten predictions are within {:.0f} %)",
                                                report_.error->held_out * 100)
                                  : "";
    return fmt::format(" {} is predicted to {} at {} GB/s in L2 on one core{}.", at_start(*set),
                       verb, short_number(speed), error);
  }

  const Report& report_;
  std::span<const ReportSet> sets_;
  const ReportSet* best_;
};

}  // namespace

std::pair<const ReportSet*, const CoresCost*> fewest_steps(std::span<const ReportSet> sets) {
  std::pair<const ReportSet*, const CoresCost*> best{nullptr, nullptr};
  const ReportSet* fewest = &sets.front();
  for (const ReportSet& set : sets) {
    if (set.cost.xors < fewest->cost.xors) fewest = &set;
    if (set.on_cores.empty()) continue;
    const CoresCost& on = *std::ranges::max_element(set.on_cores, {}, &CoresCost::cores);
    if (best.first == nullptr || on.makespan < best.second->makespan) best = {&set, &on};
  }
  return best.first == nullptr ? std::pair<const ReportSet*, const CoresCost*>{fewest, nullptr}
                               : best;
}

std::string verdict_of(const Report& report, std::span<const ReportSet> sets) {
  return Verdict(report, sets).text();
}

}  // namespace xorloom::cli
