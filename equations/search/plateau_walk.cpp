#include "equations/search/plateau_walk.hpp"

#include <optional>
#include <utility>

#include "equations/ir/stop_check.hpp"

namespace xorloom {
namespace {

/// Most nodes that a move looks at to see that it closes no cycle.
constexpr std::size_t kMostVisited = 256;

/// Nodes that enter between two calls of stop_requested; each takes microseconds at most.
constexpr std::size_t kNodesAtOnce = 256;

/// Rates of Options are parts of this number.
constexpr std::uint32_t kKinds = 65536;

/// Most gates that a move adds before it drops others.
constexpr std::size_t kMostAdded = 2;

/// Nodes that a detour tries as `s`, by ascending number.
constexpr std::uint32_t kDetourRun = 16;

}  // namespace

PlateauWalk::PlateauWalk(const Circuit& circuit, std::uint64_t seed, const Options& options,
                         const std::function<bool()>& stop_requested)
    : options_(options),
      random_(seed),
      pool_(circuit, options.slack + (options.depth == 0 ? 1 : kMostAdded), random_),
      sums_(pool_.num_nodes()),
      uses_(pool_.num_nodes()),
      readers_(pool_.num_nodes()),
      levels_(options.depth == 0 ? 0 : pool_.num_nodes()),
      heights_(levels_.size()),
      visited_(pool_.num_nodes()) {
  StopCheck stop(stop_requested, kNodesAtOnce);
  const auto is_to_stop = [&] {
    is_stopped_ = stop.after(1);
    return is_stopped_;
  };
  keep_best();
  for (Node input = 0; input < pool_.num_inputs(); ++input) {
    uses_[input] = 1;  // never removed
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
    if (is_bounded()) levels_[gate] = level_above(a, b);
  }
  // An output is a reader, too, with a number that no gate has.
  Node reader = kNone;
  for (const Node output : pool_.outputs()) {
    if (output != kNone) read(output, --reader);
  }
  for (auto gate = in_order.rbegin(); gate != in_order.rend(); ++gate) {
    if (!pool_.is_free(*gate) && uses_[*gate] == 0) remove(*gate);
  }
  if (is_bounded()) {
    for (auto gate = in_order.rbegin(); gate != in_order.rend(); ++gate) {
      if (pool_.is_free(*gate)) continue;
      for (const Node operand : pool_.operands(*gate)) set_height(operand);
    }
  }
  keep_best();
}

void PlateauWalk::read(Node node, Node reader) {
  ++uses_[node];
  readers_[node] ^= reader;
}

/// Takes `reader` from the readers of `node`. Removes a node without readers, and so the operands
/// that only it read.
void PlateauWalk::unread(Node node, Node reader) {
  readers_[node] ^= reader;
  if (--uses_[node] == 0) {
    remove(node);
  } else if (is_bounded()) {
    set_height(node);
  }
}

void PlateauWalk::remove(Node gate) {
  sums_.leave(gate);
  for (const Node operand : pool_.remove(gate)) unread(operand, gate);
}

/// True if all that is computed from `gate` stays within the depth with the gate at `level`.
bool PlateauWalk::fits(Node gate, Level level) const {
  return !is_bounded() || level + heights_[gate] <= options_.depth;
}

/// Updates the level of `gate` from its operands; if it changed, also the levels of its readers.
void PlateauWalk::set_level(Node gate) {
  const auto [a, b] = pool_.operands(gate);
  const Level level = level_above(a, b);
  if (level == levels_[gate]) return;
  levels_[gate] = level;
  sums_.for_each_reader(gate, [&](Node reader) { set_level(reader); });
}

/// Updates the height of `node` from its readers; if it changed, also the heights of its operands.
void PlateauWalk::set_height(Node node) {
  Level height = 0;
  sums_.for_each_reader(node,
                        [&](Node reader) { height = std::max(height, heights_[reader] + 1); });
  if (height == heights_[node]) return;
  heights_[node] = height;
  if (!pool_.is_gate(node)) return;
  for (const Node operand : pool_.operands(node)) set_height(operand);
}

/// True if `node` is `on` or is computed from `on`, or if kMostVisited nodes do not tell. So a move
/// takes some microseconds at most.
bool PlateauWalk::depends(Node node, Node on) {
  if (node == on) return true;
  if (!pool_.is_gate(node) || (is_bounded() && levels_[node] <= levels_[on])) return false;
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
  if (!is_bounded()) return;
  set_level(gate);
  set_height(a);
  set_height(b);
}

/// Makes `gate` read a and b, which add up to it. False, with nothing changed, if one of them
/// depends on the gate, if the depth forbids it, or if `gate` is an input.
bool PlateauWalk::try_derive(Node gate, Node a, Node b) {
  if (!pool_.is_gate(gate) || (is_bounded() && !fits(gate, level_above(a, b)))) return false;
  if (depends(a, gate) || depends(b, gate)) return false;
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
  const Node gate = readers_[inner];  // its reader, if it has only one
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
  if (is_bounded() && !fits(gate, std::max(levels_[a], level_above(b, c)) + 1)) return;
  sums_.leave(inner);
  pool_.reassociate({gate, inner, a, b, c});
  readers_[a] ^= inner ^ gate;
  readers_[c] ^= inner ^ gate;
  sums_.enter(inner, pool_);
  sums_.define(inner, b, c);
  sums_.define(gate, a, inner);
  if (!is_bounded()) return;
  set_level(inner);
  set_level(gate);
  for (const Node node : {inner, a, b, c}) set_height(node);
}

/// Returns the gate a + b; adds it if there is none.
PlateauWalk::Node PlateauWalk::sum_of(Node a, Node b) {
  const Node known = pool_.find_sum(a, b);
  if (known != kNone) return known;
  const Node sum = pool_.add(a, b);
  sums_.enter(sum, pool_);
  sums_.define(sum, a, b);
  read(a, sum);
  read(b, sum);
  if (!is_bounded()) return sum;
  levels_[sum] = level_above(a, b);
  heights_[sum] = 0;
  set_height(a);
  set_height(b);
  return sum;
}

/// True if a move may add `added` gates and drop `dropped`: there is room, and the gates do not get
/// more, or with `may_climb` not more than `slack` above the best.
bool PlateauWalk::has_room(std::size_t added, std::size_t dropped, bool may_climb) const {
  if (pool_.num_gates() + added > pool_.num_nodes() - pool_.num_inputs()) return false;
  const std::size_t most = may_climb ? best_xors_ + options_.slack : pool_.num_gates();
  return pool_.num_gates() + added <= most + dropped;
}

void PlateauWalk::climb(std::uint64_t bits) {
  const std::optional<GatePool::Chain> chain = pool_.draw_chain(bits);
  if (!chain || pool_.is_full()) return;
  const auto [gate, inner, a, b, c] = *chain;
  if (uses_[inner] == 1 || pool_.find_sum(b, c) != kNone) return;
  if (is_bounded() && !fits(gate, std::max(levels_[a], level_above(b, c)) + 1)) return;
  set_operands(gate, a, sum_of(b, c));
}

void PlateauWalk::exchange(std::uint64_t bits, bool may_climb) {
  const Node gate = pool_.draw(bits);
  const auto [left, right] = pool_.operands(gate);
  if (!pool_.is_gate(left) || !pool_.is_gate(right)) return;
  auto [a, b] = pool_.operands(left);
  const auto [c, d] = pool_.operands(right);
  if ((bits >> 16 & 1) != 0) std::swap(a, b);
  if (a == c || b == d) return;
  const Node first = pool_.find_sum(a, c);
  if (first == left || first == right) return;  // the other one is second
  const Node second = pool_.find_sum(b, d);
  const std::size_t added = (first == kNone ? 1U : 0U) + (second == kNone ? 1U : 0U);
  const std::size_t dropped = (uses_[left] == 1 ? 1U : 0U) + (uses_[right] == 1 ? 1U : 0U);
  if (!has_room(added, dropped, may_climb)) return;
  if (is_bounded()) {
    const Level of_first = first == kNone ? level_above(a, c) : levels_[first];
    const Level of_second = second == kNone ? level_above(b, d) : levels_[second];
    if (!fits(gate, std::max(of_first, of_second) + 1)) return;
  }
  if (first != kNone && depends(first, gate)) return;
  if (second != kNone && depends(second, gate)) return;
  const Node sum = sum_of(a, c);
  set_operands(gate, sum, sum_of(b, d));
}

void PlateauWalk::detour(std::uint64_t bits, bool may_climb) {
  const Node gate = pool_.draw(bits);
  const auto [left, right] = pool_.operands(gate);
  const auto end = static_cast<std::uint32_t>(pool_.num_nodes());
  const Node p = Random::scale(bits << 16, end);
  if (p == gate || pool_.value(p) == 0) return;
  if (pool_.find_sum(gate, p) != kNone || depends(p, gate)) return;
  Node s = Random::scale(bits << 32, end);
  for (std::uint32_t i = 0; i < kDetourRun; ++i, ++s) {
    if (s == end) s = 0;
    if (s == gate || s == p || pool_.value(s) == 0) continue;
    const Node t = pool_.find_value(pool_.value(gate) ^ pool_.value(p) ^ pool_.value(s));
    if (t == kNone || t == gate || t == p) continue;
    const auto is_dropped = [&](Node node) {
      return uses_[node] == 1 && node != p && node != s && node != t ? 1U : 0U;
    };
    if (!has_room(1, is_dropped(left) + is_dropped(right), may_climb)) continue;
    if (is_bounded() && !fits(gate, std::max(levels_[p], level_above(s, t)) + 1)) continue;
    if (depends(s, gate) || depends(t, gate)) continue;
    set_operands(gate, p, sum_of(s, t));
    return;
  }
}

void PlateauWalk::keep_best() {
  best_xors_ = pool_.num_gates();
  best_gates_ = pool_.gates();
}

std::uint64_t PlateauWalk::run(std::uint64_t moves, std::size_t enough) {
  if (is_stopped_) return 0;
  for (std::uint64_t done = 0; done < moves; ++done) {
    if (best_xors_ <= enough || pool_.num_gates() == 0) return done;
    // The upper 32 bits draw a gate, the lower 16 the kind of move, those between details.
    const std::uint64_t bits = random_();
    const auto kind = static_cast<std::uint32_t>(bits & 0xffff);
    if (kind < options_.climbs) {
      if (pool_.num_gates() < best_xors_ + options_.slack) climb(random_());
    } else if (kind < options_.climbs + options_.derivations) {
      derive(bits);
    } else if (const std::uint32_t other = kind - options_.climbs - options_.derivations;
               other < options_.exchanges + options_.detours) {
      const bool may_climb = Random::scale(random_(), kKinds) < options_.climbs;
      if (other < options_.exchanges) {
        exchange(random_(), may_climb);
      } else {
        detour(random_(), may_climb);
      }
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
