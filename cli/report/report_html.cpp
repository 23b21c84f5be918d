#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "cli/report/report_blocks.hpp"
#include "cli/shell/html_page.hpp"
#include "equations/cores/list_schedule.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "gen/pictures/core_schedule_svg.hpp"
#include "gen/pictures/equations_svg.hpp"
#include "gen/pictures/matrix_svg.hpp"

namespace xorloom::cli {
namespace {

/// XORs of equations whose pictures are open from the beginning.
constexpr std::size_t kMostOpen = 64;

/// "cauchy 5 + 2, w = 3".
std::string short_name(const EquationFile::CodeName& code) {
  return fmt::format("{} {} + {}, w = {}", code.family, code.k, code.m, code.w);
}

/// A set by its name alone, where its source is a file.
std::string short_name(const ReportSet& set) {
  const std::string name = set_name(set);
  return name.substr(name.rfind('/') + 1);
}

/// "2 · iterative": as in the table.
std::string numbered(const Report& report, const ReportSet& set) {
  return fmt::format("{} · {}", &set - report.sets.data() + 1, short_name(set));
}

std::string table(const Report& report) {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr><th></th>";
  for (const ReportSet& set : report.sets) {
    html += fmt::format("<th>{}</th>", escaped(short_name(set)));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const ReportBlock& block : report_blocks(report)) {
    if (!block.heading.empty()) {
      html += fmt::format("<tr class=\"head\"><th colspan=\"{}\">{}</th></tr>\n",
                          report.sets.size() + 1, escaped(block.heading));
    }
    for (const ReportRow& row : block.rows) {
      html += fmt::format("<tr><th class=\"in{}\">{}</th>", row.indent, escaped(row.label));
      for (const std::string& value : row.values) {
        html += fmt::format("<td>{}</td>", escaped(value));
      }
      html += "</tr>\n";
    }
  }
  return html + "</tbody></table></div>\n";
}

std::string list_of_sets(const Report& report) {
  std::string html = "<ol>\n";
  for (const ReportSet& set : report.sets) {
    html += fmt::format("<li>{}: <code>{}</code></li>\n", escaped(set_name(set)),
                        escaped(set.code().spec));
  }
  return html + "</ol>\n";
}

/// XORs of each set, and below which none can go; over symbols there are multiplications instead.
Picture xors_chart(const Report& report) {
  const bool has_bounds =
      std::ranges::all_of(report.sets, [](const ReportSet& set) { return bool(set.lower_bound); });
  BarChart chart =
      has_bounds
          ? BarChart{"XORs", "XORs", {}, {{"XORs", {}}, {"lower bound, same inputs", {}}}, {}}
          : BarChart{"XORs and multiplications",
                     "operations",
                     {},
                     {{"XORs", {}}, {"multiplications", {}}},
                     {}};
  for (const ReportSet& set : report.sets) {
    if (2 * chart.categories.size() + 2 > kMostBars) break;
    chart.categories.push_back(numbered(report, set));
    chart.series[0].values.push_back(static_cast<double>(set.cost.xors));
    chart.series[1].values.push_back(
        static_cast<double>(has_bounds ? *set.lower_bound : set.cost.multiplications));
  }
  return draw_bars(chart);
}

/// Speedup against cores, a chart for each code: all sets of a chart have one baseline.
std::vector<Picture> speedup_charts(const Report& report) {
  std::vector<Picture> pictures;
  for (std::size_t first = 0; first < report.sets.size();) {
    const ReportSet& of = report.sets[first];
    Chart chart{fmt::format("{}: speedup over its {} direct XORs on one core",
                            short_name(of.code()), of.direct_xors),
                {"cores", ChartAxis::Scale::kLinear, true, false},
                {"speedup", ChartAxis::Scale::kLinear, true, false},
                {},
                "Any XOR may run on any core, one XOR per core and step."};
    for (; first < report.sets.size(); ++first) {
      const ReportSet& set = report.sets[first];
      const bool is_same = set.code().spec == of.code().spec && set.direct_xors == of.direct_xors;
      if (!is_same) break;
      if (set.on_cores.size() < 2 || chart.series.size() == kMostSeries) continue;
      ChartSeries& series =
          chart.series.emplace_back(ChartSeries{numbered(report, set), {}, {}, false, {}});
      for (const CoresCost& on : set.on_cores) {
        series.points.emplace_back(static_cast<double>(on.cores), on.speedup);
      }
    }
    if (!chart.series.empty()) pictures.push_back(draw_chart(chart));
  }
  return pictures;
}

void add_front(const Report& report, HtmlPage& page) {
  for (const Front& front : report.fronts) {
    if (front.points.size() == 1) {
      page.paragraph(fmt::format(
          "{} on {} cores: the equations with the fewest XORs found, {}, also take the fewest "
          "steps found, {}.",
          short_name(front.code), front.cores, front.points[0].xors, front.points[0].steps));
      continue;
    }
    page.picture(front_chart(
        fmt::format("XORs against steps on {} cores: {}", front.cores, short_name(front.code)),
        front.points));
  }
}

/// GB/s against the bytes of a stripe of a code: what the machine's bandwidth allows, and what is
/// predicted of each of its sets and measured.
std::optional<Picture> speed_chart(const Report& report, const std::string& spec) {
  Chart chart{"GB/s of data against the size of a stripe, on one core",
              {"bytes of all chunks of a stripe", ChartAxis::Scale::kLog2, false, true},
              {"GB/s", ChartAxis::Scale::kLinear, true, false},
              {},
              "Lines are predicted; markers are measured. The roof is what moving the bytes alone "
              "would allow."};
  const auto l1 = static_cast<double>(report.caches.l1);
  const auto l2 = static_cast<double>(report.caches.l2);
  const auto l3 = static_cast<double>(report.caches.l3);
  const auto levels = [&](const LevelSpeeds& speeds) {
    return std::vector<std::pair<double, double>>{
        {l1, speeds.l2}, {l2, speeds.l3}, {l3, speeds.memory}, {4 * l3, speeds.memory}};
  };
  for (const ReportSet& set : report.sets) {
    if (set.code().spec != spec || set.runs.empty() || !set.runs.front().predicted) continue;
    const IsaRun& run = set.runs.front();
    if (chart.series.empty() && run.roof) {
      chart.series.push_back({"roof", levels(*run.roof), ChartSeries::Form::kSteps, true, {}});
    }
    if (chart.series.size() + 2 > kMostSeries) break;
    chart.series.push_back(
        {numbered(report, set), levels(*run.predicted), ChartSeries::Form::kSteps, false, {}});
    if (set.speeds.empty()) continue;
    ChartSeries& measured = chart.series.emplace_back(ChartSeries{
        numbered(report, set) + ", measured", {}, ChartSeries::Form::kMarkers, false, {}});
    for (const SpeedAtSize& at : set.speeds) {
      measured.points.emplace_back(static_cast<double>(at.stripe_bytes), at.gigabytes);
    }
  }
  if (chart.series.empty()) return std::nullopt;
  return draw_chart(chart);
}

/// Single calls, where they were timed.
std::optional<Picture> latency_chart(const Report& report) {
  BarChart chart{
      "Time per call, chunks in L2", "microseconds", {"median", "99 %", "99.9 %"}, {}, {}};
  for (const ReportSet& set : report.sets) {
    if (set.latency.calls == 0 || chart.series.size() == kMostSeries) continue;
    chart.series.push_back(
        {numbered(report, set),
         {set.latency.p50 * 1e6, set.latency.p99 * 1e6, set.latency.p999 * 1e6}});
  }
  if (chart.series.empty()) return std::nullopt;
  return draw_bars(chart);
}

/// The plan on the most cores that are asked about.
void add_plan(const Report& report, const ReportSet& set, HtmlPage& page) {
  const Program& program = set.file.program;
  std::size_t cores = 1;
  for (const CoresCost& on : set.on_cores) {
    if (on.cores <= kMostGanttCores) cores = std::max(cores, on.cores);
  }
  if (cores == 1 || set.cost.xors > kMostGanttSteps) return;
  const bool is_made_for = set.file.plan && set.file.plan->cores == cores;
  if (set.file.plan && !is_made_for) return;  // it was made for fewer
  const CoreSchedule plan = is_made_for ? *set.file.plan : schedule_on_cores(program, cores);
  const std::string line = fmt::format("{}: the plan on {} cores, {} steps", numbered(report, set),
                                       cores, makespan(plan));
  const bool is_open = set.cost.xors <= kMostOpen;
  page.foldable(line, draw_gantt(program, plan), is_open);
  if (const std::optional<Picture> paths = draw_paths(program, plan)) {
    page.foldable(fmt::format("{}: its data paths", numbered(report, set)), *paths, is_open);
  }
}

void add_pictures(const Report& report, HtmlPage& page) {
  std::string drawn;
  for (const ReportSet& set : report.sets) {
    const Program& program = set.file.program;
    if (set.code().spec != drawn) {
      page.heading(short_name(set.code()));
      const bool fits =
          program.inputs.size() <= kMostMatrixSide && program.outputs.size() <= kMostMatrixSide;
      if (fits) {
        page.foldable(program.is_xor() ? "its bitmatrix" : "its matrix", draw_matrix(program),
                      true);
      }
      drawn = set.code().spec;
      if (const auto chart = speed_chart(report, drawn)) page.picture(*chart);
    }
    std::size_t operands = 0;
    for (const Equation& equation : program.equations) operands += equation.operands.size();
    if (operands <= kMostGraphOperands) {
      page.foldable(fmt::format("{}: the equations as a graph", numbered(report, set)),
                    draw_equations(set.file), set.cost.xors <= kMostOpen);
    }
    add_plan(report, set, page);
  }
}

}  // namespace

std::string report_html(const Report& report) {
  HtmlPage page("What equations cost");
  page.paragraph(fmt::format("Sets of equations, {}:", task_text(report)));
  page.raw(list_of_sets(report));
  page.raw(table(report));
  page.paragraph(report_legend(report));
  if (!report.machine.empty()) page.paragraph("The machine: " + report.machine + ".");
  page.heading("Side by side");
  page.picture(xors_chart(report));
  for (const Picture& chart : speedup_charts(report)) page.picture(chart);
  if (const auto chart = latency_chart(report)) page.picture(*chart);
  add_front(report, page);
  add_pictures(report, page);
  return page.text();
}

}  // namespace xorloom::cli
