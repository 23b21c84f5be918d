#include "runtime/engine/plan_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/text/error.hpp"
#include "runtime/machine/threads.hpp"

namespace xorloom {
namespace {

template <std::size_t N>
std::size_t place_of(std::string_view option, std::string_view name,
                     const std::array<const char*, N>& names) {
  const auto known = std::ranges::find(names, name);
  if (known != names.end()) return static_cast<std::size_t>(known - names.begin());
  std::string text = names[0];
  for (std::size_t i = 1; i < N; ++i)
    text += fmt::format("{}{}", i + 1 < N ? ", " : " or ", names[i]);
  fail(Status::kInvalidArgument, fmt::format("{} = '{}' is not {}", option, excerpt(name), text));
}

}  // namespace

EquationForm style_of(std::string_view name) {
  return static_cast<EquationForm>(
      place_of("style", name, std::array{"direct", "iterative", "auto"}));
}

Engine engine_of(std::string_view name) {
  return static_cast<Engine>(place_of("engine", name, std::array{"code", "kernels", "auto"}));
}

Effort effort_of(std::string_view name) {
  return static_cast<Effort>(place_of("effort", name, std::array{"fast", "normal"}));
}

std::uint64_t moves_of(Effort effort) { return effort == Effort::kFast ? 0 : 500'000; }

PlanOptions plan_options(const Options& options) {
  PlanOptions result;
  result.execution = {executor_kind(options.executor), checked_threads(options.threads)};
  result.style = style_of(options.style);
  result.engine = engine_of(options.engine);
  result.effort = effort_of(options.effort);
  result.isa = choose_isa(options.isa);
  return result;
}

}  // namespace xorloom
