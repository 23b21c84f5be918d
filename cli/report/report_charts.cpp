#include "cli/report/report_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "cli/measuring/level_speeds.hpp"
#include "cli/report/code_groups.hpp"
#include "cli/report/latency_curves.hpp"
#include "cli/report/report_engines.hpp"
#include "cli/shell/code_title.hpp"
#include "codes/text/counted.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

/// With at least this many numbers of cores, steps are drawn as lines instead of bars.
constexpr std::size_t kLeastOfLine = 3;

/// Number of the color and marker of a set.
std::size_t ink_of(const Report& report, const ReportSet& set) {
  return number_of(report, set) - 1;
}

std::span<const ReportSet> charted(const Report& report) {
  return std::span(report.sets).first(std::min(report.sets.size(), kMostChartSets));
}

/// An empty series in the color and with the marker of `set`. Only the page's legend names it.
ChartSeries series_of(const Report& report, const ReportSet& set, ChartSeries::Form form) {
  ChartSeries series{numbered_of_code(report, set), {}, form};
  series.ink = ink_of(report, set);
  series.is_in_legend = false;
  return series;
}

double rounded(double value) { return std::round(value * 100) / 100; }

/// True if the sets differ in k, m or the number of outputs. XORs are then compared per bit.
bool has_sizes(const Report& report) {
  const ReportSet& first = report.sets.front();
  return std::ranges::any_of(report.sets, [&](const ReportSet& set) {
    return set.code().k != first.code().k || set.code().m != first.code().m ||
           set.file.program.outputs.size() != first.file.program.outputs.size();
  });
}

const char* computed_bit(const Report& report) {
  return !report.erased.empty() ? "rebuilt" : report.updated.empty() ? "redundant" : "updated";
}

/// XORs of each set with their lower bound; per bit if has_sizes(). If a set is over symbols, XORs
/// and multiplications of all sets instead.
Picture xors_chart(const Report& report) {
  const std::span<const ReportSet> sets = charted(report);
  const bool has_symbols =
      std::ranges::any_of(sets, [](const ReportSet& set) { return !set.file.program.is_xor(); });
  const bool is_per_bit = !has_symbols && has_sizes(report);
  const std::string per_bit = fmt::format("XORs per {} bit", computed_bit(report));
  BarChart chart{has_symbols  ? "XORs and multiplications"
                 : is_per_bit ? per_bit
                              : "XORs",
                 has_symbols ? "operations" : "XORs",
                 {},
                 {{"XORs", {}}}};
  chart.size = ChartSize::kSmall;
  chart.has_ink_by_category = !has_symbols;
  chart.has_two_decimals = is_per_bit;
  chart.bound_name = "lower bound for the same sums of inputs";
  if (has_symbols) {
    // The last two inks: few reports have enough sets to use them.
    chart.series[0].ink = kInks - 2;
    chart.series.push_back({"multiplications", {}, kInks - 1});
  }
  for (const ReportSet& set : sets) {
    chart.categories.push_back(fmt::format("{}", number_of(report, set)));
    chart.series[0].values.push_back(is_per_bit ? rounded(set.xors_per_bit)
                                                : static_cast<double>(set.cost.xors));
    if (has_symbols) {
      chart.series[1].values.push_back(static_cast<double>(set.cost.multiplications));
    }
    chart.bounds.emplace_back();
    if (!set.lower_bound) continue;
    const auto bound = static_cast<double>(*set.lower_bound);
    chart.bounds.back() =
        is_per_bit ? rounded(bound / static_cast<double>(set.file.program.outputs.size())) : bound;
  }
  return draw_bars(chart);
}

/// "Steps by cores", "Steps per redundant bit, by cores" or "Steps on 6 cores".
std::string steps_title(const Report& report) {
  std::string title = "Steps";
  if (has_sizes(report)) title += fmt::format(" per {} bit", computed_bit(report));
  const std::vector<CoresCost>& on = report.sets.front().on_cores;
  if (on.size() == 1) return fmt::format("{} on {}", title, counted(on.front().cores, "core"));
  return title + (has_sizes(report) ? ", by cores" : " by cores");
}

