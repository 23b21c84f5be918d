#pragma once

#include "equations/ir/program.hpp"

namespace xorloom {

/// The program that computes a first one, and a second one from what the first gives. What the
/// first gives becomes temporaries, or inputs where it copies these.
///
/// Shape:  XOR programs. The second has as many inputs as the first has outputs, in their order.
/// Answer: input i is element i, output o is element inputs + o, locations of one row each.
Program chained(const Program& first, const Program& second);

}  // namespace xorloom
