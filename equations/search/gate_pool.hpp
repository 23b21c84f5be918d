#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "equations/ir/circuit.hpp"
#include "equations/ir/random.hpp"
#include "equations/ir/value_table.hpp"

namespace xorloom {

/// A circuit whose gates come and go as a random walk rewrites it. Each input and gate is a node,
/// inputs first; a node that is free may become another gate.
///
/// Every value is known by 64 random bits an input, added up, so values that are equal are found by
/// a table, and no two gates have the same. That is right unless the random bits mislead it, which
/// a proof has to exclude. Who reads a gate, and so when it may go, is for the walk to know.
class GatePool {
 public:
  using Node = ValueTable::Node;
  using Gate = Circuit::Gate;
  static constexpr Node kNone = ValueTable::kNone;

  /// A gate computed as (a + b) + c, where inner is a + b.
  struct Chain {
    Node gate, inner, a, b, c;
  };

  /// Loads a circuit, with room for some gates more. Values computed twice are one gate; those that
  /// nothing reads stay. Gates in use stand after those they read.
  GatePool(const Circuit& circuit, std::size_t num_spare, Random& random);

  std::size_t num_inputs() const { return num_inputs_; }
  std::size_t num_nodes() const { return values_.size(); }
  std::size_t num_gates() const { return in_use_.size(); }
  bool is_full() const { return free_.empty(); }
  bool is_gate(Node node) const { return node >= num_inputs_; }
  bool is_free(Node node) const { return values_[node] == 0; }
  std::uint64_t value(Node node) const { return values_[node]; }  ///< 0 for a free node

  const std::vector<Node>& outputs() const { return outputs_; }  ///< kNone for those of zeros
  const std::vector<Node>& in_use() const { return in_use_; }    ///< gates, in any order
  const std::vector<Gate>& gates() const { return gates_; }  ///< by node - inputs, free ones too
  const Gate& operands(Node gate) const { return gates_[gate - num_inputs_]; }

  /// The node with the value a + b, or kNone.
  Node find_sum(Node a, Node b) const { return table_.find(values_[a] ^ values_[b], values_); }

  /// Adds the gate a + b. Shape: the pool is not full, and no node has that value.
  Node add(Node a, Node b) {
    const Node node = free_.back();
    free_.pop_back();
    gates_[node - num_inputs_] = {a, b};
    values_[node] = values_[a] ^ values_[b];
    table_.insert(node, values_);
    slots_[node] = static_cast<std::uint32_t>(in_use_.size());
    in_use_.push_back(node);
    return node;
  }

  /// Frees a gate and returns what it read.
  Gate remove(Node gate) {
    table_.erase(gate, values_);
    values_[gate] = 0;
    const Node last = in_use_.back();
    in_use_[slots_[gate]] = last;
    slots_[last] = slots_[gate];
    in_use_.pop_back();
    free_.push_back(gate);
    return operands(gate);
  }

  /// Computes a gate from two other nodes that add up to it, and returns what it read.
  Gate set_operands(Node gate, Node a, Node b) {
    return std::exchange(gates_[gate - num_inputs_], {a, b});
  }

  /// Makes (a + b) + c into a + (b + c), where nothing else reads a + b and no node is b + c.
  void reassociate(const Chain& chain) {
    const auto [gate, inner, a, b, c] = chain;
    table_.erase(inner, values_);
    values_[inner] = values_[b] ^ values_[c];
    table_.insert(inner, values_);
    set_operands(inner, b, c);
    set_operands(gate, a, inner);
  }

  /// A gate in use; there is one.
  Node draw(std::uint64_t bits) const {
    return in_use_[Random::scale(bits, static_cast<std::uint32_t>(in_use_.size()))];
  }

  /// A gate that reads another, or nothing if the one drawn reads inputs only.
  std::optional<Chain> draw_chain(std::uint64_t bits) const {
    const Node gate = draw(bits);
    auto [inner, c] = operands(gate);
    if ((bits & 1) != 0) std::swap(inner, c);
    if (!is_gate(inner)) std::swap(inner, c);
    if (!is_gate(inner)) return std::nullopt;
    auto [a, b] = operands(inner);
    if ((bits & 2) != 0) std::swap(a, b);
    return Chain{gate, inner, a, b, c};
  }

  /// Looks at some nodes for pairs that add up to a gate, and calls use(gate, first, second) for
  /// each until it returns true. Only then may it have changed the pool.
  template <typename Use>
  void probe(std::uint64_t bits, const Use& use) const {
    const Node gate = draw(bits);
    const auto end = static_cast<std::uint32_t>(num_nodes());
    Node first = Random::scale(bits << 32, end);
    for (std::uint32_t i = 0; i < kProbeRun; ++i, ++first) {
      if (first == end) first = 0;
      const Node second = find_sum(gate, first);
      if (second == kNone || first == gate || second == gate) continue;
      if (use(gate, first, second)) return;
    }
  }

 private:
  /// Nodes a probe looks at, one after the other.
  static constexpr std::uint32_t kProbeRun = 8;

  std::size_t num_inputs_;
  std::vector<Gate> gates_;            ///< by node - inputs
  std::vector<std::uint64_t> values_;  ///< by node; 0 for free ones
  std::vector<std::uint32_t> slots_;   ///< by node: its place in in_use_
  std::vector<Node> in_use_;
  std::vector<Node> free_;
  std::vector<Node> outputs_;
  ValueTable table_;
};

}  // namespace xorloom
