#include "bench/lab/paper_figure.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

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

class Making {
 public:
  Making(PaperFigure& figure, const std::function<void(std::size_t)>& done)
      : figure_(figure),
        done_(done),
        end_(std::chrono::steady_clock::now() + figure.options.budget) {}

  void formulas() {
    const FigureOptions& options = figure_.options;
    const PaperModel& model = options.model;
    for (const std::size_t m : kPaperParts) {
      const std::size_t cores = options.cores != 0 ? options.cores : m * model.symbol_bits;
      FigurePart& part = figure_.parts.emplace_back(FigurePart{m, cores, {}});
      for (std::size_t k = 1; k <= kFigureLargestK; ++k) {
        FigurePoint& point = part.points.emplace_back();
        point.k = k;
        point.optimal = optimal_cost(k, m);
        point.cauchy = cauchy_cost(k, m, model);
        point.classical = classical_cost(k, m, model);
        point.direct_on_cores = cauchy_cost_on_cores(k, m, cores, options.direct_efficiency, model);
        point.iterative_on_cores =
            cauchy_cost_on_cores(k, m, cores, options.iterative_efficiency, model);
        point.fpga = fpga_cost(k, m, model);
        point.measured_fpga = measured_fpga_cost(k, m, model);
      }
    }
  }

  void equations() {
    const Effort effort = figure_.options.effort;
    figure_.shared =
        for_all_codes([&](const Program& direct, FigurePart& part, FigurePoint& point) {
          point.made_direct = of_a_row(xors(direct));
          point.made_direct_on_cores = of_a_row(makespan(schedule_on_cores(direct, part.cores)));
          ++figure_.codes;
          return share(direct, Effort::kFast, part, point);
        });
    figure_.searched = figure_.shared;
    if (effort == Effort::kFast) return;
    figure_.searched =
        for_all_codes([&](const Program& direct, FigurePart& part, FigurePoint& point) {
          return share(direct, effort, part, point);
        });
  }

 private:
  bool is_over() const { return std::chrono::steady_clock::now() >= end_; }

  double of_a_row(std::size_t steps) const {
    return static_cast<double>(steps) / static_cast<double>(figure_.options.model.symbol_bits);
  }

  /// The codes for which `make` came to its end.
  std::size_t for_all_codes(
      const std::function<bool(const Program&, FigurePart&, FigurePoint&)>& make) {
    const std::size_t w = figure_.options.model.symbol_bits;
    std::size_t finished = 0;
    for (FigurePart& part : figure_.parts) {
      for (FigurePoint& point : part.points) {
        if (point.k + part.m > std::size_t{1} << w) continue;
        const Code code = make_code(fmt::format("cauchy-good:k={},m={},w={}", point.k, part.m, w));
        if (make(direct_program(code, Request{}), part, point)) ++finished;
        done_(finished);
      }
    }
    return finished;
  }

  /// False if the budget is over, and then what was found until then is taken if it is better.
  bool share(const Program& direct, Effort effort, const FigurePart& part, FigurePoint& point) {
    if (is_over()) return false;
    Search search;
    search.effort = effort;
    search.stop_requested = [this] { return is_over(); };
    keep_less(point.made_iterative, xors(optimize(direct, search)));
    keep_less(point.made_iterative_on_cores,
              makespan(tailor_to_cores(direct, part.cores, search).plan));
    return !is_over();
  }

  void keep_less(std::optional<double>& kept, std::size_t steps) const {
    if (!kept || of_a_row(steps) < *kept) kept = of_a_row(steps);
  }

  PaperFigure& figure_;
  const std::function<void(std::size_t)>& done_;
  const std::chrono::steady_clock::time_point end_;
};

constexpr const char* kPaperTitle = "What coding costs, after figure 5 of the paper";

struct Column {
  const char* key;
  const char* name;   ///< in a table
  const char* curve;  ///< in a chart
  bool is_on_cores;
  bool is_made;
  std::function<std::optional<double>(const FigurePoint&)> value;
};

std::vector<Column> columns() {
  const auto of = [](auto member) {
    return [member](const FigurePoint& point) -> std::optional<double> { return point.*member; };
  };
  return {
      {"optimal", "C_opt", "optimum, one core", false, false, of(&FigurePoint::optimal)},
      {"cauchy", "C_CRS", "Cauchy Reed-Solomon, one core", false, false, of(&FigurePoint::cauchy)},
      {"classical", "RS", "classical Reed-Solomon, one core", false, false,
       of(&FigurePoint::classical)},
      {"direct_on_cores", "E", "Cauchy, E of direct", true, false,
       of(&FigurePoint::direct_on_cores)},
      {"iterative_on_cores", "E", "Cauchy, E of iterative", true, false,
       of(&FigurePoint::iterative_on_cores)},
      {"fpga", "FPGA", "FPGA", false, false, of(&FigurePoint::fpga)},
      {"measured_fpga", "array", "FPGA, our coprocessor", false, true,
       of(&FigurePoint::measured_fpga)},
      {"made_direct", "direct", "made: direct, one core", false, true,
       of(&FigurePoint::made_direct)},
      {"made_iterative", "iter.", "made: iterative, one core", false, true,
       of(&FigurePoint::made_iterative)},
      {"made_direct_on_cores", "direct", "made: direct", true, true,
       of(&FigurePoint::made_direct_on_cores)},
      {"made_iterative_on_cores", "iter.", "made: iterative", true, true,
       of(&FigurePoint::made_iterative_on_cores)}};
}

