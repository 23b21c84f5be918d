#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "runtime/machine/isa.hpp"

namespace xorloom {

/// A program made ready to run on one instruction set: an XOR program where the code lies in packets,
/// one over symbols where it lies in words.
///
/// The work can be cut two ways:
///
///   columns   byte positions that can be computed apart. A packet code has packet_bytes columns a
///             super-block, column c of the chunk being byte c % packet_bytes of each packet of
///             super-block c / packet_bytes; a word code has one column a byte of its sub-chunks.
///   steps     one equation each (packets), or some output cells made from the same inputs each
///             (words), in an order in which each follows those it depends on.
///
/// A Computation is immutable; all of its functions may be called by many threads at once.
class Computation {
 public:
  /// The program's elements are those of the code, bits on packets and cells on words.
  Computation(const Code& code, const Program& program, Isa isa, const JitOptions& options = {});

  /// The rows of a map, on words.
  Computation(const Code& code, const LinearMap& map, Isa isa, const JitOptions& options = {});

  /// Number of columns of a chunk. chunk_bytes is a multiple of chunk_multiple(code).
  std::size_t columns(std::size_t chunk_bytes) const noexcept;

  /// Ranges of columns begin at a multiple of this and end at one or at the last column.
  std::size_t column_multiple() const noexcept;

  /// Computes all steps over columns begin…end-1. Allocates nothing; uses at most 96 KiB of stack.
  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores = Stores::kOrdinary) const noexcept;

  std::size_t num_steps() const noexcept;

  /// XORs (packets) or multiplications (words) of a step, at least 1: what balances groups.
  std::size_t step_cost(std::size_t step) const noexcept;

  /// Pairs (earlier, later): step `later` reads what step `earlier` computes. Sorted, distinct.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& dependencies() const noexcept;

  /// Bytes of scratch that run_steps needs for a range of so many columns; 0 if there are no
  /// temporaries. Needs no alignment.
  std::size_t scratch_bytes(std::size_t num_columns) const noexcept;

  /// Computes steps first…last-1 over columns begin…end-1. Temporaries live in scratch, which all
  /// calls for the same columns share, and which is kept apart from that of other columns; a step
  /// may run only after all it depends on have.
  void run_steps(std::size_t first, std::size_t last, std::uint8_t* const* chunks,
                 std::size_t chunk_bytes, std::size_t begin, std::size_t end,
                 std::uint8_t* scratch) const noexcept;

  /// Whether run() uses machine code.
  bool has_code() const noexcept {
    return packets() != nullptr ? packets()->code() != nullptr : words()->code() != nullptr;
  }

  /// About what it takes of memory, machine code included.
  std::size_t memory_bytes() const noexcept;

  /// What acceptance needs: the engine, of which the other is null.
  const PacketKernels* packets() const noexcept { return std::get_if<PacketKernels>(&engine_); }
  const WordKernels* words() const noexcept { return std::get_if<WordKernels>(&engine_); }

  /// Packets: the same steps over packets of another size, a multiple of 8.
  Computation with_packet_bytes(std::size_t packet_bytes) const;

 private:
  using Engine = std::variant<PacketKernels, WordKernels>;
  explicit Computation(Engine engine) : engine_(std::move(engine)) {}
  static Engine engine_for(const Code& code, const Program& program, Isa isa,
                           const JitOptions& options);

  Engine engine_;
};

}  // namespace xorloom
