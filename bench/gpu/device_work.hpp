#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_text.hpp"
#include "runtime/gpu/device.hpp"

namespace xorloom::gpu_bench {

/// A computation of one stripe after the other whose parts can be timed apart: copies to the
/// device, the kernel, and copies back.
///
///   host     | tables of the kernel | stripe 0 | stripe 1 | ...     pinned
///   device   | tables of the kernel | stripe 0 | stripe 1 | ...     the same places
///
/// There are enough stripes that no cache of the device holds them all.
class DeviceWork {
 public:
  /// Shape:  all stripes together have bytes_at_least bytes or more.
  /// Errors: throws what emit_kernel, loaded_kernel and lanes throw.
  DeviceWork(std::shared_ptr<const Device> device, const Code& code, const Program& program,
             std::size_t chunk_bytes, std::size_t bytes_at_least,
             const KernelOptions& options = {});

  /// The chunk of a stripe in pinned memory. A program may have locations past those of the code.
  std::uint8_t* host(std::size_t stripe, std::size_t location) const;

  std::size_t num_stripes() const { return num_stripes_; }
  std::size_t chunk_bytes() const { return chunk_bytes_; }
  const std::vector<std::size_t>& reads() const { return reads_; }
  const std::vector<std::size_t>& writes() const { return writes_; }
  const KernelText& text() const { return text_; }

  // Each puts work on the next stripes in the queue, and finish() waits for it.

  void copy_in(std::size_t stripe);
  void copy_out(std::size_t stripe);
  void launch(std::size_t stripe);

  /// Launches only the first `groups` groups of kKernelGroup work items.
  void launch_groups(std::size_t stripe, std::size_t groups);
  std::size_t num_groups() const;
  std::size_t bytes_of_groups(std::size_t groups) const;  ///< of a chunk

  void flush() { lane_->flush(); }
  void finish() { lane_->finish(); }

 private:
  std::size_t place(std::size_t stripe, std::size_t location) const;
  void launch_items(std::size_t stripe, std::uint64_t columns, std::uint64_t items);

  std::shared_ptr<const Device> device_;
  KernelText text_;
  std::shared_ptr<const DeviceKernel> kernel_;
  std::size_t chunk_bytes_;
  std::size_t pitch_;
  std::size_t locations_;
  std::size_t rows_;  ///< chunk_bytes / rows are the columns of a chunk
  std::size_t tables_bytes_;
  std::size_t num_stripes_;
  std::vector<std::size_t> reads_;
  std::vector<std::size_t> writes_;
  std::unique_ptr<DeviceLane> lane_;
};

}  // namespace xorloom::gpu_bench
