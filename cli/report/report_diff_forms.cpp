#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cli/report/code_groups.hpp"
#include "cli/report/report_diff.hpp"
#include "cli/shell/help.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {
namespace {

using Judgement = FigureChange::Judgement;

constexpr std::size_t kDiffLabel = 40;  // columns of the labels
constexpr std::size_t kDiffColumn = 7;  // and of each number

const char* word_of(Judgement verdict) {
  return verdict == Judgement::kBetter ? "better" : verdict == Judgement::kWorse ? "worse" : "";
}

std::string name_text(const ReportedSet::Name& name) {
  return printable(fmt::format("{}{}: {}", set_name(name.source, name.style),
                               name.over == "symbols" ? ", over symbols" : "", name.spec));
}

/// "24" of a count, "73.1" of a speed; of a change "-3" or "+0.52".
std::string signed_number(double value, bool is_speed, bool is_change) {
  if (is_speed) {
    return is_change ? fmt::format("{:+.3g}", value) : fmt::format("{:.3g}", value);
  }
  return is_change ? fmt::format("{:+.0f}", value) : fmt::format("{:.0f}", value);
}

std::string percent_text(const FigureChange& change) {
  constexpr double kMost = 9999;
  const std::optional<double> percent = change.percent();
  if (!percent) return "-";
  return *percent > kMost ? fmt::format(">{:.0f} %", kMost) : fmt::format("{:+.1f} %", *percent);
}

void append_row(std::string& text, const std::string& label, const std::string& before,
                const std::string& after, const std::string& change, const std::string& percent,
                const char* verdict) {
  std::string line = label;
  line.append(kDiffLabel - std::min(kDiffLabel, width(label)), ' ');
  for (const std::string& value : {before, after, change}) {
    line += fmt::format(" {:>{}}", value, kDiffColumn);
  }
  line += fmt::format(" {:>8} {}", percent, verdict);
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

void append_set(std::string& text, const SetChange& set) {
  if (set.figures.empty()) return;
  text += "\n" + wrapped(name_text(set.name), 2) + "\n";
  append_row(text, "", "old", "new", "change", "", "");
  for (const FigureChange& figure : set.figures) {
    const bool is_speed = figure.before.is_speed;
    append_row(text, printable("  " + figure.before.label),
               signed_number(figure.before.value, is_speed, false),
               signed_number(figure.after, is_speed, false),
               signed_number(figure.change(), is_speed, true), percent_text(figure),
               word_of(figure.verdict));
  }
}

void append_only(std::string& text, const std::string& file,
                 const std::vector<ReportedSet::Name>& names) {
  if (names.empty()) return;
  text += "\n" + wrapped(printable("only in " + file), 0) + "\n";
  for (const ReportedSet::Name& name : names) text += "  " + wrapped(name_text(name), 4) + "\n";
}

/// "3 figures differ in 1 of 2 sets: 1 is worse, 2 are better".
std::string summary(const ReportDiff& diff) {
  const std::size_t worse = diff.count(Judgement::kWorse);
  const std::size_t better = diff.count(Judgement::kBetter);
  const std::size_t all = worse + better + diff.count(Judgement::kNone);
  const std::size_t sets = diff.sets.size();
  if (all == 0) {
    return fmt::format("nothing differs in the {} set{} that both have", sets,
                       sets == 1 ? "" : "s");
  }
  const auto are = [](std::size_t count) { return count == 1 ? "is" : "are"; };
  return fmt::format("{} figure{} in {} of {} set{}: {} {} worse, {} {} better", all,
                     all == 1 ? " differs" : "s differ", diff.sets_that_differ(), sets,
                     sets == 1 ? "" : "s", worse, are(worse), better, are(better));
}

Json json_of(const ReportedSet::Name& name) {
  return {{"code", name.spec}, {"source", name.source}, {"style", name.style}, {"over", name.over}};
}

Json json_of(const FigureChange& figure) {
  const ReportFigure::Name& name = figure.before.name;
  Json json{{"figure", name.figure}};
  if (name.cores != 0) json["cores"] = name.cores;
  if (!name.isa.empty()) json["isa"] = name.isa;
  if (!name.level.empty()) json["level"] = name.level;
  const auto value = [&](double number) {
    return figure.before.is_speed ? Json(number) : Json(std::llround(number));
  };
  const std::optional<double> percent = figure.percent();
  json["old"] = value(figure.before.value);
  json["new"] = value(figure.after);
  json["change"] = value(figure.change());
  json["percent"] = percent ? Json(*percent) : Json(nullptr);
  json["verdict"] = figure.verdict == Judgement::kNone ? Json(nullptr) : word_of(figure.verdict);
  return json;
}

Json json_of(const std::vector<ReportedSet::Name>& names) {
  Json json = Json::array();
  for (const ReportedSet::Name& name : names) json.push_back(json_of(name));
  return json;
}

}  // namespace

std::string diff_table(const ReportDiff& diff) {
  std::string text = wrapped(printable("old: " + diff.before), 5) + "\n" +
                     wrapped(printable("new: " + diff.after), 5) + "\n";
  for (const std::string& note : diff.notes) text += "  - " + wrapped(printable(note), 4) + "\n";
  for (const SetChange& set : diff.sets) append_set(text, set);
  append_only(text, diff.before, diff.only_before);
  append_only(text, diff.after, diff.only_after);
  return text + fmt::format("\n{}\n", wrapped(summary(diff), 0)) +
         wrapped(fmt::format("Counts are compared exactly, and speeds with a tolerance of {} %.",
                             diff.tolerance),
                 0) +
         "\n";
}

std::string diff_json(const ReportDiff& diff) {
  Json json{{"format", "xorloom-report-diff"},
            {"version", 1},
            {"old", diff.before},
            {"new", diff.after},
            {"tolerance_percent", diff.tolerance},
            {"notes", diff.notes},
            {"worse", diff.count(Judgement::kWorse)},
            {"better", diff.count(Judgement::kBetter)},
            {"other", diff.count(Judgement::kNone)},
            {"sets", Json::array()},
            {"only_in_old", json_of(diff.only_before)},
            {"only_in_new", json_of(diff.only_after)}};
  for (const SetChange& set : diff.sets) {
    Json of = json_of(set.name);
    of["figures"] = Json::array();
    for (const FigureChange& figure : set.figures) of["figures"].push_back(json_of(figure));
    json["sets"].push_back(std::move(of));
  }
  return json.dump(2, Json::Strings::kReplaced) + "\n";
}

}  // namespace xorloom::cli
