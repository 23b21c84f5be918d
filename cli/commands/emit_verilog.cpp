#include "cli/commands/emit_verilog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

/// Options of hardware alone, and those of other targets that a unit may not take.
constexpr std::array<std::string_view, 6> kOfHardware = {"--unit",      "--lanes", "--ranks",
                                                         "--testbench", "--model", "--levels"};
constexpr std::array<std::string_view, 4> kOfSomeUnits = {"--ranks", "--want", "--model",
                                                          "--levels"};

/// Options that say how equations are made, which a unit without any does not take.
constexpr std::array<std::string_view, 8> kOfEquations = {"--style",   "--equations", "--effort",
                                                          "--seconds", "--steps",     "--seed",
                                                          "--threads", "--library"};

bool is_among(std::span<const std::string_view> options, std::string_view option) {
  return std::ranges::find(options, option) != options.end();
}

}  // namespace

void add_verilog_options(Command& command, VerilogOptions& options) {
  std::vector<std::string> names;
  std::string about;
  for (const VerilogUnit& unit : verilog_units()) {
    names.emplace_back(unit.name);
    about += fmt::format("{}{}: {}", about.empty() ? "" : "; ", unit.name, unit.about);
  }
  add_choice(command, "--unit", options.unit, names,
             fmt::format("what hardware to write. {}; default: {}", about, names.front()));
  add_number(command, "--lanes", options.lanes, 1, kMostLanes,
             "how many bits of each packet, or symbols of each chunk, the hardware takes per "
             "clock; default: 1");
  add_number(command, "--ranks", options.ranks, 0, kMostRanks,
             "how many ranks of registers stand within an engine: it gives results N clocks later; "
             "default: 0");
  add_text(command, "--testbench", "FILE", options.testbench,
           "also write a testbench that checks the hardware");
  for (const std::string_view name : {"--unit", "--lanes", "--ranks", "--testbench"}) {
    option_of(command, name).group = "With --target verilog";
  }
}

void check_verilog_options(const Command& command, const std::string& target,
                           const VerilogOptions& options) {
  const auto refuse = [&](std::string_view option, const std::string& why) {
    if (!takes(command, option) || !is_given(command, option)) return;
    fail(Status::kInvalidArgument, fmt::format("{} {}", option, why));
  };
  if (target != kVerilogTarget) {
    for (const std::string_view option : kOfHardware) refuse(option, "needs --target verilog");
    return;
  }
  refuse("--header", "goes with C and C++: Verilog has no headers");
  const VerilogUnit& unit = verilog_unit(options.unit);
  const std::string why = fmt::format("does not go with --unit {}", unit.name);
  for (const std::string_view option : kOfSomeUnits) {
    if (!is_among(unit.options, option)) refuse(option, why);
  }
  if (unit.has_programs) return;
  for (const std::string_view option : kOfEquations) refuse(option, why);
}

GivenEquations equations_over_bits(const std::string& path, const std::string& spec,
                                   const Options& options) {
  GivenEquations given = given_equations(path, spec, options);
  if (!given.code) {
    fail(Status::kInvalidArgument,
         fmt::format("{} does not say what code it is for: give its SPEC", input_name(path)));
  }
  if (!given.file.program.is_xor()) {
    fail(Status::kInvalidArgument, fmt::format("{} has equations over symbols, and hardware takes "
                                               "those over bits: xorloom equations prints them",
                                               input_name(path)));
  }
  return given;
}

void write_verilog(const VerilogOptions& options, VerilogRequest request,
                   const std::string& output) {
  if (options.testbench && output != "-" && *options.testbench == output) {
    fail(Status::kInvalidArgument,
         fmt::format("-o and --testbench name the same file, {}", output));
  }
  request.lanes = options.lanes;
  request.ranks = options.ranks;
  const VerilogText text = verilog_unit(options.unit).write(request);
  write_output(output, text.design);
  if (options.testbench) write_output(*options.testbench, text.testbench);
}

}  // namespace xorloom::cli
