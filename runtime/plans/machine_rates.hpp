#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/text/json.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/plans/prediction.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Relative error that nine of ten predictions do not exceed: 0.25 if the predicted and the
/// measured time are within a factor of 1.25.
struct PredictionError {
  double residual = 0;  ///< error of the calls that the costs were fitted to
  double held_out = 0;  ///< error of calls of codes that were left out of the fit

  friend bool operator==(const PredictionError&, const PredictionError&) = default;
};

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

/// What one core of a machine takes for what a tile needs, and what its devices take, found by
/// timing codes there. It is kept in a file, so that it is measured once.
struct MachineRates {
  struct Of {
    Isa isa;
    Arrangement arrangement;
    CoreCosts costs;
    PredictionError error;
  };
  std::string cpu;  ///< name of the processor, its threads and its caches
  CacheSizes caches;
  std::vector<Of> rates;
  std::vector<DeviceRates> devices{};
};

/// JSON form of rates:
///
///   {"format": "xorloom-machine", "version": 2, "cpu", "caches": {"l1", "l2", "l3"},
///    "rates": [{"isa", "arrangement": "packet" or "word", "residual", "held_out_error", "overlap",
///               "seconds": {"instruction", "load", "store", "multiplication", "call", "chunk"},
///               "moving": {"l2", "l3", "memory": {"byte_read", "byte_written", "crowding"}}}],
///    "devices": [{"executor", "devices",
///                 "seconds": {"call", "byte_staged", "byte_in", "byte_out"},
///                 "packets", "words": {"byte", "operation"}}]}
///
/// Devices are left out if none was measured.
Json rates_json(const MachineRates& rates);

/// The rates in a text, of this machine or another, with instruction sets that this one may lack.
///
/// Errors: throws kParse if the text has no such form or is of another version.
MachineRates rates_of_text(const std::string& text);

/// File for the rates of this machine: xorloom/machine.json in XDG_CACHE_HOME, or else in ~/.cache;
/// "" if neither is set.
std::string rates_path();

/// Rates that are kept of this processor. Empty if the file is of another processor or of an
/// earlier version, or is not whole.
MachineRates kept_rates();

/// The rates of an instruction set and an arrangement, or null.
const MachineRates::Of* find_rates(const MachineRates& rates, Isa isa, Arrangement arrangement);

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
