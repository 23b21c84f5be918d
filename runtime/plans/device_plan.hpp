#pragma once

#include <string>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {

/// Lets devices run a plan that is ready to run on the processor, if the options' executor runs on
/// devices and the kernel can be made. Else the plan stays as it is, why_no_device says why, and
/// the function of set_log() hears it.
///
/// Shape:  the program computes the map; one without equations stands for the map itself.
/// Errors: throws kUnsupported, or kInternal if a kernel is not accepted, if options.needs_devices.
void use_devices(const Code& code, const LinearMap& map, const Program& program,
                 const PlanOptions& options, PlanAccess::Impl& plan);

/// The names of the devices that run a plan, with commas between them; "" if threads run it.
std::string device_names(const Plan& plan);

}  // namespace xorloom
