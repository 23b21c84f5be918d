#pragma once

#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// A machine whose instructions XOR three vectors at once, and one with fewer registers and two.
inline constexpr MachineFacts kThreeWay;
inline constexpr MachineFacts kTwoWay{32, 16, 2};

}  // namespace xorloom
