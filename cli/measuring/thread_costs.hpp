#pragma once

#include <cstddef>

#include "equations/cores/spread.hpp"

namespace xorloom::cli {

/// What threads that stay awake take of each other. Units: seconds.
struct ThreadCosts {
  double start;  ///< of a call on all threads beside its work: until they have begun and ended
  double line;   ///< to fetch a cache line that another core has written, one of many
  double call;   ///< of a call on one thread beside its work
  double block;  ///< of a block of a task graph beside its work
  /// What a core takes for work that lies past L2 while the others work, too, over what it takes
  /// alone. Below 1 where a machine with idle cores slows its caches down.
  double far_share;
  bool is_measured;  ///< else what a server of 2023 takes
};

/// Measured now on that many threads, in some tenths of a second; with one processor about what a
/// server takes.
ThreadCosts measured_thread_costs(std::size_t threads);

/// What plans for cores cost on this machine: measured now, in some milliseconds.
CorePrices core_prices();

}  // namespace xorloom::cli
