#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// Whether there is time to compare every two rows: half a second or so at most.
bool can_compare_rows(std::size_t rows, std::size_t columns);

/// The circuit of a program where there is time for one: the common pairs (share_pairs) of the
/// program as it is, or by differences of rows (row_differences), or in two stages (factor_rows),
/// if that saves a tenth of the XORs before any are shared. Once stop_requested, if given, returns
/// true, it shares no more.
Circuit greedy_circuit(const Program& program, const std::function<bool()>& stop_requested = {});

/// The circuits that searches begin with, by number: first greedy_circuit, or that of repeated
/// blocks if it has fewer XORs; then random ones of every kind that the matrix allows, of its rows
/// and of its columns, in turn.
class InitialCircuits {
 public:
  /// Shape: matrix is what evaluate_symbolically says of the program. Once stop_requested, if
  /// given, returns true, circuits share what they share so far.
  InitialCircuits(const Program& program, const BitMatrix& matrix, std::uint64_t seed,
                  std::function<bool()> stop_requested = {});

  const Circuit& first() const { return first_; }

  /// The same for the same number and seed; others differ where the matrix leaves a choice. For a
  /// very large matrix it is always the first.
  Circuit operator()(std::uint64_t number) const;

 private:
  Circuit first_;
  std::uint64_t seed_;
  std::function<bool()> stop_requested_;
  std::vector<std::function<Circuit(Random&, const std::function<bool()>&)>> kinds_;
};

}  // namespace xorloom
