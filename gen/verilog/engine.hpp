#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "gen/source/emit.hpp"
#include "gen/verilog/engine_stages.hpp"
#include "gen/verilog/verilog_text.hpp"

namespace xorloom {

inline constexpr std::size_t kMostRanks = 32;
inline constexpr std::size_t kMostEngineXors = 65'536;

/// Inputs of the gates that ranks are cut between, where the request does not say.
inline constexpr std::size_t kUsualGateInputs = 4;

struct EngineRequest {
  const Code& code;
  std::vector<NamedProgram> programs{};  ///< over bits
  /// Of each program a plan, whose steps are the stages of an engine in place of ranks; or none.
  std::vector<CoreSchedule> plans{};
  std::size_t lanes = 1;              ///< 1 … kMostLanes
  std::size_t ranks = 0;              ///< 0 … kMostRanks
  std::size_t gate_inputs = 0;        ///< of a lookup table; 0: equations stay as they are
  std::optional<std::string> name{};  ///< none: by the code
};

/// An XOR engine for each program, all in one file, and a testbench for all of them.
///
/// An engine takes a stripe of LANES bits per element a clock. The comment at the top of the file
/// says what its ports are.
///
///   in_valid, inN     chunk N, of which elements are read
///   out_valid, outN   chunk N, of which elements are computed, LATENCY clocks later; the others
///                     are 0
///
/// Errors: throws kInvalidArgument for lanes or ranks out of their bounds and for names that cannot
///         stand, kUnsupported for a program of more than kMostEngineXors, and kInternal if what
///         was written is not what the equations say.
VerilogText write_engines(const EngineRequest& request);

/// A program as a request wants it: with ranks, or as gates of that many inputs, or both. Without
/// any its equations stay as they are.
EngineStages engine_of(const Program& program, std::size_t ranks, std::size_t gate_inputs);

// The parts of write_engines.

/// How modules of engines are written.
struct EngineForm {
  std::size_t lanes = 1;        ///< the default of the module's parameter
  std::size_t symbol_bits = 1;  ///< bits that lie side by side: w on words, 1 in packets
  /// What the modules of gates are called, without the number of their inputs. Empty: a sum is an
  /// expression, which a synthesiser takes apart as it likes.
  std::string gate{};
};

struct WrittenEngine {
  std::string module;
  EngineStages stages;
};

/// What a module takes its ports apart by: its LATENCY with the valid bits, and on words the
/// functions that take a row out of the symbols of a chunk, and put rows together to symbols.
std::string engine_frame(const EngineStages& engine, const EngineForm& form);

/// Reads the inside of a module back, and proves that it computes what the program does: every sum
/// has operands of one stage, every register holds a value of the stage before, every bit of a port
/// is taken and put where it belongs, and the outputs are the same sets of inputs.
///
/// Errors: throws kInternal, saying where they differ, and for text of any other form.
void check_engine_body(const EngineStages& engine, const EngineForm& form, const std::string& body);

/// A testbench that checks engines by themselves, clock by clock.
///
/// It holds 64 seeded stripes, whose redundancy is the oracle's. After these it goes on with sums
/// of three of them at a time, which are stripes, too. Now and then in_valid is 0, and what comes
/// out then is not looked at. Parameter CLOCKS says how many clocks it takes. At the first wrong
/// bit it says which, and stops by $stop; else it says that all is well, and ends by $finish.
std::string write_engine_testbench(const std::string& name, const Code& code,
                                   std::span<const WrittenEngine> engines, const EngineForm& form);

/// Locations of which a program reads elements, ascending, or computes elements.
std::vector<std::size_t> locations_of(const Program& program, const std::vector<Element>& elements);

}  // namespace xorloom
