#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "equations/ir/dense_program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// A tile whose sums are taken in steps. A step adds as many terms as one instruction does to what
/// the step before it has made, which is its first term unless it is the first of its sum.
struct SteppedTile {
  Program tile;
  std::vector<std::uint32_t> chain_of;  ///< by equation: the sum that it is a step of
};

/// Takes the sums of a tile in steps of one instruction each and chooses an order of the steps:
/// next comes a step whose operands are in registers, that ends a sum, or that reads values for the
/// last time. Which values are in registers is estimated as it goes along. What no output needs is
/// left out.
///
/// Steps read the inputs of one window at first. Those of the next may be read once no other step
/// is left: so sums of many inputs take what is near, and stay in registers.
///
/// Equally good steps are many, and a little chance decides between them. Of several starts, each
/// with other chances, the cheapest order is chosen. The same arguments give the same order.
///
/// Shape:  window inputs that follow one another; 0: all of them. stop_requested is asked before
///         each start but the first, and once it is true there is no other.
/// Source: list scheduling; the estimate of what is in registers is ours.
/// Cost:   about 1 µs per step and start.
SteppedTile greedy_steps(const Program& tile, const MachineFacts& machine, std::uint64_t starts = 1,
                         std::size_t window = 0, const std::function<bool()>& stop_requested = {});

}  // namespace xorloom
