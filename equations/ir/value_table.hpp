#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xorloom {

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

}  // namespace xorloom
