#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/document/html_page.hpp"
#include "cli/measuring/machine_facts.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "cli/report/code_groups.hpp"
#include "cli/report/report_blocks.hpp"
#include "cli/report/report_charts.hpp"
#include "cli/report/report_engines.hpp"
#include "cli/report/report_left_out.hpp"
#include "cli/report/report_summary.hpp"
#include "cli/report/verdict.hpp"
#include "cli/shell/code_title.hpp"
#include "cli/shell/options.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "gen/pictures/core_schedule_svg.hpp"
#include "gen/pictures/equations_svg.hpp"
#include "gen/pictures/matrix_svg.hpp"
#include "gen/verilog/engine_svg.hpp"

namespace xorloom::cli {
namespace {

/// XORs of equations whose pictures are open from the beginning, of the set that takes the fewest
/// steps.
constexpr std::size_t kMostOpen = 64;

/// Small charts that stand side by side.
constexpr std::size_t kChartsOfRow = 3;

/// "lrc 4 + 2, w = 8, l = 3, 8 locations": their number where k + m does not say it.
std::string full_title(const ReportSet& set) {
  const std::size_t locations = set.file.program.locations;
  const std::string title = code_title(set.code());
  return locations == set.code().k + set.code().m
             ? title
             : fmt::format("{}, {} locations", title, locations);
}

std::string title_of(const Report& report) {
  const auto groups = code_groups(report.sets);
  const std::string codes = groups.size() == 1 ? full_title(groups.front().front())
                                               : fmt::format("{} codes", groups.size());
  if (report.erased.empty()) return fmt::format("What encoding costs: {}", codes);
  return fmt::format("What it costs to rebuild location{} {}: {}",
                     report.erased.size() == 1 ? "" : "s", short_list(report.erased), codes);
}

std::vector<std::string> verdicts_of(const Report& report) {
  std::vector<std::string> verdicts;
  const auto groups = code_groups(report.sets);
  for (const auto sets : groups) {
    const std::string name = groups.size() > 1 ? full_title(sets.front()) + ": " : "";
    verdicts.push_back(name + verdict_of(report, sets, verdicts.empty()));
  }
  return verdicts;
}

/// Charts that come after the figures: those for which there is no room above, and others.
std::vector<Picture> later_charts(const Report& report, std::span<const Picture> more) {
  std::vector<Picture> charts(more.begin(), more.end());
  for (const Front& front : report.fronts) {
    if (front.points.size() >= kLeastOfFront) charts.push_back(front_picture(report, front));
  }
  for (const auto sets : code_groups(report.sets)) {
    if (auto chart = speed_chart(report, sets)) charts.push_back(std::move(*chart));
  }
  if (auto chart = latency_chart(report)) charts.push_back(std::move(*chart));
  return charts;
}

/// The fewest of the reported cores that take no more steps than any other number does.
const CoresCost* cores_worth_having(const ReportSet& set) {
  const CoresCost* best = nullptr;
  for (const CoresCost& on : set.on_cores) {
    if (on.cores > kMostGanttCores || on.cores == 1) continue;
    if (best == nullptr || on.makespan < best->makespan) best = &on;
  }
  return best;
}

void add_plan(const Report& report, const ReportSet& set, bool is_open, HtmlPage& page) {
  const Program& program = set.file.program;
  const CoresCost* on = cores_worth_having(set);
  if (on == nullptr || set.cost.xors > kMostGanttSteps) return;
  const bool is_made_for = set.file.plan && set.file.plan->cores == on->cores;
  if (set.file.plan && !is_made_for) return;  // it was made for other cores
  const CoreSchedule plan = is_made_for ? *set.file.plan : schedule_on_cores(program, on->cores);
  const bool has_more = std::ranges::any_of(
      set.on_cores, [&](const CoresCost& other) { return other.cores > on->cores; });
  const bool gain_nothing = has_more && std::ranges::none_of(set.on_cores, [&](const auto& other) {
                              return other.makespan < on->makespan;
                            });
  const std::string line =
      fmt::format("{}: the plan on {} cores, {} steps{}", numbered(report, set), on->cores,
                  on->makespan, gain_nothing ? "; more cores gain nothing" : "");
  page.foldable(line, draw_gantt(program, plan), is_open);
  if (const std::optional<Picture> paths = draw_paths(program, plan)) {
    page.foldable(fmt::format("{}: its data paths", numbered(report, set)), *paths, false);
  }
}

/// A set as an engine without registers and with a rank of them, where it is small.
void add_circuits(const Report& report, const ReportSet& set, bool is_open, HtmlPage& page) {
  for (const std::size_t ranks : {std::size_t{0}, std::size_t{1}}) {
    const EngineStages engine = drawn_engine(set, ranks);
    if (circuit_ties(engine) > kMostCircuitTies) continue;
    page.foldable(fmt::format("{}: the XOR engine{}", numbered(report, set),
                              ranks == 0 ? "" : " with a rank of registers"),
                  draw_engine(short_name(set), engine), is_open && ranks == 0);
  }
}

/// "Bitmatrix", or "Bitmatrix that rebuilds locations 0-1".
std::string matrix_name(const Report& report, const ReportSet& set) {
  const char* const name = set.file.program.is_xor() ? "Bitmatrix" : "Matrix";
  if (report.erased.empty()) return name;
  return fmt::format("{} of set {}, which rebuilds location{} {}", name, number_of(report, set),
                     report.erased.size() == 1 ? "" : "s", short_list(report.erased));
}

void add_code(const Report& report, std::span<const ReportSet> sets, HtmlPage& page) {
  const Program& first = sets.front().file.program;
  page.heading(full_title(sets.front()));
  page.raw(fmt::format("<p class=\"spec\">{}</p>\n", spec_code(sets.front().code().spec)));
  if (matrix_side(first) <= kMostMatrixSide) {
    const Picture matrix = draw_matrix(first);
    page.foldable(fmt::format("{}: {}", matrix_name(report, sets.front()), matrix.head), matrix,
                  true);
  }
  const ReportSet& shown = *fewest_steps(sets).first;
  for (const ReportSet& set : sets) {
    const bool is_open = &set == &shown && set.cost.xors <= kMostOpen;
    if (has_graph(set.file.program)) {
      page.foldable(fmt::format("{}: the equations as a graph", numbered(report, set)),
                    draw_equations(set.file), is_open);
    }
    if (set.gate_inputs == 0) add_plan(report, set, is_open, page);
    if (report.has_engines) add_circuits(report, set, is_open, page);
  }
}

/// What is not in the report, and by which bound.
std::string left_out_list(const Report& report) {
  if (report.left_out.empty()) return "";
  std::string html = "<p class=\"before\">Left out:</p>\n<ul class=\"note\">\n";
  for (const std::string& sentence : report.left_out) {
    html += fmt::format("<li>{}</li>\n", escaped(sentence));
  }
  return html + "</ul>\n";
}

/// A command that measures this machine: it reports on the same codes. No word of it breaks.
std::string measuring_command(const Report& report) {
  std::vector<std::string> words{"xorloom", "report"};
  for (const auto sets : code_groups(report.sets)) words.push_back(sets.front().code().spec);
  if (!report.erased.empty()) {
    words.insert(words.end(), {"--erase", short_list(report.erased)});
  }
  words.insert(words.end(), {"--measure", "--format", "html", "-o", "measured.html"});
  std::string command;
  for (const std::string& word : words) command += spec_code(word) + " ";
  return command;
}

/// The same beside the charts.
std::string no_speeds_html(const Report& report, const std::string& why) {
  return fmt::format("<figcaption>Speeds</figcaption>\n<p>{}</p>\n<p>{}</p>\n", escaped(why),
                     measuring_command(report));
}

/// Why sets that run have no speed; empty where all have one.
std::string why_no_speeds(const Report& report) {
  std::size_t running = 0;
  std::size_t predicted = 0;
  for (const ReportSet& set : report.sets) {
    if (set.runs.empty()) continue;
    ++running;
    if (set.runs.front().predicted) ++predicted;
  }
  if (predicted == running) return "";
  return predicted == 0
             ? "There are no speeds: this machine was not measured yet. This command measures it, "
               "and later reports predict speeds:"
             : "Some speeds are missing: this machine was measured for packets or words alone. "
               "This command measures the rest:";
}

}  // namespace

std::string report_html(const Report& report) {
  HtmlPage page(title_of(report));
  page.caution(busy_text(report.processor_share));
  page.verdict(verdicts_of(report));
  page.legend(sets_legend(report));
  const std::vector<Picture> charts = first_charts(report);
  const std::span above = std::span(charts).first(std::min(charts.size(), kChartsOfRow));
  const std::string why = why_no_speeds(report);
  const std::string beside = why.empty() ? "" : no_speeds_html(report, why);
  const bool has_room = above.size() < kChartsOfRow;
  page.charts(above, has_room ? beside : "");
  page.heading("Figures");
  page.raw(html_table(columns_by_code(report), summary_blocks(report)));
  std::vector<TableBlock> blocks = report_blocks(report);
  blocks.front().rows.erase(blocks.front().rows.begin());  // numbers, which the columns have
  page.foldable("All figures", html_table(columns_by_code(report), blocks), false);
  page.words("What the words mean",
             fmt::format("<p>{}</p>\n", escaped(report_legend(report, false))));
  if (!has_room) page.raw(beside);
  if (!report.machine.empty()) page.paragraph("The machine: " + report.machine + ".");
  if (report.error) page.paragraph(prediction_error_text(report.error, has_measured(report)));
  page.raw(left_out_list(report));
  const auto later = later_charts(report, std::span(charts).subspan(above.size()));
  if (!later.empty()) page.charts(later);
  for (const auto sets : code_groups(report.sets)) add_code(report, sets, page);
  return page.text();
}

}  // namespace xorloom::cli
