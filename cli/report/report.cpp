#include "cli/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "cli/document/writers.hpp"
#include "cli/report/code_groups.hpp"
#include "cli/report/report_diff_options.hpp"
#include "cli/report/report_engines.hpp"
#include "cli/report/report_left_out.hpp"
#include "cli/report/report_machines.hpp"
#include "cli/report/report_measure.hpp"
#include "cli/report/report_searches.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/request.hpp"
#include "cli/shell/search.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/proof.hpp"
#include "equations/request/request.hpp"
#include "runtime/atlas/atlas.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "compare what sets of equations cost, side by side\n"
    "Compares sets of XOR equations and reports what each costs. For each SPEC, it reports on "
    "direct equations and on iterative ones from a search. In place of a SPEC, the file of a 0/1 "
    "matrix may stand, as optimize takes it. Equations from files are proved first. "
    "With --cores, it reports the steps on that many cores, and the gain over the direct equations "
    "on one core. It also reports on equations made for the largest N of --cores, if these take "
    "fewer steps on N cores, or fewer XORs.";

constexpr const char* kExamples =
    "xorloom report cauchy:k=10,m=4,w=8 cauchy-good:k=10,m=4,w=8\n"
    "xorloom report cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0 --cores 1,6 \\\n"
    "    --equations examples/paper_iterative.txt\n"
    "xorloom report cauchy-good:k=10,m=4 --cores 1-8 --format html -o report.html\n"
    "xorloom report matrix.txt --equations equations.json\n"
    "xorloom report --diff old.json new.json --tolerance 10";

struct ReportOptions {
  std::vector<std::string> specs;
  std::vector<std::string> files;
  std::vector<std::size_t> erased;
  std::vector<std::size_t> updated;
  Over over = Over::kBits;
  std::vector<std::size_t> cores{};
  std::vector<std::size_t> given_cores{};  ///< before defaults
  SearchOptions search;
  Options code;
  std::string atlas;
  DiffOptions diff;
  bool measures = false;
  std::vector<std::string> rates;
  std::string target;
  std::string format = "table";
  std::string output = "-";
};

Request request_of(const ReportOptions& options) {
  return {.erased = options.erased, .updated = options.updated, .over = options.over};
}

/// Precondition: `set.on_cores` has an entry for `cores`.
std::size_t steps_on(const ReportSet& set, std::size_t cores) {
  return std::ranges::find(set.on_cores, cores, &CoresCost::cores)->makespan;
}

/// Powers of two below the number of threads of this machine, and that number itself.
std::vector<std::size_t> up_to_this_machine() {
  std::vector<std::size_t> cores;
  for (std::size_t count = 1; count < machine_threads(); count *= 2) cores.push_back(count);
  cores.push_back(std::min(machine_threads(), kMaxCores));
  return cores;
}

/// A code of the report, and its sets that need no search.
struct Subject {
  Code code;
  ReportSet direct;
  std::optional<ReportSet> from_atlas;
};

/// True if equations are also searched for the largest of --cores.
bool plans_for_cores(const ReportOptions& options) {
  return options.over == Over::kBits && std::ranges::max(options.cores) > 1;
}

/// True if the report draws XORs against steps.
bool draws_fronts(const ReportOptions& options) {
  return options.format == "html" && plans_for_cores(options);
}

ReportSet direct_set(const Code& code, const ReportOptions& options) try {
  SearchOptions search = options.search;
  search.style = "direct";
  const Request request = request_of(options);
  ReportSet set = report_set("direct", std::move(equations_in_style(search, code, request).front()),
                             code, request, options.cores);
  set.is_direct = true;
  return set;
} catch (const Error& error) {
  if (options.specs.size() == 1) throw;
  fail(error.kind(), "{}: {}", code.name(), error.what());
}

