#pragma once

#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// A machine whose instructions XOR three vectors at once, and one with fewer registers and two.
inline constexpr VectorMachine kThreeWay;
inline constexpr VectorMachine kTwoWay{32, 16, false};

}  // namespace xorloom
