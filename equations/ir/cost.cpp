#include "equations/ir/cost.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "codes/text/counted.hpp"
#include "equations/ir/element_numbers.hpp"

namespace xorloom {
namespace {

/// Returns the earliest time of the sum of values that are ready at the given times. Always merging
/// the two that are ready first is optimal.
std::size_t merged_in_best_order(std::vector<std::size_t> ready) {
  if (ready.empty()) return 0;
  std::ranges::make_heap(ready, std::greater{});
  const auto pop = [&] {
    std::ranges::pop_heap(ready, std::greater{});
    const std::size_t earliest = ready.back();
    ready.pop_back();
    return earliest;
  };
  while (ready.size() > 1) {
    pop();
    const std::size_t later = pop();
    ready.push_back(later + 1);
    std::ranges::push_heap(ready, std::greater{});
  }
  return ready.front();
}

}  // namespace

std::size_t multiplications(const Equation& equation) {
  return static_cast<std::size_t>(std::ranges::count_if(
      equation.operands, [](const Operand& operand) { return operand.coefficient != 1; }));
}

std::size_t multiplications(const Program& program) {
  std::size_t sum = 0;
  for (const Equation& equation : program.equations) sum += multiplications(equation);
  return sum;
}

std::string work_text(const Program& program) {
  std::string text = counted(xors(program), "XOR");
  if (program.is_xor()) return text;
  return text + ", " + counted(multiplications(program), "multiplication");
}

Cost cost(const Program& program) {
  Cost result;
  result.multiplications = multiplications(program);
  ElementNumbers number(program.end_of_elements(), 0);              // equation + 1; 0: an input
  std::vector<std::size_t> path(program.equations.size() + 1);      // atomic equations
  std::vector<std::size_t> critical(program.equations.size() + 1);  // two-input XORs
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const Equation& equation = program.equations[i];
    const std::size_t own = xors(equation);
    std::size_t before = 0;
    std::vector<std::size_t> ready;
    for (const Element operand : equation.operands) {
      before = std::max(before, path[number[operand]]);
      ready.push_back(critical[number[operand]]);
    }
    path[i + 1] = before + own;
    critical[i + 1] = merged_in_best_order(std::move(ready));
    number.set(equation.target, static_cast<std::uint32_t>(i + 1));
    result.xors += own;
    result.longest_equation = std::max(result.longest_equation, own);
    result.longest_path = std::max(result.longest_path, path[i + 1]);
    result.critical_path = std::max(result.critical_path, critical[i + 1]);
    if (equation.target >= program.first_temporary()) ++result.temporaries;
  }
  return result;
}

std::size_t peak_live(const Program& program) {
  const std::vector<std::size_t> last_use = last_reader_of_element(program);
  const std::vector<std::size_t> computed_by = equation_of_element(program);
  std::size_t live = 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const Equation& equation = program.equations[i];
    for (const Element operand : equation.operands) {
      if (computed_by[operand] != kNone && last_use[operand] == i) --live;
    }
    if (last_use[equation.target] != kNone) ++live;
    most = std::max(most, live);
  }
  return most;
}

double cost_factor(std::size_t xors, std::size_t redundant_bits, std::size_t k) {
  return (static_cast<double>(xors) / static_cast<double>(redundant_bits) + 1) /
         static_cast<double>(k);
}

}  // namespace xorloom
