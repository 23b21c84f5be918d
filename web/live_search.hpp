#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/program.hpp"
#include "equations/search/optimize.hpp"
#include "web/explorer.hpp"

namespace xorloom::web {

/// Proves `program`, the result of a search that starts from `direct`: against its code, or against
/// `direct` if `code` is null.
EquationFile proved(const Code* code, const Program& direct, Program program);

/// Tells a listener the progress of a search, and its best equations so far: a page that ends its
/// worker then has what was found.
class LiveSearch {
 public:
  /// Buffers: keeps references to its arguments.
  LiveSearch(const Listener& listener, const Code* code, const Program& direct)
      : listener_(listener), code_(code), direct_(direct) {}

  /// Precondition: this outlives `search`, which runs on one thread.
  void follow(Search& search);

 private:
  using Clock = std::chrono::steady_clock;

  void report();

  const Listener& listener_;
  const Code* code_;
  const Program& direct_;
  std::optional<Circuit> waiting_;  ///< better than the equations that were told last
  Clock::time_point next_progress_{};
  Clock::time_point next_equations_{};
  std::size_t xors_ = 0;  ///< 0: none are known yet
  std::size_t bound_ = 0;
  double part_ = 0;
};

}  // namespace xorloom::web