std::string cores_text(std::size_t cores) {
  return fmt::format("{} core{}", cores, cores == 1 ? "" : "s");
}

Chart chart_of(const PaperFigure& figure, const FigurePart& part) {
  Chart chart{fmt::format("Steps per bit of {} redundant chunks", part.m),
              {"k, data chunks", ChartAxis::Scale::kLinear, true, false},
              {"steps of one XOR", ChartAxis::Scale::kLog10, false, false},
              {},
              fmt::format("Solid: the paper's formulas. Dashed: what equations of cauchy-good, w = "
                          "{}, take.",
                          figure.options.model.symbol_bits)};
  for (const Column& column : columns()) {
    ChartSeries series{column.is_on_cores
                           ? fmt::format("{}, {}", column.curve, cores_text(part.cores))
                           : std::string(column.curve),
                       {},
                       ChartSeries::Form::kPlain,
                       column.is_made,
                       {}};
    for (const FigurePoint& point : part.points) {
      // The optimum of k = 1 is nothing, which has no place on this axis.
      const std::optional<double> value = column.value(point);
      if (value && *value > 0) series.points.emplace_back(static_cast<double>(point.k), *value);
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

/// What the searches left out, if anything.
std::string budget_text(const PaperFigure& figure) {
  const auto seconds = figure.options.budget.count();
  if (figure.shared < figure.codes) {
    return fmt::format(
        "The searches were stopped after {} s: {} of {} codes have iterative equations. --seconds "
        "N "
        "searches longer.",
        seconds, figure.shared, figure.codes);
  }
  if (figure.searched < figure.codes) {
    return fmt::format(
        "The searches were stopped after {} s: effort normal came to {} of {} codes, and the "
        "others "
        "have equations of effort fast. --seconds N searches longer.",
        seconds, figure.searched, figure.codes);
  }
  return "";
}

std::string legend(const PaperFigure& figure) {
  const FigureOptions& options = figure.options;
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

/// The columns of a part, those of a kind beside each other.
std::vector<FigureGroup> groups_of_part(const FigureOptions& options, std::size_t cores) {
  const auto part = [](const std::string& name, std::size_t first, std::size_t last) {
    FigureGroup group{name, {}};
    const std::vector<Column> all = columns();
    for (std::size_t c = first; c < last; ++c) {
      group.figures.push_back({all[c].name, all[c].key, to_three_digits});
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

Json to_json(const PaperFigure& figure) {
  const FigureOptions& options = figure.options;
  const PaperModel& model = options.model;
  Json json{
      {"format", "xorloom-paper-figure"},
      {"version", 1},
      {"figure", 5},
      {"factor", model.factor},
      {"classical_factor", model.classical_factor},
      {"w", model.symbol_bits},
      {"slower_clock", model.slower_clock},
      {"multiplier_side", model.multiplier_side},
      {"efficiencies", Json::array({options.direct_efficiency, options.iterative_efficiency})},
      {"budget_seconds", static_cast<std::size_t>(options.budget.count())},
      {"codes", figure.codes},
      {"codes_shared", figure.shared},
      {"codes_searched", figure.searched},
      {"parts", Json::array()}};
  for (const FigurePart& part : figure.parts) {
    Json points = Json::array();
    for (const FigurePoint& point : part.points) {
      Json entry{{"k", point.k}};
      for (const Column& column : columns()) {
        const std::optional<double> value = column.value(point);
        entry[column.key] = value ? Json(*value) : Json(nullptr);
      }
      points.push_back(std::move(entry));
    }
    json["parts"].push_back({{"m", part.m}, {"cores", part.cores}, {"points", std::move(points)}});
  }
  return json;
}

}  // namespace

PaperFigure paper_figure(const FigureOptions& options,
                         const std::function<void(std::size_t)>& done) {
  PaperFigure figure{options};
  Making making(figure, done);
  making.formulas();
  making.equations();
  return figure;
}

Document figure_document(const PaperFigure& figure) {
  Document document{kPaperTitle, to_json(figure)};
  for (const Json& part : document.data["parts"]) {
    const std::size_t index = document.parts.size() / 3;
    document.add(Heading{fmt::format("m = {}", part["m"].whole())});
    document.add(Pictures{{draw_chart(chart_of(figure, figure.parts[index]))}, {}, {}, true});
    document.add(rows_of(part["points"], {"k", "k", in_full},
                         groups_of_part(figure.options, part["cores"].whole())));
  }
  document.add(Paragraph{legend(figure)});
  const std::string budget = budget_text(figure);
  if (!budget.empty()) document.add(Paragraph{budget});
  return document;
}

}  // namespace xorloom::cli
