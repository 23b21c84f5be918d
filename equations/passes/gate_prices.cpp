#include "equations/passes/gate_prices.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/passes/gate_trees.hpp"

namespace xorloom {

GatePrices::GatePrices(const std::vector<Gate>& gates) {
  if (gates.empty()) fail(Status::kInvalidArgument, "no gate is given, and a sum needs one");
  std::size_t most = 0;
  for (const Gate& gate : gates) {
    if (gate.inputs < 2 || gate.inputs > kMostInputs) {
      fail(Status::kInvalidArgument, "a gate of {} is not one of 2 to {}",
           counted(gate.inputs, "input"), kMostInputs);
    }
    if (gate.price == 0 || gate.price > kMostPrice) {
      fail(Status::kInvalidArgument,
           "the price of a gate of {} inputs is not above 0 and at most {}", gate.inputs,
           kMostPrice);
    }
    most = std::max(most, gate.inputs);
  }
  constexpr std::uint64_t kNoPrice = std::numeric_limits<std::uint64_t>::max();
  prices_.assign(most + 1, kNoPrice);
  for (const Gate& gate : gates) {
    if (prices_[gate.inputs] != kNoPrice) {
      fail(Status::kInvalidArgument, "the gate of {} inputs has two prices", gate.inputs);
    }
    prices_[gate.inputs] = gate.price;
  }
  for (std::size_t inputs = most; inputs-- > 2;) {
    prices_[inputs] = std::min(prices_[inputs], prices_[inputs + 1]);
  }
  prices_[0] = prices_[1] = 0;
}

GatePrices GatePrices::uniform(std::size_t inputs) { return GatePrices({{inputs, 1}}); }

std::vector<std::uint64_t> GatePrices::of_sums(std::size_t most) const {
  std::vector<std::uint64_t> price(most + 1, 0);
  const std::vector<std::size_t> widest = widest_gates(most);
  for (std::size_t n = 2; n <= most; ++n) {
    price[n] = prices_[widest[n]] + price[n - widest[n] + 1];
  }
  return price;
}

std::vector<std::size_t> GatePrices::widest_gates(std::size_t most, std::size_t least) const {
  std::vector<std::uint64_t> price(most + 1, 0);
  std::vector<std::size_t> widest(most + 1, 0);
  for (std::size_t n = 2; n <= most; ++n) {
    for (std::size_t inputs = std::min(n, most_inputs()); inputs >= std::min(n, least); --inputs) {
      const std::uint64_t with_it = prices_[inputs] + price[n - inputs + 1];
      if (widest[n] != 0 && with_it >= price[n]) continue;
      price[n] = with_it;
      widest[n] = inputs;
    }
  }
  return widest;
}

std::vector<std::size_t> gates_of_sum(std::size_t operands,
                                      const std::vector<std::size_t>& widest) {
  std::vector<std::size_t> gates;
  while (operands > 1) {
    gates.push_back(widest[operands]);
    operands -= gates.back() - 1;
  }
  std::ranges::sort(gates);
  return gates;
}

SumGates::SumGates(const GatePrices& prices, std::size_t most, std::size_t levels)
    : prices_(prices), levels_(levels) {
  const std::size_t last = levels == 0 || prices.is_uniform() ? 2 : prices.most_inputs();
  for (std::size_t least = 2; least <= last; ++least) {
    widest_.push_back(prices.widest_gates(most, least));
  }
}

SumGates::Tree SumGates::of(const std::vector<std::size_t>& at) const {
  const std::size_t operands = std::accumulate(at.begin(), at.end(), std::size_t{0});
  const auto rank = [&](const Tree& tree) {
    return GateRank{tree.level - std::min(tree.level, levels_), tree.price};
  };
  std::optional<Tree> best;
  for (const std::vector<std::size_t>& widest : widest_) {
    std::vector<std::size_t> left = at;
    Tree tree{.gates = gates_of_sum(operands, widest), .level = at.empty() ? 0 : at.size() - 1};
    std::size_t next = 0;
    for (std::size_t inputs : tree.gates) {
      tree.price += prices_.of_gate(inputs);
      while (inputs > 0) {
        while (left[next] == 0) ++next;
        const std::size_t taken = std::min(inputs, left[next]);
        left[next] -= taken;
        inputs -= taken;
        tree.level = next + 1;
      }
      if (left.size() <= tree.level) left.resize(tree.level + 1);
      ++left[tree.level];
    }
    if (!best || rank(tree) < rank(*best)) best = std::move(tree);
    if (levels_ == 0 || best->level <= levels_) break;
  }
  return *std::move(best);
}

Program gate_trees(const Program& program, const GatePrices& prices, std::size_t levels) {
  Program result = without_equations(program);
  std::size_t most = 1;
  for (const Equation& equation : program.equations) {
    most = std::max(most, equation.operands.size());
  }
  const SumGates sums(prices, most, levels);
  Element next = program.end_of_elements();
  std::vector<std::size_t> depth(next, 0);
  using Ready = std::pair<std::size_t, Operand>;  // depth of an operand, operand
  for (const Equation& equation : program.equations) {
    if (equation.operands.size() < 2) {
      if (!equation.operands.empty()) depth[equation.target] = depth[equation.operands.front()];
      result.equations.push_back(equation);
      continue;
    }
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    std::vector<std::size_t> at;  // operands by level
    for (const Operand& operand : equation.operands) {
      ready.emplace(depth[operand], operand);
      if (at.size() <= depth[operand]) at.resize(depth[operand] + 1);
      ++at[depth[operand]];
    }
    for (const std::size_t inputs : sums.of(at).gates) {
      std::vector<Operand> operands;
      std::size_t latest = 0;
      for (; operands.size() < inputs; ready.pop()) {
        latest = std::max(latest, ready.top().first);
        operands.push_back(ready.top().second);
      }
      std::ranges::sort(operands);
      const Element target = ready.empty() ? equation.target : next++;
      if (!ready.empty()) ready.emplace(latest + 1, target);
      if (target == equation.target) depth[target] = latest + 1;
      result.equations.push_back({target, std::move(operands)});
    }
  }
  return result;
}

GateCount count_gates(const Program& program, const GatePrices& prices) {
  GateCount count;
  count.by_inputs.assign(prices.most_inputs() + 1, 0);
  for (const Equation& equation : program.equations) {
    const std::size_t inputs = equation.operands.size();
    if (inputs < 2) continue;
    ++count.by_inputs.at(inputs);
    count.price += prices.of_gate(inputs);
  }
  count.depth = gate_depth(program);
  return count;
}

GateRank gate_rank(const Program& program, const GatePrices& prices, std::size_t depth) {
  const GateCount count = count_gates(gate_trees(program, prices, depth), prices);
  return {depth == 0 ? 0 : count.depth - std::min(count.depth, depth), count.price};
}

}  // namespace xorloom
