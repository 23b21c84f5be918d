#include "equations/search/initial_circuits.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "equations/build/direct.hpp"
#include "equations/build/repeated_blocks.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/drop_equations.hpp"
#include "equations/passes/pass_table.hpp"
#include "equations/passes/row_forms.hpp"
#include "equations/passes/share_pairs.hpp"
#include "equations/search/in_place_elimination.hpp"

namespace xorloom {
namespace {

using Value = Circuit::Value;
using Sum = std::uint32_t;  ///< bit c for column c

/// The values computed so far, and for each sum the fewest of them that add up to it: 1 for a
/// value, 2 for a sum that one more XOR computes.
class Base {
 public:
  explicit Base(std::size_t columns) : fewest_(std::size_t{1} << columns) {
    circuit_.inputs = columns;
    for (Sum sum = 0; sum < fewest_.size(); ++sum) {
      fewest_[sum] = static_cast<std::uint8_t>(std::popcount(sum));
    }
    for (std::size_t c = 0; c < columns; ++c) sums_.push_back(Sum{1} << c);
  }

  std::uint32_t fewest(Sum sum) const { return fewest_[sum]; }
  Sum num_sums() const { return static_cast<Sum>(fewest_.size()); }

  Value value_of(Sum sum) const {
    return static_cast<Value>(std::ranges::find(sums_, sum) - sums_.begin());
  }

  /// Computes `sum`, which two values add up to; chance decides if several pairs do.
  void add(Sum sum, Random& random) {
    Value chosen = 0;
    std::uint32_t num_alike = 0;
    for (Value value = 0; value < sums_.size(); ++value) {
      const bool is_first = sums_[value] < (sums_[value] ^ sum);
      if (!is_first || fewest_[sums_[value] ^ sum] != 1) continue;
      if (random.below(++num_alike) == 0) chosen = value;
    }
    circuit_.add(chosen, value_of(sums_[chosen] ^ sum));
    sums_.push_back(sum);
    // In place: adding `sum` twice changes nothing, so an updated entry misleads no other.
    for (Sum other = 0; other < num_sums(); ++other) {
      const int with_it = fewest_[other ^ sum] + 1;
      fewest_[other] = static_cast<std::uint8_t>(std::min<int>(fewest_[other], with_it));
    }
  }

  Circuit circuit() && { return std::move(circuit_); }

 private:
  std::vector<std::uint8_t> fewest_;  ///< by sum: fewest values that add up to it
  std::vector<Sum> sums_;             ///< by value: its sum of columns
  Circuit circuit_;
};

/// Returns the sum of two values that brings the targets nearest. Shape: no target is the sum of
/// two values. A sum brings each target nearer by one value at most. Of sums that bring equally
/// many nearer, takes the one that helps the nearest targets, which leaves the largest norm.
Sum nearest(const Base& base, const std::vector<Sum>& targets, Random& random) {
  constexpr std::uint32_t kTarget = 1U << 16;  // more than all distances together
  struct Target {
    Sum sum;
    std::uint32_t fewest;
  };
  std::vector<Target> far;
  for (const Sum target : targets) far.push_back({target, base.fewest(target)});
  Sum chosen = 0;
  std::uint32_t best = 0;
  std::uint32_t num_alike = 0;
  for (Sum sum = 0; sum < base.num_sums(); ++sum) {
    if (base.fewest(sum) != 2) continue;
    std::uint32_t gain = 0;
    for (const Target& target : far) {
      if (base.fewest(target.sum ^ sum) + 2 == target.fewest) gain += kTarget - target.fewest;
    }
    if (gain < best) continue;
    if (gain > best) num_alike = 0;
    best = gain;
    if (random.below(++num_alike) == 0) chosen = sum;
  }
  return chosen;
}

/// Most XORs for which starts are varied; with more, each takes too long.
constexpr std::size_t kMostVariedXors = 20'000;

/// Most rows for elimination in place. Its time grows with their fifth power or so, to a second at
/// this size.
constexpr std::size_t kMostEliminated = 128;

/// Most levels of repeated blocks that are taken apart.
constexpr std::uint32_t kMostBlockLevels = 4;

using StopRequested = std::function<bool()>;

Circuit pairs(const BitMatrix& matrix, Random& random, const StopRequested& stop) {
  return share_pairs(direct_program(matrix), &random, stop);
}

Circuit differences(const BitMatrix& matrix, Random& random, const StopRequested& stop) {
  return share_pairs(row_differences(direct_program(matrix), &random), &random, stop);
}

bool can_eliminate(const BitMatrix& matrix) {
  return matrix.rows() == matrix.columns() && matrix.rows() <= kMostEliminated &&
         rank(matrix) == matrix.rows();
}

/// The circuit of elimination in place; of common pairs if that gives none.
Circuit elimination(const BitMatrix& matrix, Random& random, const StopRequested& stop) {
  const std::optional<InPlaceCircuit> circuit = eliminate_in_place(matrix, random);
  return circuit ? circuit_of(*circuit) : pairs(matrix, random, stop);
}

Circuit nearest_sums(const BitMatrix& matrix, Random& random, const StopRequested& stop) {
  std::optional<Circuit> circuit = boyar_peralta(matrix, random);
  return circuit ? *std::move(circuit) : pairs(matrix, random, stop);
}

Circuit blocks(const BitMatrix& matrix, std::uint32_t levels, Random& random,
               const StopRequested& stop) {
  const std::optional<Program> program = repeated_blocks(matrix, levels, random);
  return program ? share_pairs(drop_unread(*program), &random, stop) : pairs(matrix, random, stop);
}

/// The circuit of repeated blocks, over a random number of levels; of common pairs if no quarters
/// repeat.
Circuit some_blocks(const BitMatrix& matrix, Random& random, const StopRequested& stop) {
  return blocks(matrix, 1 + random.below(kMostBlockLevels), random, stop);
}

Circuit product(const Factors& factors, Random& random, const StopRequested& stop) {
  const Circuit inner = pairs(factors.basis, random, stop);
  const bool eliminates = can_eliminate(factors.outer) && random.below(2) == 0;
  const Circuit outer = eliminates ? elimination(factors.outer, random, stop)
                                   : differences(factors.outer, random, stop);
  return composed(outer, inner);
}

/// Factorisations of `matrix` whose two factors together have fewer ones.
std::vector<Factors> products(const BitMatrix& matrix) {
  std::vector<Factors> result;
  for (const bool from_last : {true, false}) {
    Factors factors = factors_of(matrix, from_last);
    if (factors.outer.weight() + factors.basis.weight() < matrix.weight()) {
      result.push_back(std::move(factors));
    }
  }
  return result;
}

}  // namespace

std::optional<Circuit> boyar_peralta(const BitMatrix& matrix, Random& random) {
  if (matrix.columns() > kMostNarrowColumns || matrix.rows() > kMostNarrowRows) return std::nullopt;
  std::vector<Sum> rows;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    Sum& row = rows.emplace_back();
    for (const std::size_t column : matrix.ones(r)) row |= Sum{1} << column;
  }
  std::vector<Sum> targets = rows;
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  std::erase_if(targets, [](Sum row) { return std::popcount(row) < 2; });