/// Steps of `set`; per bit if has_sizes().
double steps_of(const Report& report, const ReportSet& set, const CoresCost& on) {
  const auto steps = static_cast<double>(on.makespan);
  return has_sizes(report) ? rounded(steps / static_cast<double>(set.file.program.outputs.size()))
                           : steps;
}

/// Steps for a single number of cores: a bar per set.
Picture steps_bars_by_set(std::span<const ReportSet> sets, const Report& report) {
  BarChart chart{steps_title(report), "steps", {}, {{"", {}}}};
  chart.size = ChartSize::kSmall;
  chart.has_ink_by_category = true;
  chart.has_two_decimals = has_sizes(report);
  for (const ReportSet& set : sets) {
    chart.categories.push_back(fmt::format("{}", number_of(report, set)));
    chart.series[0].values.push_back(steps_of(report, set, set.on_cores.front()));
  }
  return draw_bars(chart);
}

/// Steps for two numbers of cores: a group of bars per number, a bar per set.
Picture steps_bars(std::span<const ReportSet> sets, const Report& report) {
  BarChart chart{steps_title(report), "steps", {}, {}};
  chart.has_two_decimals = has_sizes(report);
  chart.size = ChartSize::kSmall;
  for (const CoresCost& on : sets.front().on_cores) {
    chart.categories.push_back(counted(on.cores, "core"));
  }
  for (const ReportSet& set : sets) {
    BarChart::Series& series = chart.series.emplace_back();
    series.name = numbered_of_code(report, set);
    for (const CoresCost& on : set.on_cores) {
      series.values.push_back(steps_of(report, set, on));
    }
  }
  Picture picture = draw_bars(chart);
  picture.legend.clear();  // see sets_legend()
  return picture;
}

/// Steps by cores, a line per set. Both axes are logarithmic, so that ideal speedup is straight. If
/// a set takes no steps, their axis begins at 0 instead.
Picture steps_lines(std::span<const ReportSet> sets, const Report& report) {
  Chart chart{steps_title(report),
              {"cores", ChartAxis::Scale::kLog2, false, false, true},
              {"steps", ChartAxis::Scale::kLog2},
              {}};
  chart.size = ChartSize::kSmall;
  for (const ReportSet& set : sets) {
    ChartSeries& series =
        chart.series.emplace_back(series_of(report, set, ChartSeries::Form::kLine));
    for (const CoresCost& on : set.on_cores) {
      series.points.emplace_back(on.cores, steps_of(report, set, on));
      if (series.points.back().second == 0) chart.y.scale = ChartAxis::Scale::kLinear;
    }
  }
  return draw_chart(chart);
}

std::optional<Picture> steps_chart(const Report& report) {
  const std::span<const ReportSet> sets = charted(report);
  const bool are_planned = std::ranges::all_of(sets, [&](const ReportSet& set) {
    return has_steps(set) && set.on_cores.size() == sets.front().on_cores.size();
  });
  if (!are_planned) return std::nullopt;
  const std::size_t numbers = sets.front().on_cores.size();
  if (numbers == 1) return steps_bars_by_set(sets, report);
  return numbers < kLeastOfLine ? steps_bars(sets, report) : steps_lines(sets, report);
}

/// Lookup tables of each set as an engine without registers.
std::optional<Picture> tables_chart(const Report& report) {
  if (!report.has_engines) return std::nullopt;
  BarChart chart{"Lookup tables of an engine, per bit lane", "tables", {"LUT4", "LUT6"}, {}};
  chart.size = ChartSize::kSmall;
  for (const ReportSet& set : charted(report)) {
    BarChart::Series& series = chart.series.emplace_back();
    series.name = numbered_of_code(report, set);
    series.ink = ink_of(report, set);
    for (const std::size_t inputs : {std::size_t{4}, std::size_t{6}}) {
      const EngineCost* const engine = engine_cost(set, inputs, 0);
      series.values.push_back(engine != nullptr ? static_cast<double>(engine->tables)
                                                : std::numeric_limits<double>::quiet_NaN());
    }
  }
  Picture picture = draw_bars(chart);
  picture.legend.clear();  // see sets_legend()
  return picture;
}

