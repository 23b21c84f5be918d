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
  std::size_t window = 0;  ///< inputs; 0: all of them are in one

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// A number of bands that is near the cheapest where orders are greedy.
std::size_t usual_bands(const Program& direct);

/// The window that is usually cheaper than none where orders are greedy: 0 for few chunks, whose
/// values stay in registers, and for equations most of whose XORs are gone once they share.
///
/// Shape: chunks have so many rows; `shared` has the sums shared without windows.
std::size_t usual_window(const Program& direct, std::size_t rows, const Program& shared);

/// The cut whose machine code is cheapest where nothing is searched. Of many numbers of bands, some
/// are tried.
///
/// Cost: some 3 µs per XOR that is left, for each of about ten cuts.
Cut cheapest_cut(const Program& direct, std::size_t rows, const MachineFacts& machine);

/// The equations with their sums shared, in each window by a search of its own.
///
/// Errors: as optimize.
Program shared_in(const Cut& cut, const Program& direct, const Search& search);

/// A program for kernels, and the same computation for machine code, in the order that it is
/// computed in.
struct OrderedProgram {
  Program equations;
  std::optional<Program> ordered{};  ///< none: it is made by a greedy search, or not needed
  Effort effort = Effort::kFast;     ///< that was spent on both
  bool is_known = false;             ///< from the store

  /// `ordered`, or null if there is none.
  const Program* order() const { return ordered ? &*ordered : nullptr; }
};

/// Equations for the machine code of a machine and the order that it computes them in, as the
/// effort has it. Direct equations are cut into bands and windows. Where that saves work they are
/// computed in two stages first:
///
///     what is left, redundancy -> syndromes -> what is lost
///
/// Syndromes are few. Each adds up the data left by rows of the matrix that encodes, which has
/// fewer ones than the matrix that rebuilds.
///
/// Shape:  direct equations without places (without_places), of chunks of so many rows, as both
///         programs of the answer are. `start`, if not null, are other equations of the same map,
///         which are compared with those of the search.
/// Errors: as optimize. Throws kInternal if the order of a stage is not proved.
/// Cost:   effort fast some 3 µs per XOR; quick tens of milliseconds, normal seconds.
OrderedProgram machine_program(const Program& direct, std::size_t rows, const MachineFacts& machine,
                               const Budget& budget, const Program* start = nullptr);

}  // namespace xorloom
