#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/packet_jit.hpp"
#include "runtime/kernels/packet_kernel.hpp"
#include "runtime/machine/isa.hpp"

namespace xorloom {

/// An XOR program made ready for the packet kernels of one instruction set; see Computation for the
/// words and for what the functions do.
///
/// Columns are computed in blocks that keep what a block touches near the core. Where packets are
/// wide a block is a part of one packet; where they are narrow it is 64 bytes of each packet in
/// several super-blocks, so that an operand's address is still found once for several lines. What a
/// program assigns other than its outputs are temporaries, which run() keeps on the stack, in slots
/// that are used again once their value is dead. Where there is machine code for the program, run()
/// leaves only what is no whole tile to the kernels.
class PacketKernels {
 public:
  /// Errors: throws kUnsupported if more temporaries are alive at once than fit the stack block at
  ///         8 bytes each.
  PacketKernels(const Code& code, const Program& program, Isa isa, const JitOptions& options = {});

  /// The same steps over packets of another size, a multiple of 8; not for machine code.
  PacketKernels with_packet_bytes(std::size_t packet_bytes) const;
  std::size_t packet_bytes() const noexcept { return packet_bytes_; }
  std::size_t super_block_bytes() const noexcept { return rows_ * packet_bytes_; }
  std::size_t locations() const noexcept { return locations_; }

  /// Bytes of a packet, and super-blocks, that a block takes in. Packets of more bytes than a block
  /// are cut into several.
  std::size_t block_bytes() const noexcept {
    return narrow_ ? packet_bytes_ : lines_ * line_bytes_;
  }
  std::size_t super_blocks_at_once() const noexcept { return narrow_ ? lines_ : 1; }

  std::size_t columns(std::size_t chunk_bytes) const noexcept { return chunk_bytes / rows_; }
  std::size_t column_multiple() const noexcept { return 8; }
  std::size_t num_steps() const noexcept { return steps_.size(); }
  std::size_t step_cost(std::size_t step) const noexcept;
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& dependencies() const noexcept {
    return dependencies_;
  }
  std::size_t scratch_bytes(std::size_t num_columns) const noexcept {
    return num_temporaries_ * num_columns;
  }

  void run(std::uint8_t* const* chunks, std::size_t begin, std::size_t end,
           Stores stores) const noexcept;

  std::size_t memory_bytes() const noexcept;

  /// The machine code that run() uses for whole tiles, if there is some.
  const PacketJit* code() const noexcept { return code_ ? &*code_ : nullptr; }

  /// Temporary t of the range lies at scratch + t·(end - begin), column c at + (c - begin).
  void run_steps(std::size_t first, std::size_t last, std::uint8_t* const* chunks,
                 std::size_t begin, std::size_t end, std::uint8_t* scratch) const noexcept;

 private:
  void add_steps(const Program& program);
  void assign_slots(const Program& program);
  void choose_blocks(std::size_t elements_in_use);
  void run_blocks(PacketBlock block, std::size_t begin, std::size_t end,
                  std::uint8_t* scratch) const noexcept;

  std::optional<PacketJit> code_;
  PacketKernel kernel_;
  std::size_t rows_;
  std::size_t locations_;
  std::size_t packet_bytes_;
  std::size_t num_temporaries_ = 0;
  std::size_t num_slots_ = 0;  ///< temporaries alive at once
  bool narrow_ = false;        ///< blocks go across super-blocks
  std::size_t line_bytes_;     ///< 64, or 8 if 64 bytes of every slot do not fit the stack block
  std::size_t lines_;          ///< pieces of a block
  std::vector<PacketStep> steps_;
  std::vector<PacketCell> cells_;
  std::vector<std::uint32_t> slots_;      ///< slots used again: run
  std::vector<std::uint32_t> own_slots_;  ///< a slot for each temporary: run_steps
  std::vector<std::pair<std::uint32_t, std::uint32_t>> dependencies_;
};

}  // namespace xorloom
