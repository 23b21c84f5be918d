#include "equations/core_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "codes/error.hpp"
#include "equations/cost.hpp"
#include "equations/proof.hpp"

namespace xorloom {
namespace {

void check_cores(std::size_t cores) {
  if (cores < 1 || cores > kMaxCores) {
    fail(Status::kInvalidArgument, fmt::format("{} cores are not one of 1 to {}", cores, kMaxCores));
  }
}

std::size_t rounds_to_merge(std::size_t operands) {
  std::size_t rounds = 0;
  while (operands > 1) {
    operands = (operands + 1) / 2;
    ++rounds;
  }
  return rounds;
}

/// For each equation, the equations that read its target.
std::vector<std::vector<std::size_t>> readers(const Program& program) {
  const std::vector<std::size_t> by = equation_of_element(program);
  std::vector<std::vector<std::size_t>> result(program.equations.size());
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    for (const Element operand : program.equations[i].operands) {
      if (by[operand] != kNone) result[by[operand]].push_back(i);
    }
  }
  return result;
}

/// State of an equation while its operands are merged two by two.
struct Merge {
  std::vector<Element> ready;  // values that may be merged in this step
  std::size_t missing = 0;     // operands not computed yet
  std::size_t left = 0;        // XORs not placed yet
  std::size_t tail = 0;        // steps from the end of this equation to the end of the program
};

}  // namespace

CorePlan plan_on_cores(const Program& program, std::size_t cores) {
  check_cores(cores);
  const auto reads = readers(program);
  const std::vector<std::size_t> by = equation_of_element(program);
  const std::size_t count = program.equations.size();

  std::vector<Merge> merges(count);
  for (std::size_t i = count; i-- > 0;) {
    const Equation& equation = program.equations[i];
    Merge& merge = merges[i];
    merge.left = xors(equation);
    for (const Element operand : equation.operands) {
      if (by[operand] == kNone) {
        merge.ready.push_back(operand);
      } else {
        ++merge.missing;
      }
    }
    for (const std::size_t reader : reads[i]) {
      const std::size_t after = merges[reader].tail +
                                (xors(program.equations[reader]) > 0 ? std::size_t{1} : 0);
      merge.tail = std::max(merge.tail, after);
    }
  }

  CorePlan plan{cores, {}};
  Element next_partial = program.end_of_elements();
  std::vector<std::size_t> home;  // core of each computed element, kNone for inputs
  home.resize(next_partial, kNone);
  std::vector<std::size_t> done;  // equations whose target is ready from now on
  const auto publish = [&](std::size_t index) {
    std::vector<std::size_t> finished{index};
    while (!finished.empty()) {
      const std::size_t i = finished.back();
      finished.pop_back();
      for (const std::size_t reader : reads[i]) {
        Merge& merge = merges[reader];
        merge.ready.push_back(program.equations[i].target);
        --merge.missing;
        if (merge.missing == 0 && program.equations[reader].operands.size() == 1) {
          home[program.equations[reader].target] = home[program.equations[i].target];
          finished.push_back(reader);
        }
      }
    }
  };
  std::size_t open = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (merges[i].left > 0) ++open;
  }
  // Zeros and copies of inputs are there from the start.
  for (std::size_t i = 0; i < count; ++i) {
    if (merges[i].left == 0 && merges[i].missing == 0) publish(i);
  }

  std::vector<std::size_t> candidates;
  for (std::size_t step = 0; open > 0; ++step) {
    candidates.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (merges[i].left > 0 && merges[i].ready.size() >= 2) candidates.push_back(i);
    }
    // Longest way to go first: the rounds this equation still needs and what comes after it, then
    // the work left in it.
    const auto urgency = [&](std::size_t i) {
      const Merge& merge = merges[i];
      return std::tuple(merge.tail + rounds_to_merge(merge.left + 1), merge.left,
                        count - i);
    };
    std::priority_queue<std::tuple<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t>>
        queue;
    for (const std::size_t i : candidates) queue.emplace(urgency(i), i);
    struct Placed {
      std::size_t equation;
      Element target;
      std::array<Element, 2> operands;
    };
    std::vector<Placed> placed;
    std::vector<std::pair<std::size_t, Element>> partials;
    done.clear();
    while (placed.size() < cores && !queue.empty()) {
      const std::size_t i = std::get<1>(queue.top());
      queue.pop();
      Merge& merge = merges[i];
      std::array<Element, 2> operands{merge.ready[0], merge.ready[1]};
      merge.ready.erase(merge.ready.begin(), merge.ready.begin() + 2);
      if (operands[0] > operands[1]) std::swap(operands[0], operands[1]);
      --merge.left;
      Element target = program.equations[i].target;
      if (merge.left > 0) {
        target = next_partial++;
        home.push_back(kNone);
        partials.emplace_back(i, target);
        if (merge.ready.size() >= 2) queue.emplace(urgency(i), i);
      } else {
        done.push_back(i);
      }
      placed.push_back({i, target, operands});
    }
    // Cores: each XOR goes to the home of an operand if that core is still free in this step.
    std::vector<bool> busy(cores);
    std::vector<std::size_t> core_of(placed.size(), kNone);
    for (std::size_t p = 0; p < placed.size(); ++p) {
      for (const Element operand : placed[p].operands) {
        const std::size_t core = home[operand];
        if (core_of[p] != kNone || core == kNone || busy[core]) continue;
        busy[core] = true;
        core_of[p] = core;
      }
    }
    for (std::size_t p = 0, core = 0; p < placed.size(); ++p) {
      if (core_of[p] != kNone) continue;
      while (busy[core]) ++core;
      busy[core] = true;
      core_of[p] = core;
    }
    const auto first = static_cast<std::ptrdiff_t>(plan.steps.size());
    for (std::size_t p = 0; p < placed.size(); ++p) {
      plan.steps.push_back({core_of[p], step, placed[p].target, placed[p].operands});
      home[placed[p].target] = core_of[p];
    }
    std::ranges::sort(plan.steps.begin() + first, plan.steps.end(), {}, &CoreStep::core);
    for (const auto& [i, target] : partials) merges[i].ready.push_back(target);
    for (const std::size_t i : done) {
      --open;
      publish(i);
    }
  }
  return plan;
}