  Base base(matrix.columns());
  while (!targets.empty()) {
    const auto at_hand =
        std::ranges::find_if(targets, [&](Sum target) { return base.fewest(target) == 2; });
    const Sum next = at_hand != targets.end() ? *at_hand : nearest(base, targets, random);
    base.add(next, random);
    std::erase(targets, next);
  }
  std::vector<Value> outputs;
  for (const Sum row : rows) outputs.push_back(row == 0 ? Circuit::kZero : base.value_of(row));
  Circuit circuit = std::move(base).circuit();
  circuit.outputs = std::move(outputs);
  return circuit;
}

bool can_compare_rows(std::size_t rows, std::size_t columns) {
  constexpr std::size_t kMostWords = std::size_t{1} << 27;
  return rows <= kMostWords / std::max<std::size_t>(1, rows * (columns / 64 + 1));
}

Circuit greedy_circuit(const Program& program, const StopRequested& stop_requested) {
  if (!can_compare_rows(program.equations.size(), program.inputs.size())) {
    return share_pairs(program, nullptr, stop_requested);
  }
  const BitMatrix matrix = evaluate_symbolically(program);
  Program best = program;
  for (const Pass& pass : forms()) {
    Program form = proved_pass(pass, program, matrix);
    if (10 * xors(form) <= 9 * xors(best)) best = std::move(form);
  }
  return share_pairs(best, nullptr, stop_requested);
}

Circuit shallow_circuit(const Program& program, const BitMatrix& matrix, std::size_t depth,
                        Random* random, const StopRequested& stop_requested) {
  Circuit best = share_pairs(direct_program(matrix), random, stop_requested, depth);
  if (random != nullptr) return best;
  Circuit greedy = greedy_circuit(program, stop_requested);
  const bool fits = xorloom::depth(greedy) <= depth;
  return fits && greedy.xors() < best.xors() ? greedy : best;
}

InitialCircuits::InitialCircuits(const Program& program, const BitMatrix& matrix,
                                 std::uint64_t seed, StopRequested stop_requested)
    : first_(greedy_circuit(program, stop_requested)),
      seed_(seed),
      stop_requested_(std::move(stop_requested)) {
  const auto is_stopped = [&] { return stop_requested_ && stop_requested_(); };
  if (first_.xors() > kMostVariedXors || matrix.weight() > kMaxDirectXors) return;
  // A short search takes start 0 alone, so it has to be good.
  const std::uint32_t most_levels = has_repeated_blocks(matrix) ? kMostBlockLevels : 0;
  for (std::uint32_t levels = 1; levels <= most_levels && !is_stopped(); ++levels) {
    Random random(seed);
    Circuit circuit = blocks(matrix, levels, random, stop_requested_);
    if (circuit.xors() < first_.xors()) first_ = std::move(circuit);
  }
  for (const bool is_backwards : {false, true}) {
    if (is_stopped()) return;
    // Backwards, the circuit is made for the transposed matrix: it shares pairs of readers, not of
    // operands.
    const auto add = [&](auto make, auto shared) {
      kinds_.push_back([make, shared, is_backwards](Random& random, const StopRequested& stop) {
        Circuit circuit = make(*shared, random, stop);
        if (is_backwards) return transposed(circuit, random);
        return circuit;
      });
    };
    const auto shared_rows =
        std::make_shared<const BitMatrix>(is_backwards ? transposed(matrix) : matrix);
    const BitMatrix& rows = *shared_rows;
    add(pairs, shared_rows);
    if (can_compare_rows(rows.rows(), rows.columns())) {
      add(differences, shared_rows);
      for (Factors& factors : products(rows)) {
        add(product, std::make_shared<const Factors>(std::move(factors)));
      }
    }
    if (has_repeated_blocks(rows)) add(some_blocks, shared_rows);
    if (can_eliminate(rows)) add(elimination, shared_rows);
    if (rows.columns() <= kMostNarrowColumns && rows.rows() <= kMostNarrowRows) {
      add(nearest_sums, shared_rows);
    }
  }
}

Circuit InitialCircuits::operator()(std::uint64_t number) const {
  if (number == 0 || kinds_.empty()) return first_;
  Random random(seed_of(seed_, number));
  return kinds_[(number - 1) % kinds_.size()](random, stop_requested_);
}

}  // namespace xorloom
