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

// The state of random walks over circuits: gates, equal values, and triples of values that add up
// to zero.

/// Hash table from values to nodes, for searches that identify a value by 64 random bits. Open
/// addressing by the low bits of the values, which are random already.
///
/// The caller keeps the values, one per node. A node's value must not change while it is in the
/// table.
class ValueTable {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = static_cast<Node>(-1);

  explicit ValueTable(std::size_t most_nodes)
      : places_(std::bit_ceil(4 * most_nodes + 4), kNone), mask_(places_.size() - 1) {}

  /// The node of `value`, or kNone.
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
/// Every input gets 64 random bits, and the bits of a gate are the XOR of those of its operands. So
/// equal values are found by a hash table, and no two gates have the same value. Random bits may
/// mislead, so a result has to be proved. The walk counts the readers of a gate and removes it.
class GatePool {
 public:
  using Node = ValueTable::Node;
  using Gate = Circuit::Gate;
  static constexpr Node kNone = ValueTable::kNone;

  /// A gate computed as (a + b) + c, where inner is a + b.
  struct Chain {
    Node gate, inner, a, b, c;
  };

  /// Loads `circuit`, with room for `num_spare` more gates. Equal values become one gate, and gates
  /// that nothing reads stay. In in_use(), each gate follows those that it reads.
  GatePool(const Circuit& circuit, std::size_t num_spare, Random& random);

  std::size_t num_inputs() const { return num_inputs_; }
  std::size_t num_nodes() const { return values_.size(); }
  std::size_t num_gates() const { return in_use_.size(); }
  bool is_full() const { return free_.empty(); }
  bool is_gate(Node node) const { return node >= num_inputs_; }
  bool is_free(Node node) const { return values_[node] == 0; }
  std::uint64_t value(Node node) const { return values_[node]; }  ///< 0 for a free node

  const std::vector<Node>& outputs() const { return outputs_; }  ///< by row; kNone: a row of zeros
  const std::vector<Node>& in_use() const { return in_use_; }    ///< gates, in any order
  const std::vector<Gate>& gates() const { return gates_; }  ///< by node - inputs, free ones too
  const Gate& operands(Node gate) const { return gates_[gate - num_inputs_]; }

  /// The node with the value a + b, or kNone.
  Node find_sum(Node a, Node b) const { return find_value(values_[a] ^ values_[b]); }

  /// The node of a value, or kNone.
  Node find_value(std::uint64_t value) const { return table_.find(value, values_); }

  /// Adds the gate a + b. Shape: the pool is not full, and no node has the value a + b.
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

  /// Frees `gate` and returns its operands.
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

  /// Makes `gate` read a and b, which add up to it. Returns its previous operands.
  Gate set_operands(Node gate, Node a, Node b) {
    return std::exchange(gates_[gate - num_inputs_], {a, b});
  }

  /// Turns (a + b) + c into a + (b + c). Shape: only chain.gate reads a + b, and no node is b + c.
  void reassociate(const Chain& chain) {
    const auto [gate, inner, a, b, c] = chain;
    table_.erase(inner, values_);
    values_[inner] = values_[b] ^ values_[c];
    table_.insert(inner, values_);
    set_operands(inner, b, c);
    set_operands(gate, a, inner);
  }

  /// A random gate in use. Shape: there is one.
  Node draw(std::uint64_t bits) const {
    return in_use_[Random::scale(bits, static_cast<std::uint32_t>(in_use_.size()))];
  }

  /// A random gate and a gate that it reads; nullopt if the gate drawn reads inputs only.
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

  /// Draws a gate and looks at kProbeRun nodes for pairs that add up to it. Calls use(gate, first,
  /// second) for each pair until it returns true. `use` may change the pool only if it returns
  /// true.
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
  /// Nodes that a probe looks at, by ascending number.
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

/// All triples of nodes whose values add up to zero. Any of the three may be computed from the
/// other two. So each gate has one sum that defines it, and the other sums are spare: the ways to
/// compute a gate anew.
///
/// A node enters when it gets a value, and leaves before it loses the value. Its sums are found by
/// one look at each other node, which takes about a nanosecond.
class ZeroSums {
 public:
  using Node = GatePool::Node;
  using Number = std::uint32_t;  ///< names a sum until one of its nodes leaves
  static constexpr Number kNone = static_cast<Number>(-1);

  /// Most nodes that are looked at if one enters. In larger circuits some sums stay unknown.
  static constexpr std::size_t kMostLooks = 2048;

  /// Most sums that are kept, to bound the memory. Nodes that enter later find no more.
  static constexpr std::size_t kMostSums = std::size_t{1} << 23;

  /// Begins with no nodes. Shape: nodes that enter are less than `num_nodes`.
  explicit ZeroSums(std::size_t num_nodes);

  /// Adds the sums of `node` with nodes that entered before it. Cost: O(nodes), see kMostLooks.
  void enter(Node node, const GatePool& pool);

  /// Forgets a node and its sums.
  void leave(Node node);

  /// Notes that a gate is computed from a and b. The sum that defined it before is spare again.
  /// Shape: the sum of the three is spare, or unknown.
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

  /// The nodes of a random spare sum, in random rotation. Shape: there is a spare sum.
  std::array<Node, 3> draw(std::uint64_t bits) const {
    const Number sum = spare_[Random::scale(bits, static_cast<std::uint32_t>(spare_.size()))];
    const std::size_t first = (bits >> 16 & 0xffff) % 3;
    return {links_[3 * sum + first].node, links_[3 * sum + (first + 1) % 3].node,
            links_[3 * sum + (first + 2) % 3].node};
  }

 private:
  /// A node of a sum; sum s has links 3 s … 3 s + 2. The links of a node form a doubly linked list.
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
  std::vector<std::uint8_t> is_in_;      ///< by node: true if it entered
  std::vector<std::uint8_t> num_alike_;  ///< by the low bits of a key: nodes that have them
  std::uint32_t key_mask_;
  std::vector<Node> candidates_;  ///< nodes that may be part of a sum, not yet checked

  std::vector<Link> links_;
  std::vector<std::uint32_t> first_link_;  ///< by node: its first link
  std::vector<Number> defining_;           ///< by node: the sum that defines it, or kNone
  std::vector<std::uint32_t> places_;      ///< by sum: its place in spare_, or kNone
  std::vector<Number> spare_;
  std::vector<Number> free_;
};

}  // namespace xorloom