/// Bytes read per byte rebuilt, by set; nullopt if all sets read the same number.
std::optional<Picture> reads_chart(const Report& report) {
  const std::span<const ReportSet> sets = charted(report);
  BarChart chart{"Bytes read per byte rebuilt", "bytes", {}, {{"", {}}}};
  chart.size = ChartSize::kSmall;
  chart.has_ink_by_category = true;
  chart.has_two_decimals = true;
  for (const ReportSet& set : sets) {
    if (!set.reads) return std::nullopt;
    chart.categories.push_back(fmt::format("{}", number_of(report, set)));
    chart.series[0].values.push_back(rounded(set.reads->bytes_per_byte()));
  }
  const auto [least, most] = std::ranges::minmax(chart.series[0].values);
  if (least == most) return std::nullopt;
  return draw_bars(chart);
}

using Points = std::vector<std::pair<double, double>>;

/// Speed by level, as a staircase: x is the chunk size from which a stripe lies in the level.
Points steps_by_level(const LevelSpeeds& speeds, const ReportSet& set, const CacheSizes& caches) {
  const auto chunk = [&](std::size_t stripe_bytes) {
    return static_cast<double>(stripe_bytes) / static_cast<double>(set.file.program.locations);
  };
  Points points{{chunk(caches.l1 / 4), speeds.l1},
                {chunk(caches.l1), speeds.l2},
                {chunk(caches.l2), speeds.l3},
                {chunk(caches.l3), speeds.memory},
                {chunk(4 * caches.l3), speeds.memory}};
  if (speeds.l1 == 0) points.erase(points.begin());  // a roof has no speed in L1
  return points;
}

Points measured_points(const ReportSet& set) {
  Points points;
  for (const SpeedAtSize& at : set.speeds) {
    points.emplace_back(static_cast<double>(at.chunk_bytes), at.gigabytes);
  }
  return points;
}

/// A marker per step of a staircase, placed by set number, since the lines of sets often coincide.
Points marks_of(const Points& steps, std::size_t number, std::size_t sets) {
  const double share = (static_cast<double>(number) + 1) / (static_cast<double>(sets) + 1);
  Points marks;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const double width = steps[i + 1].first / steps[i].first;
    if (width <= 1) continue;
    marks.emplace_back(steps[i].first * std::pow(width, share), steps[i].second);
  }
  return marks;
}

std::vector<ChartBand> bands_of(const Report& report, std::span<const ReportSet> sets) {
  std::vector<std::size_t> locations;
  for (const ReportSet& set : sets) locations.push_back(set.file.program.locations);
  return level_bands(report.caches, locations);
}

/// A series for a limit or roof. `number` selects its dashes; the ink is always the last one.
ChartSeries limit_series(std::string name, Points points, ChartSeries::Form form,
                         std::size_t number) {
  ChartSeries series{std::move(name), std::move(points), form, true};
  series.ink = kInks - 1 + number * kInks;
  return series;
}

/// Best roof at each level among the sets with `shape` = (k, m); nullopt if none has a roof.
std::optional<LevelSpeeds> roof_of(std::span<const ReportSet> sets,
                                   std::pair<std::size_t, std::size_t> shape) {
  std::optional<LevelSpeeds> roof;
  for (const ReportSet& set : sets) {
    if (set.runs.empty() || !set.runs.front().roof) continue;
    if (std::pair(set.code().k, set.code().m) != shape) continue;
    if (!roof) roof = LevelSpeeds{};
    for (const NamedLevel& level : kNamedLevels) {
      (*roof).*level.speed = std::max((*roof).*level.speed, (*set.runs.front().roof).*level.speed);
    }
  }
  return roof;
}

