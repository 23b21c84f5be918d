#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "gen/vector/budget.hpp"
#include "gen/vector/lower.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/kernels/isa.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

struct MachineRates;

/// How a plan is made and run. What it computes does not depend on it.
struct PlanOptions {
  Isa isa = Isa::kPortable;
  Execution execution{};
  EquationForm style = EquationForm::kAuto;
  Engine engine = Engine::kAuto;
  /// Of the search for equations and for the order of their instructions. kAuto is kFast, and kMax
  /// for equations kNormal.
  Effort effort = Effort::kFast;
  /// Where programs are that were searched before; see Options::wisdom.
  std::string wisdom = "off";
  /// Asked while a plan is made. Once it is true, the making throws MakingStopped, or it ends with
  /// a plan of less search, if it was nearly done: who keeps plans asks again.
  std::function<bool()> stop_requested{};
  /// Whether a plan that the executor's devices cannot run is an error. Else the processor runs it.
  bool needs_devices = false;
  /// What devices of this machine take, where some were measured and `auto` may choose them.
  std::shared_ptr<const MachineRates> rates{};
  /// Counts the plans that run kernels because machine code was refused; see refused_code.hpp.
  std::shared_ptr<std::atomic<std::uint64_t>> refusals{};
};

/// What a plan with the options may be made with.
inline Budget budget_of(const PlanOptions& options) {
  return {options.effort, options.stop_requested};
}

/// The same with an effort in place of kAuto.
PlanOptions with_effort(PlanOptions options, Effort in_place_of_auto);

/// The options for making the plan that encodes.
inline PlanOptions for_encoding(PlanOptions options) {
  return with_effort(std::move(options), Effort::kQuick);
}

/// What a user's options say.
///
/// Errors: throws kInvalidArgument for Effort::kMax, a value that is none of its enum, or threads
///         out of bounds; kUnsupported for an instruction set that the machine lacks.
PlanOptions plan_options(const Options& options);

}  // namespace xorloom
