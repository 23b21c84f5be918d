#include "cli/report/report_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "cli/measuring/machine_facts.hpp"
#include "cli/report/code_groups.hpp"
#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

using Judgement = FigureChange::Judgement;

std::string task_text(const ReportFile& report) {
  return task_of(report.erased, report.updated, "rebuilds", "updates", "encodes");
}

std::vector<std::size_t> sorted(std::vector<std::size_t> locations) {
  std::ranges::sort(locations);
  return locations;
}

std::string or_unknown(const std::string& text) { return text.empty() ? "not named" : text; }

class Comparing {
 public:
  Comparing(const ReportFile& before, const ReportFile& after, double tolerance)
      : before_(before), after_(after), diff_{before.name, after.name, tolerance} {}

  ReportDiff run() {
    if (sorted(before_.erased) != sorted(after_.erased) ||
        sorted(before_.updated) != sorted(after_.updated)) {
      fail(Status::kInvalidArgument,
           fmt::format("{} {}, but {} {}: they have no set in common", before_.name,
                       task_text(before_), after_.name, task_text(after_)));
    }
    match_sets();
    if (diff_.sets.empty()) {
      fail(Status::kInvalidArgument,
           fmt::format("{} and {} have no set in common: two sets are compared "
                       "if they have the same code, source and style, and are both over bits or "
                       "both over symbols",
                       before_.name, after_.name));
    }
    note("the machines differ", or_unknown(before_.machine), or_unknown(after_.machine));
    note("the caches differ", caches_text(before_), caches_text(after_));
    note("the programs differ", or_unknown(before_.program), or_unknown(after_.program));
    note("the searches differ", or_unknown(before_.search), or_unknown(after_.search));
    for (const ReportFile* report : {&before_, &after_}) note_busy(*report);
    note_groups(before_.name, only_before_);
    note_groups(after_.name, only_after_);
    return std::move(diff_);
  }

 private:
  static std::string caches_text(const ReportFile& report) {
    const auto& [l1, l2, l3] = report.caches;
    return fmt::format("L1 {} KiB, L2 {} KiB, L3 {} KiB", l1 >> 10, l2 >> 10, l3 >> 10);
  }

  void note(const char* what, const std::string& before, const std::string& after) {
    if (before == after) return;
    diff_.notes.push_back(fmt::format("{}: old: {}; new: {}", what, before, after));
  }

  static bool was_busy(const ReportFile& report) {
    return !busy_text(report.processor_share).empty();
  }

  void note_busy(const ReportFile& report) {
    if (!was_busy(report)) return;
    diff_.notes.push_back(
        fmt::format("other programs were busy while {} was measured: it had a processor for {} "
                    "% of the time, so measured speeds are not judged",
                    report.name, static_cast<int>(report.processor_share * 100)));
  }

  void note_groups(const std::string& name, const std::set<std::string>& groups) {
    if (groups.empty()) return;
    std::string list;
    for (const std::string& group : groups) list += (list.empty() ? "" : ", ") + group;
    diff_.notes.push_back(fmt::format("only {} has {}", name, list));
  }

  /// Pairs the sets by name; equal names in order.
  void match_sets() {
    std::multimap<ReportedSet::Name, const ReportedSet*> others;
    for (const ReportedSet& set : after_.sets) others.emplace(set.name, &set);
    std::set<const ReportedSet*> matched;
    for (const ReportedSet& set : before_.sets) {
      const auto other = others.lower_bound(set.name);
      if (other == others.end() || other->first != set.name) {
        diff_.only_before.push_back(set.name);
        continue;
      }
      compare(set, *other->second);
      matched.insert(other->second);
      others.erase(other);
    }
    for (const ReportedSet& set : after_.sets) {
      if (!matched.contains(&set)) diff_.only_after.push_back(set.name);
    }
  }

  void compare(const ReportedSet& before, const ReportedSet& after) {
    SetChange& change = diff_.sets.emplace_back(SetChange{before.name});
    std::map<ReportFigure::Name, const ReportFigure*> others;
    for (const ReportFigure& figure : after.figures) others.emplace(figure.name, &figure);
    for (const ReportFigure& figure : before.figures) {
      const auto other = others.find(figure.name);
      if (other == others.end()) {
        only(figure, only_before_);
        continue;
      }
      if (differ(figure, other->second->value)) {
        change.figures.push_back(
            {figure, other->second->value, verdict_of(figure, other->second->value)});
      }
      others.erase(other);
    }
    for (const auto& [name, figure] : others) only(*figure, only_after_);
  }

  static void only(const ReportFigure& figure, std::set<std::string>& groups) {
    groups.insert(figure.group.empty() ? figure.label : figure.group);
  }

  bool differ(const ReportFigure& before, double after) const {
    if (!before.is_speed) return before.value != after;
    return std::abs(after - before.value) * 100 > diff_.tolerance * before.value;
  }

  Judgement verdict_of(const ReportFigure& before, double after) const {
    if (before.goal == ReportFigure::Goal::kNone) return Judgement::kNone;
    if (before.is_speed && (was_busy(before_) || was_busy(after_))) return Judgement::kNone;
    const bool is_less = after < before.value;
    return is_less == (before.goal == ReportFigure::Goal::kLess) ? Judgement::kBetter
                                                                 : Judgement::kWorse;
  }

  const ReportFile& before_;
  const ReportFile& after_;
  ReportDiff diff_;
  std::set<std::string> only_before_;
  std::set<std::string> only_after_;
};

}  // namespace

std::optional<double> FigureChange::percent() const {
  if (before.value == 0) return std::nullopt;
  return change() * 100 / before.value;
}

std::size_t ReportDiff::count(Judgement verdict) const {
  std::size_t count = 0;
  for (const SetChange& set : sets) {
    count +=
        static_cast<std::size_t>(std::ranges::count(set.figures, verdict, &FigureChange::verdict));
  }
  return count;
}

std::size_t ReportDiff::sets_that_differ() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sets, [](const SetChange& set) { return !set.figures.empty(); }));
}

ReportDiff diff_of(const ReportFile& before, const ReportFile& after, double tolerance) {
  return Comparing(before, after, tolerance).run();
}

}  // namespace xorloom::cli
