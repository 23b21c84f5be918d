#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "gen/verilog/xor_engines.hpp"

namespace xorloom {

/// A testbench that checks engines by themselves, clock by clock.
///
/// It holds what the oracle computes of each element alone, and adds that up for the random
/// elements that it streams, which is as good, since the engines are linear. Now and then in_valid
/// is 0. At the first wrong bit, or where results come at another clock, it says FAIL and stops by
/// $stop; else it says PASS, and ends by $finish. Parameter CLOCKS says how many clocks it takes.
std::string write_xor_engines_testbench(const std::string& name,
                                        std::span<const XorEngines> engines, std::size_t lanes);

}  // namespace xorloom
