#pragma once

#include "equations/ir/dense_program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/stream_groups.hpp"

namespace xorloom {

/// Rewrites the tile of an XOR program to compute part by part. What a group contributes to a sum
/// is computed as in `tile`, without the other inputs: in the same order, with instructions that
/// add as many operands as the machine's do.
///
/// Shape: groups are those of the tile.
/// Cost:  about that of reading the tile once for each group.
Program grouped_tile(const Program& tile, const StreamGroups& groups, const MachineFacts& machine);

/// As grouped_tile(), but shares the sums of each part anew, in greedy order. The result has fewer
/// instructions.
///
/// Cost: that of Effort::kFast for each part.
Program shared_grouped_tile(const Program& tile, const StreamGroups& groups,
                            const MachineFacts& machine);

}  // namespace xorloom
