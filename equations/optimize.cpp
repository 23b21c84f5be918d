#include "equations/optimize.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "codes/error.hpp"
#include "equations/direct.hpp"
#include "equations/eliminate_in_place.hpp"
#include "equations/fuse.hpp"
#include "equations/lower_bound.hpp"
#include "equations/proof.hpp"
#include "equations/share_pairs.hpp"
#include "equations/tournament.hpp"

namespace xorloom {
namespace {

/// Moves of a search of normal effort, and from which size on there are fewer since each is slower.
constexpr std::uint64_t kNormalMoves = 20'000'000;
constexpr std::size_t kUsualXors = 1000;

/// Starts are varied up to this many XORs; past it each takes too long.
constexpr std::size_t kMostVariedXors = 20'000;

/// Squares of more rows are not eliminated in place: the time that takes grows by their fifth power
/// or so, to a second at this size.
constexpr std::size_t kMostEliminated = 128;

/// The ways to begin, in the order in which they are tried.
class Starts {
 public:
  Starts(const Program& program, const BitMatrix& matrix, std::uint64_t seed)
      : first_(share_pairs(program)),
        matrix_(matrix),
        transposed_(transposed(matrix)),
        can_eliminate_(matrix.rows() == matrix.columns() && matrix.rows() <= kMostEliminated &&
                       rank(matrix) == matrix.rows()),
        seed_(seed) {}

  const Circuit& first() const { return first_; }

  /// Different for each number, and the same for the same.
  Circuit operator()(std::uint64_t number) const {
    if (number == 0 || first_.xors() > kMostVariedXors) return first_;
    Random random(Random(seed_ ^ Random(number)())());
    // Backwards, pairs are those of readers instead of operands.
    const bool is_backwards = number % 2 != 0;
    const BitMatrix& matrix = is_backwards ? transposed_ : matrix_;
    std::optional<Circuit> circuit;
    if (can_eliminate_ && number % 4 >= 2) circuit = eliminate_in_place(matrix, random);
    if (!circuit) circuit = share_pairs(direct_program(matrix), &random);
    return is_backwards ? transposed(*circuit, random) : *std::move(circuit);
  }

 private:
  Circuit first_;
  BitMatrix matrix_;
  BitMatrix transposed_;
  bool can_eliminate_;
  std::uint64_t seed_;
};

}  // namespace

void check_search(const Search& search) {
  if (search.effort == Effort::kMax && search.steps == 0 && !search.is_over) {
    fail(Status::kInvalidArgument, "a search of effort max needs a number of steps or an end");
  }
}

Circuit search_circuit(const Program& program, const BitMatrix& matrix, const Search& search) {
  check_search(search);
  if (search.effort == Effort::kFast) {
    Circuit circuit = share_pairs(program);
    prove(circuit, matrix);
    return circuit;
  }
  const Starts starts(program, matrix, search.seed);
  Tournament tournament;
  tournament.matrix = matrix;
  tournament.start = [&starts](std::uint64_t number) { return starts(number); };
  tournament.enough = lower_bound(matrix);
  tournament.seed = search.seed;
  tournament.threads = search.threads;
  tournament.parallel = search.parallel;
  tournament.is_over = search.is_over;
  tournament.on_better = [&](const Circuit& circuit) {
    if (search.on_better) search.on_better(circuit.xors(), tournament.enough);
  };
  if (search.effort == Effort::kMax && search.steps == 0) return play_on(tournament);
  const std::uint64_t usual =
      kNormalMoves / std::max<std::size_t>(1, starts.first().xors() / kUsualXors);
  return play_moves(tournament, search.effort == Effort::kNormal ? usual : search.steps);
}

Program optimize(const Program& program, const Search& search) {
  const BitMatrix matrix = evaluate_symbolically(program);
  const Circuit circuit = search_circuit(program, matrix, search);
  Program result = fuse_single_use(program_of(circuit, program));
  check_program(result);
  prove(result, matrix);
  return result;
}

}  // namespace xorloom
