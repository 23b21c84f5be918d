#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/scratch_pool.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/kernels/xor_kernel.hpp"

namespace xorloom {

/// A matrix of bits over packets. Row o·rows + bit is output packet `bit` of location inputs + o,
/// the XOR of the packets whose entry is 1. Column i·rows + bit is packet `bit` of location i.
struct PacketRows {
  std::size_t inputs;   ///< locations 0 … inputs - 1
  std::size_t outputs;  ///< the locations that follow
  std::size_t rows;     ///< packets of a location
  const int* bits;      ///< row by row, each 0 or 1
};

/// An XOR program made ready for the packet kernels of one instruction set. Computation explains
/// the words and the functions.
///
/// Columns are computed in blocks, so that all that a block touches stays near the core. If packets
/// are wide, a block is a part of one packet. If they are narrow, it is 64 bytes of each packet in
/// several super-blocks, so that an operand's address is still found once for several lines. Values
/// that are not outputs are temporaries, which run() keeps in slots. A slot is used again once its
/// value is dead.
class PacketKernels final : public Computation {
 public:
  /// Errors: throws kUnsupported if more temporaries are alive at once than fit 64 KiB at 8 bytes
  ///         each.
  PacketKernels(const Code& code, const Program& program, Isa isa);

  /// The rows of a map of the code, as they are.
  PacketKernels(const Code& code, const LinearMap& map, Isa isa);

  /// The rows of a matrix of bits, as they are.
  PacketKernels(const PacketRows& matrix, std::size_t packet_bytes, Isa isa);

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override;
  std::size_t memory_bytes() const noexcept override;
  std::unique_ptr<const Computation> with_packet_bytes(std::size_t packet_bytes) const override;

 private:
  PacketKernels(std::size_t rows, std::size_t packet_bytes, Isa isa);

  struct Rows {
    std::size_t begin;
    std::size_t end;
  };
  void add_steps(const Program& program);
  void reserve_rows(std::size_t locations, std::size_t rows, std::size_t inputs);
  void add_rows(std::span<const PacketCell> inputs, std::span<const std::uint32_t> sets,
                std::size_t rows, PacketCell target);
  void add_step(std::span<const PacketCell> inputs, std::span<const std::uint32_t> sets, Rows rows,
                PacketCell target);
  void add_row(std::span<const PacketCell> inputs, std::span<const std::uint32_t> sets,
               std::size_t row, PacketCell target);
  void choose_blocks(std::size_t elements_in_use);
  void run_with(std::uint8_t* temporaries, std::uint8_t* const* chunks, ColumnRange range,
                bool fetches) const noexcept;
  void fetch_next(const PacketBlock& block, std::size_t step) const noexcept;

  PacketKernel kernel_;
  std::size_t packet_bytes_;
  std::size_t num_slots_ = 0;  ///< temporaries alive at once
  bool narrow_ = false;        ///< blocks go across super-blocks
  std::size_t line_bytes_;     ///< 64, or 8 if 64 bytes of every slot are too many
  std::size_t lines_;          ///< pieces of a block
  Temporaries temporaries_{0};
  std::vector<PacketStep> steps_;
  std::vector<PacketCell> cells_;
  std::vector<PacketCell> inputs_;  ///< of rows; empty if there is a program
  std::vector<std::uint32_t> set_counts_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace xorloom
