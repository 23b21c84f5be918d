#include "runtime/plans/device_plan.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "runtime/gpu/device_computation.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/device_choice.hpp"

namespace xorloom {

void use_devices(const Code& code, const LinearMap& map, const Program& program,
                 const PlanOptions& options, PlanAccess::Impl& plan) {
  const Executor executor = options.execution.executor;
  if (map.outputs.empty()) return;
  if (options.rates != nullptr) {
    // Executor `auto` opens no library of devices before calls have shown that it pays.
    plan.choice = device_choice(code, map, program, options, *plan.computation);
    return;
  }
  if (!runs_on_devices(executor)) return;
  const Execution on_cpu{Executor::kAuto, plan.execution.threads, plan.execution.awake};
  plan.execution = on_cpu;
  try {
    const bool is_map = program.equations.empty();
    DeviceProgram on_devices(code, is_map ? direct_symbols(code, map) : program,
                             device_set(executor));
    accept(code, map, on_devices, *plan.computation);
    auto computation = std::make_unique<const DeviceComputation>(
        std::move(on_devices), std::move(plan.computation), on_cpu, executor);
    plan.on_devices = computation.get();
    plan.computation = std::move(computation);
    plan.execution = {executor, 1, {}};  // what drives the devices has threads of its own
  } catch (const Error& error) {
    if (options.needs_devices) {
      fail(error.kind(), fmt::format("executor = {}: {}", to_string(executor), error.what()));
    }
    plan.why_no_device = error.what();
    log_once(Status::kIo,
             fmt::format("a plan runs on the processor, not on a device: {}", plan.why_no_device));
  }
}

std::string device_names(const Plan& plan) {
  const DeviceComputation* const on_devices = PlanAccess::impl_of(plan).on_devices;
  std::string names;
  for (std::size_t i = 0; on_devices != nullptr && i < on_devices->program().num_devices(); ++i) {
    if (i != 0) names += ", ";
    names += on_devices->program().device(i).name();
  }
  return names;
}

}  // namespace xorloom
