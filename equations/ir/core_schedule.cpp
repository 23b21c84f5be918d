#include "equations/ir/core_schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

/// Most bits that a check of a plan looks at: a bit per element and input, or per element and
/// output, whichever are fewer.
constexpr std::uint64_t kMaxProofBits = std::uint64_t{1} << 33;

/// Gives the target of each copy the entry of its source, since a copy takes no step.
void follow_copies(const Program& program, std::map<Element, std::size_t>& of_element) {
  for (const auto& [target, operands] : program.equations) {
    if (operands.size() != 1) continue;
    const auto source = of_element.find(operands.front());
    if (source != of_element.end()) of_element[target] = source->second;
  }
}

/// By element of a plan: the core that computes it.
std::map<Element, std::size_t> homes_of(const Program& program, const CoreSchedule& plan) {
  std::map<Element, std::size_t> home;
  for (const CoreStep& step : plan.steps) home[step.target] = step.core;
  follow_copies(program, home);
  return home;
}

}  // namespace

void check_cores(std::size_t cores) {
  if (cores < 1 || cores > kMaxCores) {
    fail(Status::kInvalidArgument, "{} cores are not one of 1 to {}", cores, kMaxCores);
  }
}

std::size_t makespan(const CoreSchedule& plan) {
  return plan.steps.empty() ? 0 : plan.steps.back().step + 1;
}

Program program_of_steps(const Program& program, const CoreSchedule& plan) {
  Program steps = without_equations(program);
  for (const CoreStep& s : plan.steps) {
    steps.equations.push_back({s.target, {s.operands[0], s.operands[1]}});
  }
  for (const Equation& equation : program.equations) {
    if (equation.operands.size() < 2) steps.equations.push_back(equation);
  }
  sort_equations(steps);
  return steps;
}

std::map<Element, Element> equations_of_steps(const Program& program, const CoreSchedule& plan) {
  const Element first_partial = program.end_of_elements();
  // From the last step back, since the last step of an equation has its target.
  std::map<Element, Element> belongs;
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
    const auto owner = belongs.emplace(step->target, step->target).first->second;
    for (const Element operand : step->operands) {
      if (operand >= first_partial) belongs[operand] = owner;
    }
  }
  return belongs;
}

std::size_t append_sum(CoreSchedule& plan, const Equation& equation, std::size_t core,
                       std::size_t step, Element& next_partial) {
  const std::vector<Operand>& operands = equation.operands;
  Element sum = operands.front();
  for (std::size_t o = 1; o < operands.size(); ++o) {
    const Element target = o + 1 == operands.size() ? equation.target : next_partial++;
    const Element operand = operands[o];
    plan.steps.push_back({core, step++, target, {std::min(sum, operand), std::max(sum, operand)}});
    sum = target;
  }
  return step;
}

void sort_steps(CoreSchedule& plan) {
  std::ranges::sort(plan.steps, {},
                    [](const CoreStep& step) { return std::pair(step.step, step.core); });
}

std::vector<std::size_t> cores_of_equations(const Program& program, const CoreSchedule& plan) {
  std::map<Element, std::size_t> home = homes_of(program, plan);
  std::vector<std::size_t> cores;
  for (const Equation& equation : program.equations) cores.push_back(home[equation.target]);
  return cores;
}

std::size_t moves(const Program& program, const CoreSchedule& plan) {
  const std::map<Element, std::size_t> home = homes_of(program, plan);
  std::set<Element> moved;
  for (const CoreStep& step : plan.steps) {
    for (const Element operand : step.operands) {
      const auto from = home.find(operand);
      if (from != home.end() && from->second != step.core) moved.insert(operand);
    }
  }
  return moved.size();
}

void check_core_schedule(const Program& program, const CoreSchedule& plan) {
  if (plan.cores == 0 || plan.cores > kMaxCores) {
    fail(Status::kParse, "the plan is for {} cores, which is not one of 1 to {}", plan.cores,
         kMaxCores);
  }
  const std::size_t end = program.end_of_elements() + plan.steps.size();
  const std::size_t sides = std::min(program.inputs.size(), program.outputs.size());
  if (sides != 0 && end > kMaxProofBits / sides) {
    fail(Status::kUnsupported,
         "a plan with {} elements over {} inputs for {} outputs is not checked: the bound is {} "
         "bits",
         end, program.inputs.size(), program.outputs.size(), kMaxProofBits);
  }
  std::map<Element, std::size_t> ready_after;
  std::set<std::pair<std::size_t, std::size_t>> taken;
  std::size_t next_step = 0;
  for (const CoreStep& s : plan.steps) {
    if (s.step != next_step && s.step + 1 != next_step) {
      fail(Status::kParse, "step {} of the plan is out of order", s.step);
    }
    next_step = s.step + 1;
    if (s.target >= end) {
      fail(Status::kParse, "step {} of the plan computes {}, which is not below {}", s.step,
           s.target, end);
    }
    if (s.core >= plan.cores) {
      fail(Status::kParse, "step {} of the plan is on core {} of {}", s.step, s.core, plan.cores);
    }
    if (!taken.emplace(s.core, s.step).second) {
      fail(Status::kParse, "core {} has two XORs in step {}", s.core, s.step);
    }
    ready_after[s.target] = s.step;
  }
  const Program steps = program_of_steps(program, plan);
  follow_copies(steps, ready_after);
  std::vector<bool> known(steps.end_of_elements());
  for (const Element input : program.inputs) known[input] = true;
  for (const Equation& equation : steps.equations) known[equation.target] = true;
  for (const Element output : program.outputs) {
    if (known[output]) continue;
    fail(Status::kParse, "the plan has no step that computes {}", element_name(program, output));
  }
  for (const CoreStep& s : plan.steps) {
    for (const Element operand : s.operands) {
      if (!known[operand]) {
        fail(Status::kParse, "step {} of the plan reads {}, which is neither an input nor computed",
             s.step, element_name(program, operand));
      }
      const auto ready = ready_after.find(operand);
      if (ready != ready_after.end() && ready->second >= s.step) {
        fail(Status::kParse, "step {} of the plan reads {} before it is computed", s.step,
             element_name(program, operand));
      }
    }
  }
  check_program(steps);
  if (const auto sentence = find_disagreement(steps, evaluate_symbolically(program))) {
    fail(Status::kParse, "the plan does not compute its equations: {}", *sentence);
  }
}

}  // namespace xorloom
