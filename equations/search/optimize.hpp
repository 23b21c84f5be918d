#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

struct Search {
  /// kFast    (and kAuto) one greedy circuit: a fraction of a millisecond for a stripe's bitmatrix
  /// kQuick   one walk from the greedy circuit: some 10 ms
  /// kNormal  a fixed number of moves, which take a second or two on one core; fewer if many walks
  ///          all end at the same number of XORs
  /// kMax     until stop_requested, or `steps` moves are made
  Effort effort = Effort::kNormal;
  std::uint64_t seed = 1;
  std::uint64_t steps = 0;  ///< kMax: moves in all; 0: go on until stop_requested
  /// Start of the first walk: a circuit of the same matrix, which only a better one replaces.
  /// kFast, kAuto and kQuick do not use it.
  std::optional<Circuit> start{};
  std::size_t depth = 0;    ///< most levels of two-input XORs; 0: any number
  std::size_t threads = 1;  ///< kMax: jobs that `parallel` may run at once

  /// Runs jobs 0 … n-1, in any order or at once. Default: one after the other. If `steps` is set,
  /// the result does not depend on it.
  std::function<void(std::size_t n, const std::function<void(std::size_t)>& job)> parallel{};

  /// Called about once per millisecond, by any thread. Once it returns true, the search returns its
  /// best result.
  std::function<bool()> stop_requested{};
  bool is_over() const { return stop_requested && stop_requested(); }

  /// Called with the XORs of each better circuit and the lower bound, by one thread at a time.
  std::function<void(std::size_t xors, std::size_t bound)> on_better{};

  /// Called after on_better with each better circuit, proved; finished_program makes a program of
  /// it.
  std::function<void(const Circuit& circuit)> on_circuit{};

  /// Called with the part of the moves made, 0 to 1, by any thread, if their number is known.
  std::function<void(double part)> on_moves{};
};

/// Throws kInvalidArgument if the effort is kMax and neither `steps` nor `stop_requested` is set.
void check_search(const Search& search);

/// Returns a circuit of few XORs that computes what `program` does, proved after every pass.
///
/// Shape:  matrix is evaluate_symbolically(program).
/// Errors: as check_search; throws kInvalidArgument if the depth is below least_depth(matrix).
/// Cost:   kFast as greedy_circuit of equations/search/initial_circuits.hpp; kNormal about 2 s on
///         one core, more if share_pairs needs it.
Circuit search_circuit(const Program& program, const BitMatrix& matrix, const Search& search);

/// Returns the program of search_circuit's result, with each sum that is read once written into its
/// reader. Over a field larger than GF(2) there is no search: common pairs of terms are shared.
///
/// Errors: as search_circuit; throws kUnsupported if a depth is given for a larger field.
Program optimize(const Program& program, const Search& search = {});

/// Returns the Pareto front of depth and XORs: the program of the least depth first, then programs
/// of more levels and fewer XORs. None is deeper than search.depth (0: any). Each depth gets about
/// as many moves as optimize makes; with kMax, all depths share search.steps or the time.
///
/// Errors: as optimize.
std::vector<Program> front_of_depth(const Program& program, const Search& search = {});

/// Returns the program of a circuit that a search for `program` found, with each sum that is read
/// once written into its reader. Proved after every pass.
Program finished_program(const Circuit& circuit, const Program& program);

/// A race of circuits: see RestartRace of equations/search/restart_race.hpp.
struct CircuitRace {
  BitMatrix matrix;
  /// Start circuit of walk `number`, determined by it.
  std::function<Circuit(std::uint64_t number)> start;
  std::size_t enough = 0;  ///< XORs that cannot be beaten
  Search search{};         ///< effort, steps and start are not used
};

/// Makes `moves` moves in all. The result is determined by moves and seed.
Circuit run_moves(const CircuitRace& race, std::uint64_t moves);

/// Runs until stop_requested, or until a circuit has at most `enough` XORs.
Circuit run_until_stopped(const CircuitRace& race);

}  // namespace xorloom
