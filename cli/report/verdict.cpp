#include "cli/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "cli/report/code_groups.hpp"
#include "cli/report/report_engines.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/counted.hpp"

namespace xorloom::cli {
namespace {

/// Two measured speeds are a tie if the lower one is at least this share of the other.
constexpr double kAlike = 0.97;

class ReportVerdict {
 public:
  ReportVerdict(const Report& report, std::span<const ReportSet> sets, NamedErrors& named)
      : report_(report), sets_(sets), named_(named), best_(&least_work()) {}

  std::string text() const {
    return work_sentence() + symbols_sentence() + steps_sentence() + plan_sentence() +
           reads_sentence() + tables_sentence() + speed_sentence();
  }

 private:
  /// The set over bits with the fewest XORs; without one, the set with the fewest multiplications.
  const ReportSet& least_work() const { return *std::ranges::min_element(sets_, {}, work_of); }

  static std::tuple<bool, std::size_t, std::size_t> work_of(const ReportSet& set) {
    return {!is_over_bits(set), is_over_bits(set) ? 0 : set.cost.multiplications, set.cost.xors};
  }

  std::string name_of(const ReportSet& set) const {
    return fmt::format("set {}", number_of(report_, set));
  }

  std::string at_start(const ReportSet& set) const {
    std::string name = name_of(set);
    name.front() = 'S';
    return name;
  }

  /// "24 XORs", or "48 multiplications and 72 XORs".
  static std::string work_text(const ReportSet& set) {
    std::string text = counted(set.cost.xors, "XOR");
    if (is_over_bits(set)) return text;
    return fmt::format("{} and {}", counted(set.cost.multiplications, "multiplication"), text);
  }

  /// The set over symbols with the fewest multiplications; null if there is none.
  const ReportSet* best_over_symbols() const {
    const ReportSet* best = nullptr;
    for (const ReportSet& set : sets_) {
      if (is_over_bits(set)) continue;
      if (best == nullptr || work_of(set) < work_of(*best)) best = &set;
    }
    return best;
  }

  /// " Over symbols, the best (set 3, words.txt, direct) take 3 multiplications and 6 XORs."; empty
  /// unless there are also sets over bits.
  std::string symbols_sentence() const {
    const ReportSet* const best = best_over_symbols();
    if (best == nullptr || !is_over_bits(*best_)) return "";
    return fmt::format(" Over symbols, the best ({}, {}) take {}.", name_of(*best),
                       short_name(*best), work_text(*best));
  }

  /// "The best equations (set 2, iterative) take 24 XORs instead of 45 direct ones; fewer are
  /// impossible." A rebuild may choose what it sums up, and the bound is of one choice.
  std::string work_sentence() const {
    std::string text = fmt::format(
        "The {}equations {}({}, {}) take ", sets_.size() > 1 ? "best " : "",
        symbols_sentence().empty() ? "" : "over bits ", name_of(*best_), short_name(*best_));
    text += work_text(*best_);
    if (!is_over_bits(*best_)) return text + ".";
    if (best_->cost.xors < best_->direct_xors) {
      text += fmt::format(" instead of {} direct ones", best_->direct_xors);
    } else if (best_->cost.xors > best_->direct_xors) {
      text += fmt::format(", more than the {} direct ones", best_->direct_xors);
    }
    if (!best_->lower_bound) return text + ".";
    return text + fmt::format("; {}fewer{} are impossible.",
                              report_.erased.empty() ? "" : "for the same sums of survivors, ",
                              best_->lower_bound == best_->cost.xors
                                  ? ""
                                  : fmt::format(" than {}", *best_->lower_bound));
  }

