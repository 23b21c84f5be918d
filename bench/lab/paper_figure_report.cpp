#include <fmt/format.h>

#include <functional>
#include <utility>
#include <vector>

#include "cli/document/html_page.hpp"
#include "cli/report/paper_figure.hpp"
#include "cli/shell/help.hpp"
#include "codes/text/json.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kPaperTitle = "What coding costs, after figure 5 of the paper";

struct Column {
  const char* key;
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
      {"optimal", "optimum, one core", false, false, of(&FigurePoint::optimal)},
      {"cauchy", "Cauchy Reed-Solomon, one core", false, false, of(&FigurePoint::cauchy)},
      {"classical", "classical Reed-Solomon, one core", false, false, of(&FigurePoint::classical)},
      {"direct_on_cores", "Cauchy, E of direct", true, false, of(&FigurePoint::direct_on_cores)},
      {"iterative_on_cores", "Cauchy, E of iterative", true, false,
       of(&FigurePoint::iterative_on_cores)},
      {"fpga", "FPGA", false, false, of(&FigurePoint::fpga)},
      {"measured_fpga", "FPGA, our coprocessor", false, true, of(&FigurePoint::measured_fpga)},
      {"made_direct", "made: direct, one core", false, true, of(&FigurePoint::made_direct)},
      {"made_iterative", "made: iterative, one core", false, true,
       of(&FigurePoint::made_iterative)},
      {"made_direct_on_cores", "made: direct", true, true, of(&FigurePoint::made_direct_on_cores)},
      {"made_iterative_on_cores", "made: iterative", true, true,
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

std::vector<Picture> charts_of(const PaperFigure& figure) {
  std::vector<Picture> charts;
  for (const FigurePart& part : figure.parts) charts.push_back(draw_chart(chart_of(figure, part)));
  return charts;
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

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format(" {:>6.2f}", *value) : fmt::format(" {:>6}", "-");
}

}  // namespace

std::string figure_table(const PaperFigure& figure) {
  std::string text = fmt::format("{}\n", kPaperTitle);
  const auto efficiency = [](double e) { return fmt::format("E={:.2f}", e); };
  for (const FigurePart& part : figure.parts) {
    text += fmt::format("\nm = {}\n", part.m);
    const std::string cores = cores_text(part.cores);
    text += fmt::format("  {:>21}{:>14}{:14}{:>14}{:>14}\n", "one core", cores, "", "made, 1 core",
                        cores);
    text += fmt::format(" k {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}\n",
                        "C_opt", "C_CRS", "RS", efficiency(figure.options.direct_efficiency),
                        efficiency(figure.options.iterative_efficiency), "FPGA", "array", "direct",
                        "iter.", "direct", "iter.");
    for (const FigurePoint& point : part.points) {
      text += fmt::format("{:>2}", point.k);
      for (const Column& column : columns()) text += cell(column.value(point));
      text += '\n';
    }
  }
  text += "\n" + wrapped(legend(figure), 0) + "\n";
  const std::string budget = budget_text(figure);
  if (!budget.empty()) text += wrapped(budget, 0) + "\n";
  return text;
}

std::string figure_json(const PaperFigure& figure) {
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
  return json.dump(2) + "\n";
}

std::string figure_html(const PaperFigure& figure) {
  HtmlPage page(kPaperTitle);
  for (const FigurePart& part : figure.parts) {
    page.heading(fmt::format("m = {}", part.m));
    page.picture(draw_chart(chart_of(figure, part)));
  }
  page.paragraph(legend(figure));
  const std::string budget = budget_text(figure);
  if (!budget.empty()) page.paragraph(budget);
  page.raw(fmt::format("<div class=\"wide\"><pre>{}</pre></div>\n", escaped(figure_table(figure))));
  return page.text();
}

std::string figure_svg(const PaperFigure& figure) {
  const std::vector<Picture> charts = charts_of(figure);
  return svg_page(stacked(charts));
}

}  // namespace xorloom::cli
