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
  /// kQuick   one walk from there: some 10 ms
  /// kNormal  a fixed number of moves, which take a second or two on one core; fewer if all of many
  ///          walks come to the same XORs
  /// kMax     until the time or the moves given are spent
  Effort effort = Effort::kNormal;
  std::uint64_t seed = 1;
  std::uint64_t steps = 0;  ///< kMax: moves in all, or 0 to go on until stop_requested says so
  /// A circuit of the same matrix that the first walk begins with, and that none but a better one
  /// replaces. kFast makes nothing of it.
  std::optional<Circuit> start{};
  std::size_t depth = 0;    ///< most levels of two-input XORs; 0: any number
  std::size_t threads = 1;  ///< kMax: jobs that parallel may run at once

  /// Runs jobs 0 … n-1, in any order or at once. Default: one after the other. With steps
  /// the result is the same whatever it does.
  std::function<void(std::size_t n, const std::function<void(std::size_t)>& job)> parallel{};

  /// Any thread calls it about once per millisecond. Once it is true, the search returns its
  /// best result.
  std::function<bool()> stop_requested{};
  bool is_over() const { return stop_requested && stop_requested(); }

  /// Told the XORs of each better circuit, and the lower bound, by one thread at a time.
  std::function<void(std::size_t xors, std::size_t bound)> on_better{};

  /// Given each better circuit, which is proved, after on_better; finished_program writes it out.
  std::function<void(const Circuit& circuit)> on_circuit{};

  /// Told the part of the moves that are made, 0 to 1, by any thread, if their number is known.
  std::function<void(double part)> on_moves{};
};

/// Throws kInvalidArgument where kMax is given neither steps nor an end.
void check_search(const Search& search);

/// A circuit of few XORs for what a program computes, proved equal to it after every pass.
///
/// Shape:  matrix is what evaluate_symbolically says of the program.
/// Errors: as check_search; throws kInvalidArgument if the depth is below least_depth(matrix).
/// Cost:   kFast as greedy_circuit of equations/search/initial_circuits.hpp; kNormal about 2 s on
///         one core, more where share_pairs needs it.
Circuit search_circuit(const Program& program, const BitMatrix& matrix, const Search& search);

/// A program of few XORs: search_circuit's, with what is used once written into its user. Over a
/// larger field than GF(2) there is no search: common pairs of terms are shared.
///
/// Errors: as search_circuit; throws kUnsupported if a depth is given for a larger field.
Program optimize(const Program& program, const Search& search = {});

/// The front between depth and XORs: the least depth first, then programs of more levels and fewer
/// XORs, down to the fewest XORs found. None is deeper than search.depth, unless that is 0. Each
/// depth gets about as many moves as optimize makes; of effort kMax all share what is given.
///
/// Errors: as optimize.
std::vector<Program> front_of_depth(const Program& program, const Search& search = {});

/// The program of a circuit that a search for `program` found, with what is used once written into
/// its user. Proved after every pass.
Program finished_program(const Circuit& circuit, const Program& program);

/// Circuits that race: see RestartRace of equations/search/restart_race.hpp.
struct CircuitRace {
  BitMatrix matrix;
  /// The circuit a walk begins with, by its number: the same for the same number.
  std::function<Circuit(std::uint64_t number)> start;
  std::size_t enough = 0;  ///< XORs that cannot be beaten
  Search search{};         ///< but its effort, steps and start
};

/// Runs that many moves in all. The same moves and seed give the same circuit.
Circuit run_moves(const CircuitRace& race, std::uint64_t moves);

/// Runs until it is told to stop, or has no more XORs than `enough`.
Circuit run_until_stopped(const CircuitRace& race);

}  // namespace xorloom
