#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "cli/measuring/machine_facts.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "cli/report/code_groups.hpp"
#include "cli/report/report.hpp"
#include "cli/report/report_charts.hpp"
#include "cli/report/report_engines.hpp"
#include "cli/report/report_figures.hpp"
#include "cli/report/report_left_out.hpp"
#include "cli/report/verdict.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/counted.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "gen/pictures/core_schedule_svg.hpp"
#include "gen/pictures/equations_svg.hpp"
#include "gen/pictures/matrix_svg.hpp"
#include "gen/verilog/engine_svg.hpp"

namespace xorloom::cli {
namespace {

/// The pictures of the set with the fewest steps start unfolded if it has at most this many XORs.
constexpr std::size_t kMostOpen = 64;

/// Characters of a label, and of a value with the two spaces before it.
constexpr std::size_t kLabelWidth = 42;
constexpr std::size_t kValueWidth = 7;

/// Small charts in a row.
constexpr std::size_t kChartsOfRow = 3;

/// title_of(), with the number of locations unless it is k + m: "lrc 4 + 2, w = 8, 8 locations".
std::string full_title(const Report& report, const ReportSet& set) {
  const std::size_t locations = set.file.program.locations;
  const std::string title = title_of(report, set.code());
  return locations == set.code().k + set.code().m
             ? title
             : fmt::format("{}, {} locations", title, locations);
}

std::string title_of(const Report& report) {
  const auto groups = code_groups(report.sets);
  const std::string codes = groups.size() == 1 ? full_title(report, groups.front().front())
                                               : fmt::format("{} codes", groups.size());
  const std::string task = task_of(report.erased, report.updated, "rebuild", "update", "");
  return task.empty() ? fmt::format("What encoding costs: {}", codes)
                      : fmt::format("What it costs to {}: {}", task, codes);
}

std::vector<std::string> verdicts_of(const Report& report) {
  std::vector<std::string> verdicts;
  NamedErrors named;
  const auto groups = code_groups(report.sets);
  for (const auto sets : groups) {
    const std::string name = groups.size() > 1 ? full_title(report, sets.front()) + ": " : "";
    verdicts.push_back(name + verdict_of(report, sets, named));
  }
  return verdicts;
}

/// Charts below the figures: `more`, which had no room above, then fronts, speeds and single calls.
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

/// The entry of `on_cores` with the fewest steps, the first of equals. Entries of one core, and of
/// more cores than a chart can show, do not count. Null if there is no other.
const CoresCost* cores_worth_having(const ReportSet& set) {
  const CoresCost* best = nullptr;
  for (const CoresCost& on : set.on_cores) {
    if (on.cores > kMostGanttCores || on.cores == 1) continue;
    if (best == nullptr || on.makespan < best->makespan) best = &on;
  }
  return best;
}

void fold(Document& document, std::string line, Picture picture, bool is_open) {
  document.add(Fold{std::move(line), is_open, {Pictures{{std::move(picture)}}}});
}

void add_plan(const Report& report, const ReportSet& set, bool is_open, Document& document) {
  const Program& program = set.file.program;
  const CoresCost* on = cores_worth_having(set);
  if (on == nullptr || set.cost.xors > kMostGanttSteps) return;
  const bool is_made_for = set.file.plan && set.file.plan->cores == on->cores;
  if (set.file.plan && !is_made_for) return;  // the equations were made for another number of cores
  const CoreSchedule plan = is_made_for ? *set.file.plan : schedule_on_cores(program, on->cores);
  const bool has_more = std::ranges::any_of(
      set.on_cores, [&](const CoresCost& other) { return other.cores > on->cores; });
  const bool gain_nothing = has_more && std::ranges::none_of(set.on_cores, [&](const auto& other) {
                              return other.makespan < on->makespan;
                            });
  const std::string line =
      fmt::format("{}: the plan on {}, {}{}", numbered(report, set), counted(on->cores, "core"),
                  counted(on->makespan, "step"), gain_nothing ? "; more cores gain nothing" : "");
  fold(document, line, draw_gantt(program, plan), is_open);
  if (const std::optional<Picture> paths = draw_paths(program, plan)) {
    fold(document, fmt::format("{}: its data paths", numbered(report, set)), *paths, false);
  }
}

/// Adds pictures of a set as an engine without registers and with one rank of registers. A picture
/// of more than kMostCircuitTies lines is left out.
void add_circuits(const Report& report, const ReportSet& set, bool is_open, Document& document) {
  for (const std::size_t ranks : {std::size_t{0}, std::size_t{1}}) {
    const EngineStages engine = drawn_engine(set, ranks);
    if (circuit_ties(engine) > kMostCircuitTies) continue;
    fold(document,
         fmt::format("{}: the XOR engine{}", numbered(report, set),
                     ranks == 0 ? "" : " with a rank of registers"),
         draw_engine(short_name(set), engine), is_open && ranks == 0);
  }
}

/// "Bitmatrix", or "Bitmatrix of set 2, which rebuilds locations 0-1".
std::string matrix_name(const Report& report, const ReportSet& set) {
  const char* const name = set.file.program.is_xor() ? "Bitmatrix" : "Matrix";
  const std::string task = task_of(report.erased, report.updated, "rebuilds", "updates", "");
  return task.empty() ? name
                      : fmt::format("{} of set {}, which {}", name, number_of(report, set), task);
}

void add_code(const Report& report, std::span<const ReportSet> sets, Document& document) {
  const Program& first = sets.front().file.program;
  document.add(Heading{full_title(report, sets.front())}, DocumentPart::For::kPage);
  document.add(Verbatim{sets.front().code().spec}, DocumentPart::For::kPage);
  if (matrix_side(first) <= kMostMatrixSide) {
    const Picture matrix = draw_matrix(first);
    fold(document, fmt::format("{}: {}", matrix_name(report, sets.front()), matrix.head), matrix,
         true);
  }
  const ReportSet& shown = *fewest_steps(sets).first;
  for (const ReportSet& set : sets) {
    const bool is_open = &set == &shown && set.cost.xors <= kMostOpen;
    if (has_graph(set.file.program)) {
      fold(document, fmt::format("{}: the equations as a graph", numbered(report, set)),
           draw_equations(set.file), is_open);
    }
    if (set.gate_inputs == 0) add_plan(report, set, is_open, document);
    if (report.has_engines) add_circuits(report, set, is_open, document);
  }
}

std::vector<ColumnGroup> columns_by_code(const Report& report) {
  std::vector<ColumnGroup> groups;
  std::size_t number = 0;
  for (const std::span<const ReportSet> sets : code_groups(report.sets)) {
    ColumnGroup& group = groups.emplace_back(ColumnGroup{name_of(report, sets.front().code()), {}});
    for (const ReportSet& set : sets) {
      group.columns.push_back(fmt::format("{}\u00a0·\u00a0{}", ++number, short_name(set)));
    }
  }
  return groups;
}

/// Legend of the rows of speeds; empty if no set has a speed.
std::string speeds_legend(const Report& report) {
  const bool has_speeds = std::ranges::any_of(report.sets, [](const ReportSet& set) {
    return !set.runs.empty() && (set.runs.front().predicted || set.runs.front().measured);
  });
  if (!has_speeds) return "";
  std::string text =
      " GB/s counts data bytes, k chunks. Chunks in L1 are so small that the time of a call "
      "counts.";
  const bool has_words = std::ranges::any_of(report.sets, [](const ReportSet& set) {
    return set.arrangement == Arrangement::kWord && set.file.program.is_xor();
  });
  if (has_words) {
    text +=
        " On words a code multiplies: that speed stands with the direct equations, and other "
        "equations over bits have none.";
  }
  return text;
}

/// Explains the words of the table.
std::string report_legend(const Report& report) {
  std::string text =
      "A path is a chain of XORs that must run one after another. The longest path adds the "
      "operands of an equation one after another; the critical path adds them in the best order. ";
  const auto any = [&](const auto& has) { return std::ranges::any_of(report.sets, has); };
  const bool has_bits = any(is_over_bits);
  if (has_bits && report.erased.empty() && report.updated.empty()) {
    text +=
        "F is (XORs per bit + 1) / k; 1.00 means k - 1 XORs per bit, as many as the sum of k bits "
        "takes; shared sums may take fewer. ";
  }
  text += "A dash: there is no such number.";
  if (has_bits) {
    text +=
        " Speedup is the XORs of direct equations for the same task over the steps. Efficiency is "
        "speedup over cores.";
  }
  if (any([](const ReportSet& set) { return !set.runs.empty(); })) {
    text += " A tile is what machine code computes in one turn.";
  }
  if (any([](const ReportSet& set) {
        return !set.runs.empty() && set.arrangement == Arrangement::kWord && is_over_bits(set);
      })) {
    text += " On words, a tile and its instructions are of multiplications, not of these XORs.";
  }
  if (any([](const ReportSet& set) {
        return !set.runs.empty() && set.runs.front().work.tile.code_bytes == 0;
      })) {
    text += " Without bytes of code, kernels run, and the counts of a tile are estimated.";
  }
  text += speeds_legend(report);
  if (report.has_engines) {
    text +=
        " An engine takes a stripe per clock; B lanes take B times as many tables and registers, "
        "and B times the data bits. Registers that yosys counts have one more per rank, for "
        "validity.";
    if (const std::string version = yosys_version(report.sets); !version.empty()) {
      text += fmt::format(" Counted by {}.", version);
    }
  }
  for (const OtherMachine& machine : report.machines) {
    text += fmt::format(" {} is {}, L1 {}; nine of ten predictions for it are within {}{}.",
                        machine.name, machine.rates.cpu, cache_text(machine.rates.caches.l1),
                        percentages(machine.rates.rates, &PredictionError::held_out),
                        largest_error(machine.rates.rates).held_out > kLargeError
                            ? ", which is a large error"
                            : "");
  }
  return text;
}

/// Why sets that run have no predicted speed; empty if each has one.
std::string why_no_speeds(const Report& report) {
  std::size_t running = 0;
  std::size_t predicted = 0;
  const char* missing = "";
  for (const ReportSet& set : report.sets) {
    if (set.runs.empty()) continue;
    ++running;
    if (set.runs.front().predicted) {
      ++predicted;
    } else {
      missing = set.arrangement == Arrangement::kWord ? "words" : "packets";
    }
  }
  if (predicted == running) return "";
  return predicted == 0
             ? std::string(
                   "There are no speeds: this machine was not measured yet. This command measures "
                   "it, and later reports predict speeds:")
             : fmt::format(
                   "Some speeds are missing: this machine was not measured for codes on "
                   "{}. This command measures it:",
                   missing);
}

/// "computing the redundant chunks from the data" or "rebuilding locations 0,3".
std::string task_text(const Report& report) {
  return task_of(report.erased, report.updated, "rebuilding", "updating",
                 "computing the redundant chunks from the data");
}

/// Number and name of each set, above the table in text, whose columns have numbers only.
Facts numbered_sets(const Report& report) {
  Facts facts;
  const std::string* previous = nullptr;
  for (const ReportSet& set : report.sets) {
    const std::string& spec = set.code().spec;
    const bool is_same = previous != nullptr && *previous == spec;
    facts.add(number(number_of(report, set)),
              fmt::format("{}: {}", set_name(set),
                          is_same ? "for the same code" : name_of(report, set.code())));
    previous = &spec;
  }
  return facts;
}

/// A group of columns named by set number: "1", "2", …
std::vector<ColumnGroup> columns_by_number(const Report& report) {
  ColumnGroup group;
  for (const ReportSet& set : report.sets) group.columns.push_back(number(number_of(report, set)));
  return {group};
}

/// A report command on the same codes that also measures this machine.
std::string measuring_command(const Report& report) {
  std::string command = "xorloom report";
  for (const auto sets : code_groups(report.sets)) {
    const std::string& spec = sets.front().code().spec;
    const auto name = report.code_names.find(spec);
    command += " " + (name == report.code_names.end() ? shell_word(spec) : name->second.words);
  }
  if (!report.erased.empty()) command += " --erase " + short_list(report.erased);
  if (!report.updated.empty()) command += " --update " + short_list(report.updated);
  if (!report.cores.empty()) command += " --cores " + short_list(report.cores);
  if (report.over == Over::kSymbols) command += " --over symbols";
  return command + " --measure --format html -o measured.html";
}

/// Why speeds are missing, and the command that measures them; empty if none are missing.
std::vector<DocumentPart> missing_speeds(const Report& report) {
  const std::string why = why_no_speeds(report);
  if (why.empty()) return {};
  return {Paragraph{why}, Verbatim{measuring_command(report)}};
}

void add_charts(const Report& report, Document& document) {
  std::vector<Picture> charts = first_charts(report);
  std::vector<Picture> later;
  if (charts.size() > kChartsOfRow) {
    later.assign(charts.begin() + kChartsOfRow, charts.end());
    charts.resize(kChartsOfRow);
  }
  Pictures above{std::move(charts), sets_legend(report)};
  std::vector<DocumentPart> missing = missing_speeds(report);
  const bool has_room = above.pictures.size() < kChartsOfRow;
  if (has_room) above.beside = missing;
  document.add(std::move(above), DocumentPart::For::kPage);
  later = later_charts(report, later);
  if (!later.empty()) document.add(Pictures{std::move(later)}, DocumentPart::For::kPage);
  if (has_room) return;
  for (DocumentPart& part : missing) document.parts.push_back(std::move(part));
}

}  // namespace

Document report_document(const Report& report, bool draws_sets) {
  Document document{title_of(report), report_data(report)};
  const Json& data = document.data;
  document.add(Paragraph{"sets of equations"}, DocumentPart::For::kText);
  document.add(numbered_sets(report), DocumentPart::For::kText);
  document.add(Paragraph{task_text(report)}, DocumentPart::For::kText);
  document.add(Caution{busy_text(report.processor_share)});
  document.add(Verdict{verdicts_of(report)});
  add_charts(report, document);
  document.add(Heading{"Figures"}, DocumentPart::For::kPage);
  document.add(Table{columns_by_code(report), rows_of_sets(data, main_figures(data))},
               DocumentPart::For::kPage);
  std::vector<TableBlock> all = rows_of_sets(data, all_figures(data));
  document.add(Table{columns_by_number(report), all, "set", kLabelWidth, kValueWidth},
               DocumentPart::For::kText);
  document.add(Fold{"All figures", false, {Table{columns_by_code(report), std::move(all)}}},
               DocumentPart::For::kPage);
  document.add(Bullets{"Left out:", report.left_out});
  document.add(Glossary{"What the words mean", {{"", report_legend(report)}}});
  if (!report.machine.empty()) document.add(Paragraph{"The machine: " + report.machine + "."});
  if (!report.rates.rates.empty()) {
    document.add(Paragraph{prediction_error_text(report.rates.rates, has_measured(data))});
  }
  if (!draws_sets) return document;
  for (const auto sets : code_groups(report.sets)) add_code(report, sets, document);
  return document;
}

}  // namespace xorloom::cli