/// Adds the set with the fewest reads, if it reads less than the set with the fewest XORs.
/// Precondition: `sets.back()` is the set with the fewest XORs.
void add_fewest_reads(const Code& code, const ReportOptions& options, const SearchOptions& search,
                      ReportSearches& searches, std::vector<ReportSet>& sets) {
  if (searches.skips_next()) return;
  Request request = request_of(options);
  request.reads_least = true;
  EquationFile file = std::move(equations_in_style(searches.next(search), code, request).front());
  ReportSet set =
      report_set("iterative, fewest reads", std::move(file), code, request, options.cores);
  if (set.reads->read < sets.back().reads->read) sets.push_back(std::move(set));
}

/// Adds the searched sets of a code: the fewest XORs; if it rebuilds, fewer reads; with --target,
/// few LUT4 and few LUT6; with several cores, fewer steps on the most cores.
void add_searched_sets(const Code& code, const ReportOptions& options, ReportSearches& searches,
                       std::vector<ReportSet>& sets) {
  const Request request = request_of(options);
  const auto made = [&](std::string source, const SearchOptions& search) {
    EquationFile file = std::move(equations_in_style(searches.next(search), code, request).front());
    return report_set(std::move(source), std::move(file), code, request, options.cores);
  };
  SearchOptions search = options.search;
  search.style = "iterative";
  const std::size_t iterative = sets.size();
  sets.push_back(made("iterative", search));
  if (!options.erased.empty()) add_fewest_reads(code, options, search, searches, sets);
  if (!options.target.empty()) {
    for (const char* const model : {"lut4", "lut6"}) {
      if (searches.skips_next()) continue;
      SearchOptions few = search;
      few.model = model;
      sets.push_back(made(
          fmt::format("iterative, few {}", model == std::string_view("lut4") ? "LUT4" : "LUT6"),
          few));
      sets.back().gate_inputs = gate_inputs(few);
    }
  }
  if (!plans_for_cores(options) || searches.skips_next()) return;
  search.cores = std::ranges::max(options.cores);
  ReportSet set = made(fmt::format("iterative for {} cores", search.cores), search);
  // The search for few steps may find fewer XORs than the search for few XORs.
  if (steps_on(set, search.cores) < steps_on(sets[iterative], search.cores) ||
      set.cost.xors < sets[iterative].cost.xors) {
    sets.push_back(std::move(set));
  }
}

/// The elements whose changes a program carries over, ascending.
std::vector<Element> changed_elements(const Program& program) {
  std::vector<Element> elements;
  for (const VirtualElement& each : program.virtuals) {
    if (each.kind == VirtualElement::Kind::kDifference) elements.push_back(each.element);
  }
  std::ranges::sort(elements);
  return elements;
}

/// Throws kInvalidArgument if a program carries over changes of other elements than the request.
void check_changes(const std::string& name, const Program& program, const Code& code,
                   const Request& request) {
  const std::vector<Element> changed = changed_elements(program);
  if (request.updated.empty() || changed.empty() ||
      changed == changed_elements(direct_program(code, request)))
    return;
  std::set<std::size_t> locations;
  for (const Element element : changed) locations.insert(element / program.rows);
  fail(Status::kInvalidArgument,
       fmt::format("{} carries over changes of {} of location{} {}, and --update names {}", name,
                   counted(changed.size(), "element"), locations.size() == 1 ? "" : "s",
                   short_list({locations.begin(), locations.end()}), short_list(request.updated)));
}

/// The set of equations from a file, of the code that they name, else of the code of their layout.
/// `name` is for messages and headings.
ReportSet file_set(const std::string& name, EquationFile file, const ReportOptions& options,
                   CodeNames& names) {
  const Code code = file.code
                        ? make_code(file.code->spec, {.packet_bytes = 0, .allow_non_mds = true})
                        : code_of_layout(file.program, name, names);
  if (!file.code) file.code = EquationFile::CodeName::of(code);
  if (code.family == "file") {
    names.try_emplace(code.spec, CodeName{code.name(), "--equations " + shell_word(name)});
  }
  Request request = request_of(options);
  request.over = file.program.is_xor() ? Over::kBits : Over::kSymbols;
  if (options.over == Over::kSymbols && request.over == Over::kBits) {
    fail(Status::kInvalidArgument,
         "{} has equations over bits, and --over symbols is about symbols: give one of them", name);
  }
  check_changes(name, file.program, code, request);
  if (const auto asked = asked_instead(code, request, file.program)) {
    fail(Status::kInvalidArgument,
         fmt::format(
             "{} computes {}, other than the {} {}: --erase names the locations that equations "
             "rebuild, --update those whose changes they carry over",
             name, counted(file.program.outputs.size(), "element"), *asked,
             !options.erased.empty()    ? "of the erased locations"
             : !options.updated.empty() ? "that change with the updated locations"
                                        : "redundant ones"));
  }
  return report_set(printable(name), std::move(file), code, request, options.cores);
}

