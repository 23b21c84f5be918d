#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/lab/lab.hpp"
#include "bench/lab/paper_figure.hpp"
#include "cli/document/writers.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/search.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kFigureAbout =
    "a figure of a paper, beside what Xorloom takes\n"
    "N is 4 or 5: a figure of P. Sobe, Coding for Reliable Data Storage on Different Hardware "
    "Platforms, ARCS 2009. 4: a coprocessor and XOR engines for SPEC (default: the paper's "
    "example), and the clocks they take. 5: what coding costs by the paper's formulas, and what "
    "real equations take. All searches of 5 together stop after --seconds, 5 by default, with any "
    "effort.";

constexpr const char* kFigureExamples =
    "xorloom-lab paper-figure 4 --format svg -o coprocessor.svg\n"
    "xorloom-lab paper-figure 4 rs:k=10,m=4 --effort fast\n"
    "xorloom-lab paper-figure 5 --cores 16 --format svg -o figure.svg";

/// The code of the paper's worked example.
constexpr const char* kPaperCode = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0,poly=0xb";

constexpr std::size_t kMostSymbolBits = 16;
constexpr std::size_t kMostSide = 1024;
constexpr std::size_t kMostPaperCores = 1024;
constexpr double kMostFactor = 1e6;

/// Options as typed.
struct PaperFigureOptions {
  std::string figure;
  std::vector<std::string> specs;
  std::string equations;  ///< path of a file; "": none
  std::optional<double> factor;
  std::optional<double> slower_clock;
  std::vector<double> efficiencies;
  FigureOptions figure_5;
  Options code;
  SearchOptions search;
  std::string format = "table";
  std::string output = "-";
};

std::vector<double> efficiencies_of(const std::string& text) {
  std::vector<double> values;
  for (const char* at = text.data(); at <= text.data() + text.size();) {
    double value = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), value);
    const bool ends = end == text.data() + text.size() || *end == ',';
    if (error != std::errc{} || !ends || !std::isfinite(value) || value <= 0) break;
    values.push_back(value);
    at = end + 1;
  }
  if (values.size() != 2 || text.back() == ',') {
    fail(Status::kInvalidArgument,
         fmt::format("--efficiency = {} is not two numbers above 0, such as 0.93,1.07",
                     text.empty() ? "''" : excerpt(text)));
  }
  return values;
}

/// Throws kInvalidArgument for options that the figure does not take; sets the options of figure 5.
void check_options(const Command& given, PaperFigureOptions& options) {
  const auto refuse = [&](std::initializer_list<const char*> names, const char* figure) {
    for (const char* name : names) {
      if (!is_given(given, name)) continue;
      fail(Status::kInvalidArgument, fmt::format("paper-figure {} takes no {}", figure, name));
    }
  };
  if (options.figure == "4") {
    refuse({"--factor", "--symbol-bits", "--efficiency", "--cores"}, "4");
    check_search(options.search);
  } else if (options.figure == "5") {
    refuse({"SPEC", "--equations", "--seed", "--tries", "--store", "--threads"}, "5");
    if (options.search.effort == "max") {
      fail(Status::kInvalidArgument,
           "paper-figure 5 searches for 96 codes and takes only --effort fast or normal");
    }
  } else {
    fail(Status::kInvalidArgument,
         fmt::format("there is no figure '{}': it is 4 or 5", excerpt(options.figure)));
  }
  if (options.specs.size() > 1) {
    fail(Status::kInvalidArgument, "paper-figure 4 takes one SPEC");
  }
  for (const auto& [name, value] :
       {std::pair("--factor", options.factor), std::pair("--slower-clock", options.slower_clock)}) {
    if (value && *value > kMostFactor) {
      fail(Status::kInvalidArgument, fmt::format("{} = {} exceeds {}", name, *value, kMostFactor));
    }
  }
  FigureOptions& figure = options.figure_5;
  figure.model.factor = options.factor.value_or(figure.model.factor);
  figure.model.slower_clock = options.slower_clock.value_or(figure.model.slower_clock);
  if (!options.efficiencies.empty()) {
    figure.direct_efficiency = options.efficiencies[0];
    figure.iterative_efficiency = options.efficiencies[1];
  }
  figure.effort = options.search.effort == "fast" ? Effort::kFast : Effort::kNormal;
  if (options.search.seconds) figure.budget = std::chrono::seconds(*options.search.seconds);
}

