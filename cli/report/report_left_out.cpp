#include "cli/report/report_left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/report/report_charts.hpp"
#include "cli/report/report_engines.hpp"
#include "cli/shell/options.hpp"
#include "equations/ir/cost.hpp"
#include "gen/pictures/core_schedule_svg.hpp"
#include "gen/pictures/equations_svg.hpp"
#include "gen/pictures/matrix_svg.hpp"
#include "gen/verilog/engine_svg.hpp"

namespace xorloom::cli {
namespace {

/// Sets that exceed a bound, and the largest of their sizes.
struct TooLarge {
  std::vector<std::size_t> sets{};  ///< numbers in the report, from 1
  std::size_t largest = 0;

  void add(std::size_t set, std::size_t size) {
    sets.push_back(set);
    largest = std::max(largest, size);
  }

  bool is_one() const { return sets.size() == 1; }

  /// "set 2" or "sets 1-2, 5".
  std::string text() const {
    std::string list = short_list(sets);
    for (std::size_t at = 0; (at = list.find(',', at)) != std::string::npos; ++at) {
      list.insert(at + 1, " ");
    }
    return fmt::format("set{} {}", is_one() ? "" : "s", list);
  }
};

/// Adds "the graphs of sets 1-2, with up to 9000 operands: a picture has at most 8192".
void say(Report& report, const char* one, const char* several, const TooLarge& sets,
         const char* what, std::size_t most) {
  if (sets.sets.empty()) return;
  report.left_out.push_back(fmt::format("the {} of {}, with {}{} {}: a picture has at most {}",
                                        sets.is_one() ? one : several, sets.text(),
                                        sets.is_one() ? "" : "up to ", sets.largest, what, most));
}

void add_pictures(Report& report) {
  if (report.sets.size() > kMostChartSets) {
    report.left_out.push_back(fmt::format("sets {}-{} in charts, which have at most {}",
                                          kMostChartSets + 1, report.sets.size(), kMostChartSets));
  }
  TooLarge matrices;
  TooLarge graphs;
  TooLarge plans;
  const std::string* previous = nullptr;
  for (std::size_t i = 0; i < report.sets.size(); ++i) {
    const ReportSet& set = report.sets[i];
    const Program& program = set.file.program;
    const std::size_t side = matrix_side(program);
    const bool is_new = previous == nullptr || *previous != set.code().spec;
    if (is_new && side > kMostMatrixSide) matrices.add(i + 1, side);
    previous = &set.code().spec;
    const std::size_t operands = num_operands(program);
    if (operands > kMostGraphOperands) graphs.add(i + 1, operands);
    if (has_steps(set) && set.cost.xors > kMostGanttSteps) plans.add(i + 1, set.cost.xors);
  }
  TooLarge circuits;
  for (std::size_t i = 0; report.has_engines && i < report.sets.size(); ++i) {
    const std::size_t ties = circuit_ties(drawn_engine(report.sets[i], 1));
    if (ties > kMostCircuitTies) circuits.add(i + 1, ties);
  }
  say(report, "circuit", "circuits", circuits, "lines", kMostCircuitTies);
  say(report, "matrix", "matrices", matrices, "rows or columns", kMostMatrixSide);
  say(report, "graph", "graphs", graphs, "operands", kMostGraphOperands);
  say(report, "plan", "plans", plans, "XORs", kMostGanttSteps);
}

/// Adds a sentence on the codes without a chart of XORs against steps.
void add_fronts(Report& report) {
  TooLarge none;
  TooLarge without;
  for (std::size_t i = 0; i < report.sets.size(); ++i) {
    const ReportSet& set = report.sets[i];
    if (!set.is_direct || !has_steps(set)) continue;
    const auto front = std::ranges::find(report.fronts, set.code(), &Front::code);
    if (set.cost.xors > kMostFrontXors) {
      none.add(i + 1, set.cost.xors);
    } else if (front != report.fronts.end() && front->points.size() < kLeastOfFront) {
      without.add(i + 1, set.cost.xors);
    }
  }
  if (!none.sets.empty()) {
    report.left_out.push_back(fmt::format(
        "XORs against steps, for the code{} of {}, with {}{} direct XORs: searched up to {}",
        none.is_one() ? "" : "s", none.text(), none.is_one() ? "" : "up to ", none.largest,
        kMostFrontXors));
  }
  if (!without.sets.empty()) {
    const bool is_quick = without.largest > kMostSlowFrontXors || report.search->effort == "fast";
    report.left_out.push_back(fmt::format(
        "XORs against steps, for the code{} of {}: a {}search found fewer than {} sets "
        "that trade one for the other",
        without.is_one() ? "" : "s", without.text(), is_quick ? "quick " : "", kLeastOfFront));
  }
}

}  // namespace

std::size_t matrix_side(const Program& program) {
  return std::max(program.inputs.size(), program.outputs.size());
}

void add_left_out(Report& report, bool has_pictures) {
  for (std::size_t i = 0; i < report.sets.size(); ++i) {
    const std::string& why = report.sets[i].why_no_runs;
    if (why.empty()) continue;
    report.left_out.push_back(fmt::format("machine code of set {}: {}", i + 1, why));
  }
  if (!has_pictures) return;
  add_pictures(report);
  if (report.search) add_fronts(report);
}

}  // namespace xorloom::cli
