#include "gen/vector/held_matrices.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace xorloom {
namespace {

using Symbol = Field::Symbol;

constexpr std::size_t kNever = ~std::size_t{0};

/// Products of a schedule by their matrices, which are numbered.
struct Products {
  std::vector<Symbol> matrices;      ///< ascending
  std::vector<std::size_t> matrix;   ///< by product, in order: its index in `matrices`
  std::vector<std::size_t> next;     ///< by product: the next one with the same matrix
  std::vector<std::size_t> by_uses;  ///< indices in `matrices`, the most used first
};

Products products_of(const std::vector<Symbol>& coefficients) {
  Products products;
  products.matrices = coefficients;
  std::ranges::sort(products.matrices);
  products.matrices.erase(std::unique(products.matrices.begin(), products.matrices.end()),
                          products.matrices.end());
  std::vector<std::size_t> uses(products.matrices.size(), 0);
  for (const Symbol coefficient : coefficients) {
    const auto place = std::ranges::lower_bound(products.matrices, coefficient);
    products.matrix.push_back(static_cast<std::size_t>(place - products.matrices.begin()));
    ++uses[products.matrix.back()];
  }
  products.next.resize(coefficients.size());
  std::vector<std::size_t> seen(uses.size(), kNever);
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    products.next[i] = std::exchange(seen[products.matrix[i]], i);
  }
  products.by_uses.resize(uses.size());
  std::iota(products.by_uses.begin(), products.by_uses.end(), std::size_t{0});
  std::ranges::stable_sort(products.by_uses, std::greater(),
                           [&](std::size_t matrix) { return uses[matrix]; });
  return products;
}

/// Assigns matrices to registers from `first` to `end`. The first `in_turns` registers are shared
/// in turn; each other one holds a matrix throughout, the most used first.
HeldMatrices with_turns(const Products& products, int first, int in_turns, int end) {
  HeldMatrices held;
  held.first = first;
  std::vector<int> stays(products.matrices.size(), HeldMatrices::Use::kInMemory);
  int number = end;
  for (const std::size_t matrix : products.by_uses) {
    if (number == first + in_turns) break;
    stays[matrix] = --number;
    held.always[products.matrices[matrix]] = number;
  }
  struct Slot {
    std::size_t matrix = kNever;
    std::size_t next = kNever;
  };
  std::vector<Slot> slots(static_cast<std::size_t>(in_turns));
  for (std::size_t i = 0; i < products.matrix.size(); ++i) {
    const std::size_t matrix = products.matrix[i];
    HeldMatrices::Use& use = held.uses.emplace_back();
    use.number = stays[matrix];
    if (use.number != HeldMatrices::Use::kInMemory) continue;
    auto slot = std::ranges::find(slots, matrix, &Slot::matrix);
    use.is_loaded = slot == slots.end();
    if (use.is_loaded) slot = std::ranges::max_element(slots, {}, &Slot::next);
    if (slot == slots.end() || (use.is_loaded && slot->next <= products.next[i])) {
      use.is_loaded = false;
      continue;
    }
    *slot = {matrix, products.next[i]};
    use.number = first + static_cast<int>(slot - slots.begin());
  }
  return held;
}

bool is_product(InstructionSchedule::Op op) {
  using enum InstructionSchedule::Op;
  return op == kMultiply || op == kProduct || op == kAddProduct;
}

}  // namespace

std::size_t HeldMatrices::loads() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      uses, [](const Use& use) { return use.is_loaded || use.number == Use::kInMemory; }));
}

HeldMatrices held_matrices(const InstructionSchedule& schedule, const MachineFacts& machine) {
  const auto end = static_cast<int>(machine.registers);
  HeldMatrices none;
  none.first = end;
  if (!machine.has_matrix_products && machine.held_tables == 0) return none;
  int first = 1;  // the flush of staged outputs needs one register
  std::vector<Symbol> coefficients;
  for (const InstructionSchedule::Instruction& in : schedule.instructions) {
    first = std::max({first, in.target + 1, in.a + 1, in.b + 1});
    if (is_product(in.op)) coefficients.push_back(in.coefficient);
  }
  if (coefficients.empty()) return none;
  const Products products = products_of(coefficients);
  if (!machine.has_matrix_products) {
    const auto pairs = static_cast<int>(machine.held_tables);
    const bool all_stay = products.matrices.size() <= machine.held_tables;
    HeldMatrices held = with_turns(products, 0, all_stay ? 0 : pairs, pairs);
    held.first = end;
    return held;
  }
  first = std::max(first, end - static_cast<int>(products.matrices.size()));
  HeldMatrices best = with_turns(products, first, 0, end);
  if (cost(schedule, machine).loads + best.loads() <= coefficients.size()) return best;
  for (int in_turns = 1; in_turns <= end - first && in_turns <= 4; ++in_turns) {
    HeldMatrices held = with_turns(products, first, in_turns, end);
    if (held.loads() < best.loads()) best = std::move(held);
  }
  return best;
}

}  // namespace xorloom
