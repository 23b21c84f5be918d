#include "gen/vector/budget.hpp"

#include <algorithm>
#include <array>

namespace xorloom {

void go_on(const std::function<bool()>& stop_requested) {
  if (stop_requested && stop_requested()) throw MakingStopped();
}

bool is_more(Effort effort, Effort than) {
  const auto rank = [](Effort some) {
    constexpr std::array kAscending = {Effort::kQuick, Effort::kNormal, Effort::kMax};
    const auto place = std::ranges::find(kAscending, some);
    return place == kAscending.end() ? 0 : place - kAscending.begin() + 1;
  };
  return rank(effort) > rank(than);
}

Search search_of(const Budget& budget) {
  Search search;
  search.effort = budget.effort == Effort::kMax ? Effort::kNormal : budget.effort;
  search.stop_requested = budget.stop_requested;
  return search;
}

JitOptions jit_options(const Budget& budget) {
  JitOptions options;
  options.stop_requested = budget.stop_requested;
  if (budget.effort == Effort::kQuick) options.quick_instructions = 1'700'000;
  if (is_more(budget.effort, Effort::kQuick)) options.iterations = 600'000;
  if (is_more(budget.effort, Effort::kNormal)) options.iterations *= 10;
  return options;
}

}  // namespace xorloom
