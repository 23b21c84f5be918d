#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "runtime/gpu/device_set.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// What a kernel takes on a device for chunks that lie there. It moves bytes while it computes, so
/// the longer of both counts. Units: seconds.
struct KernelRates {
  double byte = 0;       ///< read or written
  double operation = 0;  ///< a byte added to a sum, or multiplied and added

  friend bool operator==(const KernelRates&, const KernelRates&) = default;
};

/// What the devices of an executor take for a call on chunks in memory of the host. Units: seconds.
struct DeviceRates {
  Executor executor = Executor::kCuda;
  std::string devices;     ///< what description_of() said of them
  double call = 0;         ///< a call that moves next to nothing
  double byte_staged = 0;  ///< copied by a thread to or from the memory of a lane
  double byte_in = 0;      ///< copied from there to the device
  double byte_out = 0;     ///< and back
  KernelRates packets;
  KernelRates words;

  friend bool operator==(const DeviceRates&, const DeviceRates&) = default;
};

/// The devices of a set with their drivers, by which rates are known again.
std::string description_of(const DeviceSet& set);

/// What a call does on a device.
struct DeviceWork {
  Arrangement arrangement;
  std::size_t threads;  ///< that may copy
  double bytes_in;
  double bytes_out;
  double operations;
};

/// Seconds of a call, whose chunks are in any memory of the host. Copies in both directions, the
/// kernel and the threads that copy to the lanes are at work at once, each on another slice:
///
///   call + longest + (all - longest) / slices
///
/// The first device counts alone, though several share the work.
double predicted_seconds(const DeviceRates& rates, const DeviceWork& work);

}  // namespace xorloom
