#pragma once

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/task_graph.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom {

/// Gives each group of a task graph machine code for its equations. A temporary that other groups
/// read is a cell of a location past those of the code, numbered as it is: R to a location, as if
/// it were stored.
///
/// Nothing is added where there is no machine code for one of the groups, or packets are wider than
/// a tile.
///
/// Shape: the graph is one of the program's computation.
void add_kernels(TaskGraph& tasks, const Code& code, const Program& program, Isa isa,
                 const JitOptions& options);

}  // namespace xorloom
