#include "equations/passes/share_terms.hpp"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// Terms of two elements, a < b. ratio: the coefficient of b divided by that of a.
struct TermPair {
  Element a;
  Element b;
  Field::Symbol ratio;

  friend auto operator<=>(const TermPair&, const TermPair&) = default;
};

struct TermPairHash {
  std::size_t operator()(const TermPair& pair) const {
    std::uint64_t hash = std::uint64_t{pair.a} << 32 | pair.b;
    hash = (hash ^ (std::uint64_t{pair.ratio} << 24)) * 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>(hash ^ (hash >> 29));
  }
};

/// Uses of a pair: equations that contain it, and those of them in which a, or b, is multiplied.
struct Uses {
  std::size_t equations = 0;
  std::size_t scaled_a = 0;
  std::size_t scaled_b = 0;
};

/// XORs and multiplications that computing a pair once saves. The pair takes an XOR and, if the
/// ratio is not 1, a multiplication of a or b, whichever saves more in the equations.
std::size_t saving(const TermPair& pair, const Uses& uses) {
  if (uses.equations < 2) return 0;
  const std::size_t saved = uses.equations - 1 + std::max(uses.scaled_a, uses.scaled_b);
  return saved - (pair.ratio != 1 ? 1 : 0);
}

class Sharing {
 public:
  explicit Sharing(const Program& program)
      : program_(program), readers_(program.end_of_elements()) {
    for (std::size_t e = 0; e < program_.equations.size(); ++e) {
      const std::vector<Operand> operands = std::exchange(program_.equations[e].operands, {});
      for (const Operand& operand : operands) add(e, operand);
    }
    for (const auto& [pair, uses] : uses_) queue_.emplace(saving(pair, uses), pair);
  }

  Program shared() {
    while (!queue_.empty()) {
      const auto [claimed, pair] = queue_.top();
      queue_.pop();
      const auto found = uses_.find(pair);
      const std::size_t now = found == uses_.end() ? 0 : saving(pair, found->second);
      if (now == 0) continue;
      if (now == claimed) {
        replace(pair, found->second);
      } else if (now < claimed) {
        queue_.emplace(now, pair);  // fewer equations contain it now
      }
    }
    for (Equation& sum : sums_) program_.equations.push_back(std::move(sum));
    sort_equations(program_);
    return std::move(program_);
  }

 private:
  TermPair pair_of(const Operand& x, const Operand& y) const {
    const auto [a, b] = std::minmax(x, y);
    return {a.element, b.element, program_.field.divide(b.coefficient, a.coefficient)};
  }

  void count(const Operand& x, const Operand& y, bool is_more) {
    const auto [a, b] = std::minmax(x, y);
    Uses& uses = uses_[pair_of(a, b)];
    const auto change = [&](std::size_t& number, bool applies) {
      if (applies) number = is_more ? number + 1 : number - 1;
    };
    change(uses.equations, true);
    change(uses.scaled_a, a.coefficient != 1);
    change(uses.scaled_b, b.coefficient != 1);
  }

  void add(std::size_t equation, const Operand& operand) {
    std::vector<Operand>& operands = program_.equations[equation].operands;
    for (const Operand& other : operands) count(operand, other, true);
    operands.push_back(operand);
    readers_[operand].push_back(equation);
  }

  void remove(std::size_t equation, Element element) {
    std::vector<Operand>& operands = program_.equations[equation].operands;
    const auto place = std::ranges::find(operands, element, &Operand::element);
    const Operand operand = *place;
    operands.erase(place);
    for (const Operand& other : operands) count(operand, other, false);
  }

  /// The coefficient of `element` in `equation`; 0: not read.
  Field::Symbol coefficient(std::size_t equation, Element element) const {
    const std::vector<Operand>& operands = program_.equations[equation].operands;
    const auto place = std::ranges::find(operands, element, &Operand::element);
    return place == operands.end() ? 0 : place->coefficient;
  }

  void replace(const TermPair& pair, const Uses& uses) {
    const Field& field = program_.field;
    const bool scales_b = uses.scaled_b >= uses.scaled_a;
    const auto sum = static_cast<Element>(readers_.size());
    readers_.emplace_back();
    sums_.push_back(
        {sum, scales_b ? std::vector<Operand>{{pair.a}, {pair.b, pair.ratio}}
                       : std::vector<Operand>{{pair.a, field.invert(pair.ratio)}, {pair.b}}});
    // readers_ may also name equations that no longer read the element.
    const bool a_is_rarer = readers_[pair.a].size() <= readers_[pair.b].size();
    const std::vector<std::size_t> readers = readers_[a_is_rarer ? pair.a : pair.b];
    for (const std::size_t equation : readers) {
      const Field::Symbol of_a = coefficient(equation, pair.a);
      const Field::Symbol of_b = coefficient(equation, pair.b);
      if (of_a == 0 || of_b != field.multiply(of_a, pair.ratio)) continue;
      remove(equation, pair.a);
      remove(equation, pair.b);
      const Operand term(sum, scales_b ? of_a : of_b);
      add(equation, term);
      for (const Operand& other : program_.equations[equation].operands) {
        if (other.element != sum) push(other, term);
      }
    }
  }

  void push(const Operand& x, const Operand& y) {
    const TermPair pair = pair_of(x, y);
    const std::size_t saved = saving(pair, uses_[pair]);
    if (saved != 0) queue_.emplace(saved, pair);
  }

  /// Order of the queue: the largest saving first; of equal ones, the pair of the smallest
  /// elements.
  struct Later {
    bool operator()(const std::pair<std::size_t, TermPair>& x,
                    const std::pair<std::size_t, TermPair>& y) const {
      return std::tie(x.first, y.second) < std::tie(y.first, x.second);
    }
  };

  Program program_;
  std::vector<Equation> sums_;
  std::vector<std::vector<std::size_t>> readers_;  ///< by element; may name an equation twice
  std::unordered_map<TermPair, Uses, TermPairHash> uses_;
  std::priority_queue<std::pair<std::size_t, TermPair>,
                      std::vector<std::pair<std::size_t, TermPair>>, Later>
      queue_;
};

}  // namespace

Program share_terms(const Program& program) {
  std::size_t pairs = 0;
  for (const Equation& equation : program.equations) {
    pairs += equation.operands.size() * equation.operands.size() / 2;
  }
  return pairs > kMostTermPairs ? program : Sharing(program).shared();
}

}  // namespace xorloom
