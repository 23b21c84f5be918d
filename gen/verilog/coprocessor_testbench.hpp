#pragma once

#include <string>

#include "gen/verilog/coprocessor.hpp"

namespace xorloom {

/// A testbench of a coprocessor, which checks it clock by clock.
///
/// It holds words whose outputs are the oracle's (oracle_words_of), for each matrix. It computes
/// each of them once, without a gap, and compares the clocks that this takes with the formula: rows
/// times columns of tiles per word. Then it clears the matrix memory through the port, expects 0,
/// loads the matrices again, and goes on with words in random order with gaps. At the first wrong
/// bit, or where results come at another clock, it says FAIL and stops by $stop; else it says PASS,
/// and ends by $finish. Parameter CLOCKS says how many clocks it takes at least.
std::string write_coprocessor_testbench(const Code& code, const Coprocessor& coprocessor);

}  // namespace xorloom
