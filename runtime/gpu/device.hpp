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

/// A part of a device, which stays where it is made.
class DevicePart {
 public:
  virtual ~DevicePart() = default;
  DevicePart(const DevicePart&) = delete;
  DevicePart& operator=(const DevicePart&) = delete;

 protected:
  DevicePart() = default;
};

/// A kernel that is loaded on a device. Devices know what is in it.
class DeviceKernel : public DevicePart {};

/// One launch of a kernel.
struct KernelLaunch {
  const DeviceKernel& kernel;
  /// Where each chunk of the kernel begins: in the memory of a lane, or as the caller of a launch
  /// on foreign memory says.
  std::span<const std::uint64_t> places;
  std::uint64_t pitch;
  std::uint64_t columns;
  std::uint64_t items;  ///< KernelText::items
  /// The kernel has tables, and they lie at the beginning of the memory of the lane.
  bool has_tables = false;
};

/// A queue of a device, with memory of its own on the device and on the host. What is put in it is
/// done in that order, while the caller goes on. One thread at a time uses a lane.
///
///     host memory of the lane  --copy_in-->  device memory of the lane  --launch, copy_out-->
///
/// Errors: all functions but bytes() and host() throw kUnsupported if the device fails.
class DeviceLane : public DevicePart {
 public:
  /// The bytes of its memory on the device, and as many on the host.
  virtual std::size_t bytes() const = 0;

  /// Its memory on the host, which the device reads and writes without a copy in between.
  virtual std::uint8_t* host() = 0;

  virtual void copy_in(std::size_t to, const std::uint8_t* from, std::size_t bytes) = 0;
  virtual void copy_out(std::uint8_t* to, std::size_t from, std::size_t bytes) = 0;

  /// Buffers: the places are copied.
  virtual void launch(const KernelLaunch& launch) = 0;

  /// Lets the device begin, if it waits for more.
  virtual void flush() = 0;

  /// Waits until all is done.
  virtual void finish() = 0;
};

/// The caller's own memory on a device, and the queue that work on it is put in.
struct ForeignMemory {
  void* memory;  ///< OpenCL: the cl_mem; CUDA: null, as places are addresses
  void* queue;   ///< OpenCL: the cl_command_queue; CUDA: the CUstream, null being the default one
};

/// A device that runs kernels: a GPU, or a processor that OpenCL drives. Its functions may be
/// called by many threads at once. They throw kUnsupported, with a sentence, where it fails.
class Device : public DevicePart {
 public:
  /// "NVIDIA H100", as its driver calls it.
  const std::string& name() const { return name_; }

  /// What compiled kernels depend on: the kind of device, and the version of its driver.
  const std::string& driver() const { return driver_; }

  KernelLanguage language() const { return language_; }

  /// Whether it has failed in a way that no later call can mend, or belongs to another process:
  /// that of which this one is a fork.
  bool is_lost() const;

  /// Whether it is a processor of this machine.
  virtual bool is_processor() const { return false; }

  /// Compiles a text.
  virtual std::shared_ptr<const DeviceKernel> compile(const std::string& source,
                                                      const std::string& entry) const = 0;

  /// What load() makes the same kernel from, in this process or another one; empty where the driver
  /// keeps what it has compiled by itself.
  virtual std::vector<std::uint8_t> binary_of(const DeviceKernel& kernel) const = 0;
  virtual std::shared_ptr<const DeviceKernel> load(std::span<const std::uint8_t> binary,
                                                   const std::string& entry) const = 0;

  virtual std::unique_ptr<DeviceLane> make_lane(std::size_t bytes) const = 0;

  /// Whether copies from and to that memory of the host are as fast as those of a lane's own.
  virtual bool copies_directly(const std::uint8_t* host) const = 0;

  /// Memory of the host for which copies_directly() holds, or null if there is none.
  virtual void* allocate_host(std::size_t bytes) const = 0;
  virtual void free_host(void* memory) const = 0;

  /// Whether a launch on such memory is one for this device. `place` is that of a chunk.
  virtual bool owns(const ForeignMemory& memory, std::uint64_t place) const = 0;

  /// Puts a launch on the caller's memory in his queue.
  virtual void launch_on(const ForeignMemory& memory, const KernelLaunch& launch) const = 0;

 protected:
  Device(std::string name, std::string driver, KernelLanguage language);

  /// Nothing works from now on.
  void lose() const { is_lost_ = true; }

 private:
  std::string name_;
  std::string driver_;
  KernelLanguage language_;
  int process_;
  mutable std::atomic<bool> is_lost_ = false;
};

/// The first line that has more than white space of what a compiler says, cut to a length for a
/// sentence.
std::string first_line(std::string_view log);

}  // namespace xorloom
