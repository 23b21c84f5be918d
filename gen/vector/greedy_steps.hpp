#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// A tile whose sums are computed in steps. A step adds to the result of the step before it the
/// terms that one instruction adds. That result is its first term, unless the step is the first of
/// its sum.
struct SteppedTile {
  Program tile;
  std::vector<std::uint32_t> chain_of;  ///< by equation: the sum that it is a step of
};

/// Splits the sums of a tile into steps of one instruction each, and orders the steps greedily:
/// next comes a step whose operands are in registers, that ends a sum, or that reads values for the
/// last time. The registers' contents are estimated along the way. Values that no output needs are
/// left out.
///
/// Steps read the inputs of one window at first. The inputs of the next window may be read once no
/// other step is left, so that sums of many inputs read neighbouring inputs and stay in registers.
///
/// Ties between steps are frequent, and a small random addend breaks them. Of several starts with
/// different random numbers, the cheapest order is returned. The result is deterministic in the
/// arguments.
///
/// Shape:  window: inputs of a window, which follow one another; 0: all inputs. stop_requested is
///         asked before each start but the first; true ends the search.
/// Source: list scheduling; the estimate of what is in registers is ours.
/// Cost:   about 1 µs per step and start.
SteppedTile greedy_steps(const Program& tile, const MachineFacts& machine, std::uint64_t starts = 1,
                         std::size_t window = 0, const std::function<bool()>& stop_requested = {});

}  // namespace xorloom
