#pragma once

#include <string>
#include <string_view>

#include "equations/files/equation_file.hpp"

namespace xorloom {

/// The form people read, as the paper prints it, under a few lines that say what it is:
///
///     code:    cauchy:k=5,m=2,w=3,…
///     style:   direct
///     layout:  7 locations x 3 rows
///     inputs:  0-14
///     outputs: 15-20
///
///     eq. 1: 15 = XOR(2,3,4,5,7,9,11,12)
///     …
///
/// Over symbols a line `field:` follows the style, and coefficients stand before their elements:
///
///     field:   w=8,poly=0x11d
///     eq. 1: 10 = SUM(0,0x2*1,0x1d*2)
///
/// then the plan as a table of steps by cores, if there is one, the cost and the proof. Lines that
/// begin with '#' are comments.
std::string write_text(const EquationFile& file);

/// "17 = XOR(3,4,8,E,H)", "10 = SUM(0,0x1d*2)".
std::string equation_text(const Program& program, const Equation& equation);

/// Reads that form; headers may be missing. `code` as in read_equations, which is what to call.
EquationFile parse_text(std::string_view text, const Code* code);

}  // namespace xorloom
