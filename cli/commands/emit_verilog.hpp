#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/shell/command.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/search.hpp"
#include "gen/verilog/verilog_unit.hpp"

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
  MultiplierArray array{};
  std::size_t tiles = 256;
  std::optional<std::string> memory;
};

void add_verilog_options(Command& command, VerilogOptions& options, SearchOptions& search);

/// Throws kInvalidArgument where an option is given that the target or its unit does not take.
void check_verilog_options(const Command& command, const std::string& target,
                           const VerilogOptions& options);

/// Equations from a file, with the code they are for. Errors: throws kInvalidArgument unless they
/// are over bits, and where no code is named.
GivenEquations equations_over_bits(const std::string& path, const std::string& spec,
                                   const Options& options);

/// Writes the unit that is asked for, and its testbench if that is.
void write_verilog(const VerilogOptions& options, VerilogRequest request,
                   const std::string& output);

}  // namespace xorloom::cli
