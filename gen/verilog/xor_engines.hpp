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

/// Engines that take the elements of a stripe one after the other: each holds the sum of those that
/// its equation has. In the shared form, temporaries have engines of their own, and what equations
/// have besides inputs is added by XOR gates after the last element.
struct XorEngines {
  std::string module;
  Program program;
  std::vector<std::size_t> equations;  ///< of each engine: those of the program that read an input
};

/// Clocks from the last element of a stripe to its results.
inline constexpr std::size_t kXorEnginesLatency = 4;

/// Errors: throws kUnsupported for more than kMostXorEngines engines or kMostStreamed elements.
XorEngines xor_engines(std::string module, const Program& program);

/// Two-input XORs behind the engines, per lane: none of direct equations.
std::size_t num_gates(const XorEngines& engines);

/// The inside of a module: what its engines take of each element, and what becomes of their sums.
std::string write_xor_engines_body(const XorEngines& engines);

/// Reads such text back, and proves that its outputs are those of the program.
///
/// Errors: throws kInternal, saying where they differ.
void check_xor_engines_body(const XorEngines& engines, std::string_view body);

struct StreamRequest {
  const Code& code;
  std::vector<NamedProgram> programs{};  ///< over bits
  std::size_t lanes = 1;
  std::optional<std::string> name{};  ///< none: by the code
};

/// The engines of each program of a request, and a testbench for all of them.
///
/// Source: the paper on erasure-tolerant coding in systems on chips, section 3.2.
/// Errors: as above; throws kInvalidArgument for names that cannot stand, kUnsupported for updates.
VerilogText write_xor_engines_unit(const StreamRequest& request);

}  // namespace xorloom
