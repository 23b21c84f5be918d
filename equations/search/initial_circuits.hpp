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
/// Answer: nullopt if the matrix has more than kMostNarrowColumns columns or kMostNarrowRows rows.
/// Cost:   O(2^columns + XORs² · rows) per XOR.
/// Source: J. Boyar, P. Matthews, R. Peralta, Logic minimization techniques with applications to
///         cryptology, Journal of Cryptology 26, 2013.
std::optional<Circuit> boyar_peralta(const BitMatrix& matrix, Random& random);

inline constexpr std::size_t kMostNarrowColumns = 16;
inline constexpr std::size_t kMostNarrowRows = 128;

/// True if comparing all pairs of rows takes at most half a second or so.
bool can_compare_rows(std::size_t rows, std::size_t columns);

/// A fast circuit of `program`: shares its common pairs (share_pairs). Before that, the program
/// takes the form of row differences (row_differences) or of two stages (factor_rows) if the form
/// saves a tenth of the XORs. Once stop_requested, if given, returns true, no more pairs are
/// shared.
Circuit greedy_circuit(const Program& program, const std::function<bool()>& stop_requested = {});

/// A circuit of `matrix` with at most `depth` levels of XORs. Shares common pairs of rows as far as
/// the levels allow. If `random` is null, returns greedy_circuit of `program` instead if that is no
/// deeper and has fewer XORs.
///
/// Shape: matrix is evaluate_symbolically(program); depth >= least_depth(matrix).
Circuit shallow_circuit(const Program& program, const BitMatrix& matrix, std::size_t depth,
                        Random* random, const std::function<bool()>& stop_requested = {});

/// The start circuits of searches, by number. Circuit 0 is greedy_circuit, or that of repeated
/// blocks if it has fewer XORs. The others are random ones of each kind that the matrix allows, by
/// its rows and by its columns, in turn.
class InitialCircuits {
 public:
  /// Shape: matrix is evaluate_symbolically(program). Once stop_requested, if given, returns true,
  ///        circuits share no more.
  InitialCircuits(const Program& program, const BitMatrix& matrix, std::uint64_t seed,
                  std::function<bool()> stop_requested = {});

  const Circuit& first() const { return first_; }

  /// Start circuit `number`, determined by number and seed. A very large matrix has only start 0.
  Circuit operator()(std::uint64_t number) const;

 private:
  Circuit first_;
  std::uint64_t seed_;
  std::function<bool()> stop_requested_;
  std::vector<std::function<Circuit(Random&, const std::function<bool()>&)>> kinds_;
};

}  // namespace xorloom
