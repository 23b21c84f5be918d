#include "cli/shell/equation_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/shell/options.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "gen/pictures/core_schedule_svg.hpp"
#include "gen/pictures/dot.hpp"
#include "gen/pictures/equations_svg.hpp"

namespace xorloom::cli {
namespace {

/// "on 6 cores"; "of depth" if levels were bounded instead.
std::string kind_of(std::span<const EquationFile> front) {
  if (!front.front().plan) return "of depth";
  const std::size_t cores = front.front().plan->cores;
  return fmt::format("on {}", counted(cores, "core"));
}

bool has_plans(std::span<const EquationFile> front) {
  return std::ranges::all_of(front, [&](const EquationFile& file) {
    return file.plan && file.plan->cores == front.front().plan->cores;
  });
}

bool is_of_depth(std::span<const EquationFile> front) {
  return std::ranges::all_of(front, [](const EquationFile& file) {
    return !file.plan && file.search &&
           (file.search->depth != 0 || cost(file.program).critical_path == 0);
  });
}

/// Second figure of a front's points, beside XORs: levels or steps.
const char* unit_of(std::span<const EquationFile> front) {
  return is_of_depth(front) ? "levels" : "steps";
}

std::string front_text(std::span<const EquationFile> front) {
  std::string text;
  if (has_plans(front) || is_of_depth(front)) {
    const std::string unit = unit_of(front);
    text = fmt::format("# front {}\n# {}  XORs\n", kind_of(front), unit);
    for (const FrontPoint& point : front_points(front)) {
      text += fmt::format("# {:{}}  {:4}\n", point.steps, unit.size(), point.xors);
    }
  }
  for (const EquationFile& file : front) text += (text.empty() ? "" : "\n") + write_text(file);
  return text;
}

}  // namespace

std::vector<FrontPoint> front_points(std::span<const EquationFile> front) {
  std::vector<FrontPoint> points;
  for (const EquationFile& file : front) {
    const std::size_t steps = file.plan ? makespan(*file.plan) : cost(file.program).critical_path;
    points.push_back({steps, xors(file.program)});
  }
  return points;
}

Picture front_chart(std::string title, std::span<const FrontPoint> points, ChartSize size,
                    const std::string& unit) {
  Chart chart{std::move(title), {unit}, {"XORs"}, {{"", {}, ChartSeries::Form::kSteps}}};
  chart.size = size;
  ChartSeries& series = chart.series.front();
  for (const FrontPoint& point : points) {
    series.points.emplace_back(static_cast<double>(point.steps), static_cast<double>(point.xors));
    series.labels.push_back(
        fmt::format("{} {}, {}", point.steps, unit, counted(point.xors, "XOR")));
  }
  return draw_chart(chart);
}

void add_equation_format(Command& command, std::string& format) {
  add_choice(
      command, "--format", format, {"text", "json", "svg", "dot"},
      "text to read, json to load again, svg to look at, dot for Graphviz, which takes no --cores "
      "and no --front; default: text");
}

void check_equation_format(const std::string& format, std::size_t cores, bool is_front) {
  if (cores != 0 && format == "dot") {
    fail(Status::kInvalidArgument, "--cores adds a plan, which --format dot cannot show");
  }
  if (is_front && format == "dot") {
    fail(Status::kInvalidArgument,
         "--front gives several sets of equations, which --format dot cannot show");
  }
  if (cores > kMostGanttCores && format == "svg" && !is_front) {
    fail(Status::kInvalidArgument,
         fmt::format("--cores = {} is more than the {} that --format svg shows", cores,
                     kMostGanttCores));
  }
}

std::string in_format(std::span<const EquationFile> files, bool is_front,
                      const std::string& format) {
  if (is_front &&
      (format == "dot" || (format == "svg" && !has_plans(files) && !is_of_depth(files)))) {
    fail(Status::kInvalidArgument, "--format {} shows one set of equations, and there are {}{}",
         format, files.size(),
         format == "svg" ? " without plans: --cores N makes plans, and svg then draws the front"
                         : "");
  }
  if (format == "svg") {
    return svg_page(is_front ? front_chart("Front " + kind_of(files), front_points(files),
                                           ChartSize::kLarge, unit_of(files))
                             : draw_with_plan(files.front()));
  }
  if (is_front) return format == "json" ? write_front_json(files) : front_text(files);
  if (format == "json") return write_json(files.front());
  if (format == "dot") return write_dot(files.front());
  return write_text(files.front());
}

}  // namespace xorloom::cli
