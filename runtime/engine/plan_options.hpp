#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "equations/search/optimize.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/machine/isa.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// How the equations of a packet code are made: each output from the inputs alone; with common sums
/// computed once; or the latter where finding them takes no time worth mentioning.
enum class EquationForm { kDirect, kIterative, kAuto };

/// What runs whole tiles: machine code made for the plan, the kernels that are part of the library, or
/// the former where it can be had.
enum class Engine { kCode, kKernels, kAuto };

/// How a plan is made and run. What it computes does not depend on it.
struct PlanOptions {
  Isa isa = Isa::kPortable;
  Execution execution{};
  EquationForm style = EquationForm::kAuto;
  Engine engine = Engine::kAuto;
  /// Of the search for equations and for the order of their instructions: kFast or kNormal.
  Effort effort = Effort::kFast;
  /// Asked while the effort is kNormal: what was found until then is taken.
  std::function<bool()> stop_requested{};
  /// Counts the plans that run kernels because machine code was refused; see refused_code.hpp.
  std::shared_ptr<std::atomic<std::uint64_t>> refusals{};
};

/// "direct", "iterative", "auto". Errors: throws kInvalidArgument for an unknown name.
EquationForm style_of(std::string_view name);

/// "code", "kernels", "auto". Errors: throws kInvalidArgument for an unknown name.
Engine engine_of(std::string_view name);

/// "fast", "normal". Errors: throws kInvalidArgument for an unknown name.
Effort effort_of(std::string_view name);

/// Moves spent on the order of instructions: where the effort is more than fast, seconds for 10 + 4.
std::uint64_t moves_of(Effort effort);

/// What a user's options say. Errors: throws kInvalidArgument for an unknown name or threads out of
/// bounds, kUnsupported for an instruction set that the machine lacks.
PlanOptions plan_options(const Options& options);

}  // namespace xorloom
