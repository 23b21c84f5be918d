#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/search.hpp"
#include "codes/code.hpp"
#include "equations/ir/core_schedule.hpp"
#include "gen/source/emit.hpp"
#include "gen/verilog/coprocessor.hpp"

namespace xorloom::cli {

/// The value of --target for hardware.
inline constexpr const char* kVerilogTarget = "verilog";

/// Options of `emit` for hardware only, as typed.
struct VerilogOptions {
  std::string unit = "engine";
  std::size_t lanes = 1;
  std::size_t ranks = 0;
  std::size_t slice_words = 64;
  std::size_t buffers = 1;
  std::optional<std::string> testbench;
  CoprocessorShape shape{};  ///< without its lanes
  std::optional<std::string> memory;
};

/// Content of the hardware to write.
struct VerilogJob {
  const Code& code;
  const std::vector<std::vector<std::size_t>>& erasures;
  const std::vector<std::size_t>& wanted;
  std::vector<NamedProgram> programs{};  ///< over bits; empty unless has_programs()
  std::vector<CoreSchedule> plans{};     ///< a plan per program; empty without --cores
  std::size_t gate_inputs = 0;
  std::optional<std::string> name{};
};

void add_verilog_options(Command& command, VerilogOptions& options, SearchOptions& search);

/// Throws kInvalidArgument if an option is given that the target or its unit does not take.
void check_verilog_options(const Command& command, const std::string& target,
                           const VerilogOptions& options);

/// True if the unit is made from equations; false: from the code itself.
bool has_programs(const VerilogOptions& options);

/// Reads equations from a file, with their code. Errors: throws kInvalidArgument unless they are
/// over bits, or if no code is named.
GivenEquations equations_over_bits(const std::string& path, const std::string& spec,
                                   const Options& options);

/// Writes the unit, and its testbench and memory file if they are asked for.
void write_verilog(const VerilogOptions& options, const VerilogJob& job, const std::string& output);

}  // namespace xorloom::cli
