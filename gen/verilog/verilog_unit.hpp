#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "gen/source/emit.hpp"

namespace xorloom {

inline constexpr std::size_t kMostLanes = 4096;
inline constexpr std::size_t kMostRanks = 32;

/// Throws kInvalidArgument, naming it and the bounds, unless a value is within them.
void check_bound(const char* name, std::size_t value, std::size_t least, std::size_t most);

/// Throws kUnsupported unless XOR engines can compute a program: it has XORs, and is no update.
void check_engine_program(const Program& program);

/// Multipliers of a coprocessor.
struct MultiplierArray {
  std::size_t rows = 8;
  std::size_t columns = 8;
};

/// What `xorloom emit --target verilog` asks a unit for.
struct VerilogRequest {
  const Code& code;
  /// Sets of lost locations, each ascending, and of these the wanted ones; none are all.
  std::vector<std::vector<std::size_t>> erasures{};
  std::vector<std::size_t> wanted{};
  /// Equations over bits, for encoding and then for each set that is lost; see has_programs.
  std::vector<NamedProgram> programs{};
  /// Of each program a plan, whose steps are the stages of an engine in place of ranks; or none.
  std::vector<CoreSchedule> plans{};
  std::size_t lanes = 1;              ///< 1 … kMostLanes
  std::size_t ranks = 0;              ///< 0 … kMostRanks
  std::size_t gate_inputs = 0;        ///< of a lookup table; 0: equations stay as they are
  std::size_t slice_words = 64;       ///< of a unit that works in slices
  std::size_t buffers = 1;            ///< of such a unit, 1 or 2
  std::optional<std::string> name{};  ///< none: by the code
  // Of a coprocessor: see CoprocessorShape.
  MultiplierArray array{};
  std::size_t tiles = 256;
  std::optional<std::string> memory_file{};  ///< that the design reads its matrices from
};

/// Two files of Verilog-2005: what is built, and a testbench that checks it. The third is what the
/// design reads from a memory file, if it is to read one.
struct VerilogText {
  std::string design;
  std::string testbench;
  std::string memory = {};
};

/// A kind of hardware that is written for a code.
struct VerilogUnit {
  const char* name;   ///< as `--unit` takes it
  const char* about;  ///< for the help: "one XOR engine for each set of equations"
  bool has_programs;  ///< whether it is made of equations, which are then searched for
  /// What it takes of the options that are not for all: "--ranks".
  std::span<const std::string_view> options;
  VerilogText (*write)(const VerilogRequest& request);
};

/// All of them, the default first.
std::span<const VerilogUnit> verilog_units();

/// Errors: throws kInvalidArgument if none has that name.
const VerilogUnit& verilog_unit(std::string_view name);

}  // namespace xorloom
