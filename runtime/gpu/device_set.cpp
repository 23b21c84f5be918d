#include "runtime/gpu/device_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/gpu/cuda_device.hpp"
#include "runtime/gpu/opencl_device.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kLeastLaneBytes = std::size_t{1} << 20;

std::shared_ptr<const DeviceSet> found_set(Executor executor) try {
  std::string why;
  std::vector<std::shared_ptr<const Device>> devices;
  if (executor == Executor::kOpencl) {
    if (const OpenclApi* const api = opencl_api(&why)) devices = opencl_devices(*api, why);
  } else {
    if (const CudaApi* const api = cuda_api(&why)) devices = cuda_devices(*api, nvrtc_api, why);
  }
  return make_device_set(devices, why);
} catch (const std::exception& error) {
  return make_device_set({}, error.what());
}

/// The device sets of an executor: the one that was found, and its replacement.
struct Sets {
  std::mutex mutex;
  std::shared_ptr<const DeviceSet> found;
  std::shared_ptr<const DeviceSet> replaced;
};

/// Never destroyed: drivers may be gone when the process ends.
Sets& sets_of(Executor executor) {
  static auto* const kept = new std::array<Sets, 2>;
  return kept->at(executor == Executor::kOpencl ? 0 : 1);
}

}  // namespace

std::size_t num_slices(const SliceSizes& sizes, std::size_t bytes, std::size_t devices,
                       std::size_t threads) {
  constexpr std::size_t kTurns = 8;  // slices of each lane and thread, if both share the slices
  const std::size_t least = (bytes + sizes.most_bytes - 1) / sizes.most_bytes;
  const std::size_t lanes = sizes.lanes * devices;
  const std::size_t wanted =
      std::min(threads == 0 ? lanes : kTurns * (lanes + threads), bytes / sizes.least_bytes);
  return std::max({std::size_t{1}, least, wanted});
}

std::unique_ptr<DeviceLane> LanePool::take(std::size_t bytes) {
  const std::size_t wanted = std::bit_ceil(std::max(bytes, kLeastLaneBytes));
  std::vector<std::unique_ptr<DeviceLane>> idle;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        idle_.rbegin(), idle_.rend(), [&](const auto& lane) { return lane->bytes() >= bytes; });
    if (found != idle_.rend()) {
      std::unique_ptr<DeviceLane> lane = std::move(*found);
      idle_.erase(std::next(found).base());
      return lane;
    }
  }
  try {
    return device_->make_lane(wanted);
  } catch (const Error&) {
    if (device_->is_lost()) throw;
    const std::lock_guard lock(mutex_);
    idle.swap(idle_);
  }
  idle.clear();
  return device_->make_lane(bytes);
}

void LanePool::give_back(std::unique_ptr<DeviceLane> lane) noexcept try {
  std::vector<std::unique_ptr<DeviceLane>> dropped;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(lane));
  std::size_t sum = 0;
  for (const auto& one : idle_) sum += one->bytes();
  while (sum > kMostIdleBytes) {
    sum -= idle_.front()->bytes();
    dropped.push_back(std::move(idle_.front()));
    idle_.erase(idle_.begin());
  }
} catch (...) {  // without memory the lane is dropped
  return;
}

std::shared_ptr<const DeviceSet> make_device_set(
    const std::vector<std::shared_ptr<const Device>>& devices, std::string why_none,
    SliceSizes sizes) {
  auto set = std::make_shared<DeviceSet>();
  for (const auto& device : devices) set->pools.push_back(std::make_unique<LanePool>(device));
  if (devices.empty()) set->why_none = std::move(why_none);
  set->sizes = sizes;
  return set;
}

Executor executor_of_devices(Executor executor) {
  if (executor != Executor::kHybrid) return executor;
  return device_set(Executor::kCuda)->pools.empty() ? Executor::kOpencl : Executor::kCuda;
}

std::shared_ptr<const DeviceSet> device_set(Executor executor) {
  executor = executor_of_devices(executor);
  Sets& kept = sets_of(executor);
  const std::lock_guard lock(kept.mutex);
  if (kept.replaced) return kept.replaced;
  if (!kept.found) kept.found = found_set(executor);
  return kept.found;
}

std::shared_ptr<const DeviceSet> replace_device_set(Executor executor,
                                                    std::shared_ptr<const DeviceSet> set) {
  Sets& kept = sets_of(executor);
  const std::lock_guard lock(kept.mutex);
  return std::exchange(kept.replaced, std::move(set));
}

void check_devices(Executor executor) {
  if (!runs_on_devices(executor)) return;
  const auto set = device_set(executor);
  if (set->pools.empty()) {
    fail(Status::kUnsupported,
         fmt::format("executor = {}: {}", to_string(executor), set->why_none));
  }
  const auto is_lost = [](const auto& pool) { return pool->device().is_lost(); };
  if (std::ranges::all_of(set->pools, is_lost)) {
    fail(Status::kUnsupported, fmt::format("executor = {}: {} has failed in this process",
                                           to_string(executor), set->pools[0]->device().name()));
  }
}

std::shared_ptr<std::uint8_t> host_memory(Executor executor, std::size_t bytes) {
  const auto set = device_set(executor);
  if (set->pools.empty()) return nullptr;
  const std::shared_ptr<const Device> device = set->pools.front()->shared_device();
  void* memory = nullptr;
  try {
    memory = device->allocate_host(bytes);
  } catch (const Error&) {
    return nullptr;
  }
  const std::shared_ptr<std::uint8_t> kept(static_cast<std::uint8_t*>(memory),
                                           [device](std::uint8_t* own) {
                                             if (own != nullptr) device->free_host(own);
                                           });
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(memory) % 64 == 0;
  return memory != nullptr && is_aligned ? kept : nullptr;
}

}  // namespace xorloom
