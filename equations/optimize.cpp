#include "equations/optimize.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "codes/error.hpp"
#include "equations/boyar_peralta.hpp"
#include "equations/cost.hpp"
#include "equations/direct.hpp"
#include "equations/eliminate_in_place.hpp"
#include "equations/factor_rows.hpp"
#include "equations/fuse.hpp"
#include "equations/lower_bound.hpp"
#include "equations/proof.hpp"
#include "equations/row_differences.hpp"
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

/// The most columns that boyar_peralta takes.
constexpr std::size_t kMostNarrow = 16;

/// The form of a program whose common pairs are shared where there is time for one: as it is, or by
/// differences of rows, or in two stages, if that saves a tenth of the XORs not shared.
Program greedy_form(const Program& program) {
  Program best = program;
  std::size_t fewest = xors(program);
  const auto offer = [&](Program form) {
    if (10 * xors(form) > 9 * fewest) return;
    fewest = xors(form);
    best = std::move(form);
  };
  offer(row_differences(program));
  offer(factor_rows(program));
  return best;
}

/// The ways to begin: all kinds in turn, and again the other way round.
class Starts {
 public:
  Starts(const Program& program, const BitMatrix& matrix, std::uint64_t seed)
      : first_(share_pairs(greedy_form(program))),
        matrix_(matrix),
        transposed_(transposed(matrix)),
        seed_(seed) {
    const bool is_square = matrix.rows() == matrix.columns();
    if (!is_square) kinds_.push_back(Kind::kFactors);
    if (is_square && matrix.rows() <= kMostEliminated && rank(matrix) == matrix.rows()) {
      kinds_.push_back(Kind::kElimination);
    }
    if (std::min(matrix.rows(), matrix.columns()) <= kMostNarrow) {
      kinds_.push_back(Kind::kBoyarPeralta);
    }
  }

  const Circuit& first() const { return first_; }

  /// Different for each number, and the same for the same.
  Circuit operator()(std::uint64_t number) const {
    if (number == 0 || first_.xors() > kMostVariedXors) return first_;
    Random random(Random(seed_ ^ Random(number)())());
    const std::size_t index = number % kinds_.size();
    const Kind kind = kinds_[index];
    // Backwards, pairs are those of readers instead of operands, and rows are columns.
    const bool is_wide = matrix_.rows() < matrix_.columns();
    const bool is_backwards = kind == Kind::kBoyarPeralta ? is_wide
                              : kind == Kind::kFactors    ? !is_wide
                                                       : (number / kinds_.size() + index) % 2 != 0;
    const Circuit circuit = made(kind, is_backwards ? transposed_ : matrix_, random);
    return is_backwards ? transposed(circuit, random) : circuit;
  }

 private:
  enum class Kind { kPairs, kDifferences, kFactors, kElimination, kBoyarPeralta };

  static Circuit made(Kind kind, const BitMatrix& matrix, Random& random) {
    std::optional<Circuit> circuit;
    if (kind == Kind::kElimination) circuit = eliminate_in_place(matrix, random);
    if (kind == Kind::kBoyarPeralta) circuit = boyar_peralta(matrix, random);
    if (circuit) return *std::move(circuit);
    if (kind == Kind::kFactors) {
      const Factors factors = factors_of(matrix, random.below(2) == 0);
      const bool can_eliminate = factors.outer.rows() == factors.outer.columns() &&
                                 factors.outer.rows() <= kMostEliminated;
      const bool eliminates = can_eliminate && random.below(2) == 0;
      const Circuit inner = made(Kind::kPairs, factors.basis, random);
      return composed(
          made(eliminates ? Kind::kElimination : Kind::kDifferences, factors.outer, random), inner);
    }
    Program program = direct_program(matrix);
    if (kind == Kind::kDifferences) program = row_differences(program, &random);
    return share_pairs(program, &random);
  }

  Circuit first_;
  BitMatrix matrix_;
  BitMatrix transposed_;
  std::vector<Kind> kinds_ = {Kind::kPairs, Kind::kDifferences};
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
    Circuit circuit = share_pairs(greedy_form(program));
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
