#include "equations/plateau_walk.hpp"

#include <algorithm>
#include <utility>

namespace xorloom {
namespace {

/// Values a probe looks at, one after the other.
constexpr std::uint32_t kProbeRun = 8;

/// Gates above those of the circuit to begin with.
constexpr std::size_t kSpareGates = 16;

}  // namespace

PlateauWalk::PlateauWalk(const Circuit& circuit, std::uint64_t seed, const Options& options)
    : inputs_(circuit.inputs),
      options_(options),
      random_(seed),
      table_(circuit.num_values() + kSpareGates + options.slack) {
  const std::size_t most = circuit.num_values() + kSpareGates + options.slack;
  gates_.resize(most - inputs_);
  uses_.resize(most);
  values_.resize(most);
  slots_.resize(most);
  visited_.resize(most);
  for (std::size_t node = most; node-- > inputs_;) free_.push_back(static_cast<Node>(node));

  std::vector<Node> node_of(circuit.num_values());
  for (std::size_t i = 0; i < inputs_; ++i) {
    node_of[i] = static_cast<Node>(i);
    uses_[i] = 1;  // so that nothing releases it
    values_[i] = random_();
    table_.insert(node_of[i], values_);
  }
  const auto known = [&](Circuit::Value value) {
    return value == Circuit::kZero ? kNone : node_of[value];
  };
  const auto value_of = [&](Node node) { return node == kNone ? 0 : values_[node]; };
  for (std::size_t i = 0; i < circuit.gates.size(); ++i) {
    const Node a = known(circuit.gates[i][0]);
    const Node b = known(circuit.gates[i][1]);
    const std::uint64_t value = value_of(a) ^ value_of(b);
    Node node = value == 0 ? kNone : table_.find(value, values_);
    if (value != 0 && node == kNone) node = new_gate(a, b, value);
    node_of[inputs_ + i] = node;
  }
  for (const Circuit::Value output : circuit.outputs) {
    outputs_.push_back(known(output));
    if (outputs_.back() != kNone) ++uses_[outputs_.back()];
  }
  for (std::size_t i = live_.size(); i-- > 0;) {
    // Gates stand after those they read, and releasing moves only what was seen already.
    if (i < live_.size() && uses_[live_[i]] == 0) release(live_[i]);
  }
  best_xors_ = live_.size();
  keep_best();
}

PlateauWalk::Node PlateauWalk::new_gate(Node a, Node b, std::uint64_t value) {
  const Node node = free_.back();
  free_.pop_back();
  gates_[node - inputs_] = {a, b};
  ++uses_[a];
  ++uses_[b];
  uses_[node] = 0;
  values_[node] = value;
  table_.insert(node, values_);
  slots_[node] = static_cast<std::uint32_t>(live_.size());
  live_.push_back(node);
  return node;
}

/// Removes a gate that nothing reads, and what only it read.
void PlateauWalk::release(Node node) {
  table_.erase(node, values_);
  values_[node] = 0;
  const Node last = live_.back();
  live_[slots_[node]] = last;
  slots_[last] = slots_[node];
  live_.pop_back();
  free_.push_back(node);
  for (const Node operand : gates_[node - inputs_]) {
    if (--uses_[operand] == 0) release(operand);
  }
}

/// Whether a node is computed from another, or is it.
bool PlateauWalk::depends(Node node, Node on) {
  if (node == on) return true;
  if (node < inputs_) return false;
  if (++num_searches_ == 0) {
    std::ranges::fill(visited_, 0);
    num_searches_ = 1;
  }
  pending_.assign(1, node);
  while (!pending_.empty()) {
    const Node gate = pending_.back();
    pending_.pop_back();
    for (const Node operand : gates_[gate - inputs_]) {
      if (operand == on) return true;
      if (operand >= inputs_ && visited_[operand] != num_searches_) {
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
  const Circuit::Gate old = std::exchange(gates_[gate - inputs_], {a, b});
  for (const Node operand : old) {
    if (--uses_[operand] == 0) release(operand);
  }
}

/// Computes a gate from two values that add up to it, unless they come from it or are what it
/// reads already.
bool PlateauWalk::try_derive(Node gate, Node a, Node b) {
  if (gate < inputs_) return false;
  const auto reads = [&](Node reader, Node node) {
    return reader >= inputs_ &&
           (gates_[reader - inputs_][0] == node || gates_[reader - inputs_][1] == node);
  };
  if (reads(gate, a) || reads(a, gate) || reads(b, gate)) return false;
  if (depends(a, gate) || depends(b, gate)) return false;
  set_operands(gate, a, b);
  return true;
}

void PlateauWalk::probe(std::uint64_t bits) {
  const Node gate = live_[Random::scale(bits, static_cast<std::uint32_t>(live_.size()))];
  const std::uint64_t value = values_[gate];
  const auto num_nodes = static_cast<std::uint32_t>(values_.size());
  Node first = Random::scale(bits << 32, num_nodes);
  for (std::uint32_t i = 0; i < kProbeRun; ++i, ++first) {
    if (first == num_nodes) first = 0;
    const Node second = table_.find(value ^ values_[first], values_);
    if (second == kNone || first == gate || second == gate) continue;
    if (values_[first] == 0) continue;
    // Three values that add up to zero: any of them may be computed from the others.
    if (try_derive(gate, first, second) || try_derive(first, gate, second) ||
        try_derive(second, gate, first)) {
      return;
    }
  }
}

void PlateauWalk::reassociate(std::uint64_t bits, bool may_climb) {
  const Node gate = live_[Random::scale(bits, static_cast<std::uint32_t>(live_.size()))];
  auto [inner, c] = gates_[gate - inputs_];
  if ((bits & 1) != 0) std::swap(inner, c);
  if (inner < inputs_) std::swap(inner, c);
  if (inner < inputs_) return;
  auto [a, b] = gates_[inner - inputs_];
  if ((bits & 2) != 0) std::swap(a, b);
  const std::uint64_t value = values_[b] ^ values_[c];
  const Node known = table_.find(value, values_);
  if (known != kNone) {
    if (!depends(known, gate)) set_operands(gate, a, known);
    return;
  }
  if (uses_[inner] == 1) {
    table_.erase(inner, values_);
    values_[inner] = value;
    table_.insert(inner, values_);
    gates_[inner - inputs_] = {b, c};
    gates_[gate - inputs_] = {a, inner};
    return;
  }
  if (may_climb && !free_.empty()) set_operands(gate, a, new_gate(b, c, value));
}

void PlateauWalk::keep_best() {
  best_gates_ = gates_;
  best_outputs_ = outputs_;
}

std::uint64_t PlateauWalk::run(std::uint64_t moves, std::size_t enough) {
  for (std::uint64_t done = 0; done < moves; ++done) {
    if (best_xors_ <= enough || live_.empty()) return done;
    const std::uint64_t kind = random_();
    if ((kind & 0xffff) < options_.probes) {
      probe(random_());
    } else {
      const bool may_climb =
          (kind >> 16 & 0xffff) < options_.climbs && live_.size() < best_xors_ + options_.slack;
      reassociate(random_(), may_climb);
    }
    if (live_.size() < best_xors_) {
      best_xors_ = live_.size();
      keep_best();
    }
  }
  return moves;
}

Circuit PlateauWalk::circuit() const { return sorted_circuit(inputs_, gates_, outputs_); }

Circuit PlateauWalk::best() const { return sorted_circuit(inputs_, best_gates_, best_outputs_); }

}  // namespace xorloom
