#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/program.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// A cut of direct equations before their sums are shared: into bands of outputs and each band into
/// windows of inputs (equations/build/pieces.hpp). Machine code then stores and loads fewer
/// intermediate values, for more XORs.
struct Cut {
  std::size_t bands = 1;
  std::size_t window = 0;  ///< inputs per window; 0: all inputs in one

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// Fewest bands whose machine code is about as long as a kernel may be, for `xors` direct XORs of
/// `inputs` inputs.
std::size_t fewest_bands(std::size_t xors, std::size_t inputs);
std::size_t fewest_bands(const Program& direct);

/// A number of bands that is near the cheapest if orders are greedy.
std::size_t usual_bands(const Program& direct);

/// Window that is usually cheaper than no window if orders are greedy: 0 for few chunks, whose
/// values stay in registers, and for equations most of whose XORs are gone once they share.
///
/// Shape: chunks have `rows` rows; `shared` is `direct` with its sums shared without windows.
std::size_t usual_window(const Program& direct, std::size_t rows, const Program& shared);

/// Window sizes worth comparing, in inputs: a few chunks each. 0 (no windows) is among them if two
/// turns fit L1, or if the equations are sparse.
std::vector<std::size_t> windows_to_compare(const Program& direct, std::size_t rows,
                                            const MachineFacts& machine);

/// The cut with the cheapest machine code if orders are greedy. Of many numbers of bands, some are
/// tried.
///
/// Cost: some 3 µs per XOR that is left, for each of about ten cuts.
Cut cheapest_cut(const Program& direct, std::size_t rows, const MachineFacts& machine);

/// Shares the sums of `direct`, in each window of the cut by a search of its own.
///
/// Errors: as optimize.
Program shared_in(const Cut& cut, const Program& direct, const Search& search);

}  // namespace xorloom
