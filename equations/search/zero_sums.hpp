#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "equations/ir/random.hpp"
#include "equations/search/gate_pool.hpp"

namespace xorloom {

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
