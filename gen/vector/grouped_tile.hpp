#pragma once

#include "equations/ir/dense_program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/stream_groups.hpp"

namespace xorloom {

/// The tile of an XOR program computed part by part. What a group gives to a sum is computed as the
/// tile does that, without the other inputs: in its order, with instructions that add as many
/// operands as the machine's do.
///
/// Shape: groups are those of the tile.
/// Cost:  about that of reading the tile once for each group.
Program grouped_tile(const Program& tile, const StreamGroups& groups, const MachineFacts& machine);

/// The same with the sums of each part shared anew, in an order that is greedy. It has fewer
/// instructions.
///
/// Cost: that of Effort::kFast for each part.
Program shared_grouped_tile(const Program& tile, const StreamGroups& groups,
                            const MachineFacts& machine);

}  // namespace xorloom
