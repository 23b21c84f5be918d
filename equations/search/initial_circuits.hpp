#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// The circuit of a narrow matrix by the heuristic of Boyar and Peralta. Of all sums of two values,
/// the heuristic next computes the one that brings the rows nearest. The distance of a row is the
/// fewest values that add up to it, values that cancel included. Ties go to the largest Euclidean
/// norm, then to a random sum. A row that is the sum of two values is computed at once. The circuit
/// never takes more XORs than the separate rows.
///
/// The fewest values are known exactly, from a table of all sums of columns.
///
/// Answer: none if the matrix has more than kMostNarrowColumns columns or kMostNarrowRows rows.
/// Cost:   O(2^columns + XORs² · rows) per XOR.
/// Source: J. Boyar, P. Matthews, R. Peralta, Logic minimization techniques with applications to
///         cryptology, Journal of Cryptology 26, 2013.
std::optional<Circuit> boyar_peralta(const BitMatrix& matrix, Random& random);

inline constexpr std::size_t kMostNarrowColumns = 16;
inline constexpr std::size_t kMostNarrowRows = 128;

/// Whether there is time to compare every two rows: half a second or so at most.
bool can_compare_rows(std::size_t rows, std::size_t columns);

/// The circuit of a program where there is time for one: the common pairs (share_pairs) of the
/// program as it is, or by differences of rows (row_differences), or in two stages (factor_rows),
/// if that saves a tenth of the XORs before any are shared. Once stop_requested, if given, returns
/// true, it shares no more.
Circuit greedy_circuit(const Program& program, const std::function<bool()>& stop_requested = {});

/// A circuit of a matrix with at most `depth` levels of XORs: greedy_circuit of `program`, if it is
/// no deeper and `random` is null, or the common pairs of the rows that leave room for the others,
/// whichever has fewer XORs.
///
/// Shape: matrix is what evaluate_symbolically says of the program; depth >= least_depth(matrix).
Circuit shallow_circuit(const Program& program, const BitMatrix& matrix, std::size_t depth,
                        Random* random, const std::function<bool()>& stop_requested = {});

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
