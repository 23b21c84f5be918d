#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cli/document/figures.hpp"
#include "cli/report/code_groups.hpp"
#include "cli/report/report_diff.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {
namespace {

using Judgement = FigureChange::Judgement;

constexpr std::size_t kDiffLabel = 38;  // characters of a label
constexpr std::size_t kDiffColumn = 6;  // characters of a number

const char* word_of(Judgement verdict) {
  return verdict == Judgement::kBetter ? "better" : verdict == Judgement::kWorse ? "worse" : "";
}

std::string name_text(const Json& set) {
  const bool is_over_symbols = set["over"].text() == "symbols";
  return printable(fmt::format("{}{}: {}", set_name(set["source"].text(), set["style"].text()),
                               is_over_symbols ? ", over symbols" : "", set["code"].text()));
}

/// True for a count: its JSON has neither a point nor an exponent.
bool is_count(const Json& number) { return number.dump().find_first_of(".e") == std::string::npos; }

/// A count in full, a speed to three digits: "24", "73.1".
std::string figure_text(const Json& value) {
  return is_count(value) ? value.dump() : fmt::format("{:.3g}", value.real());
}

/// A change with its sign: "-3" for a count, "+0.52" for a speed.
std::string changed(const Json& change) {
  return is_count(change) ? fmt::format("{:+.0f}", change.real())
                          : fmt::format("{:+.3g}", change.real());
}

std::string in_percent_of_old(const Json& percent) {
  constexpr double kMost = 9999;
  return percent.real() > kMost ? fmt::format(">{:.0f} %", kMost)
                                : fmt::format("{:+.1f} %", percent.real());
}

/// A block per set with a difference, a row per figure that differs.
Table changes(const Json& diff) {
  const std::vector<FigureGroup> columns{{"",
                                          {{"old", "old", figure_text},
                                           {"new", "new", figure_text},
                                           {"change", "change", changed},
                                           {"", "percent", in_percent_of_old}}},
                                         {"", {{"", "verdict", as_text}}, true}};
  Table table{column_groups(columns), {}, "", kDiffLabel, kDiffColumn};
  for (const Json& set : diff["sets"]) {
    if (set["figures"].size() == 0) continue;
    TableBlock& block = table.blocks.emplace_back(TableBlock{name_text(set), {}});
    for (const Json& figure : set["figures"]) {
      block.rows.push_back(record_row(figure, printable(figure["label"].text()), columns));
      block.rows.back().indent = 1;
      if (block.rows.back().values.back() == "-") block.rows.back().values.back().clear();
    }
  }
  return table;
}

Bullets only_in(const std::string& file, const Json& names) {
  Bullets bullets{printable("only in " + file), {}};
  for (const Json& name : names) bullets.items.push_back(name_text(name));
  return bullets;
}

/// "3 figures differ in 1 of 2 sets: 1 is worse, 2 are better".
std::string summary(const ReportDiff& diff) {
  const std::size_t worse = diff.count(Judgement::kWorse);
  const std::size_t better = diff.count(Judgement::kBetter);
  const std::size_t all = worse + better + diff.count(Judgement::kNone);
  const std::size_t sets = diff.sets.size();
  if (all == 0) {
    return fmt::format("nothing differs in the {} that both have", counted(sets, "set"));
  }
  const auto are = [](std::size_t count) { return count == 1 ? "is" : "are"; };
  return fmt::format("{} figure{} in {} of {}: {} {} worse, {} {} better", all,
                     all == 1 ? " differs" : "s differ", diff.sets_that_differ(),
                     counted(sets, "set"), worse, are(worse), better, are(better));
}

Json json_of(const ReportedSet::Name& name) {
  return {{"code", name.spec}, {"source", name.source}, {"style", name.style}, {"over", name.over}};
}

Json json_of(const FigureChange& figure) {
  const ReportFigure::Name& name = figure.before.name;
  Json json{{"figure", name.figure}, {"label", figure.before.label}};
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

Json diff_data(const ReportDiff& diff) {
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
  return json;
}

}  // namespace

Document diff_document(const ReportDiff& diff) {
  Document document{fmt::format("What differs: {} and {}", diff.before, diff.after),
                    diff_data(diff)};
  document.add(Facts{{{"old:", printable(diff.before)}, {"new:", printable(diff.after)}}});
  Bullets notes{"", {}};
  for (const std::string& note : diff.notes) notes.items.push_back(printable(note));
  document.add(std::move(notes));
  if (Table table = changes(document.data); !table.blocks.empty()) document.add(std::move(table));
  document.add(only_in(diff.before, document.data["only_in_old"]));
  document.add(only_in(diff.after, document.data["only_in_new"]));
  document.add(Paragraph{summary(diff)});
  document.add(Paragraph{fmt::format(
      "Counts are compared exactly, and speeds with a tolerance of {} %.", diff.tolerance)});
  return document;
}

}  // namespace xorloom::cli
