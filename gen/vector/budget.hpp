#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

#include "equations/search/optimize.hpp"

namespace xorloom {

/// What may be spent on the machine code of a program.
struct Budget {
  Effort effort = Effort::kFast;  ///< of the search for equations; kAuto counts as kFast
  /// Iterations of the search for the order of instructions. 0: the order is a greedy one, unless
  /// `quick_instructions` is not 0.
  std::uint64_t iterations = 0;
  /// Of a quick search instead: the instructions of all orders together that are tried. Some ten
  /// nanoseconds each.
  std::uint64_t quick_instructions = 0;
  // Kernels that are made beside those with ordinary and with non-temporal stores:
  bool makes_crowded = true;  ///< for streams that crowd sets of the first cache
  bool makes_near = false;    ///< for what lies in the first cache: prefetches nothing
  /// Asked while it is made. Once it is true, the making throws MakingStopped, or it ends with less
  /// search, if it was nearly done.
  std::function<bool()> stop_requested{};

  /// Whether an order is searched for, or only a greedy one made.
  bool searches_order() const { return iterations != 0 || quick_instructions != 0; }
};

/// Thrown where a plan was asked for and then was not wanted any more.
struct MakingStopped : std::exception {
  const char* what() const noexcept override { return "the making of a plan was stopped"; }
};

/// Errors: throws MakingStopped once a stop is requested.
void go_on(const std::function<bool()>& stop_requested);

/// Whether more effort is spent with one than with another.
bool is_more(Effort effort, Effort than);

/// What an effort spends. On the order of instructions that is some 20 ms for any code if the
/// effort is quick, for 10 + 4 seconds if it is normal, and ten times as much for kMax. With kMax
/// the programs were found that the library carries; no codec takes it from a user.
Budget budget_of(Effort effort, std::function<bool()> stop_requested = {});

/// The share of a part in a budget: of the search for an order, as much as `part` is of `whole`.
/// Units: operands.
Budget share_of(Budget budget, std::size_t part, std::size_t whole);

/// The search for equations. For kMax it is that of kNormal.
Search search_of(const Budget& budget);

}  // namespace xorloom
