#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/circuit.hpp"

namespace xorloom {

/// What a race is given, and how it is told to end.
struct RestartRace {
  BitMatrix matrix;
  /// The circuit a walk begins with, by its number: the same for the same number.
  std::function<Circuit(std::uint64_t number)> start;
  std::size_t enough = 0;  ///< XORs that cannot be beaten
  std::uint64_t seed = 1;
  std::size_t threads = 1;  ///< jobs that parallel may run at once
  /// Runs jobs 0 … n-1, in any order or at once. Default: one after the other.
  std::function<void(std::size_t n, const std::function<void(std::size_t)>& job)> parallel;
  std::function<bool()> stop_requested;           ///< asked now and then; default: never
  std::function<void(const Circuit&)> on_better;  ///< called by one thread at a time
};

// Where a walk ends depends much on where it began, and shows early. Many begin, the better of
// two goes on for twice as long, the better of two of these again, and so on.

/// Runs that many moves in all. The same moves and seed give the same circuit.
Circuit run_moves(const RestartRace& race, std::uint64_t moves);

/// Runs until it is told to stop, or has no more XORs than `enough`.
Circuit run_until_stopped(const RestartRace& race);

}  // namespace xorloom
