#pragma once

#include <algorithm>
#include <cstddef>

namespace xorloom {

/// What a work item of a kernel takes, by which forms are compared.
///
/// A multiprocessor of an H100 or H200 moves about 21 bytes of device memory per clock and does 64
/// integer instructions. It hides the time that memory takes with 512 threads or more, and its
/// 65536 registers are shared among threads. A thread has 255: what does not fit waits in memory.
struct KernelPrice {
  std::size_t bytes = 0;         ///< moved
  std::size_t instructions = 0;  ///< on 32 bits: three-way XORs and others
  std::size_t registers = 0;     ///< estimated
  std::size_t columns = 1;       ///< that the item computes

  /// Per column. Only proportions matter.
  double clocks() const {
    return std::max(memory_clocks(), work_clocks()) / std::min(1.0, threads() / 512) /
           static_cast<double>(columns);
  }

  /// Whether it waits for instructions or registers rather than for memory.
  bool is_work_bound() const { return work_clocks() > memory_clocks() || threads() < 512; }

 private:
  static constexpr std::size_t kMostRegisters = 240;

  std::size_t used() const { return std::min(kMostRegisters, registers); }
  double spilled() const { return static_cast<double>(registers - used()); }
  double threads() const { return 65536 / static_cast<double>(std::max<std::size_t>(used(), 32)); }
  double memory_clocks() const { return (static_cast<double>(bytes) + 16 * spilled()) / 21; }
  double work_clocks() const { return (static_cast<double>(instructions) + 2 * spilled()) / 64; }
};

}  // namespace xorloom
