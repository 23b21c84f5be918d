#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "equations/ir/program.hpp"
#include "gen/vector/machine_code.hpp"
#include "gen/vector/schedule.hpp"
#include "gen/vector/tile_program.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/machine/executable_memory.hpp"
#include "runtime/machine/isa.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// A program twice more, as machine code is to compute it: fused for what an instruction adds, and in the
/// order in which its values wait least. For machines that add two operands at once, and three.
struct ProgramOrders {
  Program two_way;
  Program three_way;
};

/// How machine code is made: not at all, in a greedy order, or in one that so many moves were spent
/// on.
struct CodeMaking {
  bool is_wanted = true;
  std::uint64_t moves = 0;
  std::function<bool()> stop_requested{};  ///< asked while they are
  /// Where there are some, code is made in that order, and no other is looked for.
  std::shared_ptr<const ProgramOrders> orders{};
};

/// The machines that code is written for: AVX-512 and AVX2.
inline constexpr VectorMachine kThreeWayMachine{64, 32, true};
inline constexpr VectorMachine kTwoWayMachine{32, 16, false};

/// The registers of an instruction set, if machine code is written for it.
std::optional<VectorMachine> vector_machine(Isa isa);

/// The kernels of a tile, made at run time: with ordinary and with non-temporal stores.
///
/// Immutable; copies share the code.
class TileCode {
 public:
  /// None where no machine code can be written for this, or it would be too long.
  ///
  /// Both kernels are made, whatever the options say of stores.
  ///
  /// Shape:  the equations of the tile stand in the order they are to be computed in.
  /// Errors: throws kInternal if a schedule does not agree with the tile, kUnsupported if the system
  ///         gives no executable memory.
  static std::optional<TileCode> make(const TileProgram& tile, const VectorMachine& machine,
                                      const MachineCodeOptions& options);

  /// Computes so many tiles one after the other.
  ///
  /// Buffers: a pointer for each stream. With non-temporal stores those that are written are aligned
  ///          to the vector.
  void run(std::uint8_t* const* streams, std::size_t turns, Stores stores) const noexcept {
    (stores == Stores::kNonTemporal ? non_temporal_ : ordinary_)(streams, turns);
  }

  /// Of both kernels, in whole pages.
  std::size_t code_bytes() const noexcept { return (memory_->bytes() + 4095) / 4096 * 4096; }

  /// Of the kernel with ordinary stores.
  const TileCounts& counts() const noexcept { return counts_; }

 private:
  TileCode() = default;

  std::shared_ptr<const ExecutableMemory> memory_;
  TileKernel ordinary_ = nullptr;
  TileKernel non_temporal_ = nullptr;
  TileCounts counts_;
};

}  // namespace xorloom
