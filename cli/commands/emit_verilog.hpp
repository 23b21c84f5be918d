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

/// The target of `xorloom emit` that writes hardware.
inline constexpr const char* kVerilogTarget = "verilog";

/// What is asked for beyond what all targets take.
struct VerilogOptions {
  std::string unit = "engine";
  std::size_t lanes = 1;
  std::size_t ranks = 0;
  std::size_t slice_words = 64;
  std::size_t buffers = 1;
  std::optional<std::string> testbench;
  CoprocessorShape shape{};  ///< but for lanes
  std::optional<std::string> memory;
};

/// What hardware is written for.
struct VerilogJob {
  const Code& code;
  const std::vector<std::vector<std::size_t>>& erasures;
  const std::vector<std::size_t>& wanted;
  std::vector<NamedProgram> programs{};  ///< over bits, if the unit has_programs
  std::vector<CoreSchedule> plans{};     ///< of each program one, or none
  std::size_t gate_inputs = 0;
  std::optional<std::string> name{};
};

void add_verilog_options(Command& command, VerilogOptions& options, SearchOptions& search);

/// Throws kInvalidArgument where an option is given that the target or its unit does not take.
void check_verilog_options(const Command& command, const std::string& target,
                           const VerilogOptions& options);

/// Whether the unit is made of equations. Otherwise it is made of the code itself.
bool has_programs(const VerilogOptions& options);

/// Equations from a file, with the code they are for. Errors: throws kInvalidArgument unless they
/// are over bits, and where no code is named.
GivenEquations equations_over_bits(const std::string& path, const std::string& spec,
                                   const Options& options);

/// Writes the unit that is asked for, and its testbench if that is.
void write_verilog(const VerilogOptions& options, const VerilogJob& job, const std::string& output);

}  // namespace xorloom::cli
