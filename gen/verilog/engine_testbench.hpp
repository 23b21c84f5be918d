#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/verilog/engine_module.hpp"

namespace xorloom {

/// A module of an XOR engine, and what it has to do.
struct TestedEngine {
  std::string module;
  Program program;
  std::size_t latency = 0;
};

/// A testbench that checks engines by themselves, clock by clock.
///
/// It holds kTestStripes seeded stripes, whose redundancy is the oracle's. After these it goes on
/// with sums of three of them at a time, which are stripes, too. Now and then
/// in_valid is 0, and what comes out then is not looked at. Parameter CLOCKS says how many clocks
/// it takes. At the first wrong bit it says which, and stops by $stop; else it says that all is
/// well, and ends by $finish.
std::string write_engine_testbench(const std::string& name, const Code& code,
                                   std::span<const TestedEngine> engines, const EngineForm& form);

inline constexpr std::size_t kTestStripes = 64;

}  // namespace xorloom
