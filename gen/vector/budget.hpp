#pragma once

#include <exception>
#include <functional>
#include <optional>

#include "equations/search/optimize.hpp"
#include "gen/vector/tile_order.hpp"

namespace xorloom {

/// What may be spent on the machine code of a program.
struct Budget {
  Effort effort = Effort::kFast;  ///< kAuto counts as kFast
  /// Asked while it is made. Once it is true, the making throws MakingStopped, or it ends with less
  /// search, if it was nearly done.
  std::function<bool()> stop_requested{};
  /// Equations of the same map that are compared with those of the search, if there are some.
  std::optional<Program> start{};
};

/// Thrown where a plan was asked for and then was not wanted any more.
struct MakingStopped : std::exception {
  const char* what() const noexcept override { return "the making of a plan was stopped"; }
};

/// Errors: throws MakingStopped once a stop is requested.
void go_on(const std::function<bool()>& stop_requested);

/// Whether more effort is spent with one than with another.
bool is_more(Effort effort, Effort than);

/// The search for equations. For kMax it is that of kNormal.
Search search_of(const Budget& budget);

/// What is spent on the order of instructions: some 20 ms for any code where the effort is quick,
/// for 10 + 4 seconds where it is normal, and ten times as much for kMax. With that the programs
/// were found that the library carries; no codec takes it from a user.
JitOptions jit_options(const Budget& budget);

}  // namespace xorloom
