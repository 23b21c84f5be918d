#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "codes/field/field.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Where the matrix of each product of a schedule is: in a register while a kernel runs, in one for
/// some products of a turn, or in memory. Of products by tables, the same of a pair of tables.
struct HeldMatrices {
  struct Use {
    static constexpr int kInMemory = -1;
    int number = kInMemory;  ///< the register, or the pair
    bool is_loaded = false;  ///< whether it is loaded for this product and those that follow
  };
  std::map<Field::Symbol, int> always;  ///< the registers, or pairs, of matrices that stay
  std::vector<Use> uses;                ///< by product, in order
  int first = 0;                        ///< the registers from here on are those of matrices

  /// Loads of matrices in a turn.
  std::size_t loads() const;
};

/// Gives the last registers of the machine to matrices, as far as the schedule leaves registers
/// alone: most of them to those used most, and some to others in turn, if there are more loads than
/// products and that takes fewer. A core loads one or two vectors a cycle and multiplies as many,
/// so a product whose matrix is in memory waits for it.
///
/// Tables are kept for the products that follow, in as many pairs as the machine has for them. None
/// are where it has no pair.
/// Source: L. A. Belady, A study of replacement algorithms for a virtual-storage computer, 1966,
///         for those that take turns.
HeldMatrices held_matrices(const InstructionSchedule& schedule, const MachineFacts& machine);

}  // namespace xorloom
