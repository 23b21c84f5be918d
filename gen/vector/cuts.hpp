#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/program.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// How direct equations are cut before their sums are shared: into bands of outputs
/// and each band into windows of inputs (equations/build/pieces.hpp). Machine code then stores and
/// loads fewer values in between, for more XORs.
struct Cut {
  std::size_t bands = 1;
  std::size_t window = 0;  ///< inputs; 0: all of them are in one

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// The fewest bands whose machine code is about as long as a kernel may be, for so many direct XORs
/// of so many inputs.
std::size_t fewest_bands(std::size_t xors, std::size_t inputs);
std::size_t fewest_bands(const Program& direct);

/// A number of bands that is near the cheapest where orders are greedy.
std::size_t usual_bands(const Program& direct);

/// The window that is usually cheaper than none where orders are greedy: 0 for few chunks, whose
/// values stay in registers, and for equations most of whose XORs are gone once they share.
///
/// Shape: chunks have so many rows; `shared` has the sums shared without windows.
std::size_t usual_window(const Program& direct, std::size_t rows, const Program& shared);

/// Windows of a few chunks each; and none, unless the first cache then holds too little of what is
/// read.
std::vector<std::size_t> windows_to_compare(const Program& direct, std::size_t rows,
                                            const MachineFacts& machine);

/// The cut whose machine code is cheapest where nothing is searched. Of many numbers of bands, some
/// are tried.
///
/// Cost: some 3 µs per XOR that is left, for each of about ten cuts.
Cut cheapest_cut(const Program& direct, std::size_t rows, const MachineFacts& machine);

/// The equations with their sums shared, in each window by a search of its own.
///
/// Errors: as optimize.
Program shared_in(const Cut& cut, const Program& direct, const Search& search);

}  // namespace xorloom