  /// " On 6 cores, set 3 takes 5 steps; direct equations take 8."
  std::string steps_sentence() const {
    const auto [set, on] = fewest_steps(sets_);
    if (on == nullptr || on->cores == 1) return "";
    std::string text = fmt::format(" On {} cores, {} takes {}", on->cores, name_of(*set),
                                   counted(on->makespan, "step"));
    const auto direct = std::ranges::find(sets_, true, &ReportSet::is_direct);
    if (direct != sets_.end() && !direct->on_cores.empty() && &*direct != set) {
      const std::size_t steps =
          std::ranges::max_element(direct->on_cores, {}, &CoresCost::cores)->makespan;
      text += steps == on->makespan ? ", as many as the direct equations"
                                    : fmt::format("; direct equations take {}", steps);
    }
    return text + ".";
  }

  /// " Timed by the clock, its plan runs at 12.6 GB/s on 2 threads and at 69.0 on one. …"; empty if
  /// the plan was not timed.
  std::string plan_sentence() const {
    const ReportSet& set = *fewest_steps(sets_).first;
    const CoresCost* one = nullptr;
    const CoresCost* most = nullptr;
    for (const CoresCost& on : set.on_cores) {
      if (!on.gigabytes) continue;
      if (on.cores == 1) one = &on;
      if (most == nullptr || on.cores > most->cores) most = &on;
    }
    if (one == nullptr || most == one) return "";
    std::string text = fmt::format(
        " Timed by the clock, its plan for {1} cores runs at {0} GB/s on {1} threads and at {2} on "
        "one",
        short_number(*most->gigabytes), most->cores, short_number(*one->gigabytes));
    if (*most->gigabytes < kAlike * *one->gigabytes && most->moves != 0) {
      text += fmt::format(". Steps do not count the cost of the {} that {} between cores",
                          counted(most->moves, "value"), most->moves == 1 ? "moves" : "move");
    }
    return text + ".";
  }

  /// " Set 3 reads 2.94 bytes per byte rebuilt instead of 3.00, with 109 XORs."
  std::string reads_sentence() const {
    const ReportSet* least = nullptr;
    const ReportSet* most = nullptr;
    const auto reads_of = [](const ReportSet& set) { return set.reads->bytes_per_byte(); };
    for (const ReportSet& set : sets_) {
      if (!set.reads) continue;
      if (least == nullptr || reads_of(set) < reads_of(*least)) least = &set;
      if (most == nullptr || reads_of(set) > reads_of(*most)) most = &set;
    }
    if (least == nullptr) return "";
    const std::string text = fmt::format("{:.2f} bytes per byte rebuilt", reads_of(*least));
    const std::string more = fmt::format("{:.2f}", reads_of(*most));
    if (text.starts_with(more)) {
      return fmt::format(" {} {}.", sets_.size() > 1 ? "All sets read" : "They read", text);
    }
    return fmt::format(" {} reads {} instead of {}, with {}.", at_start(*least), text, more,
                       work_text(*least));
  }

  /// " As an engine, set 3 takes 11 LUT4 per bit lane (18 direct), and set 4 takes 9 LUT6 (12
  /// direct)." One set: " As an engine, set 3 takes 11 LUT4 per bit lane (18 direct) and 9 LUT6."
  std::string tables_sentence() const {
    std::string text;
    const ReportSet* before = nullptr;
    for (const std::size_t inputs : {std::size_t{4}, std::size_t{6}}) {
      const ReportSet* least = nullptr;
      std::size_t tables = 0;
      std::optional<std::size_t> direct;
      for (const ReportSet& set : sets_) {
        const EngineCost* const engine = engine_cost(set, inputs, 0);
        if (engine == nullptr) continue;
        if (least == nullptr || engine->tables < tables) {
          least = &set;
          tables = engine->tables;
        }
        if (set.is_direct) direct = engine->tables;
      }
      if (least == nullptr) continue;
      if (text.empty()) {
        text = fmt::format(" As an engine, {} takes ", name_of(*least));
      } else {
        text += least == before ? " and " : fmt::format(", and {} takes ", name_of(*least));
      }
      text += fmt::format("{} LUT{}{}", tables, inputs, before == nullptr ? " per bit lane" : "");
      if (direct && *direct != tables) text += fmt::format(" ({} direct)", *direct);
      before = least;
    }
    return text.empty() ? "" : text + ".";
  }

