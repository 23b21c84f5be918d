#pragma once

#include "equations/cores/spread.hpp"

namespace xorloom::cli {

/// What threads that stay awake take of each other. Units: seconds.
struct ThreadCosts {
  double start;  ///< of a call on two threads beside its work: until they have begun and ended
  double line;   ///< to fetch a cache line that another core has written, one of many
};

/// Measured now, in some milliseconds; with one processor about what a server takes.
ThreadCosts measured_thread_costs();

/// What plans for cores cost on this machine: measured now, in some milliseconds.
CorePrices core_prices();

}  // namespace xorloom::cli