/// Reads the sets of a file, one or several. Proves them for the code that the file names, else for
/// the first of `codes` that they compute.
void add_file_sets(const std::string& path, const std::vector<const Code*>& codes,
                   const ReportOptions& options, CodeNames& names, std::vector<ReportSet>& sets) {
  std::vector<EquationFile> files = equation_files(path, codes);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string which =
        files.size() == 1 ? "" : fmt::format(", {} of {}", i + 1, files.size());
    sets.push_back(file_set(input_name(path) + which, std::move(files[i]), options, names));
  }
}

/// The set that the atlas holds for the erased locations. Throws if the atlas is of another code.
ReportSet atlas_set(const Code& code, const ReportOptions& options) {
  const Atlas atlas(options.atlas);
  atlas.check_code(code);
  const bool has_symbols = atlas.header().subject.word_bits != 0;
  if (has_symbols != (options.over == Over::kSymbols)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} holds programs over {}; {} --over symbols", options.atlas,
                     has_symbols ? "symbols" : "bits", has_symbols ? "add" : "leave out"));
  }
  std::optional<Program> program = atlas.program(code, options.erased);
  if (!program) {
    fail(Status::kDamaged, fmt::format("{} has no equations for locations {}", options.atlas,
                                       short_list(options.erased)));
  }
  if (const auto sentence = find_disagreement(*program, code)) {
    fail(Status::kDamaged, fmt::format("{} is damaged: {}", options.atlas, *sentence));
  }
  return report_set(printable(options.atlas),
                    proved_equations(code, std::move(*program), "iterative"), code,
                    request_of(options), options.cores);
}

/// Times all sets, code by code. Precondition: group_by_code sorted the sets.
void measure_all(Report& report) {
  for (const std::span<const ReportSet> of : code_groups(report.sets)) {
    if (std::ranges::all_of(of, [](const ReportSet& set) { return set.runs.empty(); })) {
      report.left_out.push_back(
          fmt::format("measured speeds of {}: none of these equations runs as it is",
                      name_of(report, of.front().code())));
      continue;
    }
    const Code code = make_code(of.front().code().spec, {.packet_bytes = 0, .allow_non_mds = true});
    const auto first = static_cast<std::size_t>(of.data() - report.sets.data());
    const double share = measure_sets(code, std::span(report.sets).subspan(first, of.size()));
    report.processor_share = std::min(report.processor_share, share);
  }
}

bool has_front(const ReportOptions& options, const Subject& subject) {
  return draws_fronts(options) && subject.direct.cost.xors <= kMostFrontXors;
}

std::size_t num_searches(const ReportOptions& options, const Subject& subject) {
  return std::size_t{1} + (options.erased.empty() ? 0 : 1) + (plans_for_cores(options) ? 1 : 0) +
         (has_front(options, subject) ? 1 : 0) + (options.target.empty() ? 0 : 2);
}

/// Searches the front of a code, from the fewest steps on the most cores to the fewest XORs. Empty
/// if no time is left.
std::vector<FrontPoint> searched_front(const Subject& subject, const ReportOptions& options,
                                       ReportSearches& searches) {
  if (searches.skips_next()) return {};
  SearchOptions search = options.search;
  search.style = "iterative";
  if (subject.direct.direct_xors > kMostSlowFrontXors) {
    search.effort = "fast";
    search.seconds.reset();
    search.steps.reset();
  }
  search.store = {};  // a store keeps single sets, not fronts
  search.cores = std::ranges::max(options.cores);
  search.whole_front = true;
  return front_points(equations_in_style(searches.next(search), subject.code, request_of(options)));
}

