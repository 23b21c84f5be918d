#include "bench/lab/paper_figure.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "codes/families/families.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/request/request.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kPaperTitle = "What coding costs, after figure 5 of the paper";

/// A figure of each point. The formulas come first, then our coprocessor, then equations of
/// cauchy-good: their XORs / w, and their steps on cores / w. Null: there is no code of that k, m
/// and w, or the budget was spent.
struct Column {
  const char* key;
  const char* name;   ///< heading in a table
  const char* curve;  ///< label in a chart
  bool is_on_cores;
  bool is_made;
};

constexpr std::array<Column, 11> kFigureColumns = {
    {{"optimal", "C_opt", "optimum, one core", false, false},
     {"cauchy", "C_CRS", "Cauchy Reed-Solomon, one core", false, false},
     {"classical", "RS", "classical Reed-Solomon, one core", false, false},
     {"direct_on_cores", "E", "Cauchy, E of direct", true, false},
     {"iterative_on_cores", "E", "Cauchy, E of iterative", true, false},
     {"fpga", "FPGA", "FPGA", false, false},
     {"measured_fpga", "array", "FPGA, our coprocessor", false, true},
     {"made_direct", "direct", "made: direct, one core", false, true},
     {"made_iterative", "iter.", "made: iterative, one core", false, true},
     {"made_direct_on_cores", "direct", "made: direct", true, true},
     {"made_iterative_on_cores", "iter.", "made: iterative", true, true}}};

/// Points of the curves for one m.
struct FigurePart {
  std::size_t m;
  std::size_t cores;
  std::vector<Json> points;  ///< k = 1 … 32
};

class Making {
 public:
  Making(const FigureOptions& options, const std::function<void(std::size_t)>& done)
      : options_(options), done_(done), end_(std::chrono::steady_clock::now() + options.budget) {}

  void formulas() {
    const PaperModel& model = options_.model;
    for (const std::size_t m : kPaperParts) {
      const std::size_t cores = options_.cores != 0 ? options_.cores : m * model.symbol_bits;
      FigurePart& part = parts_.emplace_back(FigurePart{m, cores, {}});
      const auto on_cores = [&](std::size_t k, double efficiency) {
        return cauchy_cost_on_cores(k, m, cores, efficiency, model);
      };
      for (std::size_t k = 1; k <= kFigureLargestK; ++k) {
        part.points.push_back({{"k", k},
                               {"optimal", optimal_cost(k, m)},
                               {"cauchy", cauchy_cost(k, m, model)},
                               {"classical", classical_cost(k, m, model)},
                               {"direct_on_cores", on_cores(k, options_.direct_efficiency)},
                               {"iterative_on_cores", on_cores(k, options_.iterative_efficiency)},
                               {"fpga", fpga_cost(k, m, model)},
                               {"measured_fpga", measured_fpga_cost(k, m, model)},
                               {"made_direct", nullptr},
                               {"made_iterative", nullptr},
                               {"made_direct_on_cores", nullptr},
                               {"made_iterative_on_cores", nullptr}});
      }
    }
  }

  void equations() {
    shared_ = for_all_codes([&](const Program& direct, std::size_t cores, Json& point) {
      keep_less(point["made_direct"], xors(direct));
      keep_less(point["made_direct_on_cores"], makespan(schedule_on_cores(direct, cores)));
      ++codes_;
      return share(direct, Effort::kFast, cores, point);
    });
    searched_ = shared_;
    if (options_.effort == Effort::kFast) return;
    searched_ = for_all_codes([&](const Program& direct, std::size_t cores, Json& point) {
      return share(direct, options_.effort, cores, point);
    });
  }

  Json data() const {
    const PaperModel& model = options_.model;
    Json json{
        {"format", "xorloom-paper-figure"},
        {"version", 1},
        {"figure", 5},
        {"factor", model.factor},
        {"classical_factor", model.classical_factor},
        {"w", model.symbol_bits},
        {"slower_clock", model.slower_clock},
        {"multiplier_side", model.multiplier_side},
        {"efficiencies", Json::array({options_.direct_efficiency, options_.iterative_efficiency})},
        {"budget_seconds", static_cast<std::size_t>(options_.budget.count())},
        {"codes", codes_},
        {"codes_shared", shared_},
        {"codes_searched", searched_},
        {"parts", Json::array()}};
    for (const FigurePart& part : parts_) {
      json["parts"].push_back({{"m", part.m}, {"cores", part.cores}, {"points", part.points}});
    }
    return json;
  }

 private:
  bool is_over() const { return std::chrono::steady_clock::now() >= end_; }

  /// Calls `make` for all codes; returns the number of calls that were finished.
  std::size_t for_all_codes(
      const std::function<bool(const Program&, std::size_t cores, Json& point)>& make) {
    const std::size_t w = options_.model.symbol_bits;
    std::size_t finished = 0;
    for (FigurePart& part : parts_) {
      for (std::size_t k = 1; k <= kFigureLargestK && k + part.m <= std::size_t{1} << w; ++k) {
        const Code code = make_code(fmt::format("cauchy-good:k={},m={},w={}", k, part.m, w));
        if (make(direct_program(code, Request{}), part.cores, part.points[k - 1])) ++finished;
        done_(finished);
      }
    }
    return finished;
  }

  /// Searches equations and keeps better ones. False: the budget ended the search, so it may be
  /// incomplete.
  bool share(const Program& direct, Effort effort, std::size_t cores, Json& point) {
    if (is_over()) return false;
    Search search;
    search.effort = effort;
    search.stop_requested = [this] { return is_over(); };
    keep_less(point["made_iterative"], xors(optimize(direct, search)));
    keep_less(point["made_iterative_on_cores"],
              makespan(tailor_to_cores(direct, cores, search).plan));
    return !is_over();
  }

