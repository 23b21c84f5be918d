#include "equations/search/in_place_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/random.hpp"
#include "equations/ir/stop_check.hpp"
#include "equations/search/in_place_elimination.hpp"
#include "equations/search/in_place_walk.hpp"
#include "equations/search/restart_race.hpp"

namespace xorloom {
namespace {

/// Work of a search of normal effort: moves times (lines + wires). It takes a second or two.
constexpr std::uint64_t kNormalLinesOfMoves = 400'000'000;

/// Most moves of normal effort per pair of lines. A small circuit has few pairs, so more moves do
/// not help.
constexpr std::uint64_t kNormalMovesOfPair = 20'000;

/// Most rows for greedy elimination. Each step compares all pairs of rows, in all a second at this
/// size.
constexpr std::size_t kMostGreedyRows = 128;

/// Moves of a turn on the circuit or its transposed, and moves between two calls of stop_requested.
constexpr std::uint64_t kMovesOfTurn = 20'000;
constexpr std::uint64_t kMovesBetweenQuestions = 1'000;

/// Price of a level too many, in XORs: more than a level can save.
constexpr std::size_t kPriceOfLevel = 1'000'000;

std::size_t price_of(const InPlaceCircuit& circuit, std::size_t most_depth) {
  const std::size_t levels = most_depth == 0 ? 0 : depth(circuit);
  return circuit.xors() + kPriceOfLevel * (std::max(levels, most_depth) - most_depth);
}

/// A walk from one start, on the circuit and on its transposed in turns.
struct InPlaceWalker {
  InPlaceWalker(InPlaceCircuit start, std::uint64_t seed, std::size_t most_depth)
      : best(std::move(start)), current(best), random(seed), levels(most_depth) {}

  std::size_t xors() const { return best.xors(); }
  std::size_t price() const { return price_of(best, levels); }

  /// Makes `moves` moves; fewer if the price falls to `enough` or stop_requested returns true.
  void walk(std::uint64_t moves, std::size_t enough, const std::function<bool()>& stop_requested) {
    InPlaceWalk::Options options;
    options.depth = levels;
    while (moves != 0 && price() > enough && !(stop_requested && stop_requested())) {
      const std::uint64_t now = std::min(moves, kMovesOfTurn);
      moves -= now;
      // Levels past options.level count as lines. If it is high, too few levels count to be
      // reduced; if it is low, they cost lines.
      const auto half = static_cast<std::uint32_t>(levels / 2);
      if (levels != 0) options.level = half + random.below(half + 1);
      const auto forwards = [&](const InPlaceCircuit& circuit) {
        return is_transposed ? transposed(circuit) : circuit;
      };
      InPlaceWalk turn(forwards(current), random(), options);
      run_in_pieces(turn, now, enough, kMovesBetweenQuestions, stop_requested);
      InPlaceCircuit found = forwards(turn.best());
      current = forwards(turn.circuit());
      if (price_of(found, levels) < price()) best = std::move(found);
      if (levels == 0 && current.xors() > best.xors() + options.slack) current = best;
      is_transposed = !is_transposed;
    }
  }