/// Adds a series for each (k, m): the measured limit, or the roof if no limit was measured.
void add_limits(const Report& report, std::span<const ReportSet> sets, Chart& chart) {
  std::map<std::pair<std::size_t, std::size_t>, bool> known;
  const auto is_only = [&](std::pair<std::size_t, std::size_t> shape) {
    return std::ranges::all_of(
        sets, [&](const ReportSet& set) { return std::pair(set.code().k, set.code().m) == shape; });
  };
  for (const ReportSet& set : sets) {
    Points points;
    for (const SpeedAtSize& at : set.speeds) {
      if (at.limit) points.emplace_back(static_cast<double>(at.chunk_bytes), *at.limit);
    }
    const auto shape = std::pair(set.code().k, set.code().m);
    if (points.empty() || !known.emplace(shape, true).second) continue;
    if (chart.series.size() == kMostSeries) return;
    chart.series.push_back(limit_series(
        is_only(shape) ? "limit: plain XOR"
                       : fmt::format("limit of {} + {}: plain XOR", shape.first, shape.second),
        std::move(points), ChartSeries::Form::kPlain, chart.series.size()));
  }
  if (!chart.series.empty()) return;
  for (const ReportSet& set : sets) {
    const auto shape = std::pair(set.code().k, set.code().m);
    const std::optional<LevelSpeeds> roof = roof_of(sets, shape);
    if (!roof || !known.emplace(shape, true).second) continue;
    if (chart.series.size() == kMostSeries) return;
    chart.series.push_back(limit_series(
        is_only(shape)
            ? "roof: moving the bytes alone"
            : fmt::format("roof of {} + {}: moving the bytes alone", shape.first, shape.second),
        steps_by_level(*roof, set, report.caches), ChartSeries::Form::kLevels,
        chart.series.size()));
  }
}

/// Makes the x axis hold all measured and predicted sizes, so that all speed charts share it.
void hold_sizes(const Report& report, std::span<const ReportSet> sets, Chart& chart) {
  for (const ReportSet& set : sets) {
    for (const auto& point : measured_points(set)) chart.x.holds.push_back(point.first);
    if (set.runs.empty() || !set.runs.front().predicted) continue;
    for (const auto& point : steps_by_level(*set.runs.front().predicted, set, report.caches)) {
      chart.x.holds.push_back(point.first);
    }
  }
}

Chart speeds_by_size(std::string title) {
  return {std::move(title),
          {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true},
          {"GB/s of data", ChartAxis::Scale::kLinear, true, false},
          {}};
}

/// Extends the y axis so that no line touches the names of bands at the top.
void keep_below_top(Chart& chart) {
  constexpr double kRoom = 1.03;
  double most = 0;
  for (const ChartSeries& series : chart.series) {
    for (const auto& point : series.points) most = std::max(most, point.second);
  }
  chart.y.holds.push_back(kRoom * most);
}

/// GB/s by chunk size: measured if any set was measured, else predicted. nullopt if neither.
std::optional<Picture> first_speeds(const Report& report) {
  const std::span<const ReportSet> sets = charted(report);
  const bool is_measured =
      std::ranges::any_of(sets, [](const ReportSet& set) { return !set.speeds.empty(); });
  Chart chart =
      speeds_by_size(is_measured ? "GB/s on one core, measured" : "GB/s on one core, predicted");
  chart.size = ChartSize::kSmall;
  chart.bands = bands_of(report, sets);
  hold_sizes(report, sets, chart);
  add_limits(report, sets, chart);
  const std::size_t limits = chart.series.size();
  for (const ReportSet& set : sets) {
    if (chart.series.size() == kMostSeries) break;
    if (is_measured && !set.speeds.empty()) {
      chart.series.push_back(series_of(report, set, ChartSeries::Form::kLine));
      chart.series.back().points = measured_points(set);
    } else if (!is_measured && !set.runs.empty() && set.runs.front().predicted) {
      chart.series.push_back(series_of(report, set, ChartSeries::Form::kLevels));
      const Points steps = steps_by_level(*set.runs.front().predicted, set, report.caches);
      chart.series.back().points = steps;
      chart.series.back().marks = marks_of(steps, ink_of(report, set), report.sets.size());
    }
  }
  if (chart.series.size() == limits) return std::nullopt;
  keep_below_top(chart);
  return draw_chart(chart);
}

}  // namespace

std::string title_of(const Report& report, const EquationFile::CodeName& code) {
  const std::string& name = name_of(report, code);
  return &name == &code.spec ? code_title(code) : name;
}

bool has_codes(const Report& report) {
  // group_by_code put sets of one code side by side.
  return report.sets.front().code().spec != report.sets.back().code().spec;
}

std::string numbered(const Report& report, const ReportSet& set) {
  return fmt::format("{} · {}", number_of(report, set), short_name(set));
}

std::string numbered_of_code(const Report& report, const ReportSet& set) {
  return numbered(report, set) + (has_codes(report) ? ", " + title_of(report, set.code()) : "");
}

