#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/gpu/device_program.hpp"

namespace xorloom {

/// Accepts the kernel of `program` on each of its devices, as accept() does, or throws.
///
/// Shape:  on_cpu computes the same map.
/// Errors: throws kUnsupported if a device fails meanwhile; kInternal if the kernel is not
///         accepted.
void accept(const Code& code, const LinearMap& map, const DeviceProgram& program,
            const Computation& on_cpu);

/// Tells the function of set_log() that the processor computes a call because a device has failed.
void log_device_failure(const char* why) noexcept;

/// Columns of the calls so far: those that devices have computed, and all.
struct ColumnSplit {
  std::size_t on_devices = 0;
  std::size_t all = 0;
};

/// A program that devices run, on chunks in memory of the host. If a device fails, the processor
/// computes the whole call again, and the function of set_log() hears why, once. So the outputs are
/// right in any case. With executor `hybrid` threads compute a part of each call, too.
///
/// A call allocates, unlike those of other computations.
class DeviceComputation final : public Computation {
 public:
  /// Shape: the program is accepted; on_cpu computes the same map, and is accepted, too.
  ///        `execution` says how on_cpu spreads its work over threads if it stands in; no graph is
  ///        run.
  DeviceComputation(DeviceProgram program, std::unique_ptr<const Computation> on_cpu,
                    const Execution& execution, Executor executor)
      : Computation(facts_of(*on_cpu)),
        program_(std::move(program)),
        on_cpu_(std::move(on_cpu)),
        execution_(execution),
        executor_(executor) {}

  const DeviceProgram& program() const { return program_; }

  /// Columns of calls in which a device failed count for the processor.
  ColumnSplit split() const noexcept { return {on_devices_, all_}; }

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override;

  std::size_t memory_bytes() const noexcept override;

 private:
  /// The facts of the computation on the processor, but for those that only its acceptance needs.
  static Facts facts_of(const Computation& on_cpu) {
    Facts facts = on_cpu.facts();
    facts.kernel_rows = Facts().kernel_rows;
    facts.is_of_codewords = facts.looks_at_addresses = false;
    return facts;
  }

  DeviceProgram program_;
  std::unique_ptr<const Computation> on_cpu_;
  Execution execution_;
  Executor executor_;
  mutable std::atomic<std::size_t> on_devices_ = 0;  ///< columns
  mutable std::atomic<std::size_t> all_ = 0;         ///< columns
};

}  // namespace xorloom
