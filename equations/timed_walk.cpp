#include "equations/timed_walk.hpp"

#include <algorithm>
#include <utility>

namespace xorloom {
namespace {

constexpr std::uint32_t kProbeRun = 8;
constexpr std::size_t kSpareGates = 32;

/// How far above the best the walk may be, and how often it may take a step up, of 65536 moves.
constexpr std::size_t kSlack = 4;
constexpr std::uint32_t kClimbs = 256;

}  // namespace

TimedWalk::TimedWalk(const Circuit& circuit, std::size_t num_steps, std::size_t cores,
                     std::uint64_t seed)
    : inputs_(circuit.inputs),
      num_steps_(static_cast<Step>(num_steps)),
      cores_(cores),
      random_(seed),
      table_(circuit.num_values() + kSpareGates),
      load_(num_steps + 1, 0) {
  const std::size_t most = circuit.num_values() + kSpareGates;
  gates_.resize(most - inputs_);
  readers_.resize(most);
  num_outputs_.resize(most);
  values_.resize(most);
  steps_.resize(most);
  slots_.resize(most);
  for (std::size_t node = most; node-- > inputs_;) free_.push_back(static_cast<Node>(node));

  std::vector<Node> node_of(circuit.num_values());
  for (std::size_t i = 0; i < inputs_; ++i) {
    node_of[i] = static_cast<Node>(i);
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
    if (value != 0 && node == kNone) {
      node = new_gate(a, b, value, std::max(steps_[a], steps_[b]) + 1);
    }
    node_of[inputs_ + i] = node;
  }
  for (const Circuit::Value output : circuit.outputs) {
    outputs_.push_back(known(output));
    if (outputs_.back() != kNone) ++num_outputs_[outputs_.back()];
  }
  const std::vector<Node> in_order = live_;
  for (auto node = in_order.rbegin(); node != in_order.rend(); ++node) {
    if (values_[*node] != 0 && readers_[*node].empty() && num_outputs_[*node] == 0) release(*node);
  }
  best_overflow_ = overflow_;
  best_xors_ = live_.size();
  keep_best();
}

void TimedWalk::occupy(Step step) {
  if (!has_room(step)) ++overflow_;
  ++load_[step];
}

void TimedWalk::vacate(Step step) {
  --load_[step];
  if (!has_room(step)) --overflow_;
}

void TimedWalk::set_step(Node node, Step step) {
  vacate(steps_[node]);
  steps_[node] = step;
  occupy(step);
}

TimedWalk::Node TimedWalk::new_gate(Node a, Node b, std::uint64_t value, Step step) {
  const Node node = free_.back();
  free_.pop_back();
  gates_[node - inputs_] = {a, b};
  readers_[a].push_back(node);
  readers_[b].push_back(node);
  values_[node] = value;
  table_.insert(node, values_);
  steps_[node] = step;
  occupy(step);
  slots_[node] = static_cast<std::uint32_t>(live_.size());
  live_.push_back(node);
  return node;
}

/// Removes a gate that nothing reads, and what only it read.
void TimedWalk::release(Node node) {
  table_.erase(node, values_);
  values_[node] = 0;
  vacate(steps_[node]);
  const Node last = live_.back();
  live_[slots_[node]] = last;
  slots_[last] = slots_[node];
  live_.pop_back();
  free_.push_back(node);
  for (const Node operand : gates_[node - inputs_]) unread(node, operand);
}

/// Takes a reader from a node, which goes if it was the last.
void TimedWalk::unread(Node reader, Node node) {
  std::vector<Node>& readers = readers_[node];
  *std::ranges::find(readers, reader) = readers.back();
  readers.pop_back();
  if (readers.empty() && num_outputs_[node] == 0 && node >= inputs_) release(node);
}

void TimedWalk::set_operands(Node gate, Node a, Node b) {
  readers_[a].push_back(gate);
  readers_[b].push_back(gate);
  const Circuit::Gate old = std::exchange(gates_[gate - inputs_], {a, b});
  for (const Node operand : old) unread(gate, operand);
}

/// The last step in which a node may be computed, as its readers need it.
TimedWalk::Step TimedWalk::last_step(Node node) const {
  Step last = num_steps_;
  for (const Node reader : readers_[node]) last = std::min(last, steps_[reader] - 1);
  return last;
}

/// Of three values that add up to zero the last is computed from the other two.
void TimedWalk::derive(std::uint64_t bits) {
  const Node gate = live_[Random::scale(bits, static_cast<std::uint32_t>(live_.size()))];
  const std::uint64_t value = values_[gate];
  const auto num_nodes = static_cast<std::uint32_t>(values_.size());
  Node first = Random::scale(bits << 32, num_nodes);
  for (std::uint32_t i = 0; i < kProbeRun; ++i, ++first) {
    if (first == num_nodes) first = 0;
    const Node second = table_.find(value ^ values_[first], values_);
    if (second == kNone || first == gate || second == gate || values_[first] == 0) continue;
    std::array<Node, 3> three{gate, first, second};
    std::ranges::sort(three, {}, [&](Node node) { return steps_[node]; });
    const auto [a, b, last] = three;
    if (steps_[b] == steps_[last]) continue;
    const Circuit::Gate& now = gates_[last - inputs_];
    if (now[0] == a || now[1] == a) continue;
    set_operands(last, a, b);
    return;
  }
}

/// Computes a gate in another step that what it reads and its readers leave open.
void TimedWalk::retime(std::uint64_t bits, bool may_crowd) {
  const Node gate = live_[Random::scale(bits, static_cast<std::uint32_t>(live_.size()))];
  const auto [a, b] = gates_[gate - inputs_];
  const Step first = std::max(steps_[a], steps_[b]) + 1;
  const Step last = last_step(gate);
  const Step step = first + Random::scale(bits << 32, last - first + 1);
  if (step == steps_[gate]) return;
  if (has_room(step) || load_[steps_[gate]] > cores_ || may_crowd) set_step(gate, step);
}

void TimedWalk::reassociate(std::uint64_t bits, bool may_climb) {
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
    if (steps_[known] < steps_[gate]) set_operands(gate, a, known);
    return;
  }
  // The new sum is computed in the old one's step, or in a later one if it has to.
  const Step step = std::max(steps_[inner], steps_[c] + 1);
  if (step >= steps_[gate]) return;
  const bool is_moved = step != steps_[inner];
  if (readers_[inner].size() == 1 && num_outputs_[inner] == 0) {
    if (is_moved && !has_room(step) && !may_climb && load_[steps_[inner]] <= cores_) return;
    table_.erase(inner, values_);
    values_[inner] = value;
    table_.insert(inner, values_);
    if (is_moved) set_step(inner, step);
    *std::ranges::find(readers_[a], inner) = gate;
    *std::ranges::find(readers_[c], gate) = inner;
    gates_[inner - inputs_] = {b, c};
    gates_[gate - inputs_] = {a, inner};
    return;
  }
  if (may_climb && !free_.empty()) set_operands(gate, a, new_gate(b, c, value, step));
}