/// The Pareto front of `points` and of the sets in the report.
Front front_of(std::vector<FrontPoint> points, std::span<const ReportSet> reported,
               std::size_t cores) {
  for (const ReportSet& set : reported) {
    points.push_back({steps_on(set, cores), set.cost.xors});
  }
  std::ranges::sort(points, {},
                    [](const FrontPoint& point) { return std::pair(point.steps, point.xors); });
  Front front{reported.front().code(), cores, {}};
  for (const FrontPoint& point : points) {
    const bool is_better = front.points.empty() || point.xors < front.points.back().xors;
    if (is_better) front.points.push_back(point);
  }
  return front;
}

/// Throws kInvalidArgument for options that contradict each other or have no effect.
void check_options(const Command& command, const ReportOptions& options) {
  check_diff_options(command, options.diff);
  if (options.diff.is_asked) return;
  check_search(options.search);
  if (!options.atlas.empty() && options.specs.empty()) {
    fail(Status::kInvalidArgument, "--atlas needs a SPEC");
  }
  if (options.over == Over::kSymbols && is_given(command, "--cores")) {
    fail(Status::kInvalidArgument,
         "--cores plans XORs, and --over symbols also has multiplications");
  }
  if (options.over == Over::kSymbols && !options.target.empty()) {
    fail(Status::kInvalidArgument, "--target verilog makes engines of XORs, not of --over symbols");
  }
  check_request_options(request_of(options));
  for (const char* const other : {"--atlas", "--measure", "--target"}) {
    if (options.updated.empty() || !is_given(command, other)) continue;
    fail(Status::kInvalidArgument, "{} is about encoding and rebuilding, not about --update",
         other);
  }
}

/// Makes all sets. Whatever can be refused is read or made before the first search begins.
Report compared(const ReportOptions& options) {
  std::vector<Subject> subjects;
  CodeNames names;
  for (const std::string& spec : options.specs) {
    Code code = reported_code(spec, options.code, names);
    const auto is_there = [&](const Subject& other) { return other.code.spec == code.spec; };
    if (std::ranges::any_of(subjects, is_there)) continue;  // its name has both files
    ReportSet direct = direct_set(code, options);
    std::optional<ReportSet> from_atlas;
    if (!options.atlas.empty()) from_atlas = atlas_set(code, options);
    subjects.push_back({std::move(code), std::move(direct), std::move(from_atlas)});
  }
  std::vector<const Code*> codes;
  for (const Subject& subject : subjects) codes.push_back(&subject.code);
  std::vector<ReportSet> from_files;
  for (const std::string& path : options.files) {
    add_file_sets(path, codes, options, names, from_files);
  }
  if (!options.target.empty()) {
    for (const Subject& subject : subjects) check_engine_set(subject.direct);
    std::ranges::for_each(from_files, check_engine_set);
  }

  Report report{options.erased, options.updated, {}, std::move(names), {}, {}};
  std::size_t count = 0;
  for (const Subject& subject : subjects) count += num_searches(options, subject);
  ReportSearches searches(options.search, count);
  for (Subject& subject : subjects) {
    ReportOptions own = options;
    const auto name = report.code_names.find(subject.code.spec);
    if (name != report.code_names.end()) own.search.code_name = name->second.shown;
    std::vector<FrontPoint> front;
    const bool is_drawn = has_front(options, subject);
    // First, so that the time it leaves goes to the other searches.
    if (is_drawn) front = searched_front(subject, own, searches);
    const std::size_t before = report.sets.size();
    report.sets.push_back(std::move(subject.direct));
    add_searched_sets(subject.code, own, searches, report.sets);
    if (subject.from_atlas) report.sets.push_back(*std::move(subject.from_atlas));
    if (!is_drawn) continue;
    report.fronts.push_back(front_of(std::move(front), std::span(report.sets).subspan(before),
                                     std::ranges::max(options.cores)));
  }
  std::ranges::move(from_files, std::back_inserter(report.sets));
  report.cores = options.given_cores;
  report.over = options.over;
  if (!subjects.empty()) {
    report.search = {options.search.effort, options.search.steps, seconds_of(options.search),
                     options.search.seed};
  }
  if (const auto sentence = searches.cut_short()) report.left_out.push_back(*sentence);
  return report;
}

