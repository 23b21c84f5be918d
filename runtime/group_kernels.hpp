#pragma once

#include <vector>

#include "codes/code.hpp"
#include "equations/program.hpp"
#include "runtime/grouping.hpp"
#include "runtime/isa.hpp"
#include "runtime/packet_code.hpp"

namespace xorloom {

/// Machine code for each group of a program's equations. A temporary that other groups read is a cell of
/// a location past those of the code, numbered as it is: R to a location, as if it were stored.
///
/// Answer: nothing where there is no machine code for one of the groups, or packets are wider than a
///         tile.
/// Shape:  the grouping is one of the program's computation.
std::vector<PacketCode> group_kernels(const Code& code, const Program& program,
                                      const Grouping& grouping, Isa isa, const CodeMaking& making);

/// Locations that the temporaries of a program take beside those of its cells.
std::size_t scratch_locations(const Program& program);

}  // namespace xorloom
