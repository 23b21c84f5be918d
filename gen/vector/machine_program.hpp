#pragma once

#include <cstddef>
#include <optional>

#include "equations/ir/program.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

/// How direct equations are cut before their sums are shared: into bands of outputs, and each band
/// into windows of inputs (equations/build/pieces.hpp). Machine code then stores and loads fewer
/// values in between, for more XORs.
struct Cut {
  std::size_t bands = 1;
  std::size_t window = 0;  ///< inputs per window; 0: all inputs in one

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// A number of bands that is near the cheapest if orders are greedy.
std::size_t usual_bands(const Program& direct);

/// Window that is usually cheaper than no window if orders are greedy: 0 for few chunks, whose
/// values stay in registers, and for equations most of whose XORs are gone once they share.
///
/// Shape: chunks have `rows` rows; `shared` is `direct` with its sums shared without windows.
std::size_t usual_window(const Program& direct, std::size_t rows, const Program& shared);

/// The cut with the cheapest machine code if orders are greedy. Of many numbers of bands, some are
/// tried.
///
/// Cost: some 3 µs per XOR that is left, for each of about ten cuts.
Cut cheapest_cut(const Program& direct, std::size_t rows, const MachineFacts& machine);

/// Shares the sums of `direct`, in each window of the cut by a search of its own.
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

/// Equations for the machine code of a machine and the order that it computes them in, as the
/// effort has it. Direct equations are cut into bands and windows. Where that saves work they are
/// computed in two stages first:
///
///     what is left, redundancy -> syndromes -> what is lost
///
/// Syndromes are few. Each is a sum of surviving data by a row of the matrix that encodes, which
/// has fewer ones than the matrix that rebuilds.
///
/// Shape:  direct: direct equations without places (without_places), of chunks of `rows` rows; so
///         are both programs of the result. start: if not null, another program of the same map,
///         which is compared with those of the search.
/// Errors: as optimize. Throws kInternal if the order of a stage is not proved.
/// Cost:   effort fast some 3 µs per XOR; quick tens of milliseconds, normal seconds.
OrderedProgram machine_program(const Program& direct, std::size_t rows, const MachineFacts& machine,
                               const Budget& budget, const Program* start = nullptr);

}  // namespace xorloom