std::size_t makespan(const CorePlan& plan) {
  return plan.steps.empty() ? 0 : plan.steps.back().step + 1;
}

std::size_t moves(const Program& program, const CorePlan& plan) {
  std::map<Element, std::size_t> home;
  for (const CoreStep& step : plan.steps) home[step.target] = step.core;
  // A copy lives where its source does.
  for (const Equation& equation : program.equations) {
    if (equation.operands.size() != 1) continue;
    const auto source = home.find(equation.operands.front());
    if (source != home.end()) home[equation.target] = source->second;
  }
  std::set<Element> moved;
  for (const CoreStep& step : plan.steps) {
    for (const Element operand : step.operands) {
      const auto from = home.find(operand);
      if (from != home.end() && from->second != step.core) moved.insert(operand);
    }
  }
  return moved.size();
}

std::size_t atomic_makespan(const Program& program, std::size_t cores) {
  check_cores(cores);
  const auto reads = readers(program);
  const std::size_t count = program.equations.size();
  std::vector<std::size_t> way(count);  // own steps and the longest chain after them
  std::vector<std::size_t> missing(count);
  for (std::size_t i = count; i-- > 0;) {
    for (const std::size_t reader : reads[i]) {
      way[i] = std::max(way[i], way[reader]);
      ++missing[reader];
    }
    way[i] += xors(program.equations[i]);
  }
  std::priority_queue<std::pair<std::size_t, std::size_t>> ready;  // way, equation (later first)
  const auto offer = [&](std::size_t i) { ready.emplace(way[i], count - i); };
  for (std::size_t i = 0; i < count; ++i) {
    if (missing[i] == 0) offer(i);
  }
  using Running = std::pair<std::size_t, std::size_t>;  // end, equation
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  std::size_t now = 0;
  std::size_t last = 0;
  std::size_t busy = 0;
  for (std::size_t finished = 0; finished < count;) {
    while (!ready.empty()) {
      const std::size_t i = count - ready.top().second;
      const std::size_t steps = xors(program.equations[i]);
      if (steps > 0 && busy == cores) break;
      ready.pop();
      running.emplace(now + steps, i);
      if (steps > 0) ++busy;
    }
    const auto [end, i] = running.top();
    running.pop();
    now = end;
    last = std::max(last, end);
    if (xors(program.equations[i]) > 0) --busy;
    ++finished;
    for (const std::size_t reader : reads[i]) {
      if (--missing[reader] == 0) offer(reader);
    }
  }
  return last;
}

void check_plan(const Program& program, const CorePlan& plan) {
  check_cores(plan.cores);
  // The plan as a program of two-input equations, plus the copies and zeros it leaves out.
  Program steps = program;
  steps.equations.clear();
  std::map<Element, std::size_t> ready_after;
  std::set<std::pair<std::size_t, std::size_t>> taken;
  for (const CoreStep& s : plan.steps) {
    if (s.core >= plan.cores) {
      fail(Status::kParse, fmt::format("step {} of the plan is on core {} of {}", s.step, s.core,
                                       plan.cores));
    }
    if (!taken.emplace(s.core, s.step).second) {
      fail(Status::kParse, fmt::format("core {} has two XORs in step {}", s.core, s.step));
    }
    ready_after[s.target] = s.step;
    steps.equations.push_back({s.target, {s.operands[0], s.operands[1]}});
  }
  for (const Equation& equation : program.equations) {
    if (equation.operands.size() < 2) steps.equations.push_back(equation);
  }
  sort_equations(steps);
  // Copies take no time: an element is ready when what it copies is.
  for (const Equation& equation : steps.equations) {
    if (equation.operands.size() != 1) continue;
    const auto source = ready_after.find(equation.operands.front());
    if (source != ready_after.end()) ready_after[equation.target] = source->second;
  }
  for (const CoreStep& s : plan.steps) {
    for (const Element operand : s.operands) {
      const auto ready = ready_after.find(operand);
      if (ready != ready_after.end() && ready->second >= s.step) {
        fail(Status::kParse, fmt::format("step {} of the plan reads {} before it is computed", s.step,
                                         element_name(program, operand)));
      }
    }
  }
  check_program(steps);
  if (const auto sentence = find_disagreement(steps, evaluate_symbolically(program))) {
    fail(Status::kParse, fmt::format("the plan does not compute its equations: {}", *sentence));
  }
}

}  // namespace xorloom
