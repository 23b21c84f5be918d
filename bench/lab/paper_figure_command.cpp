#include "cli/report/paper_figure_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>
#include <string>

#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kGroup = "Options of --paper-figure";
constexpr const char* kOwn[] = {"--factor", "--symbol-bits", "--efficiency", "--slower-clock",
                                "--multipliers"};
constexpr std::size_t kMostSymbolBits = 16;
constexpr std::size_t kMostSide = 1024;

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

}  // namespace

void add_figure_options(Command& command, GivenFigure& given) {
  const PaperModel paper;
  add_positive(command, "--factor", "F", given.factor,
               fmt::format("F, the XORs of Cauchy Reed-Solomon for each data bit; default: {}",
                           paper.factor));
  add_number(command, "--symbol-bits", given.symbol_bits, 1, kMostSymbolBits,
             fmt::format("w, bits of a symbol; default: {}", paper.symbol_bits));
  add_value(command, "--efficiency", "E,E",
            fmt::format("of direct and of iterative equations on p cores; default: {},{}",
                        kDirectEfficiency, kIterativeEfficiency),
            [&given](const std::string& text) { given.efficiencies = efficiencies_of(text); });
  add_positive(command, "--slower-clock", "T", given.slower_clock,
               fmt::format("T, how many times slower the clock of the FPGA is; default: {}",
                           paper.slower_clock));
  add_number(
      command, "--multipliers", given.multiplier_side, 1, kMostSide,
      fmt::format("N, where N x N multipliers fit the FPGA; default: {}", paper.multiplier_side));
  for (const char* name : kOwn) option_of(command, name).group = kGroup;
}

FigureOptions figure_options(const GivenFigure& given, const std::vector<std::size_t>& cores,
                             const SearchOptions& search) {
  if (cores.size() > 1) {
    fail(Status::kInvalidArgument, "--paper-figure has one number of cores, p");
  }
  if (search.effort == "max") {
    fail(Status::kInvalidArgument,
         "--paper-figure searches for 96 codes and takes only --effort fast or normal");
  }
  constexpr double kMost = 1e6;
  for (const auto& [name, value] :
       {std::pair("--factor", given.factor), std::pair("--slower-clock", given.slower_clock)}) {
    if (value && *value > kMost) {
      fail(Status::kInvalidArgument, fmt::format("{} = {} exceeds {}", name, *value, kMost));
    }
  }
  FigureOptions options;
  options.model.factor = given.factor.value_or(options.model.factor);
  options.model.slower_clock = given.slower_clock.value_or(options.model.slower_clock);
  options.model.symbol_bits = given.symbol_bits;
  options.model.multiplier_side = given.multiplier_side;
  if (!given.efficiencies.empty()) {
    options.direct_efficiency = given.efficiencies[0];
    options.iterative_efficiency = given.efficiencies[1];
  }
  if (!cores.empty()) options.cores = cores.front();
  options.effort = search.effort == "fast" ? Effort::kFast : Effort::kNormal;
  if (search.seconds) options.budget = std::chrono::seconds(*search.seconds);
  return options;
}

void check_figure_options(const Command& command, const std::string& figure) {
  const auto refuse = [&](std::span<const char* const> names, const std::string& sentence) {
    for (const char* name : names) {
      if (is_given(command, name))
        fail(Status::kInvalidArgument, fmt::format(fmt::runtime(sentence), name));
    }
  };
  if (figure.empty()) return refuse(kOwn, "{} needs --paper-figure");
  constexpr const char* kOfNone[] = {"--erase",   "--over",  "--atlas",
                                     "--measure", "--rates", "--target"};
  refuse(kOfNone, "--paper-figure takes no {}");
  if (figure == "4") {
    constexpr const char* kOfOther[] = {"--factor", "--symbol-bits", "--efficiency", "--cores"};
    return refuse(kOfOther, "{} goes with --paper-figure 5");
  }
  constexpr const char* kOfSearches[] = {"SPEC",    "--equations", "--seed",
                                         "--steps", "--library",   "--threads"};
  refuse(kOfSearches, "--paper-figure 5 takes no {}");
}

}  // namespace xorloom::cli
