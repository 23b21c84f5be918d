#pragma once

#include "gen/verilog/engine_stages.hpp"
#include "gen/verilog/verilog_unit.hpp"

namespace xorloom {

/// An XOR engine for each program of a request, all in one file, and a testbench for all of them.
///
/// An engine takes a stripe a clock, and gives its results LATENCY clocks later: see
/// write_engine_module. The comment at the top of the file says what its ports are.
///
/// Errors: throws kInvalidArgument for lanes or ranks out of their bounds and for names that cannot
///         stand, kUnsupported for a program of more than kMostEngineXors, and kInternal if what
///         was written is not what the equations say.
VerilogText write_engines(const VerilogRequest& request);

/// A program as the request wants it: with ranks, or as gates of that many inputs, or both. Without
/// any its equations stay as they are.
EngineStages engine_of(const Program& program, std::size_t ranks, std::size_t gate_inputs);

/// Inputs of the gates that ranks are cut between, where the request does not say.
inline constexpr std::size_t kUsualGateInputs = 4;

inline constexpr std::size_t kMostEngineXors = 65'536;

}  // namespace xorloom
