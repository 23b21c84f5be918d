#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "cli/help.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kLabel = 42;  // columns of the labels
constexpr std::size_t kColumn = 9;  // and of each set

using Value = std::function<std::string(const ReportSet&)>;

std::string number(std::size_t value) { return fmt::format("{}", value); }
std::string ratio(double value) { return fmt::format("{:.2f}", value); }

/// Rows of one stretch of sets, as many as fit side by side.
class Rows {
 public:
  Rows(std::string& text, std::span<const ReportSet> sets) : text_(text), sets_(sets) {}

  void row(std::string_view label, const Value& value) {
    text_ += label;
    text_.append(kLabel - std::min(kLabel, width(label)), ' ');
    for (const ReportSet& set : sets_)
      fmt::format_to(std::back_inserter(text_), "{:>{}}", value(set), kColumn);
    text_ += '\n';
  }

  void on_cores(std::size_t index) {
    const std::size_t cores = sets_.front().on_cores[index].cores;
    const auto at = [index](auto member, auto show) {
      return [=](const ReportSet& set) { return show(set.on_cores[index].*member); };
    };
    fmt::format_to(std::back_inserter(text_), "\non {} core{}, in steps of one XOR a core\n", cores,
                   cores == 1 ? "" : "s");
    if (cores == 1) {  // every plan takes a step an XOR
      row("  steps", at(&CoresCost::makespan, number));
      return row("    speedup", at(&CoresCost::speedup, ratio));
    }
    row("  steps, any XOR on any core", at(&CoresCost::makespan, number));
    row("    speedup", at(&CoresCost::speedup, ratio));
    row("    efficiency", at(&CoresCost::efficiency, ratio));
    row("    moves between cores", at(&CoresCost::moves, number));
    row("  steps, an equation on one core (atomic)", at(&CoresCost::atomic_makespan, number));
    row("    speedup", at(&CoresCost::atomic_speedup, ratio));
    row("    efficiency", at(&CoresCost::atomic_efficiency, ratio));
  }

 private:
  std::string& text_;
  std::span<const ReportSet> sets_;
};

void append_sets(std::string& text, const std::vector<ReportSet>& sets) {
  text += "sets of equations\n";
  const std::string* previous = nullptr;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const ReportSet& set = sets[i];
    const bool same = previous != nullptr && *previous == set.code.spec;
    const std::string source = set.source == "direct" ? set.style : set.source + ", " + set.style;
    const std::string line =
        fmt::format("{}: {}", source, same ? "for the same code" : set.code.spec);
    fmt::format_to(std::back_inserter(text), "{:>3}  {}\n", i + 1, wrapped(line, 5));
    previous = &set.code.spec;
  }
}

constexpr const char* kLegend =
    "Paths count XORs one after another: the longest path with every equation in one go, the "
    "critical "
    "path with the operands of each merged in the best order. F is (XORs per bit + 1) / k, 1.00 "
    "being the "
    "k - 1 "
    "XORs a bit that no code of its kind goes below. Speedup is measured against the direct "
    "equations "
    "on one core: their XORs over the steps; efficiency is speedup over cores.";

}  // namespace

std::string report_table(const std::vector<ReportSet>& sets,
                         const std::vector<std::size_t>& erased) {
  std::string text;
  append_sets(text, sets);
  const std::string bit = erased.empty() ? "redundant bit" : "rebuilt bit";
  text += erased.empty() ? "computing the redundant chunks from the data\n"
                         : fmt::format("rebuilding locations {}\n", short_list(erased));
  constexpr std::size_t kAtOnce = (kColumns - kLabel) / kColumn;
  for (std::size_t first = 0; first < sets.size(); first += kAtOnce) {
    const auto part = std::span(sets).subspan(first, std::min(kAtOnce, sets.size() - first));
    text += '\n';
    Rows rows(text, part);
    rows.row("set", [&](const ReportSet& set) {
      return number(static_cast<std::size_t>(&set - sets.data()) + 1);
    });
    rows.row("XORs", [](const ReportSet& set) { return number(set.cost.xors); });
    rows.row("XORs per " + bit, [](const ReportSet& set) { return ratio(set.xors_per_bit); });
    rows.row("F, over the optimum", [](const ReportSet& set) { return ratio(set.factor); });
    rows.row("longest equation, in XORs",
             [](const ReportSet& set) { return number(set.cost.longest_equation); });
    rows.row("longest path, in XORs",
             [](const ReportSet& set) { return number(set.cost.longest_path); });
    rows.row("critical path, in XORs",
             [](const ReportSet& set) { return number(set.cost.critical_path); });
    rows.row("temporaries", [](const ReportSet& set) { return number(set.cost.temporaries); });
    for (std::size_t i = 0; i < part.front().on_cores.size(); ++i) rows.on_cores(i);
  }
  return text + "\n" + wrapped(kLegend, 0) + "\n";
}

std::string report_json(const std::vector<ReportSet>& sets,
                        const std::vector<std::size_t>& erased) {
  using Json = nlohmann::ordered_json;
  Json json{
      {"format", "xorloom-report"}, {"version", 1}, {"erased", erased}, {"sets", Json::array()}};
  for (const ReportSet& set : sets) {
    Json cores = Json::array();
    for (const CoresCost& on : set.on_cores) {
      cores.push_back({{"cores", on.cores},
                       {"makespan", on.makespan},
                       {"speedup", on.speedup},
                       {"efficiency", on.efficiency},
                       {"moves", on.moves},
                       {"atomic_makespan", on.atomic_makespan},
                       {"atomic_speedup", on.atomic_speedup},
                       {"atomic_efficiency", on.atomic_efficiency}});
    }
    json["sets"].push_back({{"source", set.source},
                            {"code",
                             {{"family", set.code.family},
                              {"spec", set.code.spec},
                              {"k", set.code.k},
                              {"m", set.code.m},
                              {"w", set.code.w}}},
                            {"style", set.style},
                            {"equations", set.equations},
                            {"output_bits", set.output_bits},
                            {"direct_xors", set.direct_xors},
                            {"xors", set.cost.xors},
                            {"xors_per_output_bit", set.xors_per_bit},
                            {"factor", set.factor},
                            {"longest_equation", set.cost.longest_equation},
                            {"longest_path", set.cost.longest_path},
                            {"critical_path", set.cost.critical_path},
                            {"temporaries", set.cost.temporaries},
                            {"on_cores", std::move(cores)}});
  }
  return json.dump(2) + "\n";
}

}  // namespace xorloom::cli
