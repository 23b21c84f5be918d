#pragma once

#include "runtime/plans/machine_rates.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// What the devices of an executor take: what is kept of them, or else what is measured now, in
/// some seconds, said on a terminal. It is kept unless a device is a processor.
///
/// Cost:   up to 256 MiB of memory on the device, and twice as much on the host.
/// Errors: throws kUnsupported if there is no device, or if it fails; kInternal if a kernel is not
///         accepted.
DeviceRates measured_device_rates(MachineRates& rates, Executor executor);

}  // namespace xorloom::cli
