#include "equations/search/optimize.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/passes/pass_table.hpp"
#include "equations/search/gate_pool.hpp"
#include "equations/search/initial_circuits.hpp"
#include "equations/search/plateau_walk.hpp"
#include "equations/search/restart_race.hpp"

namespace xorloom {
namespace {

/// What a search of normal effort does, as moves times the nodes that a move looks at: a second or
/// so. Above the usual size it does less, since what comes before the moves takes longer.
constexpr std::uint64_t kNormalLooks = 1'600'000'000;
constexpr std::size_t kUsualXors = 1000;

/// Turns of a quick search, forwards and backwards, and what each does: 2 ms at most.
constexpr int kQuickTurns = 4;
constexpr std::uint64_t kQuickLooks = 3'000'000;
constexpr std::uint64_t kQuickMovesOfXor = 500;

/// The nodes that a move of a walk looks at.
std::uint64_t looks_of_move(const Circuit& circuit) {
  return std::clamp<std::uint64_t>(circuit.num_values(), 1, ZeroSums::kMostLooks);
}

/// One walk from the greedy circuit, half of it on the transposed circuit, where other moves are
/// free.
Circuit quick_circuit(const Program& program, const Search& search) {
  Circuit best = greedy_circuit(program);
  Circuit current = best;
  Random random(search.seed);
  const std::uint64_t moves =
      std::min(kQuickLooks / looks_of_move(best), kQuickMovesOfXor * best.xors());
  for (int turn = 0; turn < kQuickTurns; ++turn) {
    if (search.stop_requested && search.stop_requested()) break;
    const bool is_backwards = turn % 2 != 0;
    const Circuit start = is_backwards ? transposed(current, random) : current;
    PlateauWalk walk(start, random(), {}, search.stop_requested);
    walk.run(moves, 0);
    const auto forwards = [&](Circuit circuit) {
      return is_backwards ? transposed(circuit, random) : std::move(circuit);
    };
    Circuit found = forwards(walk.best());
    current = forwards(walk.circuit());
    if (found.xors() < best.xors()) best = std::move(found);
    if (current.xors() > best.xors()) current = best;
  }
  return best;
}

}  // namespace

void check_search(const Search& search) {
  if (search.effort == Effort::kMax && search.steps == 0 && !search.stop_requested) {
    fail(Status::kInvalidArgument, "a search of effort max needs a number of steps or an end");
  }
}

Circuit search_circuit(const Program& program, const BitMatrix& matrix, const Search& search) {
  check_search(search);
  if (search.effort == Effort::kFast || search.effort == Effort::kQuick ||
      search.effort == Effort::kAuto) {
    Circuit circuit = search.effort == Effort::kQuick
                          ? quick_circuit(program, search)
                          : greedy_circuit(program, search.stop_requested);
    prove(circuit, matrix);
    return circuit;
  }
  const InitialCircuits starts(program, matrix, search.seed, search.stop_requested);
  RestartRace race;
  race.matrix = matrix;
  race.start = [&](std::uint64_t number) {
    return number == 0 && search.start ? *search.start : starts(number);
  };
  race.enough = lower_bound(matrix);
  race.seed = search.seed;
  race.threads = search.threads;
  race.parallel = search.parallel;
  race.stop_requested = search.stop_requested;
  race.on_better = [&](const Circuit& circuit) {
    if (search.on_better) search.on_better(circuit.xors(), race.enough);
  };
  if (search.effort == Effort::kMax && search.steps == 0) return run_until_stopped(race);
  const std::uint64_t size = std::max<std::size_t>(1, starts.first().xors() / kUsualXors);
  // A walk over a circuit that takes as long to look at as all moves may gains nothing.
  const std::uint64_t looks = looks_of_move(starts.first());
  const bool is_too_large = starts.first().num_values() > kNormalLooks / looks;
  const std::uint64_t usual = is_too_large ? 0 : kNormalLooks / (looks * size);
  return run_moves(race, search.effort == Effort::kNormal ? usual : search.steps);
}

Program optimize(const Program& program, const Search& search) {
  if (!program.is_xor()) {
    const Matrix matrix = coefficients_of(program);
    Program result = program;
    for (const Pass& pass : symbol_passes()) result = proved_pass(pass, result, matrix);
    return result;
  }
  const BitMatrix matrix = evaluate_symbolically(program);
  const Circuit circuit = search_circuit(program, matrix, search);
  Program result = program_of(circuit, program);
  for (const Pass& pass : finishing_passes()) result = proved_pass(pass, result, matrix);
  return result;
}

}  // namespace xorloom