  /// The fastest set in L2 on one core and its GB/s; of a tie, the set with the least work.
  /// {null, 0} if nothing was measured.
  std::pair<const ReportSet*, double> fastest_measured() const {
    const auto speed_of = [](const ReportSet& set) {
      const bool has = !set.runs.empty() && set.runs.front().measured;
      return has ? set.runs.front().measured->l2 : 0.0;
    };
    double most = 0;
    for (const ReportSet& set : sets_) most = std::max(most, speed_of(set));
    if (most == 0) return {nullptr, 0};
    const ReportSet* found = nullptr;
    for (const ReportSet& set : sets_) {
      if (speed_of(set) < kAlike * most) continue;
      if (found == nullptr || work_of(set) < work_of(*found)) found = &set;
    }
    return {found, speed_of(*found)};
  }

  /// Subject of a sentence on speed. On words, the direct XOR equations stand for multiplications.
  std::string runner(const ReportSet& set) const {
    return set.arrangement == Arrangement::kWord && is_over_bits(set)
               ? "Run on words, by multiplications, the code"
               : at_start(set);
  }

  /// " Set 2 encodes at 73.1 GB/s in L2 on one core, 0.90 of plain XOR."
  std::string speed_sentence() const {
    const char* const verb = report_.erased.empty() ? "encode" : "rebuild";
    if (const auto [set, speed] = fastest_measured(); set != nullptr) {
      std::string share;
      if (set->limit_in_l2) {
        const double of = speed / *set->limit_in_l2;
        share = of >= kAlike ? ", as fast as plain XOR" : fmt::format(", {:.2f} of plain XOR", of);
      }
      return fmt::format(" {} {}s at {} GB/s in L2 on one core{}.", runner(*set), verb,
                         short_number(speed), share);
    }
    const ReportSet* const set = predicted_set();
    if (set == nullptr) return "";
    const IsaRun& run = set->runs.front();
    return fmt::format(" {} is predicted to {} at {} GB/s in L2 on one core{}.", runner(*set), verb,
                       rough_number(run.predicted->l2), error_text(run.isa, set->arrangement));
  }

  /// The set with the least work of those with a predicted speed; null if there is none.
  /// Predictions are too rough to rank sets by speed.
  const ReportSet* predicted_set() const {
    const ReportSet* found = nullptr;
    for (const ReportSet& set : sets_) {
      if (set.runs.empty() || !set.runs.front().predicted) continue;
      if (found == nullptr || work_of(set) < work_of(*found)) found = &set;
    }
    return found;
  }

  /// " (nine of ten predictions are within 10 %)"; empty if the error is not known, or was named.
  std::string error_text(Isa isa, Arrangement arrangement) const {
    const MachineRates::Of* const rates = find_rates(report_.rates, isa, arrangement);
    if (rates == nullptr || !named_.emplace(isa, arrangement).second) return "";
    return fmt::format(" (nine of ten predictions are within {:.0f} %)",
                       rates->error.held_out * 100);
  }

  const Report& report_;
  std::span<const ReportSet> sets_;
  NamedErrors& named_;
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
    const bool is_better =
        best.first == nullptr || on.makespan < best.second->makespan ||
        (on.makespan == best.second->makespan && set.cost.xors < best.first->cost.xors);
    if (is_better) best = {&set, &on};
  }
  return best.first == nullptr ? std::pair<const ReportSet*, const CoresCost*>{fewest, nullptr}
                               : best;
}

std::string verdict_of(const Report& report, std::span<const ReportSet> sets, NamedErrors& named) {
  return ReportVerdict(report, sets, named).text();
}

}  // namespace xorloom::cli