Picture front_picture(const Report& report, const Front& front) {
  const std::string of = has_codes(report) ? ": " + title_of(report, front.code) : "";
  Chart chart{fmt::format("XORs against steps on {} cores{}", front.cores, of),
              {"steps"},
              {"XORs"},
              {{"", {}, ChartSeries::Form::kSteps}}};
  chart.size = ChartSize::kSmall;
  chart.note = "What a search found: equations of fewer steps have more XORs.";
  chart.series.front().ink = kInks - 1;
  for (const FrontPoint& point : front.points) {
    chart.series.front().points.emplace_back(point.steps, point.xors);
    chart.series.front().labels.push_back(
        fmt::format("{}, {}", counted(point.steps, "step"), counted(point.xors, "XOR")));
  }
  for (const ReportSet& set : charted(report)) {
    const auto on = std::ranges::find(set.on_cores, front.cores, &CoresCost::cores);
    if (set.code().spec != front.code.spec || on == set.on_cores.end()) continue;
    const bool is_on_front = std::ranges::any_of(front.points, [&](const FrontPoint& point) {
      return point.steps == on->makespan && point.xors == set.cost.xors;
    });
    if (!is_on_front || chart.series.size() == kMostSeries) continue;
    ChartSeries& mark =
        chart.series.emplace_back(series_of(report, set, ChartSeries::Form::kMarkers));
    mark.points.emplace_back(on->makespan, set.cost.xors);
    mark.is_in_legend = true;
  }
  return draw_chart(chart);
}

std::vector<LegendEntry> sets_legend(const Report& report) {
  std::vector<LegendEntry> legend;
  for (const ReportSet& set : charted(report)) {
    legend.push_back(
        legend_entry(series_of(report, set, ChartSeries::Form::kLine), ink_of(report, set)));
  }
  return legend;
}

std::vector<Picture> first_charts(const Report& report) {
  std::vector<Picture> charts{xors_chart(report)};
  for (auto* const draw : {steps_chart, tables_chart, reads_chart, first_speeds}) {
    if (std::optional<Picture> chart = draw(report)) charts.push_back(std::move(*chart));
  }
  return charts;
}

std::optional<Picture> speed_chart(const Report& report, std::span<const ReportSet> sets) {
  const bool is_measured =
      std::ranges::any_of(sets, [](const ReportSet& set) { return !set.speeds.empty(); });
  if (!is_measured) return std::nullopt;
  Chart chart = speeds_by_size(has_codes(report)
                                   ? title_of(report, sets.front().code()) + ": GB/s on one core"
                                   : "GB/s on one core, predicted and measured");
  chart.size = ChartSize::kSmall;
  chart.note = "Lines are predicted, markers are measured.";
  hold_sizes(report, sets, chart);
  chart.bands = bands_of(report, sets);
  add_limits(report, sets, chart);
  std::vector<LegendEntry> legend;
  for (const ReportSet& set : sets) {
    if (set.runs.empty() || !set.runs.front().predicted) continue;
    if (chart.series.size() + 2 > kMostSeries) break;
    ChartSeries predicted = series_of(report, set, ChartSeries::Form::kLevels);
    predicted.points = steps_by_level(*set.runs.front().predicted, set, report.caches);
    legend.push_back(
        legend_entry(series_of(report, set, ChartSeries::Form::kLine), ink_of(report, set)));
    chart.series.push_back(std::move(predicted));
    if (set.speeds.empty()) continue;
    ChartSeries measured = series_of(report, set, ChartSeries::Form::kMarkers);
    measured.points = measured_points(set);
    chart.series.push_back(std::move(measured));
  }
  if (legend.empty()) return std::nullopt;
  keep_below_top(chart);
  Picture picture = draw_chart(chart);
  legend.insert(legend.end(), picture.legend.begin(), picture.legend.end());
  picture.legend = std::move(legend);
  return picture;
}

std::optional<Picture> latency_chart(const Report& report) {
  std::vector<NamedLatency> all;
  for (const ReportSet& set : charted(report)) {
    all.push_back({numbered_of_code(report, set), ink_of(report, set), set.latency});
  }
  return latency_curves("Single calls, chunks in L2", "All calls are on one thread.", all);
}

}  // namespace xorloom::cli
