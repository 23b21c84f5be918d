#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "equations/ir/circuit.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

// What random walks over circuits keep: the gates, which values are equal, and which three add up
// to zero.

/// Which node has which value, for searches that know a value by 64 random bits. Open addressing by
/// the low bits of the values, which are random already.
///
/// The values stand outside, one per node; a node's value must not change while it is in the table.
class ValueTable {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = static_cast<Node>(-1);

  explicit ValueTable(std::size_t most_nodes)
      : places_(std::bit_ceil(4 * most_nodes + 4), kNone), mask_(places_.size() - 1) {}

  /// The node of that value, or kNone.
  Node find(std::uint64_t value, const std::vector<std::uint64_t>& values) const {
    for (std::uint64_t place = value & mask_;; place = (place + 1) & mask_) {
      const Node node = places_[place];
      if (node == kNone || values[node] == value) return node;
    }
  }

  void insert(Node node, const std::vector<std::uint64_t>& values) {
    std::uint64_t place = values[node] & mask_;
    while (places_[place] != kNone) place = (place + 1) & mask_;
    places_[place] = node;
  }

  void erase(Node node, const std::vector<std::uint64_t>& values) {
    std::uint64_t hole = values[node] & mask_;
    while (places_[hole] != node) hole = (hole + 1) & mask_;
    for (std::uint64_t place = (hole + 1) & mask_; places_[place] != kNone;
         place = (place + 1) & mask_) {
      const std::uint64_t home = values[places_[place]] & mask_;
      if (((place - home) & mask_) >= ((place - hole) & mask_)) {
        places_[hole] = places_[place];
        hole = place;
      }
    }
    places_[hole] = kNone;
  }

 private:
  std::vector<Node> places_;
  std::uint64_t mask_;
};

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
  Node find_sum(Node a, Node b) const { return find_value(values_[a] ^ values_[b]); }

  /// The node of a value, or kNone.
  Node find_value(std::uint64_t value) const { return table_.find(value, values_); }

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

/// Every three nodes of a walk whose values add up to zero. Any of the three may be computed from
/// the other two. So each gate has one sum that defines it, and the other sums are spare: they are
/// the ways to compute a gate anew.
///
/// A node enters when it gets a value, and leaves before it loses it. What it adds up with is found
/// by one look at each other node, which takes about a nanosecond.
class ZeroSums {
 public:
  using Node = GatePool::Node;
  using Number = std::uint32_t;  ///< of a sum, as long as its three nodes stay
  static constexpr Number kNone = static_cast<Number>(-1);

  /// Nodes that are looked at when one enters. In larger circuits some sums stay unknown.
  static constexpr std::size_t kMostLooks = 2048;

  /// Sums that are kept, which bounds the memory. Nodes that enter later find no more.
  static constexpr std::size_t kMostSums = std::size_t{1} << 23;

  /// Shape: nodes are less than num_nodes. None has entered.
  explicit ZeroSums(std::size_t num_nodes);

  /// Adds the sums of a node with those that entered before it. Cost: O(nodes), see kMostLooks.
  void enter(Node node, const GatePool& pool);

  /// Forgets a node and its sums.
  void leave(Node node);

  /// Notes that a gate is computed from a and b. The sum that defined it before is spare again.
  /// Shape: the sum of these three is spare, or unknown.
  void define(Node gate, Node a, Node b);

  /// Calls use(gate) for each gate that is computed from a node.
  template <typename Use>
  void for_each_reader(Node node, const Use& use) const {
    for (std::uint32_t link = first_link_[node]; link != kNone; link = links_[link].next) {
      const Number sum = link / 3;
      for (std::uint32_t i = 3 * sum; i < 3 * sum + 3; ++i) {
        if (i != link && defining_[links_[i].node] == sum) use(links_[i].node);
      }
    }
  }

  std::size_t num_spare() const { return spare_.size(); }

  /// The nodes of a spare sum; there is one. Which node stands first is random, too.
  std::array<Node, 3> draw(std::uint64_t bits) const {
    const Number sum = spare_[Random::scale(bits, static_cast<std::uint32_t>(spare_.size()))];
    const std::size_t first = (bits >> 16 & 0xffff) % 3;
    return {links_[3 * sum + first].node, links_[3 * sum + (first + 1) % 3].node,
            links_[3 * sum + (first + 2) % 3].node};
  }

 private:
  /// One of the three places of a sum: 3 · number + 0 … 2. The places of a node form a list.
  struct Link {
    Node node;
    std::uint32_t next, previous;
  };

  std::uint32_t key_of(Node node, const GatePool& pool) const {
    return static_cast<std::uint32_t>(pool.value(node) >> 32);
  }
  Number find(Node gate, Node a, Node b) const;
  Number add(const std::array<Node, 3>& nodes);
  void remove(Number sum);
  void make_spare(Number sum);
  void use(Number sum);

  std::vector<std::uint32_t> keys_;      ///< by node: the upper half of its value
  std::vector<std::uint8_t> is_in_;      ///< by node: whether it entered
  std::vector<std::uint8_t> num_alike_;  ///< by the low bits of a key: nodes that have them
  std::uint32_t key_mask_;
  std::vector<Node> candidates_;  ///< what a look finds, before it is checked

  std::vector<Link> links_;
  std::vector<std::uint32_t> first_link_;  ///< by node
  std::vector<Number> defining_;           ///< by node
  std::vector<std::uint32_t> places_;      ///< by sum: its place in spare_, or kNone
  std::vector<Number> spare_;
  std::vector<Number> free_;
};

}  // namespace xorloom
