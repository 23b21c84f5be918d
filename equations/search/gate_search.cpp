#include "equations/search/gate_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/annealing_rule.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/ir/stop_check.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/search/wide_sums.hpp"

namespace xorloom {
namespace {

/// Words of sets that a search of normal effort reads, about a second's work. It makes at most
/// kManyMoves moves, and none if the words last for fewer than kFewMoves.
constexpr std::uint64_t kNormalGateLooks = 1'500'000'000;
constexpr std::uint64_t kFewMoves = 100;
constexpr std::uint64_t kManyMoves = 4000;

/// Temperatures at the beginning and at the end of a walk; 1 is the price of an operand.
constexpr std::uint64_t kHot = annealing_units(4.05);
constexpr std::uint64_t kCold = annealing_units(0.05);

/// Words read between two calls of stop_requested: about a millisecond.
constexpr std::uint64_t kLooksAtOnce = std::uint64_t{1} << 20;

/// Simulated annealing from `best` on, which better sums replace. False if it was stopped.
bool walk(WideSums& best, std::uint64_t moves, const GateSearch& search, Random& random) {
  WideSums current = best;
  WideSums next = best;
  long price = current.score().price;
  WideSums::Score lowest = best.score();
  const auto finer = static_cast<std::uint64_t>(best.finer());
  StopCheck stop(search.stop_requested, kLooksAtOnce);
  for (std::uint64_t i = 0; i < moves; ++i) {
    if (stop.after(kLooksAtOnce)) return false;
    next = current;
    next.move(random, stop);
    const WideSums::Score found = next.score();
    if (!stays(found.price - price, finer * linear_temperature(kHot, kCold, i, moves), random()))
      continue;
    std::swap(current, next);
    price = found.price;
    if (!found.is_better_than(lowest)) continue;
    lowest = found;
    best = current;
  }
  return true;
}

void check_room(std::size_t inputs, std::size_t outputs, std::size_t temporaries) {
  const std::uint64_t bits = WideSums::bits_of(inputs, outputs, temporaries);
  if (bits <= kMostGateSearchBits) return;
  fail(Status::kUnsupported,
       "{} outputs, {} temporaries and {} inputs take {} bits, and {} holds at most {}; leave out "
       "outputs that are zero, inputs or alike, or search for few XORs",
       outputs, temporaries, inputs, bits, kSearchForFewGates, kMostGateSearchBits);
}

GatePrices prices_of(const GateSearch& search) {
  return search.prices ? *search.prices : GatePrices::uniform(search.inputs);
}

/// The start of the lowest rank among `program`, `search.known` and (with a depth) the direct
/// equations, each fused for gates of every width.
Program best_start(const Program& program, const GateSearch& search) {
  const GatePrices prices = prices_of(search);
  std::vector<Program> starts{program};
  starts.insert(starts.end(), search.known.begin(), search.known.end());
  if (search.depth != 0) starts.push_back(written_out(program));
  std::optional<std::pair<GateRank, Program>> best;
  for (const Program& start : starts) {
    for (std::size_t inputs = 2; inputs <= prices.most_inputs(); ++inputs) {
      // Of gates of one price, only the widest is of use.
      const bool is_wider =
          inputs < prices.most_inputs() && prices.of_gate(inputs) == prices.of_gate(inputs + 1);
      if (is_wider) continue;
      Program fused = fuse_wide(start, inputs);
      const GateRank rank = gate_rank(fused, prices, search.depth);
      if (!best || rank < best->first) best = {rank, std::move(fused)};
    }
  }
  return std::move(best->second);
}

}  // namespace

void check_gate_search(const Program& program, const GateSearch& search) {
  check_room(program.inputs.size(), program.outputs.size(), 0);
  if (search.depth == 0) return;
  const std::size_t inputs = prices_of(search).most_inputs();
  const std::size_t ones = most_ones(evaluate_symbolically(program));
  std::size_t least = 0;
  for (std::size_t reached = 1; reached < ones; reached *= inputs) ++least;
  if (search.depth >= least) return;
  fail(Status::kInvalidArgument,
       "levels = {} is less than the {} levels that an output of {} inputs needs with gates of {} "
       "inputs",
       search.depth, least, ones, inputs);
}

Program search_gates(const Program& program, const GateSearch& search) {
  require_xors(program, kSearchForFewGates);
  if (const std::size_t size = xors(program); size > kMostGateSearchXors) {
    fail(Status::kUnsupported, "the equations have {} XORs, and {} takes at most {}", size,
         kSearchForFewGates, kMostGateSearchXors);
  }
  check_gate_search(program, search);
  const GatePrices prices = prices_of(search);
  const Program start = best_start(program, search);
  check_room(start.inputs.size(), start.outputs.size(), cost(start).temporaries);
  WideSums best(start, prices, search.depth);
  Random random(search.seed);
  const std::uint64_t usual = std::min(kManyMoves, kNormalGateLooks / best.looks_of_move());
  std::uint64_t left = search.is_endless   ? std::numeric_limits<std::uint64_t>::max()
                       : search.moves != 0 ? search.moves
                                           : usual;
  // Each round cools down once, and makes twice the moves of the round before.
  std::uint64_t round = std::max(usual, kFewMoves);
  if (search.depth != 0 && left >= kFewMoves) {
    // Sums that share nothing are nearer to circuits of few levels.
    WideSums flat(written_out(program), prices, search.depth);
    round = std::min(left, round);
    walk(flat, round, search, random);
    left -= std::min(left, round);
    if (flat.score().is_better_than(best.score())) best = flat;
  }
  bool is_over = false;
  while (left >= kFewMoves && !is_over) {
    round = left / 2 < round ? left : round;
    is_over = !walk(best, round, search, random);
    left -= round;
    round *= 2;
  }
  Program result = best.program(program);
  prove(result, program);
  return result;
}

}  // namespace xorloom
