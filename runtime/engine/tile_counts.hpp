#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom {

/// Work of a core for one tile, or for the half of a tile that a turn computes; input of
/// prediction.
struct TileCounts {
  std::size_t instructions = 0;  ///< without the loop and prefetching
  std::size_t operations = 0;    ///< arithmetic: XORs, multiplications, shuffles
  std::size_t loads = 0;         ///< including memory operands of arithmetic instructions
  std::size_t stores = 0;
  std::size_t multiplications = 0;  ///< or the shuffles that look products up
  std::size_t vectors_read = 0;     ///< distinct inputs of the tile
  std::size_t vectors_written = 0;  ///< its outputs
  std::size_t vector_bytes = 0;
  std::size_t code_bytes = 0;  ///< bytes of machine code with ordinary stores; 0: kernels

  friend bool operator==(const TileCounts&, const TileCounts&) = default;
};

/// Counts of machine code of `code_bytes` bytes.
TileCounts counts_of(const Program& tile, const InstructionSchedule& schedule,
                     const MachineFacts& machine, std::size_t code_bytes);

/// Adds the work of another part of the code for the same tile.
void add(TileCounts& counts, const TileCounts& part);

/// Instructions for each vector that a tile writes. Multiplications count twice: a core multiplies
/// one vector a cycle, or looks up two, and adds two or more.
double work_per_vector(const TileCounts& counts);

/// Counts of the kernels of an instruction set. An XOR program runs on a vector of each packet:
/// every operand is loaded and every result stored, after its address is looked up. A program over
/// symbols of w bits runs on a vector of each cell, with about what multiplying takes in the
/// instruction set.
TileCounts kernel_counts(const Program& program, Isa isa);

/// Counts of the kernels for dense rows over symbols of w bits: each input has a factor, and none
/// is 1.
///
/// Cost: O(1).
TileCounts dense_kernel_counts(std::size_t w, std::size_t outputs, std::size_t inputs, Isa isa);

/// Columns of a tile that computes `outputs` outputs.
std::size_t columns_of(const TileCounts& tile, std::size_t outputs);

/// Costs of one core for each kind of work of a tile, if chunks lie in one level of memory. Units:
/// seconds.
///
/// A core computes while bytes move, so the longer of the two times counts most:
///
///   core   = instructions * instruction + loads * load + stores * store + …
///   moving = bytes read * byte_read + bytes written * byte_written
///   time   = (core^overlap + moving^overlap)^(1/overlap)
///
/// An overlap of 1 gives their sum; the larger the overlap, the nearer the time is to the longer
/// one.
struct InstructionCosts {
  double instruction = 0;
  double load = 0;
  double store = 0;
  double multiplication = 0;
  double byte_read = 0;  ///< for each byte of chunks
  double byte_written = 0;
  double overlap = 1;

  friend bool operator==(const InstructionCosts&, const InstructionCosts&) = default;
};

/// The bytes of chunks that a tile reads and writes.
std::size_t bytes_of(const TileCounts& counts);

/// Interpolates costs: `share` is 0 for `from` and 1 for `to`.
InstructionCosts between(const InstructionCosts& from, const InstructionCosts& to, double share);

/// Predicted seconds of a tile, and their two parts.
double seconds_of(const InstructionCosts& costs, const TileCounts& counts);
double core_seconds(const InstructionCosts& costs, const TileCounts& counts);
double moving_seconds(const InstructionCosts& costs, const TileCounts& counts);

}  // namespace xorloom
