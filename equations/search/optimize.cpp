#include "equations/search/optimize.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/ir/stop_check.hpp"
#include "equations/passes/pass_table.hpp"
#include "equations/search/gate_pool.hpp"
#include "equations/search/initial_circuits.hpp"
#include "equations/search/plateau_walk.hpp"
#include "equations/search/restart_race.hpp"

namespace xorloom {
namespace {

/// Work of a search of normal effort: moves times nodes that a move looks at, about a second. A
/// circuit of n · kUsualXors XORs gets 1/n of it, since the start takes longer.
constexpr std::uint64_t kNormalLooks = 1'600'000'000;
constexpr std::size_t kUsualXors = 1000;

/// A quick search makes this many turns, on the circuit and its transposed alternately. Each looks
/// at kQuickLooks nodes and makes kQuickMovesOfXor moves per XOR at most: 2 ms.
constexpr int kQuickTurns = 4;
constexpr std::uint64_t kQuickLooks = 3'000'000;
constexpr std::uint64_t kQuickMovesOfXor = 500;

/// The nodes that a move of a walk looks at.
std::uint64_t looks_of_move(const Circuit& circuit) {
  return std::clamp<std::uint64_t>(circuit.num_values(), 1, ZeroSums::kMostLooks);
}

/// One walk from the greedy circuit, half of it on the transposed circuit, which has other moves
/// that cost nothing.
Circuit quick_circuit(const Program& program, const Search& search) {
  Circuit best = greedy_circuit(program);
  Circuit current = best;
  Random random(search.seed);
  const std::uint64_t moves =
      std::min(kQuickLooks / looks_of_move(best), kQuickMovesOfXor * best.xors());
  for (int turn = 0; turn < kQuickTurns; ++turn) {
    if (search.is_over()) break;
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

/// Moves per depth in the first round of front_of_depth: kFrontMoves if time ends the search, else
/// search.steps / kPartsOfFront.
constexpr std::uint64_t kFrontMoves = 10'000'000;
constexpr std::uint64_t kPartsOfFront = 16;

/// Moves between two calls of stop_requested: about a millisecond.
constexpr std::uint64_t kMovesAtOnce = 2'000;

/// Rates of climbs that turns of a walk draw from: 16, 32, … 256.
constexpr std::uint32_t kFewestClimbs = 16;
constexpr std::uint32_t kRatesOfClimbs = 5;

/// The rates with a bounded depth: of climbs 64, 128, 256 or 512; of exchanges and of detours
/// kExchanges each.
constexpr std::uint32_t kFewestShallowClimbs = 64;
constexpr std::uint32_t kRatesOfShallowClimbs = 4;
constexpr std::uint32_t kExchanges = 16384;

/// A walk from one start, on the circuit and on its transposed in turns; see PlateauWalk. If the
/// depth is bounded, it stays on the circuit, as the transposed circuit may be deeper.
struct Walker {
  Walker(Circuit start, std::uint64_t seed, std::size_t most_depth)
      : best(std::move(start)), current(best), random(seed), depth(most_depth) {}

  std::size_t xors() const { return best.xors(); }
  std::size_t price() const { return best.xors(); }

  /// Makes `moves` moves; fewer if the best has at most `enough` XORs or stop_requested returns
  /// true.
  void walk(std::uint64_t moves, std::size_t enough, const std::function<bool()>& stop_requested) {
    const auto is_to_stop = [&] { return stop_requested && stop_requested(); };
    PlateauWalk::Options options;
    options.depth = depth;
    options.exchanges = options.detours = depth == 0 ? 0 : kExchanges;
    while (moves != 0 && best.xors() > enough && !is_to_stop()) {
      // Wide circuits gain by long walks, small ones by many turns.
      const std::uint64_t usual = (1000 * std::max<std::uint64_t>(best.xors(), 1))
                                  << (1 + random.below(4));
      const std::uint64_t now = std::min(moves, usual);
      moves -= now;
      // Few climbs serve some matrices best, many serve others.
      options.climbs = depth == 0 ? kFewestClimbs << random.below(kRatesOfClimbs)
                                  : kFewestShallowClimbs << random.below(kRatesOfShallowClimbs);
      const std::uint64_t seed = random();
      PlateauWalk walk(is_transposed ? transposed(current, random) : current, seed, options,
                       stop_requested);
      // The transposed circuit has another number of XORs: it ends once it saves current - enough.
      const std::size_t enough_here =
          is_transposed ? walk.xors() - std::min(walk.xors(), current.xors() - enough) : enough;
      run_in_pieces(walk, now, enough_here, kMovesAtOnce, stop_requested);
      Circuit found = is_transposed ? transposed(walk.best(), random) : walk.best();
      current = is_transposed ? transposed(walk.circuit(), random) : walk.circuit();
      if (found.xors() < best.xors()) best = std::move(found);
      if (current.xors() > best.xors() + options.slack) current = best;
      is_transposed = depth == 0 && !is_transposed;
    }
  }

  Circuit best;
  Circuit current;
  Random random;
  std::size_t depth;  ///< at most; 0: any
  bool is_transposed = false;
};

/// Shape: `race` outlives the result.
RestartRace<Walker> walkers_of(const CircuitRace& race) {
  const auto start = [&race](std::uint64_t number) {
    return Walker(race.start(number), seed_of(race.search.seed, number), race.search.depth);
  };
  const auto take = [&race](const Walker& walker) {
    prove(walker.best, race.matrix);
    if (race.search.on_better) race.search.on_better(walker.xors(), race.enough);
    if (race.search.on_circuit) race.search.on_circuit(walker.best);
  };
  return {start, take, race.enough, race.search};
}

/// A short race has kShortWalkers walkers and takes at most 1/kShortPart of all moves.
constexpr std::size_t kShortWalkers = 16;
constexpr std::uint64_t kShortPart = 8;

/// The result of a short race. Settled: a longer race would find no better, or it was stopped.
struct ShortRace {
  Circuit best;
  bool is_settled = false;
};

/// Walks from kShortWalkers starts for at most `moves` moves in all, in rounds, each as long as all
/// before. The race is settled if half of the walkers had the fewest XORs after half of the moves,
/// and now all have them: the starts make no difference. nullopt: `moves` are too few, or
/// `race.enough` was reached.
std::optional<ShortRace> short_race(const CircuitRace& race, std::uint64_t moves) {
  RestartRace<Walker> all = walkers_of(race);
  const Walker first = all.start(0);
  std::uint64_t each = kFirstMoves * std::max<std::size_t>(first.xors(), 1);
  if (first.xors() <= race.enough || 2 * each * kShortWalkers > moves) return std::nullopt;
  all.offer(first);
  std::vector<std::optional<Walker>> walkers(kShortWalkers);
  const auto num_at = [&](std::size_t xors) {
    return static_cast<std::size_t>(std::ranges::count_if(
        walkers, [&](const auto& walker) { return walker && walker->best.xors() == xors; }));
  };
  std::size_t fewest = first.xors();
  std::uint64_t spent = 0;
  for (std::size_t had = 0; spent + each * kShortWalkers <= moves;) {
    run_jobs(race.search, kShortWalkers, [&](std::size_t number) {
      std::optional<Walker>& walker = walkers[number];
      if (!walker) walker.emplace(all.start(number));
      walker->walk(each, race.enough, race.search.stop_requested);
      all.offer(*walker);
    });
    if (spent != 0) each *= 2;
    spent += spent == 0 ? each * kShortWalkers : spent;
    // By number, so that it does not matter which thread was done first.
    const Walker& best = **std::ranges::min_element(
        walkers, {}, [](const auto& walker) { return walker->best.xors(); });
    if (best.best.xors() < fewest) had = 0;
    fewest = best.best.xors();
    const std::size_t have = num_at(fewest);
    const bool is_settled = 2 * had >= kShortWalkers && have == kShortWalkers;
    if (fewest <= race.enough) return std::nullopt;  // the race itself ends there
    if (is_settled || race.search.is_over() || spent + each * kShortWalkers > moves) {
      return ShortRace{best.best, is_settled || race.search.is_over()};
    }
    had = have;
  }
  return std::nullopt;
}

/// Throws kInvalidArgument if no circuit of `matrix` has only `depth` levels; 0: any number.
void check_depth(const BitMatrix& matrix, std::size_t depth) {
  const std::size_t least = least_depth(matrix);
  if (depth == 0 || depth >= least) return;
  fail(Status::kInvalidArgument,
       "depth = {} is less than the {} levels that an output of {} inputs needs", depth, least,
       most_ones(matrix));
}

/// Moves of a search of normal effort that begins with `first`.
std::uint64_t usual_moves(const Circuit& first) {
  const std::uint64_t size = std::max<std::size_t>(1, first.xors() / kUsualXors);
  // If looking at all values once takes as long as all moves may, a walk gains nothing.
  const std::uint64_t looks = looks_of_move(first);
  return first.num_values() > kNormalLooks / looks ? 0 : kNormalLooks / (looks * size);
}

/// The first circuit of a bounded depth and, if `is_quick`, a walk of some milliseconds from there.
Circuit quick_shallow_circuit(const Program& program, const CircuitRace& race, bool is_quick) {
  const Search& search = race.search;
  Circuit start =
      shallow_circuit(program, race.matrix, search.depth, nullptr, search.stop_requested);
  if (!is_quick) return start;
  const std::uint64_t moves =
      kQuickTurns * std::min(kQuickLooks / looks_of_move(start), kQuickMovesOfXor * start.xors());
  Walker walker(std::move(start), search.seed, search.depth);
  walker.walk(moves, race.enough, search.stop_requested);
  return walker.best;
}

/// The program of a circuit after finishing_passes().
Program finished(const Circuit& circuit, const Program& layout, const BitMatrix& matrix) {
  Program result = program_of(circuit, layout);
  for (const Pass& pass : finishing_passes()) result = proved_pass(pass, result, matrix);
  return result;
}

}  // namespace

void check_search(const Search& search) {
  if (search.effort == Effort::kMax && search.steps == 0 && !search.stop_requested) {
    fail(Status::kInvalidArgument, "a search of effort max needs a number of steps or an end");
  }
}

Circuit search_circuit(const Program& program, const BitMatrix& matrix, const Search& search) {
  check_search(search);
  check_depth(matrix, search.depth);
  CircuitRace race{matrix, {}, lower_bound(matrix), search};
  if (search.effort == Effort::kFast || search.effort == Effort::kQuick ||
      search.effort == Effort::kAuto) {
    const bool is_quick = search.effort == Effort::kQuick;
    Circuit circuit = search.depth != 0 ? quick_shallow_circuit(program, race, is_quick)
                      : is_quick        ? quick_circuit(program, search)
                                        : greedy_circuit(program, search.stop_requested);
    prove(circuit, matrix);
    return circuit;
  }
  std::optional<InitialCircuits> circuits;
  if (search.depth == 0) circuits.emplace(program, matrix, search.seed, search.stop_requested);
  Circuit first =
      circuits ? circuits->first()
               : shallow_circuit(program, matrix, search.depth, nullptr, search.stop_requested);
  race.start = [&](std::uint64_t number) {
    if (number == 0 && search.start &&
        (search.depth == 0 || depth(*search.start) <= search.depth)) {
      return *search.start;
    }
    if (circuits) return (*circuits)(number);
    if (number == 0) return first;
    Random random(seed_of(search.seed, number));
    return shallow_circuit(program, matrix, search.depth, &random, search.stop_requested);
  };
  if (search.effort == Effort::kMax && search.steps == 0) return run_until_stopped(race);
  if (search.effort != Effort::kNormal) return run_moves(race, search.steps);
  const std::uint64_t usual = usual_moves(first);
  const std::optional<ShortRace> settled = short_race(race, usual / kShortPart);
  if (settled && settled->is_settled) return settled->best;
  Circuit found = run_moves(race, usual);
  return settled && settled->best.xors() < found.xors() ? settled->best : found;
}

Program optimize(const Program& program, const Search& search) {
  if (!program.is_xor()) {
    if (search.depth != 0) require_xors(program, "a bounded depth");
    const Matrix matrix = coefficients_of(program);
    Program result = program;
    for (const Pass& pass : symbol_passes()) result = proved_pass(pass, result, matrix);
    return result;
  }
  const BitMatrix matrix = evaluate_symbolically(program);
  return finished(search_circuit(program, matrix, search), program, matrix);
}

std::vector<Program> front_of_depth(const Program& program, const Search& search) {
  require_xors(program, "a front of depth");
  check_search(search);
  const BitMatrix matrix = evaluate_symbolically(program);
  check_depth(matrix, search.depth);
  const bool is_max = search.effort == Effort::kMax;
  std::map<std::size_t, Circuit> best;  // by depth
  const auto offer = [&](Circuit circuit) {
    const std::size_t levels = depth(circuit);
    const auto known = best.find(levels);
    if (known == best.end() || circuit.xors() < known->second.xors()) {
      best.insert_or_assign(levels, std::move(circuit));
    }
  };
  const auto search_within = [&](std::size_t most_depth, std::uint64_t steps) {
    Search own = search;
    own.depth = most_depth;
    own.steps = steps;
    own.on_moves = nullptr;
    for (const auto& [levels, circuit] : best) {  // the best that is no deeper
      const bool fits = most_depth == 0 || levels <= most_depth;
      if (fits && (!own.start || circuit.xors() < own.start->xors())) own.start = circuit;
    }
    // With a bounded depth, a search of normal effort does not notice that nothing is left to find.
    if (search.effort == Effort::kNormal && !best.empty()) {
      own.effort = Effort::kMax;
      own.steps = std::max<std::uint64_t>(1, usual_moves(best.begin()->second) / kShortPart);
    }
    offer(search_circuit(program, matrix, own));
  };
  std::uint64_t left = search.steps;
  std::uint64_t steps = is_max && left == 0 ? kFrontMoves : left / kPartsOfFront;
  // Rounds until moves or time are spent. If time ends the search, each makes twice the moves.
  for (bool is_first = true; is_first || (is_max && !search.is_over()); is_first = false) {
    const std::uint64_t moves = std::max<std::uint64_t>(steps, is_max ? 1 : 0);
    search_within(search.depth, moves);
    std::uint64_t spent = steps;
    const std::size_t deepest = std::ranges::min_element(best, {}, [](const auto& point) {
                                  return point.second.xors();
                                })->first;
    for (std::size_t levels = std::max<std::size_t>(1, least_depth(matrix));
         levels < deepest && !search.is_over(); ++levels) {
      search_within(levels, moves);
      spent += steps;
    }
    if (search.steps == 0) {
      steps *= 2;
    } else if (spent == 0 || spent > left || left - spent < spent) {
      break;
    } else {
      left -= spent;
    }
  }
  std::vector<Program> front;
  std::size_t fewest = static_cast<std::size_t>(-1);
  for (const auto& [depth_of_gates, circuit] : best) {
    if (circuit.xors() >= fewest) continue;
    fewest = circuit.xors();
    Program next = finished(circuit, program, matrix);
    // A sum that was written into its reader may take fewer levels than as a gate.
    const std::size_t levels = cost(next).critical_path;
    while (!front.empty() && cost(front.back()).critical_path >= levels) front.pop_back();
    front.push_back(std::move(next));
  }
  return front;
}

Program finished_program(const Circuit& circuit, const Program& program) {
  return finished(circuit, program, evaluate_symbolically(program));
}

Circuit run_moves(const CircuitRace& race, std::uint64_t moves) {
  RestartRace<Walker> walkers = walkers_of(race);
  return run_moves(walkers, moves).best;
}

Circuit run_until_stopped(const CircuitRace& race) {
  RestartRace<Walker> walkers = walkers_of(race);
  return run_until_stopped(walkers);
}

}  // namespace xorloom
