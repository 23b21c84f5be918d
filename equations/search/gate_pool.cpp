#include "equations/search/gate_pool.hpp"

namespace xorloom {

GatePool::GatePool(const Circuit& circuit, std::size_t num_spare, Random& random)
    : num_inputs_(circuit.inputs),
      gates_(circuit.gates.size() + num_spare),
      values_(circuit.num_values() + num_spare),
      slots_(values_.size()),
      table_(values_.size()) {
  for (std::size_t node = num_nodes(); node-- > num_inputs_;) {
    free_.push_back(static_cast<Node>(node));
  }
  std::vector<Node> node_of;
  for (Node input = 0; input < num_inputs_; ++input) {
    values_[input] = random();
    table_.insert(input, values_);
    node_of.push_back(input);
  }
  const auto known = [&](Circuit::Value value) {
    return value == Circuit::kZero ? kNone : node_of[value];
  };
  const auto sum_of = [&](Node a, Node b) {
    if (a == b) return kNone;
    if (a == kNone || b == kNone) return a == kNone ? b : a;
    const Node sum = find_sum(a, b);
    return sum == kNone ? add(a, b) : sum;
  };
  for (const auto& [a, b] : circuit.gates) node_of.push_back(sum_of(known(a), known(b)));
  for (const Circuit::Value output : circuit.outputs) outputs_.push_back(known(output));
}

}  // namespace xorloom
