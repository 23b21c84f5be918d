#include "equations/cores/timed_walk.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace xorloom {
namespace {

constexpr std::size_t kSpareGates = 32;

/// How far above the best the walk may be, and how often it may take a step up, of 65536 moves.
constexpr std::size_t kSlack = 4;
constexpr std::uint32_t kClimbs = 256;

}  // namespace

TimedWalk::TimedWalk(const Circuit& circuit, std::size_t num_steps, std::size_t cores,
                     std::uint64_t seed)
    : num_steps_(static_cast<Step>(num_steps)),
      cores_(cores),
      random_(seed),
      pool_(circuit, kSpareGates, random_),
      readers_(pool_.num_nodes()),
      num_outputs_(pool_.num_nodes()),
      steps_(pool_.num_nodes()),
      load_(num_steps + 1, 0) {
  for (const Node output : pool_.outputs()) {
    if (output != kNone) ++num_outputs_[output];
  }
  const std::vector<Node> in_order = pool_.in_use();
  for (const Node gate : in_order) enter(gate, first_step(gate));
  for (auto gate = in_order.rbegin(); gate != in_order.rend(); ++gate) {
    if (!pool_.is_free(*gate) && is_unread(*gate)) release(*gate);
  }
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

/// Lets a gate read its operands and computes it in a step.
void TimedWalk::enter(Node gate, Step step) {
  for (const Node operand : pool_.operands(gate)) readers_[operand].push_back(gate);
  steps_[gate] = step;
  occupy(step);
}

/// Removes a gate that nothing reads, and what only it read.
void TimedWalk::release(Node gate) {
  vacate(steps_[gate]);
  for (const Node operand : pool_.remove(gate)) unread(gate, operand);
}

/// Takes a reader from a node, which goes if it was the last.
void TimedWalk::unread(Node reader, Node node) {
  std::vector<Node>& readers = readers_[node];
  *std::ranges::find(readers, reader) = readers.back();
  readers.pop_back();
  if (is_unread(node) && pool_.is_gate(node)) release(node);
}

void TimedWalk::set_operands(Node gate, Node a, Node b) {
  readers_[a].push_back(gate);
  readers_[b].push_back(gate);
  for (const Node operand : pool_.set_operands(gate, a, b)) unread(gate, operand);
}

/// The first step in which a gate may be computed, as what it reads allows.
TimedWalk::Step TimedWalk::first_step(Node gate) const {
  const auto [a, b] = pool_.operands(gate);
  return std::max(steps_[a], steps_[b]) + 1;
}

/// The last step in which a gate may be computed, as its readers need it.
TimedWalk::Step TimedWalk::last_step(Node gate) const {
  Step last = num_steps_;
  for (const Node reader : readers_[gate]) last = std::min(last, steps_[reader] - 1);
  return last;
}

/// Of three values that add up to zero the last is computed from the other two.
void TimedWalk::derive(std::uint64_t bits) {
  pool_.probe(bits, [&](Node gate, Node first, Node second) {
    std::array<Node, 3> three{gate, first, second};
    std::ranges::sort(three, {}, [&](Node node) { return steps_[node]; });
    const auto [a, b, last] = three;
    if (steps_[b] == steps_[last]) return false;
    const Circuit::Gate& now = pool_.operands(last);
    if (now[0] == a || now[1] == a) return false;
    set_operands(last, a, b);
    return true;
  });
}

/// Computes a gate in another step that what it reads and its readers leave open.
void TimedWalk::retime(std::uint64_t bits, bool may_crowd) {
  const Node gate = pool_.draw(bits);
  const Step first = first_step(gate);
  const Step last = last_step(gate);
  const Step step = first + Random::scale(bits << 32, last - first + 1);
  if (step == steps_[gate]) return;
  if (has_room(step) || load_[steps_[gate]] > cores_ || may_crowd) set_step(gate, step);
}

void TimedWalk::reassociate(std::uint64_t bits, bool may_climb) {
  const std::optional<GatePool::Chain> chain = pool_.draw_chain(bits);
  if (!chain) return;
  const auto [gate, inner, a, b, c] = *chain;
  const Node known = pool_.find_sum(b, c);
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
    pool_.reassociate(*chain);
    if (is_moved) set_step(inner, step);
    *std::ranges::find(readers_[a], inner) = gate;
    *std::ranges::find(readers_[c], gate) = inner;
  } else if (may_climb && !pool_.is_full()) {
    const Node sum = pool_.add(b, c);
    enter(sum, step);
    set_operands(gate, a, sum);
  }
}

void TimedWalk::keep_best() {
  best_overflow_ = overflow_;
  best_xors_ = pool_.num_gates();
  best_gates_ = pool_.gates();
  best_in_use_ = pool_.in_use();
  best_steps_ = steps_;
}

void TimedWalk::run(std::uint64_t moves, std::size_t enough) {
  for (std::uint64_t done = 0; done < moves && pool_.num_gates() != 0; ++done) {
    if (best_overflow_ == 0 && best_xors_ <= enough) return;
    const std::uint64_t kind = random_();
    const bool may_climb = (kind >> 16 & 0xffff) < kClimbs && overflow_ <= best_overflow_ + 1 &&
                           pool_.num_gates() < best_xors_ + kSlack;
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
    if (overflow_ < best_overflow_ ||
        (overflow_ == best_overflow_ && pool_.num_gates() < best_xors_)) {
      keep_best();
    }
  }
}

TimedCircuit TimedWalk::best() const {
  // By step, so that each gate stands after those it reads.
  std::vector<Node> order = best_in_use_;
  std::ranges::sort(order, {}, [&](Node node) { return std::pair(best_steps_[node], node); });

  TimedCircuit result;
  result.circuit.inputs = pool_.num_inputs();
  std::vector<Circuit::Value> name(pool_.num_nodes());
  for (Node input = 0; input < pool_.num_inputs(); ++input) name[input] = input;
  Step step = 0;  // counted without those that compute nothing
  Step step_in_walk = 0;
  for (const Node node : order) {
    const auto [a, b] = best_gates_[node - pool_.num_inputs()];
    name[node] = result.circuit.add(name[a], name[b]);
    if (best_steps_[node] != step_in_walk) ++step;
    step_in_walk = best_steps_[node];
    result.steps.push_back(step);
  }
  for (const Node output : pool_.outputs()) {
    result.circuit.outputs.push_back(output == kNone ? Circuit::kZero : name[output]);
  }
  return result;
}

}  // namespace xorloom
