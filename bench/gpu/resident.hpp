#pragma once

#include <cstddef>
#include <functional>

#include "bench/gpu/device_work.hpp"
#include "bench/gpu/timing.hpp"
#include "runtime/gpu/device.hpp"

namespace xorloom::gpu_bench {

/// Fills the data of every stripe of an encoding with random bytes, copies all to the device, runs
/// the kernel, and compares what comes back with the oracle.
///
/// Errors: throws kInternal, naming the code, if it differs.
void fill_and_check(DeviceWork& work, const Code& code);

// Seconds of a stripe. Launches follow each other without waiting.

double seconds_of_kernel(DeviceWork& work, const Effort& effort);
double seconds_of_groups(DeviceWork& work, std::size_t groups, const Effort& effort);

/// The copies that a stripe takes, and no kernel.
double seconds_of_transfers(DeviceWork& work, const Effort& effort);

/// Seconds of a copy that `copy` puts in the queue of a lane.
double seconds_of_copy(DeviceLane& lane, const std::function<void()>& copy, const Effort& effort);

}  // namespace xorloom::gpu_bench
