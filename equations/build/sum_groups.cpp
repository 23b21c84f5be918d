#include "equations/build/sum_groups.hpp"

#include <map>
#include <utility>

#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

/// In operands: what beginning with a group takes.
constexpr std::size_t kBeginning = 6;

/// Whether a temporary of that many operands is less work written into that many equations that
/// read it than computed in a group of `group`, stored and loaded again.
bool is_better_written_in(std::size_t operands, std::size_t group, std::size_t readers) {
  const std::size_t written_in = operands * (1 + readers);
  return group * written_in <= kBeginning + operands + group * (operands + 1 + 1 + readers);
}

}  // namespace

std::vector<std::vector<std::size_t>> groups_of(const Program& program) {
  std::map<std::vector<Element>, std::size_t> number_of;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const std::vector<Operand>& operands = program.equations[i].operands;
    const auto [known, is_new] = number_of.try_emplace(
        std::vector<Element>(operands.begin(), operands.end()), groups.size());
    if (is_new) groups.emplace_back();
    groups[known->second].push_back(i);
  }
  return groups;
}

std::size_t work(const Program& program) {
  std::size_t result = 0;
  for (const std::vector<std::size_t>& group : groups_of(program)) {
    const std::size_t operands = program.equations[group.front()].operands.size();
    result += kBeginning + operands + group.size() * (operands + 1);
  }
  return result;
}

Program without_short_ones(const Program& program) {
  const std::vector<std::vector<std::size_t>> groups = groups_of(program);
  std::vector<std::vector<std::size_t>> readers(program.end_of_elements());  // groups
  std::vector<std::size_t> group_of(program.equations.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Element operand : program.equations[groups[g].front()].operands) {
      readers[operand].push_back(g);
    }
    for (const std::size_t i : groups[g]) group_of[i] = g;
  }
  const auto is_short = [&](std::size_t i, const std::vector<Operand>& operands) {
    const Element target = program.equations[i].target;
    return target >= program.first_temporary() && readers[target].size() == 1 &&
           is_better_written_in(operands.size(), groups[group_of[i]].size(),
                                groups[readers[target].front()].size());
  };
  std::vector<std::vector<Operand>> written_in(program.end_of_elements());
  std::vector<bool> is_gone(program.end_of_elements());
  Program result = without_equations(program);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const Equation& equation = program.equations[i];
    std::vector<Operand> operands;
    for (const Operand& operand : equation.operands) {
      if (is_gone[operand]) {
        add_scaled(program.field, operands, operand.coefficient, written_in[operand]);
      } else {
        add(operands, operand);
      }
    }
    if (is_short(i, operands)) {
      is_gone[equation.target] = true;
      written_in[equation.target] = std::move(operands);
    } else {
      result.equations.push_back({equation.target, std::move(operands)});
    }
  }
  return result;
}

Program in_short_order(const Program& program) {
  const std::vector<Equation>& equations = program.equations;
  const std::vector<std::vector<std::size_t>> groups = groups_of(program);
  const std::vector<std::size_t> made_by = equation_of_element(program);
  std::vector<std::vector<std::size_t>> readers(program.end_of_elements());  // groups
  std::vector<std::size_t> waits_for(groups.size());
  std::vector<bool> is_done(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Element operand : equations[groups[g].front()].operands) {
      if (made_by[operand] == kNone) continue;
      readers[operand].push_back(g);
      ++waits_for[g];
    }
  }
  const auto is_stored = [&](std::size_t g) {
    return equations[groups[g].front()].target < program.first_temporary();
  };
  Program result = without_equations(program);
  for (std::size_t first = 0; first < groups.size(); ++first) {
    std::vector<std::size_t> ready{first};
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (is_done[ready[i]]) continue;
      is_done[ready[i]] = true;
      for (const std::size_t e : groups[ready[i]]) {
        for (const std::size_t g : readers[equations[e].target]) {
          if (--waits_for[g] == 0 && is_stored(g)) ready.push_back(g);
        }
        result.equations.push_back(equations[e]);
      }
    }
  }
  return result;
}

}  // namespace xorloom
