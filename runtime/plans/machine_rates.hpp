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

/// Costs of a kernel on a device for chunks in the memory of the device, in seconds. A kernel moves
/// bytes while it computes, so the longer of the two times counts.
struct KernelRates {
  double byte = 0;       ///< per byte read or written
  double operation = 0;  ///< per byte added to a sum, or multiplied and added

  friend bool operator==(const KernelRates&, const KernelRates&) = default;
};

/// Costs of the devices of an executor for a call on chunks in memory of the host, in seconds.
struct DeviceRates {
  Executor executor = Executor::kCuda;
  std::string devices;     ///< description_of() the devices that were measured
  double call = 0;         ///< per call, as of one that moves next to nothing
  double byte_staged = 0;  ///< per byte that a thread copies to or from the memory of a lane
  double byte_in = 0;      ///< per byte copied from a lane to the device
  double byte_out = 0;     ///< per byte copied from the device to a lane
  KernelRates packets;
  KernelRates words;

  friend bool operator==(const DeviceRates&, const DeviceRates&) = default;
};

/// Costs of one core of a machine for the work of a tile, and of its devices, found by timing codes
/// there. Kept in a file, so that they are measured once.
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

/// Parses the text of rates_json(). The rates may be of another machine, with instruction sets that
/// this one lacks.
///
/// Errors: throws kParse if the text has another form or version.
MachineRates rates_of_text(const std::string& text);

/// File for the rates of this machine: xorloom/machine.json in XDG_CACHE_HOME, or else in ~/.cache;
/// "" if neither is set.
std::string rates_path();

/// The rates in the file of rates_path(). `rates` is empty if there is no such file, or if it is of
/// another processor (see `cpu`) or version, or damaged.
MachineRates kept_rates();

/// The rates of an instruction set and an arrangement, or null.
const MachineRates::Of* find_rates(const MachineRates& rates, Isa isa, Arrangement arrangement);

/// Names of the devices of a set and their drivers. Rates apply to devices of equal description.
std::string description_of(const DeviceSet& set);

}  // namespace xorloom
