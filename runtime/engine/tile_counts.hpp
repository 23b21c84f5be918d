#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/dense_program.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom {

/// What a core does for one tile, or for the half of one that a turn computes, as prediction needs
/// it.
struct TileCounts {
  std::size_t instructions = 0;  ///< beside the loop and prefetching
  std::size_t operations = 0;    ///< that compute: XORs, multiplications, shuffles
  std::size_t loads = 0;         ///< those within an operation, too
  std::size_t stores = 0;
  std::size_t multiplications = 0;  ///< or the shuffles that look products up
  std::size_t vectors_read = 0;     ///< distinct inputs of the tile
  std::size_t vectors_written = 0;  ///< its outputs
  std::size_t vector_bytes = 0;
  std::size_t code_bytes = 0;  ///< of machine code, with ordinary stores; 0: kernels

  friend bool operator==(const TileCounts&, const TileCounts&) = default;
};

/// Machine code of that many bytes.
TileCounts counts_of(const Program& tile, const InstructionSchedule& schedule,
                     const MachineFacts& machine, std::size_t code_bytes);

/// Adds what a second part of the code does for the same tile.
void add(TileCounts& counts, const TileCounts& part);

/// Instructions for each vector that a tile writes. Multiplications count twice: a core multiplies
/// one vector a cycle, or looks up two, and adds two or more.
double work_per_vector(const TileCounts& counts);

/// The kernels of an instruction set. An XOR program runs on a vector of each packet: every operand
/// is loaded, every result stored, and for each it is looked up where it lies. A program over
/// symbols of w bits runs on a vector of each cell, with about what multiplying takes in the
/// instruction set.
TileCounts kernel_counts(const Program& program, Isa isa);

/// The same of rows over symbols of w bits that have a factor for every input, not one of them 1.
///
/// Cost: none, however many there are.
TileCounts dense_kernel_counts(std::size_t w, std::size_t outputs, std::size_t inputs, Isa isa);

/// Columns of a tile that computes that many outputs.
std::size_t columns_of(const TileCounts& tile, std::size_t outputs);

/// What one core takes for each thing that a tile needs, where chunks lie in one level of memory.
/// Units: seconds.
///
/// A core computes while bytes move, so the longer of both counts most:
///
///   core   = instructions * instruction + loads * load + stores * store + …
///   moving = bytes read * byte_read + bytes written * byte_written
///   time   = (core^overlap + moving^overlap)^(1/overlap)
///
/// With an overlap of 1 that is their sum; the larger it is, the nearer it is to the longer one.
struct InstructionCosts {
  double instruction = 0;
  double load = 0;
  double store = 0;
  double multiplication = 0;
  double byte_read = 0;  ///< of chunks
  double byte_written = 0;
  double overlap = 1;

  friend bool operator==(const InstructionCosts&, const InstructionCosts&) = default;
};

/// The bytes of chunks that a tile reads and writes.
std::size_t bytes_of(const TileCounts& counts);

/// What lies between two, a share of the way from the first.
InstructionCosts between(const InstructionCosts& from, const InstructionCosts& to, double share);

/// What they say that a tile takes, and its two parts.
double seconds_of(const InstructionCosts& costs, const TileCounts& counts);
double core_seconds(const InstructionCosts& costs, const TileCounts& counts);
double moving_seconds(const InstructionCosts& costs, const TileCounts& counts);

}  // namespace xorloom
