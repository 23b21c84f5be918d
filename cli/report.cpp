#include "cli/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/streams.hpp"
#include "codes/error.hpp"
#include "codes/families.hpp"
#include "equations/core_plan.hpp"
#include "equations/list_schedule.hpp"
#include "equations/request.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "what sets of equations cost, side by side\n"
    "Puts sets of XOR equations side by side and says what each costs: the direct equations of "
    "every "
    "SPEC, and those of any file given, which are proved first. With --cores it also says how many "
    "steps they take on so many cores, and what that gains over the direct equations on one.";

constexpr const char* kExamples =
    "xorloom report cauchy:k=10,m=4,w=8 cauchy-good:k=10,m=4,w=8\n"
    "xorloom report cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0 --cores 1,6 \\\n"
    "    --equations examples/paper_iterative.txt";

struct ReportOptions {
  std::vector<std::string> specs;
  std::vector<std::string> files;
  std::vector<std::size_t> erased;
  std::vector<std::size_t> cores{1};
  Options code;
  std::string format = "table";
  std::string output = "-";
};

Program direct_equations(const Code& code, const std::vector<std::size_t>& erased) {
  return direct_program(code, {.erased = erased});
}

ReportSet direct_set(const Code& code, const ReportOptions& options) {
  const EquationFile file =
      proved_equations(code, direct_equations(code, options.erased), "direct");
  return report_set("direct", file, cost(file.program).xors, options.cores);
}

/// Reads a file and proves it for its own code or, if it names none, for the first of the command.
ReportSet file_set(const std::string& path, const std::optional<Code>& first,
                   const ReportOptions& options) {
  const std::string name = input_name(path);
  const EquationFile file = parsed(path, [&](const std::string& text) {
    if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {
      fail(Status::kParse, fmt::format("this is not text: byte {} is zero", zero));
    }
    return read_equations(text, first ? &*first : nullptr);
  });
  if (!file.code) {
    fail(Status::kInvalidArgument,
         fmt::format("{} does not say what code it is for: give its SPEC", name));
  }
  const Code code = make_code(file.code->spec, {.packet_bytes = 0, .allow_non_mds = true});
  const Program direct = direct_equations(code, options.erased);
  std::vector<Element> computed = file.program.outputs;
  std::vector<Element> asked = direct.outputs;
  std::ranges::sort(computed);
  std::ranges::sort(asked);
  if (computed != asked) {
    fail(
        Status::kInvalidArgument,
        fmt::format("{} computes {} elements, which are not the {} {}: --erase names the locations "
                    "that equations rebuild",
                    name, computed.size(), asked.size(),
                    options.erased.empty() ? "redundant ones" : "of the erased locations"));
  }
  return report_set(name, file, cost(direct).xors, options.cores);
}

void run(const ReportOptions& options) {
  if (options.specs.empty() && options.files.empty()) {
    fail(Status::kInvalidArgument,
         "there is nothing to report on: give a SPEC or --equations FILE");
  }
  std::optional<Code> first;
  std::vector<ReportSet> sets;
  for (const std::string& spec : options.specs) {
    Code code = code_of(spec, options.code);
    sets.push_back(direct_set(code, options));
    if (!first) first = std::move(code);
  }
  for (const std::string& path : options.files) sets.push_back(file_set(path, first, options));
  write_output(options.output, options.format == "json" ? report_json(sets, options.erased)
                                                        : report_table(sets, options.erased));
}

}  // namespace

ReportSet report_set(std::string source, const EquationFile& file, std::size_t direct_xors,
                     const std::vector<std::size_t>& cores) {
  const Program& program = file.program;
  ReportSet set{std::move(source),
                *file.code,
                file.style,
                program.equations.size(),
                program.outputs.size(),
                direct_xors,
                cost(program),
                0,
                0,
                {}};
  set.xors_per_bit = static_cast<double>(set.cost.xors) / static_cast<double>(set.output_bits);
  set.factor = cost_factor(set.cost.xors, set.output_bits, set.code.k);
  const auto speedup = [&](std::size_t steps) {
    return steps == 0 ? 1.0 : static_cast<double>(direct_xors) / static_cast<double>(steps);
  };
  for (const std::size_t count : cores) {
    const CorePlan plan = plan_on_cores(program, count);
    const auto share = 1.0 / static_cast<double>(count);
    CoresCost on{count, makespan(plan),      0, 0, atomic_makespan(program, count), 0,
                 0,     moves(program, plan)};
    on.speedup = speedup(on.makespan);
    on.efficiency = on.speedup * share;
    on.atomic_speedup = speedup(on.atomic_makespan);
    on.atomic_efficiency = on.atomic_speedup * share;
    set.on_cores.push_back(on);
  }
  return set;
}

Command add_report(CLI::App& program) {
  CLI::App* app = program.add_subcommand("report", kAbout);
  const auto options = std::make_shared<ReportOptions>();
  add_specs(*app, options->specs, false);
  app->add_option("--equations", options->files,
                  "equations to report on too, as text or JSON, for the code they name or else the "
                  "first SPEC; may be given again")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_erase(*app, options->erased,
            "report on rebuilding these lost locations, instead of encoding");
  add_numbers(*app, "--cores", options->cores, 1, kMaxCores, "numbers of cores; not given: 1");
  add_choice(*app, "--format", options->format, {"table", "json"}, "not given: table");
  add_output(*app, options->output);
  add_allow_non_mds(*app, options->code);
  app->footer(kExamples);
  return {app, [options] { run(*options); }};
}

}  // namespace xorloom::cli
