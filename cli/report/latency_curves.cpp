#include "cli/report/latency_curves.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/shell/short_number.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

/// A curve, and its markers. Those of the first have labels: others are as high.
void add_curve(const NamedLatency& of, Chart& chart, std::vector<LegendEntry>& legend) {
  const Latency& latency = of.latency;
  ChartSeries curve{
      fmt::format("{}: p50 {}, p99 {}, p99.9 {}\u00a0\u00b5s", of.name,
                  short_number(latency.p50 * kMicro), short_number(latency.p99 * kMicro),
                  short_number(latency.p999 * kMicro)),
      {},
      ChartSeries::Form::kPlain,
      false,
      {},
      of.ink};
  for (std::size_t i = 0; i < latency.curve.size(); ++i) {
    curve.points.emplace_back(latency.curve[i] * kMicro, latency_shares()[i]);
  }
  ChartSeries marks{
      of.name,
      {{latency.p50 * kMicro, 0.5}, {latency.p99 * kMicro, 0.99}, {latency.p999 * kMicro, 0.999}},
      ChartSeries::Form::kMarkers,
      false,
      {},
      of.ink,
      false};
  if (chart.series.empty()) marks.labels = {"p50", "p99", "p99.9"};
  legend.push_back(legend_entry({curve.name, {}, ChartSeries::Form::kLine}, of.ink));
  chart.series.push_back(std::move(curve));
  chart.series.push_back(std::move(marks));
}

}  // namespace

std::optional<Picture> latency_curves(const std::string& title, const std::string& note,
                                      const std::vector<NamedLatency>& all) {
  // Member by member: where memory runs out within nested braces, g++ 12 destroys strings twice.
  Chart chart;
  chart.title = title;
  chart.x.title = "microseconds";
  chart.x.scale = ChartAxis::Scale::kLog10;
  chart.y.title = "calls that take no longer";
  chart.y.scale = ChartAxis::Scale::kTail;
  chart.note = note;
  chart.size = ChartSize::kSmall;
  std::vector<LegendEntry> legend;
  for (const NamedLatency& of : all) {
    if (of.latency.calls == 0 || chart.series.size() + 2 > kMostSeries) continue;
    add_curve(of, chart, legend);
  }
  if (chart.series.empty()) return std::nullopt;
  Picture picture = draw_chart(chart);
  picture.legend = std::move(legend);
  return picture;
}

}  // namespace xorloom::cli