  void keep_less(Json& kept, std::size_t steps) const {
    const double of_a_row =
        static_cast<double>(steps) / static_cast<double>(options_.model.symbol_bits);
    if (kept.is_null() || of_a_row < kept.real()) kept = of_a_row;
  }

  const FigureOptions& options_;
  const std::function<void(std::size_t)>& done_;
  const std::chrono::steady_clock::time_point end_;
  std::vector<FigurePart> parts_{};
  std::size_t codes_ = 0;     ///< codes with equations, at most 96
  std::size_t shared_ = 0;    ///< codes with iterative equations
  std::size_t searched_ = 0;  ///< codes whose search with the given effort was finished
};

std::string cores_text(std::size_t cores) {
  return fmt::format("{} core{}", cores, cores == 1 ? "" : "s");
}

Picture chart_of(const Json& part, std::size_t w) {
  Chart chart{
      fmt::format("Steps per bit of {} redundant chunks", part["m"].whole()),
      {"k, data chunks", ChartAxis::Scale::kLinear, true, false},
      {"steps of one XOR", ChartAxis::Scale::kLog10, false, false},
      {},
      fmt::format(
          "Solid: the paper's formulas. Dashed: what equations of cauchy-good, w = {}, take.", w)};
  for (const Column& column : kFigureColumns) {
    std::string name = column.curve;
    if (column.is_on_cores) name += ", " + cores_text(part["cores"].whole());
    auto points = points_of(part["points"], "k", column.key);
    // For k = 1 the optimum is 0, which a logarithmic axis cannot show.
    std::erase_if(points, [](const auto& point) { return point.second <= 0; });
    if (points.empty()) continue;
    chart.series.push_back(
        {std::move(name), std::move(points), ChartSeries::Form::kPlain, column.is_made});
  }
  return draw_chart(chart);
}

/// Says which searches the budget cut; "" if none.
std::string budget_text(const Json& data) {
  const std::size_t seconds = data["budget_seconds"].whole();
  const std::size_t codes = data["codes"].whole();
  const std::size_t shared = data["codes_shared"].whole();
  const std::size_t searched = data["codes_searched"].whole();
  if (searched == codes) return "";
  const std::string found =
      shared < codes ? fmt::format("{} of {} codes have iterative equations", shared, codes)
                     : fmt::format(
                           "effort normal came to {} of {} codes, and the others have equations of "
                           "effort fast",
                           searched, codes);
  return fmt::format("The searches were stopped after {} s: {}. --seconds N searches longer.",
                     seconds, found);
}

std::string legend(const FigureOptions& options) {
  const PaperModel& model = options.model;
  const std::string cores =
      options.cores != 0 ? std::to_string(options.cores) : fmt::format("{} m", model.symbol_bits);
  return fmt::format(
      "The unit is a step of one XOR, for one bit of every redundant chunk. C_opt = (k-1) m; C_CRS "
      "= (F k - 1) m with F = {0}; RS = {1} C_opt; E={2:.2f}, E={3:.2f}: C_CRS / (min(p, {4} m) E) "
      "on p = {5} cores; FPGA: ceil(k/{6}) ceil(m/{6}) {7} + (ceil(k/{6}) - 1) m; array: without "
      "its second term, which the coprocessor of xorloom emit does not need. The last four "
      "columns are what equations of cauchy-good with w = {4} take, direct and iterative: XORs / "
      "{4} on one core, and steps / {4} on p cores. docs/report.md says which paper this is, and "
      "where its formulas, text and figure differ.",
      model.factor, model.classical_factor, options.direct_efficiency, options.iterative_efficiency,
      model.symbol_bits, cores, model.multiplier_side, model.slower_clock);
}

/// Groups of columns of a part, by kind.
std::vector<FigureGroup> groups_of_part(const FigureOptions& options, std::size_t cores) {
  const auto part = [](const std::string& name, std::size_t first, std::size_t last) {
    FigureGroup group{name, {}};
    for (std::size_t c = first; c < last; ++c) {
      group.figures.push_back({kFigureColumns[c].name, kFigureColumns[c].key, to_three_digits});
    }
    return group;
  };
  std::vector<FigureGroup> groups{part("one core", 0, 3), part(cores_text(cores), 3, 5),
                                  part("", 5, 7), part("made, 1 core", 7, 9),
                                  part(cores_text(cores), 9, 11)};
  groups[1].figures[0].name += fmt::format(" {:.2f}", options.direct_efficiency);
  groups[1].figures[1].name += fmt::format(" {:.2f}", options.iterative_efficiency);
  return groups;
}

}  // namespace

Document paper_figure(const FigureOptions& options, const std::function<void(std::size_t)>& done) {
  Making making(options, done);
  making.formulas();
  making.equations();
  Document document{kPaperTitle, making.data()};
  for (const Json& part : document.data["parts"]) {
    document.add(Heading{fmt::format("m = {}", part["m"].whole())});
    document.add(Pictures{{chart_of(part, options.model.symbol_bits)}, {}, {}, true});
    document.add(record_table(part["points"], {"k", "k", in_full},
                              groups_of_part(options, part["cores"].whole())));
  }
  document.add(Paragraph{legend(options)});
  document.add(Paragraph{budget_text(document.data)});
  return document;
}

}  // namespace xorloom::cli
