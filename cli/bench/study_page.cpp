#include "cli/bench/study_page.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/bench/bench_charts.hpp"
#include "cli/document/html_page.hpp"
#include "cli/shell/running.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

/// A table that is text, under a line that folds it.
void add_table(HtmlPage& page, const std::string& line, const std::string& table) {
  page.foldable(line, fmt::format("<div class=\"wide\"><pre>{}</pre></div>\n", escaped(table)),
                false);
}

void add_spec(HtmlPage& page, const std::string& spec) {
  page.raw(fmt::format("<p>{}</p>\n", spec_code(spec)));
}

/// GB/s by the bytes of a chunk: one thread, and each executor.
Picture executors_chart(const ExecutorComparison& comparison) {
  Chart chart{"Encoding on " + threads_text(comparison.threads),
              {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true},
              {"GB/s of data", ChartAxis::Scale::kLinear, true, false},
              {},
              ""};
  const auto add = [&](const std::string& name, const auto& time_of) {
    ChartSeries measured{name, {}, ChartSeries::Form::kLine, false, {}};
    for (const ExecutorRow& row : comparison.rows) {
      measured.points.emplace_back(static_cast<double>(row.chunk_bytes),
                                   gigabytes_per_second(row.data_bytes, time_of(row).measured));
    }
    chart.series.push_back(std::move(measured));
  };
  add("one thread", [](const ExecutorRow& row) { return row.one_thread; });
  for (std::size_t i = 0; i < comparison.executors.size(); ++i) {
    add(to_string(comparison.executors[i]),
        [i](const ExecutorRow& row) { return row.executors[i]; });
  }
  return draw_chart(chart);
}

}  // namespace

std::string study_svg(const std::vector<StudyOfCode>& all) {
  std::vector<Picture> pictures;
  for (const StudyOfCode& of : all) pictures.push_back(of.result.picture);
  return svg_page(stacked(pictures));
}

std::string study_page(const Study& study, const std::vector<StudyOfCode>& all,
                       const SystemDescription& machine, const MachineFacts& facts) {
  HtmlPage page(fmt::format("Measured: {}", study.name));
  page.paragraph(
      fmt::format("This page shows {}. Every byte was compared before it was timed.", study.help));
  for (const StudyOfCode& of : all) {
    add_spec(page, of.spec);
    page.picture(of.result.picture);
    add_table(page, "The figures as a table", of.result.table);
  }
  add_machine(page, machine, facts, {});
  return page.text();
}

std::string executors_page(const std::vector<ExecutorComparison>& comparisons,
                           const SystemDescription& machine, const MachineFacts& facts) {
  HtmlPage page("Measured: executors side by side");
  page.paragraph(
      "Each executor encodes in turn with one thread and the others. Every byte was compared "
      "before and after.");
  for (const ExecutorComparison& comparison : comparisons) {
    add_spec(page, comparison.spec);
    page.picture(executors_chart(comparison));
    add_table(page, "Measured and predicted, as a table", executors_table(comparison));
  }
  page.paragraph(executors_legend());
  add_machine(page, machine, facts, {});
  return page.text();
}

}  // namespace xorloom::cli