void TimedWalk::keep_best() {
  best_overflow_ = overflow_;
  best_xors_ = live_.size();
  best_gates_ = gates_;
  best_steps_ = steps_;
  best_outputs_ = outputs_;
}

void TimedWalk::run(std::uint64_t moves, std::size_t enough) {
  for (std::uint64_t done = 0; done < moves && !live_.empty(); ++done) {
    if (best_overflow_ == 0 && best_xors_ <= enough) return;
    const std::uint64_t kind = random_();
    const bool may_climb = (kind >> 16 & 0xffff) < kClimbs && overflow_ <= best_overflow_ + 1 &&
                           live_.size() < best_xors_ + kSlack;
    switch (kind & 3) {
      case 0:
      case 1:
        derive(random_());
        break;
      case 2:
        retime(random_(), may_climb);
        break;
      default:
        reassociate(random_(), may_climb);
        break;
    }
    if (overflow_ < best_overflow_ || (overflow_ == best_overflow_ && live_.size() < best_xors_)) {
      keep_best();
    }
  }
}

TimedCircuit TimedWalk::best() const {
  // By step, so that each gate stands after those it reads.
  std::vector<Node> order;
  std::vector<bool> is_used(inputs_ + best_gates_.size(), false);
  std::vector<Node> pending;
  const auto use = [&](Node node) {
    if (node == kNone || node < inputs_ || is_used[node]) return;
    is_used[node] = true;
    pending.push_back(node);
  };
  for (const Node output : best_outputs_) use(output);
  while (!pending.empty()) {
    const Node node = pending.back();
    pending.pop_back();
    order.push_back(node);
    for (const Node operand : best_gates_[node - inputs_]) use(operand);
  }
  std::ranges::sort(order, {}, [&](Node node) { return std::pair(best_steps_[node], node); });

  TimedCircuit result;
  result.circuit.inputs = inputs_;
  std::vector<Circuit::Value> name(is_used.size());
  for (std::size_t i = 0; i < inputs_; ++i) name[i] = static_cast<Circuit::Value>(i);
  for (const Node node : order) {
    const auto [a, b] = best_gates_[node - inputs_];
    name[node] = result.circuit.add(name[a], name[b]);
    result.steps.push_back(best_steps_[node]);
  }
  for (const Node output : best_outputs_) {
    result.circuit.outputs.push_back(output == kNone ? Circuit::kZero : name[output]);
  }
  return result;
}

}  // namespace xorloom
