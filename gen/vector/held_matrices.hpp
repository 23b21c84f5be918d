#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "codes/field/field.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Place of the matrix of each product of a schedule: a register while a kernel runs, a register
/// for some products of a turn, or memory. For products by tables, place of a pair of tables.
struct HeldMatrices {
  struct Use {
    static constexpr int kInMemory = -1;
    int number = kInMemory;  ///< the register, or the pair
    bool is_loaded = false;  ///< true if it is loaded for this product and those that follow
  };
  std::map<Field::Symbol, int> always;  ///< register, or pair, of each matrix that stays
  std::vector<Use> uses;                ///< by product, in order
  int first = 0;                        ///< registers from here on hold matrices

  /// Loads of matrices in a turn.
  std::size_t loads() const;
};

/// Gives the last registers of the machine, as far as the schedule leaves them unused, to matrices.
/// Most of these registers hold the matrices that are used most. Some are shared by other matrices
/// in turn, if there are more loads than products and sharing saves loads. A core loads one or two
/// vectors a cycle and multiplies one or two, so a product waits if its matrix is in memory.
///
/// Tables are kept for later products in `held_tables` pairs of registers; if that is 0, none are
/// kept.
/// Source: L. A. Belady, A study of replacement algorithms for a virtual-storage computer, 1966,
///         for the matrices that take turns.
HeldMatrices held_matrices(const InstructionSchedule& schedule, const MachineFacts& machine);

}  // namespace xorloom
