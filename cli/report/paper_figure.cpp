#include "cli/report/paper_figure.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "cli/shell/help.hpp"
#include "cli/shell/html_page.hpp"
#include "codes/families/families.hpp"
#include "codes/text/json.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/request/request.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

constexpr std::array<std::size_t, 3> kParts = {2, 4, 6};

struct Column {
  const char* key;
  const char* heading;
  double FigurePoint::*value;
};

constexpr std::array kColumnsOf = {
    Column{"optimal", "C_opt", &FigurePoint::optimal},
    Column{"cauchy", "C_CRS", &FigurePoint::cauchy},
    Column{"classical", "RS", &FigurePoint::classical},
    Column{"direct_on_cores", "E=.93", &FigurePoint::direct_on_cores},
    Column{"iterative_on_cores", "E=1.07", &FigurePoint::iterative_on_cores},
    Column{"fpga", "FPGA", &FigurePoint::fpga},
    Column{"made_direct", "direct", &FigurePoint::made_direct},
    Column{"made_iterative", "iter.", &FigurePoint::made_iterative},
    Column{"made_direct_on_cores", "direct", &FigurePoint::made_direct_on_cores},
    Column{"made_iterative_on_cores", "iter.", &FigurePoint::made_iterative_on_cores}};

FigurePoint point_of(std::size_t k, std::size_t m, Effort effort) {
  const PaperModel model;
  const std::size_t cores = m * model.symbol_bits;
  FigurePoint point{k,
                    optimal_cost(k, m),
                    cauchy_cost(k, m, model),
                    classical_cost(k, m, model),
                    cauchy_cost_on_cores(k, m, cores, kDirectEfficiency, model),
                    cauchy_cost_on_cores(k, m, cores, kIterativeEfficiency, model),
                    fpga_cost(k, m, model),
                    0,
                    0,
                    0,
                    0};
  const Code code = make_code(fmt::format("cauchy-good:k={},m={},w={}", k, m, model.symbol_bits));
  const Program direct = direct_program(code, Request{});
  Search search;
  search.effort = effort;
  const auto of_a_row = [&](std::size_t steps) {
    return static_cast<double>(steps) / static_cast<double>(model.symbol_bits);
  };
  point.made_direct = of_a_row(xors(direct));
  point.made_iterative = of_a_row(xors(optimize(direct, search)));
  point.made_direct_on_cores = of_a_row(makespan(schedule_on_cores(direct, cores)));
  point.made_iterative_on_cores = of_a_row(makespan(tailor_to_cores(direct, cores, search).plan));
  return point;
}

