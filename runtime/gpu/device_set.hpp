#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/gpu/device.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Lanes of a device that are kept for the next call.
class LanePool {
 public:
  /// Idle lanes take no more than that of memory on the device.
  static constexpr std::size_t kMostIdleBytes = std::size_t{256} << 20;

  explicit LanePool(std::shared_ptr<const Device> device) : device_(std::move(device)) {}

  const Device& device() const { return *device_; }
  const std::shared_ptr<const Device>& shared_device() const { return device_; }

  /// A lane of at least that many bytes. If there is no memory for one, idle lanes give theirs up.
  ///
  /// Errors: throws kUnsupported if there is none even so.
  std::unique_ptr<DeviceLane> take(std::size_t bytes);

  /// Nothing is under way in the lane.
  void give_back(std::unique_ptr<DeviceLane> lane) noexcept;

 private:
  std::shared_ptr<const Device> device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<DeviceLane>> idle_;  ///< the one that was used last is at the end
};

/// How work is cut, so that copying one slice and computing another go on at the same time.
struct SliceSizes {
  std::size_t lanes = 3;  ///< of a device, that a call uses at most
  std::size_t least_bytes = std::size_t{1} << 20;
  std::size_t most_bytes = std::size_t{8} << 20;
};

/// Slices that a call of that many bytes is cut into: as many as there are lanes, or more, as far
/// as they do not become too short. If threads compute some of them, there are several for each
/// lane and thread, so that all end at about the same time.
std::size_t num_slices(const SliceSizes& sizes, std::size_t bytes, std::size_t devices,
                       std::size_t threads = 0);

/// The devices that an executor runs on. They share the columns of a stripe, slice by slice.
struct DeviceSet {
  std::vector<std::unique_ptr<LanePool>> pools{};  ///< one per device
  std::string why_none{};                          ///< a sentence, if there are none
  SliceSizes sizes{};
};

/// A set of devices.
std::shared_ptr<const DeviceSet> make_device_set(
    const std::vector<std::shared_ptr<const Device>>& devices, std::string why_none,
    SliceSizes sizes = {});

/// The executor whose devices `executor` runs on: for `hybrid`, `cuda` if it has devices, else
/// `opencl`; for others, itself.
///
/// Shape: runs_on_devices(executor).
Executor executor_of_devices(Executor executor);

/// The devices of this machine that an executor runs on, found by the first call; those of others
/// are not looked for. It never fails: where there are none, the set says why.
///
/// Shape: runs_on_devices(executor).
std::shared_ptr<const DeviceSet> device_set(Executor executor);

/// Puts a set in place of what device_set() gives for an executor, and gives the one that was
/// there; null is none. For tests. Shape: the executor is kOpencl or kCuda.
std::shared_ptr<const DeviceSet> replace_device_set(Executor executor,
                                                    std::shared_ptr<const DeviceSet> set);

/// Throws kUnsupported, saying why, if an executor runs on devices and none can be used.
void check_devices(Executor executor);

/// Memory of the host that the first device of an executor reaches without a copy in between, or
/// null where it gives none. It begins at a multiple of 64.
///
/// Shape: runs_on_devices(executor).
std::shared_ptr<std::uint8_t> host_memory(Executor executor, std::size_t bytes);

}  // namespace xorloom
