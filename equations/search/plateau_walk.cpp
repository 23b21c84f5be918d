#include "equations/search/plateau_walk.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "equations/ir/stop_check.hpp"

namespace xorloom {
namespace {

/// Nodes that a move may look at to see that it closes no cycle.
constexpr std::size_t kMostVisited = 256;

/// Nodes that enter between questions whether to stop: each takes microseconds at most.
constexpr std::size_t kNodesAtOnce = 256;

}  // namespace

PlateauWalk::PlateauWalk(const Circuit& circuit, std::uint64_t seed, const Options& options,
                         const std::function<bool()>& stop_requested)
    : options_(options),
      random_(seed),
      pool_(circuit, options.slack + 1, random_),
      sums_(pool_.num_nodes()),
      uses_(pool_.num_nodes()),
      readers_(pool_.num_nodes()),
      visited_(pool_.num_nodes()) {
  StopCheck stop(stop_requested, kNodesAtOnce);
  const auto is_to_stop = [&] {
    is_stopped_ = stop.after(1);
    return is_stopped_;
  };
  keep_best();
  for (Node input = 0; input < pool_.num_inputs(); ++input) {
    uses_[input] = 1;  // it never goes
    sums_.enter(input, pool_);
    if (is_to_stop()) return;
  }
  const std::vector<Node> in_order = pool_.in_use();
  for (const Node gate : in_order) {
    if (is_to_stop()) return;
    sums_.enter(gate, pool_);
    const auto [a, b] = pool_.operands(gate);
    sums_.define(gate, a, b);
    read(a, gate);
    read(b, gate);
  }
  // Outputs are readers, too, whose numbers no gate has.
  Node reader = kNone;
  for (const Node output : pool_.outputs()) {
    if (output != kNone) read(output, --reader);
  }
  for (auto gate = in_order.rbegin(); gate != in_order.rend(); ++gate) {
    if (!pool_.is_free(*gate) && uses_[*gate] == 0) remove(*gate);
  }
  keep_best();
}

void PlateauWalk::read(Node node, Node reader) {
  ++uses_[node];
  readers_[node] ^= reader;
}

/// Takes a reader from a node, which goes if it was the last, and with it what only it reads.
void PlateauWalk::unread(Node node, Node reader) {
  readers_[node] ^= reader;
  if (--uses_[node] == 0) remove(node);
}

void PlateauWalk::remove(Node gate) {
  sums_.leave(gate);
  for (const Node operand : pool_.remove(gate)) unread(operand, gate);
}

/// Whether a node is computed from another, or is it. In a large circuit also if that would take
/// long to find out, so that a move takes some microseconds at most.
bool PlateauWalk::depends(Node node, Node on) {
  if (node == on) return true;
  if (!pool_.is_gate(node)) return false;
  if (++num_searches_ == 0) {
    std::ranges::fill(visited_, 0);
    num_searches_ = 1;
  }
  pending_.assign(1, node);
  for (std::size_t num_visited = 0; !pending_.empty(); ++num_visited) {
    if (num_visited == kMostVisited) return true;
    const Node gate = pending_.back();
    pending_.pop_back();
    for (const Node operand : pool_.operands(gate)) {
      if (operand == on) return true;
      if (pool_.is_gate(operand) && visited_[operand] != num_searches_) {
        visited_[operand] = num_searches_;
        pending_.push_back(operand);
      }
    }
  }
  return false;
}

void PlateauWalk::set_operands(Node gate, Node a, Node b) {
  sums_.define(gate, a, b);
  read(a, gate);
  read(b, gate);
  for (const Node operand : pool_.set_operands(gate, a, b)) unread(operand, gate);
}

/// Computes a gate from two values that add up to it, unless they come from it.
bool PlateauWalk::try_derive(Node gate, Node a, Node b) {
  if (!pool_.is_gate(gate) || depends(a, gate) || depends(b, gate)) return false;
  set_operands(gate, a, b);
  return true;
}

void PlateauWalk::derive(std::uint64_t bits) {
  if (sums_.num_spare() == 0) return;
  const auto [a, b, c] = sums_.draw(bits);
  if (!try_derive(a, b, c) && !try_derive(b, c, a)) try_derive(c, a, b);
}

void PlateauWalk::reassociate(std::uint64_t bits) {
  const Node inner = pool_.draw(bits);
  const Node gate = readers_[inner];  // if it is the only one
  if (uses_[inner] != 1 || gate >= pool_.num_nodes()) return;
  auto [a, b] = pool_.operands(inner);
  if ((bits >> 16 & 1) != 0) std::swap(a, b);
  const auto [left, right] = pool_.operands(gate);
  const Node c = left ^ right ^ inner;
  const Node known = pool_.find_sum(b, c);
  if (known != kNone) {
    try_derive(gate, a, known);
    return;
  }
  sums_.leave(inner);
  pool_.reassociate({gate, inner, a, b, c});
  readers_[a] ^= inner ^ gate;
  readers_[c] ^= inner ^ gate;
  sums_.enter(inner, pool_);
  sums_.define(inner, b, c);
  sums_.define(gate, a, inner);
}

void PlateauWalk::climb(std::uint64_t bits) {
  const std::optional<GatePool::Chain> chain = pool_.draw_chain(bits);
  if (!chain || pool_.is_full()) return;
  const auto [gate, inner, a, b, c] = *chain;
  if (uses_[inner] == 1 || pool_.find_sum(b, c) != kNone) return;
  const Node sum = pool_.add(b, c);
  sums_.enter(sum, pool_);
  sums_.define(sum, b, c);
  read(b, sum);
  read(c, sum);
  set_operands(gate, a, sum);
}

void PlateauWalk::keep_best() {
  best_xors_ = pool_.num_gates();
  best_gates_ = pool_.gates();
}

std::uint64_t PlateauWalk::run(std::uint64_t moves, std::size_t enough) {
  if (is_stopped_) return 0;
  for (std::uint64_t done = 0; done < moves; ++done) {
    if (best_xors_ <= enough || pool_.num_gates() == 0) return done;
    // The upper half draws a gate, the lower quarter the kind of move, those between details.
    const std::uint64_t bits = random_();
    const std::uint64_t kind = bits & 0xffff;
    if (kind < options_.climbs) {
      if (pool_.num_gates() < best_xors_ + options_.slack) climb(random_());
    } else if (kind < options_.climbs + options_.derivations) {
      derive(bits);
    } else {
      reassociate(bits);
    }
    if (pool_.num_gates() < best_xors_) keep_best();
  }
  return moves;
}

Circuit PlateauWalk::circuit() const {
  return sorted_circuit(pool_.num_inputs(), pool_.gates(), pool_.outputs());
}

Circuit PlateauWalk::best() const {
  return sorted_circuit(pool_.num_inputs(), best_gates_, pool_.outputs());
}

}  // namespace xorloom
