#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "gen/vector/budget.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/last_error.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

struct MachineRates;

/// Options for making and running a plan. They do not change what it computes.
struct PlanOptions {
  Isa isa = Isa::kPortable;
  Execution execution{};
  EquationForm style = EquationForm::kAuto;
  Engine engine = Engine::kAuto;
  /// Effort of the search for equations and for the order of their instructions. kAuto counts as
  /// kFast. kMax searches equations as kNormal does.
  Effort effort = Effort::kFast;
  /// Store of programs that were searched before; see Options::wisdom.
  std::string wisdom = "off";
  /// Polled while a plan is made. Once it returns true, the making throws MakingStopped, or ends
  /// with less search if it was nearly done: a caller that keeps plans polls again.
  std::function<bool()> stop_requested{};
  /// True if machine code of an XOR program has a kernel without prefetches, too (Stores::kNear).
  bool makes_near = false;
  /// True if a plan that the executor's devices cannot run is an error; false: the processor runs
  /// such a plan.
  bool needs_devices = false;
  /// Costs of devices of this machine, if some were measured and `auto` may choose them; else null.
  std::shared_ptr<const MachineRates> rates{};
  /// Counts the plans that run kernels because machine code was refused; see with_code_or_kernels.
  std::shared_ptr<std::atomic<std::uint64_t>> refusals{};
};

/// The options for making the plan that encodes: effort kAuto becomes kQuick.
PlanOptions for_encoding(PlanOptions options);

/// The plan options of a user's options.
///
/// Errors: throws kInvalidArgument for Effort::kMax, a value that is none of its enum, or threads
///         out of bounds; kUnsupported for an instruction set that the machine lacks.
PlanOptions plan_options(const Options& options);

/// Returns make(options). If that throws because machine code was refused and the engine is `auto`,
/// makes it again for kernels. Machine code is refused if its schedule is not proved, if it is not
/// accepted, or if the system gives it no executable memory.
///
/// PlanOptions::refusals counts refusals. The function of set_log() and, if not null, `why` get the
/// reason. An error that kernels have, too, is thrown.
template <typename Make>
auto with_code_or_kernels(const PlanOptions& options, const Make& make,
                          std::string* why = nullptr) {
  std::string refused;
  Status kind{};
  try {
    return make(options);
  } catch (const Error& error) {
    kind = error.kind();
    const bool may_be_code = kind == Status::kInternal || kind == Status::kUnsupported;
    if (options.engine != Engine::kAuto || !may_be_code) throw;
    refused = error.what();
  }
  PlanOptions by_kernels = options;
  by_kernels.engine = Engine::kKernels;
  auto made = make(by_kernels);
  if (options.refusals) options.refusals->fetch_add(1, std::memory_order_relaxed);
  log_once(kind, "slower kernels run, since machine code was refused: " + refused);
  if (why != nullptr) *why = refused;
  return made;
}

}  // namespace xorloom
