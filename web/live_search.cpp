#include "web/live_search.hpp"

#include <algorithm>
#include <utility>

namespace xorloom::web {
namespace {

constexpr std::chrono::milliseconds kBetweenProgress{50};
constexpr std::chrono::milliseconds kBetweenEquations{80};

}  // namespace

EquationFile proved(const Code* code, const Program& direct, Program program) {
  return code != nullptr ? proved_equations(*code, std::move(program), "iterative")
                         : proved_equations(direct, std::move(program));
}

void LiveSearch::follow(Search& search) {
  if (!listener_.on_progress || !direct_.is_xor()) return;
  search.on_better = [this](std::size_t xors, std::size_t bound) {
    xors_ = xors;
    bound_ = bound;
  };
  search.on_circuit = [this](const Circuit& circuit) { waiting_ = circuit; };
  search.on_moves = [this](double part) { part_ = part; };
  search.stop_requested = [this] {
    report();
    return false;
  };
}

void LiveSearch::report() {
  const Clock::time_point now = Clock::now();
  if (xors_ != 0 && now >= next_progress_) {
    next_progress_ = now + kBetweenProgress;
    listener_.on_progress(xors_, bound_, part_);
  }
  if (!waiting_ || now < next_equations_) return;
  const EquationFile file = proved(code_, direct_, finished_program(*waiting_, direct_));
  waiting_.reset();
  listener_.on_equations(write_json(file));
  const Clock::time_point end = Clock::now();
  next_equations_ = end + std::max<Clock::duration>(kBetweenEquations, 9 * (end - now));
}

}  // namespace xorloom::web
