#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

#include "equations/search/optimize.hpp"

namespace xorloom {

/// Limits of the search effort for the machine code of a program.
struct Budget {
  Effort effort = Effort::kFast;  ///< effort of the search for equations; kAuto counts as kFast
  /// Iterations of the search for the order of instructions. 0: the order is a greedy one, unless
  /// `quick_instructions` is not 0.
  std::uint64_t iterations = 0;
  /// Limit of a quick search, used instead of `iterations`: instructions of all orders that are
  /// tried, in total. An instruction takes some ten nanoseconds.
  std::uint64_t quick_instructions = 0;
  // Kernels to make besides those with ordinary and with non-temporal stores:
  bool makes_crowded = true;  ///< kernel for streams that crowd sets of L1
  bool makes_near = false;    ///< kernel without prefetches, for data in the caches
  /// Polled while machine code is made. Once it returns true, the making throws MakingStopped, or
  /// ends with less search if it was nearly done.
  std::function<bool()> stop_requested{};

  /// True if an order is searched for; false: the order is greedy.
  bool searches_order() const { return iterations != 0 || quick_instructions != 0; }
};

/// Thrown if a stop is requested while a plan is being made.
struct MakingStopped : std::exception {
  const char* what() const noexcept override { return "the making of a plan was stopped"; }
};

/// Throws MakingStopped if a stop is requested.
void go_on(const std::function<bool()>& stop_requested);

/// True if `effort` spends more than `than`.
bool is_more(Effort effort, Effort than);

/// Budget of an effort. Ordering instructions takes some 20 ms for any code with kQuick, and some
/// seconds for 10 + 4 and larger codes with kNormal. With kMax it takes ten times as much for
/// 10 + 4. The programs that the library carries were found with kMax; no codec takes it from a
/// user.
Budget budget_of(Effort effort, std::function<bool()> stop_requested = {});

/// Returns `budget` with its search for an order scaled by `part` / `whole`.
/// Units: operands.
Budget share_of(Budget budget, std::size_t part, std::size_t whole);

/// Options of the search for equations. kMax searches as kNormal does.
Search search_of(Effort effort, std::function<bool()> stop_requested = {});

}  // namespace xorloom
