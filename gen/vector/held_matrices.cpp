#include "gen/vector/held_matrices.hpp"

#include <algorithm>
#include <functional>

namespace xorloom {
namespace {

using Symbol = Field::Symbol;

constexpr std::size_t kNever = ~std::size_t{0};

/// For each product of an order the next one with the same matrix.
std::vector<std::size_t> next_uses(const std::vector<Symbol>& products) {
  std::vector<std::size_t> next(products.size(), kNever);
  std::map<Symbol, std::size_t> seen;
  for (std::size_t i = products.size(); i-- > 0;) {
    if (const auto later = seen.find(products[i]); later != seen.end()) next[i] = later->second;
    seen[products[i]] = i;
  }
  return next;
}

/// The uses of matrices of which some stay in registers and others take turns in a few.
HeldMatrices with_turns(const std::vector<Symbol>& products, const std::vector<std::size_t>& next,
                        const std::vector<Symbol>& most_used, int first, int in_turns, int end) {
  HeldMatrices held;
  held.first = first;
  int number = end;
  for (const Symbol coefficient : most_used) {
    if (number == first + in_turns) break;
    held.always[coefficient] = --number;
  }
  struct Slot {
    Symbol coefficient = 0;
    std::size_t next = kNever;
  };
  std::vector<Slot> slots(static_cast<std::size_t>(in_turns));
  for (std::size_t i = 0; i < products.size(); ++i) {
    HeldMatrices::Use& use = held.uses.emplace_back();
    if (const auto stays = held.always.find(products[i]); stays != held.always.end()) {
      use.number = stays->second;
      continue;
    }
    auto slot = std::ranges::find(slots, products[i], &Slot::coefficient);
    use.is_loaded = slot == slots.end();
    if (use.is_loaded) slot = std::ranges::max_element(slots, {}, &Slot::next);
    if (slot == slots.end() || (use.is_loaded && slot->next <= next[i])) {
      use.is_loaded = false;
      continue;
    }
    *slot = {products[i], next[i]};
    use.number = first + static_cast<int>(slot - slots.begin());
  }
  return held;
}

}  // namespace

std::size_t HeldMatrices::loads() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      uses, [](const Use& use) { return use.is_loaded || use.number == Use::kInMemory; }));
}

HeldMatrices held_matrices(const InstructionSchedule& schedule, const VectorMachine& machine) {
  const auto end = static_cast<int>(machine.registers);
  HeldMatrices none;
  none.first = end;
  if (!machine.has_matrix_products) return none;
  int first = 1;  // what flushes staged outputs needs one
  std::vector<Symbol> products;
  std::map<Symbol, std::size_t> uses;
  for (const InstructionSchedule::Instruction& in : schedule.instructions) {
    first = std::max({first, in.target + 1, in.a + 1, in.b + 1});
    if (in.op != InstructionSchedule::Op::kMultiply) continue;
    products.push_back(in.coefficient);
    ++uses[in.coefficient];
  }
  if (products.empty()) return none;
  std::vector<Symbol> most_used;
  for (const auto& [coefficient, count] : uses) most_used.push_back(coefficient);
  std::ranges::stable_sort(most_used, std::greater(),
                           [&](Symbol coefficient) { return uses[coefficient]; });
  const std::vector<std::size_t> next = next_uses(products);
  first = std::max(first, end - static_cast<int>(most_used.size()));
  HeldMatrices best = with_turns(products, next, most_used, first, 0, end);
  if (cost(schedule, machine).loads + best.loads() <= products.size()) return best;
  for (int in_turns = 1; in_turns <= end - first && in_turns <= 4; ++in_turns) {
    HeldMatrices held = with_turns(products, next, most_used, first, in_turns, end);
    if (held.loads() < best.loads()) best = std::move(held);
  }
  return best;
}

}  // namespace xorloom
