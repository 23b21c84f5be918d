#pragma once

#include <map>

#include "codes/field/field.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// The registers that hold the matrices of coefficients while a kernel runs.
using HeldMatrices = std::map<Field::Symbol, int>;

/// Gives the matrices that a schedule uses most the last registers of the machine, as far as the
/// schedule leaves registers alone. A core loads two vectors a cycle and multiplies two, so a
/// product whose matrix is in memory waits for it.
///
/// Answer: empty where products are looked up in tables.
HeldMatrices held_matrices(const InstructionSchedule& schedule, const VectorMachine& machine);

}  // namespace xorloom
