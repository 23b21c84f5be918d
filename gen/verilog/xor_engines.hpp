#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/source/emit.hpp"
#include "gen/verilog/verilog_text.hpp"

namespace xorloom {

inline constexpr std::size_t kMostXorEngines = 4096;
inline constexpr std::size_t kMostStreamed = 65'536;

/// Engines that take the elements of a stripe one after the other: each adds up the inputs of its
/// equation. If equations share temporaries, these have engines of their own, and XOR gates add the
/// operands that are not inputs after the last element.
struct XorEngines {
  std::string module;
  Program program;
  std::vector<std::size_t> equations;  ///< by engine: its equation, which reads an input
};

/// Clocks from the last element of a stripe to its results.
inline constexpr std::size_t kXorEnginesLatency = 4;

/// Creates the engines of a program. Errors: throws kUnsupported for more than kMostXorEngines
/// engines or kMostStreamed elements.
XorEngines xor_engines(std::string module, const Program& program);

/// Two-input XORs behind the engines, per lane; 0 for direct equations.
std::size_t num_gates(const XorEngines& engines);

/// Body of a module: the elements that each engine takes, and the outputs as sums of the engines'
/// sums.
std::string write_xor_engines_body(const XorEngines& engines);

/// Reads such a body back, and proves that its outputs are those of the program.
///
/// Errors: throws kInternal, with the difference.
void check_xor_engines_body(const XorEngines& engines, std::string_view body);

struct StreamRequest {
  const Code& code;
  std::vector<NamedProgram> programs{};  ///< over bits
  std::size_t lanes = 1;
  std::optional<std::string> name{};  ///< nullopt: named after the code
};

/// Writes the engines of each program of a request, and a testbench for all of them.
///
/// Source: the paper on erasure-tolerant coding in systems on chips, section 3.2.
/// Errors: as xor_engines(); throws kInvalidArgument for invalid names, kUnsupported for updates.
VerilogText write_xor_engines_unit(const StreamRequest& request);

}  // namespace xorloom
