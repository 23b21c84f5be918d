#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

struct Search {
  /// kFast    (and kAuto) one greedy circuit: a fraction of a millisecond for a stripe's bitmatrix
  /// kQuick   one walk from there: some 10 ms
  /// kNormal  a fixed number of moves, which take a second or two on one core
  /// kMax     until the time or the moves given are spent
  Effort effort = Effort::kNormal;
  std::uint64_t seed = 1;
  std::uint64_t steps = 0;  ///< kMax: moves in all, or 0 to go on until stop_requested says so
  /// A circuit of the same matrix that the first walk begins with, and that none but a better one
  /// replaces. kFast makes nothing of it.
  std::optional<Circuit> start{};
  std::size_t threads = 1;  ///< kMax: jobs that parallel may run at once

  /// Runs jobs 0 … n-1, in any order or at once. Default: one after the other. With steps
  /// the result is the same whatever it does.
  std::function<void(std::size_t n, const std::function<void(std::size_t)>& job)> parallel{};

  /// Any thread calls it about once per millisecond. Once it is true, the search returns its
  /// best result.
  std::function<bool()> stop_requested{};

  /// Told the XORs of each better circuit, and the lower bound, by one thread at a time.
  std::function<void(std::size_t xors, std::size_t bound)> on_better{};
};

/// Throws kInvalidArgument where kMax is given neither steps nor an end.
void check_search(const Search& search);

/// A circuit of few XORs for what a program computes, proved equal to it after every pass.
///
/// Shape:  matrix is what evaluate_symbolically says of the program.
/// Errors: as check_search.
/// Cost:   kFast as greedy_circuit of equations/search/initial_circuits.hpp; kNormal about 2 s on
///         one core, more where share_pairs needs it.
Circuit search_circuit(const Program& program, const BitMatrix& matrix, const Search& search);

/// A program of few XORs: search_circuit's, with what is used once written into its user. Over a
/// larger field than GF(2) there is no search: common pairs of terms are shared.
Program optimize(const Program& program, const Search& search = {});

}  // namespace xorloom
