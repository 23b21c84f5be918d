#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "runtime/engine/executor.hpp"
#include "runtime/kernels/isa.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

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

/// Moves spent on the order of instructions: where the effort is more than fast, seconds for 10 +
/// 4.
std::uint64_t iterations_of(Effort effort);

/// What a user's options say.
///
/// Errors: throws kInvalidArgument for Effort::kMax, a value that is none of its enum, or threads
///         out of bounds; kUnsupported for an instruction set that the machine lacks.
PlanOptions plan_options(const Options& options);

}  // namespace xorloom
