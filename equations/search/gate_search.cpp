#include "equations/search/gate_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/annealing_rule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/search/wide_sums.hpp"

namespace xorloom {
namespace {

/// What a search of normal effort looks at, in words of sets: a second or so, and no more than many
/// moves. Where it is less than a few moves it makes none.
constexpr std::uint64_t kNormalGateLooks = 1'500'000'000;
constexpr std::uint64_t kFewMoves = 100;
constexpr std::uint64_t kManyMoves = 4000;

/// The mean rise of the price at which a move still stays: as a walk begins, and as it ends.
constexpr std::uint64_t kHot = annealing_units(4.05);
constexpr std::uint64_t kCold = annealing_units(0.05);

/// Moves from the best sums on, at a heat that falls. Whether it came to its end.
bool walk(WideSums& best, std::uint64_t moves, const GateSearch& search, Random& random) {
  WideSums current = best;
  WideSums next = best;
  long price = current.price();
  long lowest = price;
  for (std::uint64_t i = 0; i < moves; ++i) {
    if (search.stop_requested && search.stop_requested()) return false;
    next = current;
    next.move(random, search.stop_requested);
    const long found = next.price();
    if (!stays(found - price, linear_temperature(kHot, kCold, i, moves), random())) continue;
    std::swap(current, next);
    price = found;
    if (price >= lowest) continue;
    lowest = price;
    best = current;
  }
  return true;
}

void check_room(std::size_t inputs, std::size_t outputs, std::size_t temporaries) {
  const std::uint64_t bits = WideSums::bits_of(inputs, outputs, temporaries);
  if (bits <= kMostGateSearchBits) return;
  fail(
      Status::kUnsupported,
      fmt::format("{} outputs, {} temporaries and {} inputs take {} bits, and {} holds at most {}; "
                  "leave out outputs that are zero, inputs or alike, or search for few XORs",
                  outputs, temporaries, inputs, bits, kSearchForFewGates, kMostGateSearchBits));
}

}  // namespace

void check_gate_search(const Program& program) {
  check_room(program.inputs.size(), program.outputs.size(), 0);
}

Program search_gates(const Program& program, const GateSearch& search) {
  require_xors(program, kSearchForFewGates);
  if (const std::size_t size = xors(program); size > kMostGateSearchXors) {
    fail(Status::kUnsupported, fmt::format("the equations have {} XORs, and {} takes at most {}",
                                           size, kSearchForFewGates, kMostGateSearchXors));
  }
  check_gate_search(program);
  const Program fused = fuse_wide(program, search.inputs);
  check_room(fused.inputs.size(), fused.outputs.size(), cost(fused).temporaries);
  WideSums best(fused, search.inputs, search.depth);
  Random random(search.seed);
  const std::uint64_t usual = std::min(kManyMoves, kNormalGateLooks / best.looks_of_move());
  std::uint64_t left = search.is_endless   ? std::numeric_limits<std::uint64_t>::max()
                       : search.moves != 0 ? search.moves
                                           : usual;
  // Each round cools down, and takes twice as long as the one before.
  std::uint64_t round = std::max(usual, kFewMoves);
  if (search.depth != 0 && left >= kFewMoves) {
    // Few levels are nearer to sums that share nothing.
    WideSums flat(written_out(program), search.inputs, search.depth);
    round = std::min(left, round);
    walk(flat, round, search, random);
    left -= std::min(left, round);
    if (flat.price() < best.price()) best = flat;
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
