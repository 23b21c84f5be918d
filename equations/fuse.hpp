#pragma once

#include "equations/program.hpp"

namespace xorloom {

/// The program with every temporary that one equation reads, and no other, written into that
/// equation, and the others renumbered in the order they are computed in. As many XORs, fewer
/// equations.
///
/// Where a written-in temporary shares an operand with its equation the two cancel, which saves
/// XORs.
Program fuse_single_use(const Program& program);

}  // namespace xorloom
