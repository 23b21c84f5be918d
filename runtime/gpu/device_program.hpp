#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_text.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/gpu/kernel_cache.hpp"
#include "runtime/gpu/slice_layout.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// Most bytes of a kernel's text. Longer texts would take more than some ten seconds to compile.
inline constexpr std::size_t kMostKernelText = std::size_t{256} << 10;

/// A program as a kernel on the devices of a set.
///
/// A run cuts the columns into slices, which the lanes of the devices take in turn. While one lane
/// copies, another computes:
///
///     lane 0 | copy in | compute | copy out |       | copy in | …
///     lane 1           | copy in | compute  | copy out |
///     lane 2                     | copy in  | compute  | copy out |
///
/// Memory of the host that a device does not reach by itself goes through the memory of the lane.
/// Several threads copy it there and back, each for lanes of its own. If the processor computes a
/// part, its threads take slices from the same queue, and one more thread drives all lanes.
class DeviceProgram {
 public:
  /// Compiles the program for each device that is not lost, or finds it compiled in `files`, which
  /// keep it.
  ///
  /// Errors: throws kUnsupported if no kernel can be written for the program, or no device takes
  ///         it.
  DeviceProgram(const Code& code, const Program& program, std::shared_ptr<const DeviceSet> set,
                KernelFiles files);

  /// The devices that have the kernel.
  std::size_t num_devices() const { return loaded_.size(); }
  const Device& device(std::size_t i) const { return loaded_[i].pool->device(); }

  /// Computes columns begin … end-1, on all devices or on one of them. Returns how many of the
  /// columns devices have computed.
  /// Shape:   `threads` is the number of threads that may copy, the calling one included; 0: those
  ///          of the caller's TBB arena. If on_cpu is not null, it computes the same map, and the
  ///          threads run it on slices beside the devices. If there is a single slice, on_cpu runs
  ///          it.
  ///          run it on slices beside the devices; a single slice is theirs.
  /// Errors:  throws kUnsupported if a device fails. Then nothing is under way any more, and
  ///          outputs hold any bytes.
  std::size_t run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                  std::size_t end, std::size_t threads = 1, const Computation* on_cpu = nullptr,
                  Stores stores = Stores::kOrdinary) const;
  void run_on(std::size_t device, std::uint8_t* const* chunks, std::size_t chunk_bytes,
              std::size_t begin, std::size_t end) const;

  /// Puts the whole computation in a queue of the caller's, on chunks in memory of a device.
  ///
  /// Shape:  places holds one place per location.
  /// Errors: throws kInvalidArgument if a place is no multiple of 8, or if the memory is on none of
  ///         the devices; kUnsupported if the device fails.
  void run_there(const ForeignMemory& memory, std::span<const std::uint64_t> places,
                 std::size_t chunk_bytes) const;

  const KernelText& text() const { return text_; }

 private:
  struct Loaded {
    LanePool* pool;
    std::shared_ptr<const DeviceKernel> kernel;
  };

  std::size_t run_with(std::span<const Loaded> devices, std::uint8_t* const* chunks,
                       std::size_t chunk_bytes, std::size_t begin, std::size_t end,
                       std::size_t threads, const Computation* on_cpu, Stores stores) const;

  std::size_t rows_;
  bool is_packets_;
  KernelText text_;
  std::shared_ptr<const DeviceSet> set_;
  SliceLayout layout_;
  std::vector<Loaded> loaded_;
};

}  // namespace xorloom
