#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_forms.hpp"

namespace xorloom {

// Lines that compute an XOR program, for packets and for planes of bits alike.

/// What sums are written for.
struct BitSums {
  const Program& program;                  ///< over bits
  const std::vector<std::size_t>& chunks;  ///< locations, ascending
  std::size_t planes = 1;                  ///< see gen/text/lines.hpp
  std::size_t vector_bytes = 4;
};

/// Lines and what they take. Bytes and columns of the price are left to the caller but for what is
/// read more than once.
struct BitLines {
  std::string text;
  KernelPrice price;
};

/// Loads every input once and adds it to each sum that needs it. Where the sums are more than
/// registers hold, some are computed after the others, from inputs that are loaded again.
///
/// Shape: equations read inputs alone.
BitLines accumulator_lines(const BitSums& sums);

/// Computes the equations as they are, in an order in which few values wait, as three-way XORs.
/// What is not read again soon is loaded again.
///
/// Cost: some tens of milliseconds for a stripe.
BitLines ordered_lines(const BitSums& sums);

/// Whether any equation computes a temporary.
bool has_temporaries(const Program& program);

/// The program itself if it has temporaries, else one that computes the same with shared sums.
Program with_shared_sums(const Program& program);

/// The program with each output as a sum of inputs alone, over any field.
Program without_temporaries(const Program& program);

}  // namespace xorloom
