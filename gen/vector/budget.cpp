#include "gen/vector/budget.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

Budget budget_of(Effort effort, std::function<bool()> stop_requested) {
  Budget budget;
  budget.effort = effort;
  budget.stop_requested = std::move(stop_requested);
  if (effort == Effort::kQuick) budget.quick_instructions = 1'700'000;
  if (is_more(effort, Effort::kQuick)) budget.iterations = 600'000;
  if (is_more(effort, Effort::kNormal)) budget.iterations *= 10;
  return budget;
}

Budget share_of(Budget budget, std::size_t part, std::size_t whole) {
  whole = std::max<std::size_t>(whole, 1);
  budget.iterations = budget.iterations * part / whole;
  budget.quick_instructions = budget.quick_instructions * part / whole;
  return budget;
}

Search search_of(Effort effort, std::function<bool()> stop_requested) {
  Search search;
  search.effort = effort == Effort::kMax ? Effort::kNormal : effort;
  search.stop_requested = std::move(stop_requested);
  return search;
}

}  // namespace xorloom
