#pragma once

#include <string>

#include "equations/ir/program.hpp"
#include "gen/verilog/engine_module.hpp"

namespace xorloom {

/// Reads the inside of a module that write_engine_body gave, and proves that it computes what the
/// program does: every sum has operands of one stage, every register holds a value of the stage
/// before, every bit of a port is taken and put where it belongs, and the outputs are the same sets
/// of inputs. Text of any other form is none.
///
/// Errors: throws kInternal, saying where they differ.
void check_engine_body(const Program& program, const EngineForm& form, const std::string& body);

}  // namespace xorloom
