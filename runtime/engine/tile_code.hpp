#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/lower.hpp"
#include "gen/vector/machine_code.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/executable_memory.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// The registers of an instruction set, if machine code is written for it.
std::optional<MachineFacts> vector_machine(Isa isa);

/// Why no program has machine code, as a phrase: it is not wanted, or none is written for the
/// instruction set. Nothing if neither is so.
std::optional<std::string> why_no_code(Isa isa, const JitOptions& options);

/// Whether a kernel is chosen by the addresses of streams, or they are known not to be crowded.
enum class Looks { kYes, kNo };

/// The kernels of a tile in executable memory: with ordinary and with non-temporal stores, one for
/// what lies in the second cache, and one for streams that crowd the sets of the first.
///
/// Immutable; copies share the code.
class TileCode {
 public:
  /// Errors: throws kUnsupported if the system gives no executable memory.
  TileCode(const LoweredKernels& kernels, const MachineFacts& machine);

  /// Computes that many tiles one after the other. Stores are ordinary if a stream that is written
  /// is not aligned to the vector, or if streams are crowded and computing takes most of the time.
  ///
  /// Buffers: a pointer for each stream.
  void run(std::uint8_t* const* streams, std::size_t tile_count, Stores stores,
           Looks looks = Looks::kYes) const noexcept {
    const bool is_ordinary = stores != Stores::kNonTemporal || !writes_vectors(streams);
    const bool is_crowded = looks == Looks::kYes && (is_ordinary || is_computing_) &&
                            looks_at_addresses() && are_crowded(streams);
    const TileKernel ordinary = stores == Stores::kNear ? near_ : ordinary_;
    (is_crowded ? crowded_ : is_ordinary ? ordinary : non_temporal_)(streams, tile_count);
  }

  /// Whether there is a kernel for streams that begin at equal places of pages.
  bool looks_at_addresses() const noexcept { return crowded_ != nullptr; }

  /// Whether these do. Shape: looks_at_addresses().
  bool are_crowded(std::uint8_t* const* streams) const noexcept;

  /// Of all kernels, in whole pages.
  std::size_t code_bytes() const noexcept { return (memory_->bytes() + 4095) / 4096 * 4096; }

  CodeMemory code_memory() const noexcept { return memory_->kind(); }

  /// Of the kernel with ordinary stores.
  const TileCounts& counts() const noexcept { return counts_; }

 private:
  bool writes_vectors(std::uint8_t* const* streams) const noexcept;

  std::shared_ptr<const ExecutableMemory> memory_;
  TileKernel ordinary_ = nullptr;
  TileKernel near_ = nullptr;  ///< the same, if there is none of its own
  TileKernel non_temporal_ = nullptr;
  TileKernel crowded_ = nullptr;     ///< null if there is none
  bool is_computing_ = false;        ///< for longer than it waits for memory
  std::vector<std::uint64_t> sets_;  ///< by stream, the sets of its lines if it begins with a page
  std::vector<std::uint32_t> written_;  ///< streams, ascending
  std::size_t vector_bytes_;
  TileCounts counts_;
};

}  // namespace xorloom