void run(const ReportOptions& options) {
  if (options.diff.is_asked) {
    return run_diff(options.diff, options.specs, options.format, options.output);
  }
  if (options.specs.empty() && options.files.empty()) {
    fail(Status::kInvalidArgument,
         "there is nothing to report on: give a SPEC or --equations FILE");
  }
  const std::vector<GivenMachine> machines = given_machines(options.rates);
  Output output(options.output);
  std::optional<EndOnRequest> end_on_request(std::in_place);
  Report report = compared(options);
  if (options.measures || !options.target.empty()) end_on_request.reset();
  group_by_code(report.sets);
  if (options.measures) measure_all(report);
  if (!options.target.empty()) add_engines(report);
  predict(report, options.measures, machines);
  add_left_out(report, options.format == "html" || options.format == "svg");
  output.finish(written(report_document(report, options.format == "html"), options.format));
}

}  // namespace

Command report_command() {
  Command command{"report", kAbout, kExamples};
  command.finds_damage = true;
  const auto options = std::make_shared<ReportOptions>();
  add_specs(command, options->specs, false);
  add_texts(command, "--equations", "FILE", options->files,
            "also report on the equations in FILE (text or JSON, one set or a front), for the code "
            "that FILE names, else for the first SPEC that it is right for; may be repeated");
  add_text(command, "--atlas", "FILE", options->atlas,
           "also report on the equations that this atlas holds for SPEC; see xorloom atlas");
  add_erase(command, options->erased,
            "report on rebuilding these lost locations, such as 0,3, instead of encoding");
  add_numbers(command, "--update", options->updated, 0, kMaxLocation,
              "report on updating the redundancy after a change of these locations' data");
  add_over(command, options->over);
  add_numbers(command, "--cores", options->cores, 1, kMaxCores,
              "numbers of cores, such as 1-4,6; default: 1, or with --format html 1, 2, 4 … up to "
              "the threads of this machine");
  add_flag(
      command, "--measure", options->measures,
      "time the equations on the best instruction set, whatever XORLOOM_ISA says; the first time, "
      "also measure what this machine can do and keep that for later reports, in "
      "xorloom/machine.json below $XDG_CACHE_HOME or ~/.cache");
  add_texts(command, "--rates", "FILE", options->rates,
            "also predict speeds for another machine from FILE, its xorloom/machine.json, which "
            "--measure keeps there; may be repeated");
  add_choice(
      command, "--target", options->target, {"verilog"},
      "also report on each set as an XOR engine: lookup tables, levels and registers, by our "
      "own count and by yosys where it is installed, which takes seconds to minutes per design; "
      "and on equations of few tables");
  add_diff_options(command, options->diff);
  add_choice(
      command, "--format", options->format, {"table", "json", "html", "svg"},
      "output format; html is one page with pictures, which loads nothing else; svg has its charts "
      "of costs; default: table");
  add_output(command, options->output);
  add_search(command, options->search);
  option_of(command, "--seconds").help =
      "with --effort max: all searches of the report together stop after N seconds, which they "
      "share; starting a search of a large code, plans for cores and --measure take their time "
      "besides; default: 60, unless --tries is given";
  add_allow_non_mds(command, options->code);
  command.moved = {{"--paper-figure", "run xorloom-lab paper-figure N"}};
  command.run = [options](const Command& given) {
    check_options(given, *options);
    options->given_cores = options->cores;
    if (options->cores.empty()) {
      options->cores =
          options->format == "html" ? up_to_this_machine() : std::vector<std::size_t>{1};
    }
    std::ranges::sort(options->cores);
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
