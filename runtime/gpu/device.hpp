#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

/// Base of what belongs to a device; it can be neither copied nor moved.
class DevicePart {
 public:
  virtual ~DevicePart() = default;
  DevicePart(const DevicePart&) = delete;
  DevicePart& operator=(const DevicePart&) = delete;

 protected:
  DevicePart() = default;
};

/// A kernel that is loaded on a device. Each kind of device has its own subclass.
class DeviceKernel : public DevicePart {};

/// A launch of a kernel.
struct KernelLaunch {
  const DeviceKernel& kernel;
  /// By chunk of the kernel, where it begins: an offset in the memory of a lane, or for foreign
  /// memory what its caller gave.
  std::span<const std::uint64_t> places;
  std::uint64_t pitch;
  std::uint64_t columns;
  std::uint64_t items;  ///< KernelText::items
  /// True: the kernel has tables, at the beginning of the memory of the lane.
  bool has_tables = false;
};

/// A queue of a device, with memory of its own on the device and on the host. Its work runs in
/// order, while the caller goes on. One thread at a time may use a lane.
///
///     host memory of the lane  --copy_in-->  device memory of the lane  --launch, copy_out-->
///
/// Errors: all functions but bytes() and host() throw kUnsupported if the device fails.
class DeviceLane : public DevicePart {
 public:
  /// Bytes of the lane's memory on the device; its memory on the host is as large.
  virtual std::size_t bytes() const = 0;

  /// The lane's memory on the host, which the device reads and writes without a copy in between.
  virtual std::uint8_t* host() = 0;

  virtual void copy_in(std::size_t to, const std::uint8_t* from, std::size_t bytes) = 0;
  virtual void copy_out(std::uint8_t* to, std::size_t from, std::size_t bytes) = 0;

  /// Buffers: launch.places are copied.
  virtual void launch(const KernelLaunch& launch) = 0;

  /// Makes the device begin, if it waits for more work.
  virtual void flush() = 0;

  /// Waits until all work of the lane is done.
  virtual void finish() = 0;
};

/// The caller's own memory on a device, and the queue that work on it is put in.
struct ForeignMemory {
  void* memory;  ///< OpenCL: the cl_mem; CUDA: null, as places are addresses
  void* queue;   ///< OpenCL: the cl_command_queue; CUDA: the CUstream, null: the default one
};

/// A device that runs kernels: a GPU, or a processor that OpenCL drives. Many threads may call its
/// functions at once. They throw kUnsupported, with a sentence, if the device fails.
class Device : public DevicePart {
 public:
  /// "NVIDIA H100", as its driver calls it.
  const std::string& name() const { return name_; }

  /// The kind of the device and the version of its driver, on which compiled kernels depend.
  const std::string& driver() const { return driver_; }

  KernelLanguage language() const { return language_; }

  /// True if the device has failed for good, or belongs to another process, of which this one is a
  /// fork.
  bool is_lost() const;

  /// True if the device is a processor of this machine.
  virtual bool is_processor() const { return false; }

  /// Compiles `source`, whose kernel is the function `entry`.
  virtual std::shared_ptr<const DeviceKernel> compile(const std::string& source,
                                                      const std::string& entry) const = 0;

  /// Bytes from which load() makes the same kernel, in this process or another one. Empty if the
  /// driver keeps what it has compiled, or gives no bytes.
  virtual std::vector<std::uint8_t> binary_of(const DeviceKernel& kernel) const = 0;
  virtual std::shared_ptr<const DeviceKernel> load(std::span<const std::uint8_t> binary,
                                                   const std::string& entry) const = 0;

  virtual std::unique_ptr<DeviceLane> make_lane(std::size_t bytes) const = 0;

  /// True if copies from and to `host` are as fast as those of a lane's own memory on the host.
  virtual bool copies_directly(const std::uint8_t* host) const = 0;

  /// Memory of the host for which copies_directly() holds, or null if there is none.
  virtual void* allocate_host(std::size_t bytes) const = 0;
  virtual void free_host(void* memory) const = 0;

  /// True if a launch on `memory` is one for this device. `place` is that of a chunk.
  virtual bool owns(const ForeignMemory& memory, std::uint64_t place) const = 0;

  /// Puts a launch on the caller's memory in the caller's queue.
  virtual void launch_on(const ForeignMemory& memory, const KernelLaunch& launch) const = 0;

 protected:
  Device(std::string name, std::string driver, KernelLanguage language);

  /// Marks the device as lost: it computes nothing from now on.
  void lose() const { is_lost_ = true; }

 private:
  std::string name_;
  std::string driver_;
  KernelLanguage language_;
  int process_;
  mutable std::atomic<bool> is_lost_ = false;
};

/// The first line with more than white space of a compiler's log, cut to a length for a sentence.
std::string first_line(std::string_view log);

}  // namespace xorloom
