#pragma once

#include "runtime/plans/machine_rates.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Rates of the devices of `executor`: those in `rates` if they are known, else measured now, in
/// some seconds, with a line on a terminal. Measured rates are kept, unless a device is a
/// processor.
///
/// Cost:   up to 256 MiB of memory on the device, and twice as much on the host.
/// Errors: throws kUnsupported if there is no device or it fails; kInternal if a kernel is not
///         accepted.
DeviceRates measured_device_rates(MachineRates& rates, Executor executor);

}  // namespace xorloom::cli
