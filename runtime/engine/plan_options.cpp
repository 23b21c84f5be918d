#include "runtime/engine/plan_options.hpp"

#include <algorithm>
#include <array>

#include "runtime/machine/threads.hpp"

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

JitOptions jit_options(Effort effort) {
  JitOptions options;
  if (effort == Effort::kQuick) options.quick_instructions = 1'700'000;
  if (is_more(effort, Effort::kQuick)) options.iterations = 600'000;
  if (is_more(effort, Effort::kNormal)) options.iterations *= 10;
  return options;
}

PlanOptions for_encoding(PlanOptions options) {
  if (options.effort == Effort::kAuto) options.effort = Effort::kQuick;
  return options;
}

PlanOptions plan_options(const Options& options) {
  // What its own name does not stand for is none of the enum, or not for a codec.
  PlanOptions result;
  result.execution = {parse_executor(to_string(options.executor)), checked_threads(options.threads),
                      checked_awake(options.awake_microseconds)};
  result.style = parse_equation_form(to_string(options.style));
  result.engine = parse_engine(to_string(options.engine));
  result.effort = parse_effort(to_string(options.effort));
  result.wisdom = options.wisdom;
  result.isa = choose_isa(options.isa);
  return result;
}

}  // namespace xorloom
