#include "equations/search/gate_pool.hpp"

#include <algorithm>

namespace xorloom {
namespace {

/// Size of num_alike_: with 64 entries per node, one look in 64 is a false positive. Up to 511
/// nodes the table fits L1 (32 KiB), and always L2.
constexpr std::size_t kPlacesOfNode = 64;
constexpr std::size_t kMostPlaces = std::size_t{1} << 18;

}  // namespace

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

ZeroSums::ZeroSums(std::size_t num_nodes)
    : keys_(num_nodes),
      is_in_(num_nodes),
      num_alike_(std::min(kMostPlaces, std::bit_ceil(kPlacesOfNode * (num_nodes + 1)))),
      key_mask_(static_cast<std::uint32_t>(num_alike_.size() - 1)),
      candidates_(std::min(num_nodes, kMostLooks) + 1),
      first_link_(num_nodes, kNone),
      defining_(num_nodes, kNone) {}

void ZeroSums::enter(Node node, const GatePool& pool) {
  const std::uint32_t key = key_of(node, pool);
  const std::size_t num_nodes = keys_.size();
  const std::size_t looks = std::min(num_nodes, kMostLooks);
  // If kMostLooks are too few for all nodes, looks at the nodes numbered from `node` on, which got
  // their numbers about when it did.
  const std::size_t begin = looks == num_nodes ? 0 : node;
  std::size_t num_candidates = 0;
  const auto look = [&](std::size_t from, std::size_t to) {
    // Branch-free, since most nodes are in no sum with `node`. Writes one entry past the last
    // candidate.
    for (std::size_t other = from; other < to; ++other) {
      candidates_[num_candidates] = static_cast<Node>(other);
      num_candidates += num_alike_[(keys_[other] ^ key) & key_mask_] != 0 ? 1U : 0U;
    }
  };
  look(begin, std::min(begin + looks, num_nodes));
  if (begin + looks > num_nodes) look(0, begin + looks - num_nodes);
  const auto is_looked_at = [&](Node other) {
    return (other >= begin ? other - begin : other + num_nodes - begin) < looks;
  };
  is_in_[node] = 1;
  keys_[node] = key;
  ++num_alike_[key & key_mask_];
  for (std::size_t i = 0; i < num_candidates; ++i) {
    const Node first = candidates_[i];
    if (first == node || is_in_[first] == 0) continue;
    const Node second = pool.find_sum(node, first);
    if (second == GatePool::kNone || second == node || is_in_[second] == 0) continue;
    if (second < first && is_looked_at(second)) continue;  // found before, as `first`
    if (places_.size() - free_.size() >= kMostSums) break;
    make_spare(add({node, first, second}));
  }
}

void ZeroSums::leave(Node node) {
  while (first_link_[node] != kNone) remove(first_link_[node] / 3);
  defining_[node] = kNone;
  is_in_[node] = 0;
  --num_alike_[keys_[node] & key_mask_];
}

void ZeroSums::define(Node gate, Node a, Node b) {
  const Number known = find(gate, a, b);
  const Number before = defining_[gate];
  if (known != kNone) use(known);
  defining_[gate] = known != kNone ? known : add({gate, a, b});
  if (before != kNone) make_spare(before);
}

ZeroSums::Number ZeroSums::find(Node gate, Node a, Node b) const {
  for (std::uint32_t link = first_link_[gate]; link != kNone; link = links_[link].next) {
    const Number sum = link / 3;
    const std::uint32_t next = 3 * sum + (link + 1) % 3;
    const std::uint32_t last = 3 * sum + (link + 2) % 3;
    const Node x = links_[next].node;
    const Node y = links_[last].node;
    if ((x == a && y == b) || (x == b && y == a)) return sum;
  }
  return kNone;
}

/// Adds a sum that is not spare.
ZeroSums::Number ZeroSums::add(const std::array<Node, 3>& nodes) {
  if (free_.empty()) {
    free_.push_back(static_cast<Number>(places_.size()));
    places_.push_back(kNone);
    links_.resize(links_.size() + 3);
  }
  const Number sum = free_.back();
  free_.pop_back();
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t link = 3 * sum + i;
    std::uint32_t& first = first_link_[nodes[i]];
    links_[link] = {nodes[i], first, kNone};
    if (first != kNone) links_[first].previous = link;
    first = link;
  }
  return sum;
}

void ZeroSums::remove(Number sum) {
  for (std::uint32_t link = 3 * sum; link < 3 * sum + 3; ++link) {
    const auto [node, next, previous] = links_[link];
    (previous != kNone ? links_[previous].next : first_link_[node]) = next;
    if (next != kNone) links_[next].previous = previous;
    if (defining_[node] == sum) defining_[node] = kNone;
  }
  if (places_[sum] != kNone) use(sum);
  free_.push_back(sum);
}

void ZeroSums::make_spare(Number sum) {
  places_[sum] = static_cast<std::uint32_t>(spare_.size());
  spare_.push_back(sum);
}

void ZeroSums::use(Number sum) {
  const Number last = spare_.back();
  spare_[places_[sum]] = last;
  places_[last] = places_[sum];
  spare_.pop_back();
  places_[sum] = kNone;
}

}  // namespace xorloom