Chart chart_of(const FigurePart& part) {
  const std::string cores = fmt::format("{} cores", 8 * part.m);
  const std::array curves = {std::pair("optimum, one core", &FigurePoint::optimal),
                             std::pair("Cauchy Reed-Solomon, one core", &FigurePoint::cauchy),
                             std::pair("classical Reed-Solomon, one core", &FigurePoint::classical),
                             std::pair("FPGA", &FigurePoint::fpga),
                             std::pair("Cauchy, E = 0.93", &FigurePoint::direct_on_cores),
                             std::pair("Cauchy, E = 1.07", &FigurePoint::iterative_on_cores),
                             std::pair("made: direct, one core", &FigurePoint::made_direct),
                             std::pair("made: iterative, one core", &FigurePoint::made_iterative),
                             std::pair("made: direct", &FigurePoint::made_direct_on_cores),
                             std::pair("made: iterative", &FigurePoint::made_iterative_on_cores)};
  Chart chart{fmt::format("Steps per bit of {} redundant chunks", part.m),
              {"k, data chunks", ChartAxis::Scale::kLinear, true, false},
              {"steps of one XOR", ChartAxis::Scale::kLog10, false, false},
              {},
              "Solid: the paper's formulas. Dashed: what equations of cauchy-good, w = 8, take."};
  for (const auto& [name, value] : curves) {
    const bool is_made = std::string_view(name).starts_with("made");
    const bool is_on_cores = std::string_view(name).find("one core") == std::string_view::npos &&
                             std::string_view(name) != "FPGA";
    ChartSeries series{is_on_cores ? fmt::format("{}, {}", name, cores) : std::string(name),
                       {},
                       ChartSeries::Form::kPlain,
                       is_made,
                       {}};
    for (const FigurePoint& point : part.points) {
      // The optimum of k = 1 is nothing, which has no place on this axis.
      if (point.*value > 0) series.points.emplace_back(static_cast<double>(point.k), point.*value);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

constexpr const char* kLegend =
    "The unit is a step of one XOR, for one bit of every redundant chunk. C_opt = (k-1) m; C_CRS = "
    "(2.5 k - 1) m; RS = 2.3 C_opt; on p = 8 m cores C_CRS / (8 m E); FPGA: ceil(k/8) ceil(m/8) 18 "
    "+ (ceil(k/8) - 1) m. The last four columns are what equations of cauchy-good with w = 8 take, "
    "direct and iterative: XORs / 8 on one core, and steps / 8 on 8 m cores. docs/report.md says "
    "which paper this is, and where its formulas, text and figure differ.";

}  // namespace

std::vector<FigurePart> paper_figure(Effort effort, const std::function<void(std::size_t)>& done) {
  std::vector<FigurePart> parts;
  std::size_t codes = 0;
  for (const std::size_t m : kParts) {
    FigurePart& part = parts.emplace_back(FigurePart{m, {}});
    for (std::size_t k = 1; k <= kFigureLargestK; ++k) {
      part.points.push_back(point_of(k, m, effort));
      done(++codes);
    }
  }
  return parts;
}

std::string figure_table(const std::vector<FigurePart>& parts) {
  std::string text = "What coding costs, after figure 5 of the paper\n";
  for (const FigurePart& part : parts) {
    text += fmt::format("\nm = {}\n", part.m);
    text += fmt::format("  {:>21}{:>14}{:7}{:>14}{:>14}\n", "one core",
                        fmt::format("{} cores", 8 * part.m), "", "made, 1 core",
                        fmt::format("{} cores", 8 * part.m));
    text += " k";
    for (const Column& column : kColumnsOf) {
      text += fmt::format(" {:>6}", column.heading);
    }
    text += '\n';
    for (const FigurePoint& point : part.points) {
      text += fmt::format("{:>2}", point.k);
      for (const Column& column : kColumnsOf) {
        text += fmt::format(" {:>6.2f}", point.*column.value);
      }
      text += '\n';
    }
  }
  return text + "\n" + wrapped(kLegend, 0) + "\n";
}

std::string figure_json(const std::vector<FigurePart>& parts) {
  const PaperModel model;
  Json json{{"format", "xorloom-paper-figure"},
            {"version", 1},
            {"figure", 5},
            {"factor", model.factor},
            {"classical_factor", model.classical_factor},
            {"w", model.symbol_bits},
            {"slower_clock", model.slower_clock},
            {"multiplier_side", model.multiplier_side},
            {"efficiencies", Json::array({kDirectEfficiency, kIterativeEfficiency})},
            {"parts", Json::array()}};
  for (const FigurePart& part : parts) {
    Json points = Json::array();
    for (const FigurePoint& point : part.points) {
      Json entry{{"k", point.k}};
      for (const Column& column : kColumnsOf) entry[column.key] = point.*column.value;
      points.push_back(std::move(entry));
    }
    json["parts"].push_back(
        {{"m", part.m}, {"cores", part.m * model.symbol_bits}, {"points", std::move(points)}});
  }
  return json.dump(2) + "\n";
}

std::string figure_html(const std::vector<FigurePart>& parts) {
  HtmlPage page("What coding costs, after figure 5 of the paper");
  for (const FigurePart& part : parts) {
    page.heading(fmt::format("m = {}", part.m));
    page.picture(draw_chart(chart_of(part)));
  }
  page.paragraph(kLegend);
  page.raw(fmt::format("<div class=\"wide\"><pre>{}</pre></div>\n", escaped(figure_table(parts))));
  return page.text();
}

}  // namespace xorloom::cli
