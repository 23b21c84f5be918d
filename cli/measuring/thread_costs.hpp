#pragma once

#include <cstddef>

#include "equations/cores/spread.hpp"

namespace xorloom::cli {

/// Synchronisation costs of spinning threads. Units: seconds.
struct ThreadCosts {
  double start;  ///< overhead of a call on all threads, from its start to its end
  double line;   ///< to fetch a line that another core wrote, as one of many
  double call;   ///< overhead of a call on one thread
  double block;  ///< overhead of a block of a task graph
  /// Time of a core for work past L2 while the others work too, over its time alone. Below 1 if
  /// idle cores make the machine slow its caches down.
  double far_share;
  bool is_measured;  ///< false: values of a server of 2023
};

/// Measures the costs for `threads` threads, in some tenths of a second. Returns typical values of
/// a server if that is not possible, as with one processor.
ThreadCosts measured_thread_costs(std::size_t threads);

/// Measures the prices of plans for cores, in some milliseconds.
CorePrices core_prices();

}  // namespace xorloom::cli
