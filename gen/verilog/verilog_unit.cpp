#include "gen/verilog/verilog_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/text/error.hpp"
#include "gen/verilog/coprocessor_unit.hpp"
#include "gen/verilog/engine.hpp"
#include "gen/verilog/xor_engines.hpp"
#include "gen/verilog/zigzag_unit_testbench.hpp"

namespace xorloom {
namespace {

constexpr std::string_view kEngineOptions[] = {"--ranks", "--model", "--levels", "--cores",
                                               "--want"};

constexpr std::string_view kCoprocessorOptions[] = {"--want", "--array", "--tiles", "--memory"};

constexpr std::string_view kStreamOptions[] = {"--want"};

constexpr std::string_view kZigzagOptions[] = {"--slice-words", "--buffers"};

constexpr std::array kUnits = {
    VerilogUnit{"engine", "an XOR engine for each set of equations", true, kEngineOptions,
                write_engines},
    VerilogUnit{"coprocessor", "an array of multipliers with a matrix memory", false,
                kCoprocessorOptions, write_coprocessor_unit},
    VerilogUnit{"engines", "an XOR engine for each equation, which elements stream through", true,
                kStreamOptions, write_xor_engines_unit},
    VerilogUnit{"zigzag", "a processing unit with a memory bank per data chunk", false,
                kZigzagOptions, write_zigzag},
};

}  // namespace

void check_bound(const char* name, std::size_t value, std::size_t least, std::size_t most) {
  if (value >= least && value <= most) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} = {} is not from {} to {}", name, value, least, most));
}

void check_engine_program(const Program& program) {
  require_xors(program, "an XOR engine");
  if (!program.virtuals.empty()) {
    fail(Status::kUnsupported, "updates are not written as XOR engines");
  }
}

std::span<const VerilogUnit> verilog_units() { return kUnits; }

const VerilogUnit& verilog_unit(std::string_view name) {
  const auto* const unit = std::ranges::find(kUnits, name, &VerilogUnit::name);
  if (unit != kUnits.end()) return *unit;
  fail(Status::kInvalidArgument, fmt::format("unit = '{}' is not known", excerpt(name)));
}

}  // namespace xorloom
