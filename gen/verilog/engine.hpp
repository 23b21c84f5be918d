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

/// Inputs of gates if a request has ranks and no number of inputs.
inline constexpr std::size_t kUsualGateInputs = 4;

struct EngineRequest {
  const Code& code;
  std::vector<NamedProgram> programs{};  ///< over bits
  /// A plan for each program, whose steps are the stages of its engine in place of ranks; empty:
  /// none.
  std::vector<CoreSchedule> plans{};
  std::size_t lanes = 1;              ///< 1 … kMostLanes
  std::size_t ranks = 0;              ///< 0 … kMostRanks
  std::size_t gate_inputs = 0;        ///< inputs of a lookup table; 0: equations stay as they are
  std::optional<std::string> name{};  ///< nullopt: named after the code
};

/// Writes an XOR engine for each program, all in one file, and a testbench for all of them.
///
/// An engine takes a stripe per clock: LANES bits of each element. The comment at the top of the
/// file describes its ports.
///
///   in_valid, inN     chunk N, of which elements are read
///   out_valid, outN   chunk N, of which elements are computed, LATENCY clocks later; its other
///                     elements are 0
///
/// Errors: throws kInvalidArgument for lanes or ranks out of their bounds and for invalid names,
///         kUnsupported for a program of more than kMostEngineXors, and kInternal if the text does
///         not compute the equations.
VerilogText write_engines(const EngineRequest& request);

/// Stages of a program: gates of at most `gate_inputs` inputs, with `ranks` ranks of registers
/// between them. If both are 0, equations stay as they are; if only gate_inputs is, it is
/// kUsualGateInputs.
EngineStages engine_of(const Program& program, std::size_t ranks, std::size_t gate_inputs);

// The parts of write_engines.

/// Form of the modules of engines.
struct EngineForm {
  std::size_t lanes = 1;        ///< the default of the module's parameter
  std::size_t symbol_bits = 1;  ///< adjacent bits of a symbol: w on words, 1 in packets
  /// Name of the modules of gates, without the number of their inputs. Empty: a sum is an
  /// expression, which a synthesiser takes apart as it likes.
  std::string gate{};
};

struct WrittenEngine {
  std::string module;
  EngineStages stages;
};

/// Start of a module's body: LATENCY, the valid bits, and on words the functions that take a row
/// out of the symbols of a chunk, and put rows together to symbols.
std::string engine_frame(const EngineStages& engine, const EngineForm& form);

/// Reads the body of a module back, and proves that it computes the program: every sum has operands
/// of one stage, every register holds a value of the stage before, every bit of a port is used in
/// its place, and the outputs are the same sets of inputs.
///
/// Errors: throws kInternal, with the difference, and for text of any other form.
void check_engine_body(const EngineStages& engine, const EngineForm& form, const std::string& body);

/// A testbench that checks engines clock by clock.
///
/// It feeds 64 seeded stripes, whose redundancy the oracle computes, and then sums of three of
/// these, which are stripes, too. Now and then in_valid is 0, and the output of that clock is not
/// compared. Parameter CLOCKS is the number of clocks. At the first wrong bit it says FAIL and
/// stops by $stop; else it says PASS and ends by $finish.
std::string write_engine_testbench(const std::string& name, const Code& code,
                                   std::span<const WrittenEngine> engines, const EngineForm& form);

/// Locations of `elements` of a program, ascending.
std::vector<std::size_t> locations_of(const Program& program, const std::vector<Element>& elements);

}  // namespace xorloom