/// Makes figure 4. The shared equations come from the file, if there is one, else from a search.
Document figure_4(const PaperFigureOptions& options) {
  const std::string spec = options.specs.empty() ? kPaperCode : options.specs.front();
  HardwareFigure figure;
  figure.model = options.figure_5.model;
  figure.code = code_of(spec, options.code);
  figure.direct = direct_program(figure.code, Request{});
  if (options.equations.empty()) {
    SearchOptions search = options.search;
    search.style = "iterative";
    figure.shared = equations_in_style(search, figure.code, Request{}).front().program;
  } else {
    figure.shared = given_equations(options.equations, spec, options.code).file.program;
    if (!locations_rebuilt(figure.code, figure.shared, options.equations).empty()) {
      fail(Status::kInvalidArgument,
           fmt::format("{} rebuilds, and figure 4 encodes", input_name(options.equations)));
    }
  }
  return hardware_document(figure, options.format == "svg");
}

/// Makes figure 5, which has its own codes, with a progress line.
Document figure_5(const PaperFigureOptions& options) {
  std::atomic<std::size_t> codes = 0;
  const ProgressLine line([&](std::size_t columns) {
    return fmt::format("{} codes", codes.load()).substr(0, columns);
  });
  return paper_figure(options.figure_5, [&](std::size_t done) { codes = done; });
}

void run(const PaperFigureOptions& options) {
  Output output(options.output);
  output.finish(
      written(options.figure == "4" ? figure_4(options) : figure_5(options), options.format));
}

}  // namespace

Command paper_figure_command() {
  Command command{"paper-figure", kFigureAbout, kFigureExamples};
  const auto options = std::make_shared<PaperFigureOptions>();
  const PaperModel paper;
  add_argument(command, "N", options->figure, "the number of the figure: 4 or 5");
  add_arguments(command, "SPEC", options->specs, "for figure 4: the code", false);
  add_text(command, "--equations", "FILE", options->equations,
           "for figure 4: the equations in FILE instead of those of a search");
  add_number(command, "--cores", options->figure_5.cores, 1, kMostPaperCores,
             "p, for figure 5; default: as many as there are equations");
  add_choice(command, "--format", options->format, {"table", "json", "html", "svg"},
             "output format; html is one page with pictures, which loads nothing else; default: "
             "table");
  add_output(command, options->output);
  add_positive(command, "--factor", "F", options->factor,
               fmt::format("F, the XORs of Cauchy Reed-Solomon for each data bit; default: {}",
                           paper.factor));
  add_number(command, "--symbol-bits", options->figure_5.model.symbol_bits, 1, kMostSymbolBits,
             fmt::format("w, bits of a symbol; default: {}", paper.symbol_bits));
  add_value(command, "--efficiency", "E,E",
            fmt::format("of direct and of iterative equations on p cores; default: {},{}",
                        kDirectEfficiency, kIterativeEfficiency),
            [options](const std::string& text) { options->efficiencies = efficiencies_of(text); });
  add_positive(command, "--slower-clock", "T", options->slower_clock,
               fmt::format("T, how many times slower the clock of the FPGA is; default: {}",
                           paper.slower_clock));
  add_number(
      command, "--multipliers", options->figure_5.model.multiplier_side, 1, kMostSide,
      fmt::format("N, where N x N multipliers fit the FPGA; default: {}", paper.multiplier_side));
  for (const char* name :
       {"--factor", "--symbol-bits", "--efficiency", "--slower-clock", "--multipliers"}) {
    option_of(command, name).group = "Options of the paper's model";
  }
  add_search(command, options->search);
  option_of(command, "--seconds").help =
      "for figure 5: all searches together stop after N seconds, with any effort; default: 5";
  add_allow_non_mds(command, options->code);
  command.run = [options](const Command& given) {
    check_options(given, *options);
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
