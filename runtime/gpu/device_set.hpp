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
  /// Most bytes of memory on the device that idle lanes keep.
  static constexpr std::size_t kMostIdleBytes = std::size_t{256} << 20;

  explicit LanePool(std::shared_ptr<const Device> device) : device_(std::move(device)) {}

  const Device& device() const { return *device_; }
  const std::shared_ptr<const Device>& shared_device() const { return device_; }

  /// A lane of at least `bytes` bytes. If there is no memory for one, the idle lanes are released.
  ///
  /// Errors: throws kUnsupported if there is still no memory.
  std::unique_ptr<DeviceLane> take(std::size_t bytes);

  /// Precondition: nothing is under way in the lane.
  void give_back(std::unique_ptr<DeviceLane> lane) noexcept;

 private:
  std::shared_ptr<const Device> device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<DeviceLane>> idle_;  ///< the lane that was used last is at the end
};

/// Sizes of slices, so that copying one slice and computing another go on at the same time.
struct SliceSizes {
  std::size_t lanes = 3;  ///< most lanes of a device that a call uses
  std::size_t least_bytes = std::size_t{1} << 20;
  std::size_t most_bytes = std::size_t{8} << 20;
};

/// Number of slices of a call of `bytes` bytes: one for each lane; more if a slice would exceed
/// most_bytes, fewer if it would be shorter than least_bytes. If threads compute some of the
/// slices, there are several for each lane and thread, so that all end at about the same time.
std::size_t num_slices(const SliceSizes& sizes, std::size_t bytes, std::size_t devices,
                       std::size_t threads = 0);

/// The devices that an executor runs on. They share the columns of a stripe, slice by slice.
struct DeviceSet {
  std::vector<std::unique_ptr<LanePool>> pools{};  ///< a pool for each device
  std::string why_none{};  ///< why there is no device, in a sentence; else empty
  SliceSizes sizes{};
};

/// Makes a set of `devices`. `why_none` is kept if there are none.
std::shared_ptr<const DeviceSet> make_device_set(
    const std::vector<std::shared_ptr<const Device>>& devices, std::string why_none,
    SliceSizes sizes = {});

/// The executor whose devices `executor` runs on: for `hybrid`, `cuda` if it has devices, else
/// `opencl`; for others, itself.
///
/// Shape: runs_on_devices(executor).
Executor executor_of_devices(Executor executor);

/// The devices of this machine that `executor` runs on, found by the first call; those of other
/// executors are not looked for. Never fails: if there are none, the set says why.
///
/// Shape: runs_on_devices(executor).
std::shared_ptr<const DeviceSet> device_set(Executor executor);

/// Makes device_set() return `set` for an executor; null: the devices that are found. Returns what
/// was in its place before. For tests. Shape: the executor is kOpencl or kCuda.
std::shared_ptr<const DeviceSet> replace_device_set(Executor executor,
                                                    std::shared_ptr<const DeviceSet> set);

/// Throws kUnsupported with the reason if `executor` runs on devices and none can be used.
void check_devices(Executor executor);

/// Memory of the host that the first device of `executor` reaches without a copy in between; null
/// if the device gives none. It begins at a multiple of 64.
///
/// Shape: runs_on_devices(executor).
std::shared_ptr<std::uint8_t> host_memory(Executor executor, std::size_t bytes);

}  // namespace xorloom
