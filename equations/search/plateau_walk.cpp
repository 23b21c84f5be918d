#include "equations/search/plateau_walk.hpp"

#include <algorithm>
#include <optional>

namespace xorloom {
namespace {

/// Gates above those of the circuit to begin with.
constexpr std::size_t kSpareGates = 16;

/// Nodes that a move may look at to see that it closes no cycle.
constexpr std::size_t kMostVisited = 256;

}  // namespace

PlateauWalk::PlateauWalk(const Circuit& circuit, std::uint64_t seed, const Options& options)
    : options_(options),
      random_(seed),
      pool_(circuit, kSpareGates + options.slack, random_),
      uses_(pool_.num_nodes()),
      visited_(pool_.num_nodes()) {
  for (Node input = 0; input < pool_.num_inputs(); ++input) uses_[input] = 1;  // it never goes
  for (const Node output : pool_.outputs()) {
    if (output != kNone) ++uses_[output];
  }
  const std::vector<Node> in_order = pool_.in_use();
  for (const Node gate : in_order) add_uses(gate);
  for (auto gate = in_order.rbegin(); gate != in_order.rend(); ++gate) {
    if (!pool_.is_free(*gate) && uses_[*gate] == 0) drop_uses(pool_.remove(*gate));
  }
  keep_best();
}

void PlateauWalk::add_uses(Node gate) {
  for (const Node operand : pool_.operands(gate)) ++uses_[operand];
}

/// Takes a reader from each operand; those without any go, and what only they read.
void PlateauWalk::drop_uses(const Circuit::Gate& operands) {
  for (const Node operand : operands) {
    if (--uses_[operand] == 0) drop_uses(pool_.remove(operand));
  }
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
  ++uses_[a];
  ++uses_[b];
  drop_uses(pool_.set_operands(gate, a, b));
}

/// Computes a gate from two values that add up to it, unless they come from it or are what it
/// reads already.
bool PlateauWalk::try_derive(Node gate, Node a, Node b) {
  if (!pool_.is_gate(gate)) return false;
  const auto reads = [&](Node reader, Node node) {
    return pool_.is_gate(reader) &&
           (pool_.operands(reader)[0] == node || pool_.operands(reader)[1] == node);
  };
  if (reads(gate, a) || reads(a, gate) || reads(b, gate)) return false;
  if (depends(a, gate) || depends(b, gate)) return false;
  set_operands(gate, a, b);
  return true;
}

void PlateauWalk::probe(std::uint64_t bits) {
  pool_.probe(bits, [&](Node gate, Node first, Node second) {
    // Three values that add up to zero: any of them may be computed from the others.
    return try_derive(gate, first, second) || try_derive(first, gate, second) ||
           try_derive(second, gate, first);
  });
}

void PlateauWalk::reassociate(std::uint64_t bits, bool may_climb) {
  const std::optional<GatePool::Chain> chain = pool_.draw_chain(bits);
  if (!chain) return;
  const auto [gate, inner, a, b, c] = *chain;
  const Node known = pool_.find_sum(b, c);
  if (known != kNone) {
    if (!depends(known, gate)) set_operands(gate, a, known);
  } else if (uses_[inner] == 1) {
    pool_.reassociate(*chain);
  } else if (may_climb && !pool_.is_full()) {
    const Node sum = pool_.add(b, c);
    add_uses(sum);
    set_operands(gate, a, sum);
  }
}

void PlateauWalk::keep_best() {
  best_xors_ = pool_.num_gates();
  best_gates_ = pool_.gates();
}

std::uint64_t PlateauWalk::run(std::uint64_t moves, std::size_t enough) {
  for (std::uint64_t done = 0; done < moves; ++done) {
    if (best_xors_ <= enough || pool_.num_gates() == 0) return done;
    const std::uint64_t kind = random_();
    if ((kind & 0xffff) < options_.probes) {
      probe(random_());
    } else {
      const bool may_climb = (kind >> 16 & 0xffff) < options_.climbs &&
                             pool_.num_gates() < best_xors_ + options_.slack;
      reassociate(random_(), may_climb);
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