  InPlaceCircuit best;
  InPlaceCircuit current;
  Random random;
  std::size_t levels;  ///< at most; 0: any number
  bool is_transposed = false;
};

/// The circuit of Gaussian elimination, by rows alone. Shape: the matrix is invertible.
InPlaceCircuit gauss_in_place(BitMatrix matrix) {
  InPlaceCircuit circuit = identity_in_place(matrix.rows());
  std::vector<bool> is_pivot(matrix.rows(), false);
  using Wire = InPlaceCircuit::Wire;
  for (std::size_t column = 0; column < matrix.columns(); ++column) {
    std::size_t pivot = 0;
    while (is_pivot[pivot] || !matrix(pivot, column)) ++pivot;
    is_pivot[pivot] = true;
    circuit.outputs[pivot] = static_cast<Wire>(column);
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
      if (row == pivot || !matrix(row, column)) continue;
      matrix.add_row(row, matrix.row(pivot));
      circuit.lines.push_back({static_cast<Wire>(row), static_cast<Wire>(pivot)});
    }
  }
  // The circuit runs the elimination backwards: from a permutation to the matrix.
  std::ranges::reverse(circuit.lines);
  for (auto& [to, from] : circuit.lines) {
    to = circuit.outputs[to];
    from = circuit.outputs[from];
  }
  return circuit;
}

/// A random start of a walk. A one of a denser inverse counts less.
InPlaceCircuit start_of(const BitMatrix& matrix, const BitMatrix& inverse, Random random,
                        bool is_shallow) {
  std::optional<InPlaceCircuit> circuit;
  if (matrix.rows() <= kMostGreedyRows) {
    const std::size_t most =
        kWeightOfMatrix * matrix.weight() / std::max<std::size_t>(1, inverse.weight());
    const auto bound = static_cast<std::uint32_t>(std::max<std::size_t>(most, 1));
    circuit = eliminate_in_place(matrix, random, 1 + random.below(bound), is_shallow);
  }
  return circuit ? *std::move(circuit) : gauss_in_place(matrix);
}

/// The inverse of a matrix. Throws kInvalidArgument if there is no circuit in place.
BitMatrix checked_inverse(const BitMatrix& matrix) {
  const auto refuse = [&](const std::string& why) {
    fail(Status::kInvalidArgument,
         "a circuit in place {}: leave out option in_place, and the equations get temporaries",
         why);
  };
  const std::size_t rows = matrix.rows();
  if (rows != matrix.columns()) {
    refuse(fmt::format("needs a square matrix, and this one is {} x {}", rows, matrix.columns()));
  }
  if (rows > kMostWires) {
    refuse(fmt::format("has at most {} rows, and this matrix has {}", kMostWires, rows));
  }
  std::optional<BitMatrix> inverted = inverse(matrix);
  if (!inverted) {
    refuse(fmt::format("needs an invertible matrix, and the rank of this {} x {} matrix is {}",
                       rows, rows, rank(matrix)));
  }
  return *std::move(inverted);
}

/// Throws kInvalidArgument if `levels` is below a lower bound. After l levels a wire depends on at
/// most 2^l inputs, and an input reaches at most 2^l wires. That holds for the inverse, too.
void check_levels(const BitMatrix& matrix, const BitMatrix& inverse, std::size_t levels) {
  std::size_t least = 0;
  for (const BitMatrix& each : {matrix, inverse, transposed(matrix), transposed(inverse)}) {
    least = std::max(least, least_depth(each));
  }
  if (levels == 0 || levels >= least) return;
  fail(Status::kInvalidArgument,
       "depth = {} is less than the {} levels that a circuit in place needs at least, as its "
       "heaviest row or column, or that of its inverse, shows",
       levels, least);
}

/// A circuit of few XORs of a matrix that is no denser than its inverse.
InPlaceCircuit search_sparse(const BitMatrix& matrix, const BitMatrix& inverse,
                             const Search& search) {
  const std::size_t enough = lower_bound_in_place(matrix, inverse);
  const auto start = [&](std::uint64_t number) {
    const std::uint64_t seed = seed_of(search.seed, number);
    return InPlaceWalker(start_of(matrix, inverse, Random(seed), search.depth != 0), seed,
                         search.depth);
  };
  const auto take = [&](const InPlaceWalker& walker) {
    prove(walker.best, matrix);
    const bool is_shallow = walker.price() == walker.xors();
    if (is_shallow && search.on_better) search.on_better(walker.xors(), enough);
  };
  RestartRace<InPlaceWalker> race(start, take, enough, search);
  if (search.effort == Effort::kMax && search.steps == 0) return run_until_stopped(race);
  if (search.effort == Effort::kMax) return run_moves(race, search.steps).best;
  const InPlaceWalker first = race.start(0);
  const bool is_fast = search.effort != Effort::kNormal && search.depth == 0;
  if (is_fast) return first.best;
  const std::uint64_t lines = first.xors() + 1;
  const std::uint64_t moves =
      std::min(kNormalLinesOfMoves / (lines + matrix.rows()), kNormalMovesOfPair * lines * lines);
  return run_moves(race, moves).best;
}

}  // namespace

std::size_t lower_bound_in_place(const BitMatrix& matrix, const BitMatrix& inverse) {
  return std::max(lower_bound(matrix), lower_bound(inverse));
}

InPlaceCircuit search_in_place(const BitMatrix& matrix, const Search& search) {
  check_search(search);
  const BitMatrix inverse = checked_inverse(matrix);
  check_levels(matrix, inverse, search.depth);
  if (matrix.rows() == 0) return identity_in_place(0);
  const bool is_sparser = matrix.weight() <= inverse.weight();
  InPlaceCircuit circuit = is_sparser ? search_sparse(matrix, inverse, search)
                                      : inverted(search_sparse(inverse, matrix, search));
  prove(circuit, matrix);
  if (search.depth != 0 && depth(circuit) > search.depth) {
    fail(Status::kUnsupported,
         "no circuit in place of at most {} was found: that of the fewest has {}; allow more "
         "levels, or search for longer",
         counted(search.depth, "level"), depth(circuit));
  }
  return circuit;
}

}  // namespace xorloom
