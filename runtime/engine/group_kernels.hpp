#pragma once

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/grouping.hpp"
#include "runtime/engine/packet_code.hpp"
#include "runtime/machine/isa.hpp"

namespace xorloom {

/// Gives a grouping machine code for each of its groups of a program's equations. A temporary that other groups read is a cell of
/// a location past those of the code, numbered as it is: R to a location, as if it were stored.
///
/// Nothing is added where there is no machine code for one of the groups, or packets are wider than a
/// tile.
///
/// Shape: the grouping is one of the program's computation.
void add_kernels(Grouping& grouping, const Code& code, const Program& program, Isa isa,
                 const JitOptions& making);

}  // namespace xorloom
