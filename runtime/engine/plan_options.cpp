#include "runtime/engine/plan_options.hpp"

#include "runtime/machine/threads.hpp"

namespace xorloom {

PlanOptions for_encoding(PlanOptions options) {
  if (options.effort == Effort::kAuto) options.effort = Effort::kQuick;
  return options;
}

PlanOptions plan_options(const Options& options) {
  // Round trip through the name: parse_*() throws for values outside the enum, and for those that a
  // codec refuses (kMax).
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
