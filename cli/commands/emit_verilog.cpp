#include "cli/commands/emit_verilog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>
#include <vector>

#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/core_schedule.hpp"
#include "gen/verilog/coprocessor.hpp"
#include "gen/verilog/engine.hpp"
#include "gen/verilog/xor_engines.hpp"
#include "gen/verilog/zigzag_unit.hpp"

namespace xorloom::cli {
namespace {

/// Options that need --target verilog.
constexpr std::string_view kOfHardware[] = {"--unit",      "--lanes", "--ranks",       "--model",
                                            "--levels",    "--cores", "--slice-words", "--buffers",
                                            "--testbench", "--array", "--tiles",       "--memory"};

/// Options of how equations are made, which units without equations refuse.
constexpr std::string_view kOfEquations[] = {"--style", "--equations", "--effort",  "--seconds",
                                             "--tries", "--seed",      "--threads", "--store"};

/// A kind of hardware for a code.
struct VerilogUnit {
  const char* name;
  const char* about;  ///< for the help
  bool has_programs;  ///< made from equations; else from the code itself
  /// Options that only some units take, such as "--ranks", and this one does.
  std::span<const std::string_view> options;
  VerilogText (*write)(const VerilogOptions& options, const VerilogJob& job);
};

constexpr std::string_view kOfEngine[] = {"--ranks", "--model", "--levels", "--cores", "--want"};
constexpr std::string_view kOfCoprocessor[] = {"--want", "--array", "--tiles", "--memory"};
constexpr std::string_view kOfStream[] = {"--want"};
constexpr std::string_view kOfZigzag[] = {"--slice-words", "--buffers"};

/// The first is the default.
constexpr VerilogUnit kUnits[] = {
    {"engine", "an XOR engine for each set of equations", true, kOfEngine,
     [](const VerilogOptions& options, const VerilogJob& job) {
       return write_engines({job.code, job.programs, job.plans, options.lanes, options.ranks,
                             job.gate_inputs, job.name});
     }},
    {"coprocessor", "an array of multipliers with a matrix memory", false, kOfCoprocessor,
     [](const VerilogOptions& options, const VerilogJob& job) {
       CoprocessorShape shape = options.shape;
       shape.lanes = options.lanes;
       return write_coprocessor(
           {job.code, job.erasures, job.wanted, shape, options.memory, job.name});
     }},
    {"engines", "an XOR engine for each equation, which elements stream through", true, kOfStream,
     [](const VerilogOptions& options, const VerilogJob& job) {
       return write_xor_engines_unit({job.code, job.programs, options.lanes, job.name});
     }},
    {"zigzag", "a processing unit with a memory bank per data chunk", false, kOfZigzag,
     [](const VerilogOptions& options, const VerilogJob& job) {
       return write_zigzag(job.code, job.erasures,
                           {options.lanes, options.slice_words, options.buffers, job.name});
     }}};

const VerilogUnit& unit_of(const VerilogOptions& options) {
  return *std::ranges::find(kUnits, options.unit, &VerilogUnit::name);
}

/// Reads the sides of an array, "8x4", into `array`.
CoprocessorShape array_of(const std::string& text, CoprocessorShape array) {
  const char* const end = text.data() + text.size();
  const auto rows = std::from_chars(text.data(), end, array.rows);
  const bool has_rows = rows.ec == std::errc{} && rows.ptr != end && *rows.ptr == 'x';
  const auto columns = std::from_chars(has_rows ? rows.ptr + 1 : end, end, array.columns);
  const auto is_good = [](std::size_t side) { return side >= 1 && side <= kMostArraySide; };
  if (has_rows && columns.ec == std::errc{} && columns.ptr == end && is_good(array.rows) &&
      is_good(array.columns)) {
    return array;
  }
  fail(Status::kInvalidArgument,
       fmt::format("--array = {} is not two whole numbers from 1 to {}, such as 8x8",
                   text.empty() ? "''" : excerpt(text), kMostArraySide));
}

/// Throws kInvalidArgument unless a string of Verilog can hold the path.
void check_memory_file(const std::string& path) {
  const bool is_plain = std::ranges::all_of(
      path, [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\' && c != '%'; });
  if (!is_plain || path.empty() || path == "-") {
    fail(Status::kInvalidArgument,
         fmt::format("--memory = {} is no name of a file that Verilog can read",
                     path.empty() ? "''" : excerpt(path)));
  }
}

bool is_among(std::span<const std::string_view> options, std::string_view option) {
  return std::ranges::find(options, option) != options.end();
}

}  // namespace

void add_verilog_options(Command& command, VerilogOptions& options, SearchOptions& search) {
  std::vector<std::string> names;
  std::string about;
  for (const VerilogUnit& unit : kUnits) {
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
  add_number(command, "--cores", search.cores, 1, kMaxCores,
             "instead of --ranks: plan the equations for N cores, and make each step of the plan a "
             "stage with registers around it");
  add_number(command, "--slice-words", options.slice_words, 2, kMostSliceWords,
             "how many words of an element a zigzag unit loads before it computes, a power of 2; "
             "default: 64");
  add_number(command, "--buffers", options.buffers, 1, 2,
             "2: a zigzag unit loads the next slice while it computes one; default: 1");
  add_text(command, "--testbench", "FILE", options.testbench,
           "also write a testbench that checks the hardware")
      .writes = true;
  add_value(command, "--array", "RxC",
            "rows and columns of the multipliers of a coprocessor: C elements are read and R "
            "computed at a time; default: 8x8",
            [&options](const std::string& text) { options.shape = array_of(text, options.shape); });
  add_number(command, "--tiles", options.shape.tiles, 2, kMostTiles,
             "how many tiles of R x C coefficients the matrix memory of a coprocessor holds; "
             "default: 256");
  add_text(command, "--memory", "FILE", options.memory,
           "also write the matrices of a coprocessor for $readmemh; the design then reads FILE")
      .writes = true;
  for (const std::string_view name : kOfHardware) {
    if (takes(command, name)) option_of(command, name).group = "With --target verilog";
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
  refuse("--update", "does not go with --target verilog: hardware encodes and rebuilds");
  if (is_given(command, "--cores")) refuse("--ranks", "and --cores both make stages: give one");
  const VerilogUnit& unit = unit_of(options);
  const std::string why = fmt::format("does not go with --unit {}", unit.name);
  for (const VerilogUnit& other : kUnits) {
    for (const std::string_view option : other.options) {
      if (!is_among(unit.options, option)) refuse(option, why);
    }
  }
  if (unit.has_programs) return;
  for (const std::string_view option : kOfEquations) refuse(option, why);
}

bool has_programs(const VerilogOptions& options) { return unit_of(options).has_programs; }

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

void write_verilog(const VerilogOptions& options, const VerilogJob& job,
                   const std::string& output) {
  if (options.memory) check_memory_file(*options.memory);
  const VerilogText text = unit_of(options).write(options, job);
  write_output(output, text.design);
  if (options.testbench) write_output(*options.testbench, text.testbench);
  if (options.memory) write_output(*options.memory, text.memory);
}

}  // namespace xorloom::cli
