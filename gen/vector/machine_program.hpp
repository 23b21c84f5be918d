#pragma once

#include <cstddef>
#include <optional>

#include "equations/ir/program.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

/// Cut of direct equations before their sums are shared: into bands of outputs, and of each band
/// into windows of inputs (equations/build/pieces.hpp). Machine code then stores and loads fewer
/// intermediate values, but computes more XORs.
struct Cut {
  std::size_t bands = 1;
  std::size_t window = 0;  ///< inputs per window; 0: all inputs in one

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// A number of bands whose machine code is near the cheapest if orders are greedy.
std::size_t usual_bands(const Program& direct);

/// Window that is usually cheaper than no window if orders are greedy. 0 (no window) if there are
/// few chunks or outputs, or sparse equations, since their values stay in registers; and if sharing
/// saves more than 2/3 of the XORs.
///
/// Shape: chunks have `rows` rows; `shared` is `direct` with its sums shared without windows.
std::size_t usual_window(const Program& direct, std::size_t rows, const Program& shared);

/// The cut with the cheapest machine code if orders are greedy. If many numbers of bands are
/// possible, tries some of them.
///
/// Cost: some 3 µs per XOR that is left after sharing, for each of about ten cuts.
Cut cheapest_cut(const Program& direct, std::size_t rows, const MachineFacts& machine);

/// Shares the sums of `direct` by a separate search in each window of the cut.
///
/// Errors: as optimize.
Program shared_in(const Cut& cut, const Program& direct, const Search& search);

/// A program for kernels, and the same computation for machine code, in the order of execution.
struct OrderedProgram {
  Program equations;
  std::optional<Program> ordered{};  ///< nullopt: made by a greedy search, or not needed
  Effort effort = Effort::kFast;     ///< effort spent on both programs
  bool is_known = false;             ///< true if it comes from the store

  /// `ordered`, or null if there is none.
  const Program* order() const { return ordered ? &*ordered : nullptr; }
};

/// Equations for the machine code of a machine, and the order in which the code computes them,
/// found within `budget`. Direct equations are cut into bands and windows. If it saves work, they
/// are first split into two stages:
///
///     surviving data, redundancy -> syndromes -> lost cells
///
/// There are few syndromes. Each adds up surviving data by a row of the encoding matrix, which has
/// fewer ones than the matrix that rebuilds.
///
/// Shape:  direct: direct equations without places (without_places), of chunks of `rows` rows; so
///         are both programs of the result. start: if not null, another program of the same map,
///         which is compared with those of the search.
/// Errors: as optimize. Throws kInternal if the order of a stage is not proved.
/// Cost:   effort fast some 3 µs per XOR; quick tens of milliseconds, normal seconds.
OrderedProgram machine_program(const Program& direct, std::size_t rows, const MachineFacts& machine,
                               const Budget& budget, const Program* start = nullptr);

}  // namespace xorloom
