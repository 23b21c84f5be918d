#include "equations/cores/tailor.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "equations/cores/list_schedule.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/stop_check.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/passes/share_pairs.hpp"
#include "equations/search/initial_circuits.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kSpareGates = 32;

/// Most XORs above the best, and moves of 65536 that may add an XOR.
constexpr std::size_t kSlack = 4;
constexpr std::uint32_t kClimbs = 256;

/// Moves in all by effort; kMax makes Search::steps, or has no end.
constexpr std::uint64_t kFastMoves = 500'000;
constexpr std::uint64_t kNormalMoves = 10'000'000;

/// Moves of the search for few XORs in few levels, and the most XORs for which it is made.
constexpr std::uint64_t kShallowMoves = 1'000'000;
constexpr std::size_t kMostShallowXors = 1'000;

/// Moves per XOR of a try for fewer steps in the first round. Each round doubles them.
constexpr std::uint64_t kFirstMoves = 500;

/// Moves between two calls of stop_requested.
constexpr std::uint64_t kMovesAtOnce = 1'000;

/// The circuit of balanced trees without sharing, which has the least depth.
Circuit balanced_rows(const BitMatrix& matrix) {
  Circuit circuit;
  circuit.inputs = matrix.columns();
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    std::vector<Circuit::Value> sums;
    for (const std::size_t column : matrix.ones(r)) {
      sums.push_back(static_cast<Circuit::Value>(column));
    }
    while (sums.size() > 1) {
      std::vector<Circuit::Value> next;
      for (std::size_t i = 0; i + 1 < sums.size(); i += 2) {
        next.push_back(circuit.add(sums[i], sums[i + 1]));
      }
      if (sums.size() % 2 != 0) next.push_back(sums.back());
      sums = std::move(next);
    }
    circuit.outputs.push_back(sums.empty() ? Circuit::kZero : sums.front());
  }
  return circuit;
}

/// An equivalent circuit and its steps by list scheduling. Values that are read once are written
/// into their readers first, so the scheduler chooses the order of whole sums.
TimedCircuit scheduled(const Circuit& circuit, const Program& layout, std::size_t cores) {
  const Program sums = fuse_single_use(program_of(circuit, layout));
  const CoreSchedule plan = schedule_on_cores(sums, cores);
  std::vector<std::uint32_t> step_of(sums.end_of_elements() + plan.steps.size(), 0);
  for (const CoreStep& step : plan.steps) {
    step_of[step.target] = static_cast<std::uint32_t>(step.step + 1);
  }
  const Program xors_of_two = program_of_steps(sums, plan);
  TimedCircuit timed{circuit_of(xors_of_two), {}};
  for (const Equation& equation : xors_of_two.equations) {
    if (equation.operands.size() == 2) timed.steps.push_back(step_of[equation.target]);
  }
  return timed;
}

std::size_t makespan(const TimedCircuit& timed) {
  return timed.steps.empty() ? 0 : *std::ranges::max_element(timed.steps);
}

CoreSchedule plan_of(const TimedCircuit& timed, const Program& program, std::size_t cores) {
  CoreSchedule plan{cores, {}};
  std::vector<std::vector<CoreStep>> steps(makespan(timed));
  for (std::size_t i = 0; i < timed.steps.size(); ++i) {
    const auto& [target, operands] = program.equations[i];
    const std::size_t step = timed.steps[i] - 1;
    steps[step].push_back({0, step, target, {operands[0], operands[1]}});
  }
  std::vector<std::size_t> home(program.end_of_elements(), kNone);
  for (const std::vector<CoreStep>& step : steps) place_step(step, home, plan);
  sort_steps(plan);
  return plan;
}

/// The Pareto front of the circuits found, by steps: more steps, fewer XORs.
using Front = std::map<std::size_t, TimedCircuit>;

bool is_beaten(const Front& front, const TimedCircuit& timed) {
  const auto after = front.upper_bound(makespan(timed));
  return after != front.begin() && std::prev(after)->second.circuit.xors() <= timed.circuit.xors();
}

void offer(Front& front, TimedCircuit timed) {
  if (is_beaten(front, timed)) return;
  const std::size_t xors = timed.circuit.xors();
  auto place = front.insert_or_assign(makespan(timed), std::move(timed)).first;
  while (++place != front.end() && place->second.circuit.xors() >= xors) {
    place = std::prev(front.erase(place));
  }
}

/// Searches circuits of a matrix with fewer and fewer steps, and for each number of steps fewer
/// XORs.
class Tailor {
 public:
  Tailor(const Program& program, const BitMatrix& matrix, std::size_t cores, const Search& search)
      : cores_(cores), search_(search), random_(search.seed), matrix_(matrix) {
    Search fewest_xors = search;
    if (search.effort == Effort::kMax) fewest_xors.effort = Effort::kNormal;
    Circuit fewest = search_circuit(program, matrix, fewest_xors);
    if (search.start && search.start->xors() < fewest.xors()) fewest = *search.start;
    // For a large program the fast search is share_pairs alone, which takes seconds: do not repeat
    // it.
    const bool is_shared = search.effort == Effort::kFast &&
                           !can_compare_rows(program.equations.size(), program.inputs.size());
    Circuit shared = is_shared ? fewest : share_pairs(program, nullptr, search.stop_requested);
    starts_ = {std::move(fewest), std::move(shared), balanced_rows(matrix)};
    moves_left_ = search.effort == Effort::kFast     ? kFastMoves
                  : search.effort == Effort::kNormal ? kNormalMoves
                  : search.steps != 0                ? search.steps
                                                     : static_cast<std::uint64_t>(-1);
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      TimedCircuit timed = scheduled(starts_[i], program, cores);
      if (i < 2) starts_[i] = timed.circuit;  // start 2 stays balanced
      offer(std::move(timed));
    }
    if (search.effort == Effort::kFast || starts_[0].xors() > kMostShallowXors) return;
    // Circuits of the fewest XORs are deep, so that many cores would wait.
    fewest_xors.effort = Effort::kMax;
    fewest_xors.steps = kShallowMoves;
    fewest_xors.depth = least_depth(matrix) + 1;
    offer(scheduled(search_circuit(program, matrix, fewest_xors), program, cores));
  }

  /// Without `whole_front`, all moves go to the circuit of the fewest steps.
  Front run(bool whole_front) {
    const std::size_t bound = makespan_bound(matrix_, cores_);
    const std::size_t enough = lower_bound(matrix_);
    std::uint64_t moves = kFirstMoves;
    for (std::size_t round = 0; !is_finished(); ++round, moves *= 2) {
      std::size_t lowest = bound;
      while (lowest < least_steps() && !is_finished()) {
        const std::size_t steps = lowest + (least_steps() - lowest) / 2;
        if (!try_steps(steps, moves)) lowest = steps + 1;
      }
      // Walks in `steps` steps from the best circuit that takes no more. The circuit of the fewest
      // steps may be a local optimum, so every other round begins there with one of starts_ again.
      const std::size_t last = whole_front ? front_.rbegin()->first : least_steps();
      for (std::size_t steps = least_steps(); steps <= last && !is_finished(); ++steps) {
        const Circuit best = std::prev(front_.upper_bound(steps))->second.circuit;
        if (best.xors() <= enough) continue;
        const Circuit& first = starts_[round / 2 % starts_.size()];
        const bool is_anew = round % 2 != 0 && steps == least_steps() && depth(first) <= steps;
        walk(is_anew ? first : best, steps, moves, enough);
      }
      const bool is_one_point = !whole_front || front_.size() == 1;
      if (is_one_point && least_steps() == bound &&
          front_.begin()->second.circuit.xors() <= enough) {
        break;
      }
    }
    return std::move(front_);
  }

 private:
  bool is_finished() const { return moves_left_ == 0 || search_.is_over(); }

  std::size_t least_steps() const { return front_.begin()->first; }

  void offer(TimedCircuit timed) {
    if (is_beaten(front_, timed)) return;
    prove(timed.circuit, matrix_);
    xorloom::offer(front_, std::move(timed));
  }

  /// True if a circuit of at most `steps` steps was found.
  bool try_steps(std::size_t steps, std::uint64_t moves) {
    return std::ranges::any_of(starts_, [&](const Circuit& start) {
      return depth(start) <= steps && walk(start, steps, moves, static_cast<std::size_t>(-1));
    });
  }

  bool walk(const Circuit& start, std::size_t steps, std::uint64_t moves_an_xor,
            std::size_t enough) {
    TimedWalk walk(start, steps, cores_, random_());
    const std::uint64_t moves =
        std::min(moves_left_, moves_an_xor * std::max<std::size_t>(start.xors(), 1));
    moves_left_ -= moves;
    run_in_pieces(walk, moves, enough, kMovesAtOnce, search_.stop_requested);
    if (walk.best_overflow() != 0) return false;
    offer(walk.best());
    return true;
  }

  std::size_t cores_;
  const Search& search_;
  Random random_;
  const BitMatrix& matrix_;
  std::vector<Circuit> starts_;
  Front front_;
  std::uint64_t moves_left_ = 0;
};

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

/// Registers a gate as a reader of its operands, and puts it into `step`.
void TimedWalk::enter(Node gate, Step step) {
  for (const Node operand : pool_.operands(gate)) readers_[operand].push_back(gate);
  steps_[gate] = step;
  occupy(step);
}

/// Removes a gate that nothing reads, and the gates that only it read.
void TimedWalk::release(Node gate) {
  vacate(steps_[gate]);
  for (const Node operand : pool_.remove(gate)) unread(gate, operand);
}

/// Takes `reader` from the readers of `node`; a gate without readers is removed.
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

/// The first step of a gate that its operands allow.
TimedWalk::Step TimedWalk::first_step(Node gate) const {
  const auto [a, b] = pool_.operands(gate);
  return std::max(steps_[a], steps_[b]) + 1;
}

/// The last step of a gate that its readers allow.
TimedWalk::Step TimedWalk::last_step(Node gate) const {
  Step last = num_steps_;
  for (const Node reader : readers_[gate]) last = std::min(last, steps_[reader] - 1);
  return last;
}

/// Takes three values that add up to zero, and computes the last one from the other two.
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

/// Moves a gate to another step that its operands and readers allow.
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
  // The new sum gets the step of the old one, or a later one if it must.
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

std::uint64_t TimedWalk::run(std::uint64_t moves, std::size_t enough) {
  for (std::uint64_t done = 0; done < moves; ++done) {
    if (pool_.num_gates() == 0 || (best_overflow_ == 0 && best_xors_ <= enough)) return done;
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
  return moves;
}

TimedCircuit TimedWalk::best() const {
  // By step, so that each gate follows those it reads.
  std::vector<Node> order = best_in_use_;
  std::ranges::sort(order, {}, [&](Node node) { return std::pair(best_steps_[node], node); });

  TimedCircuit result;
  result.circuit.inputs = pool_.num_inputs();
  std::vector<Circuit::Value> name(pool_.num_nodes());
  for (Node input = 0; input < pool_.num_inputs(); ++input) name[input] = input;
  Step step = 0;  // without empty steps
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

std::size_t makespan_bound(const BitMatrix& matrix, std::size_t cores) {
  return std::max((lower_bound(matrix) + cores - 1) / cores, least_depth(matrix));
}

namespace {

/// Runs Tailor; if only time ends the search, once per thread with seeds of their own.
Front front_of(const Program& program, const BitMatrix& matrix, std::size_t cores,
               const Search& search, bool whole_front) {
  const bool is_timed = search.effort == Effort::kMax && search.steps == 0;
  if (!is_timed || search.threads < 2 || !search.parallel) {
    return Tailor(program, matrix, cores, search).run(whole_front);
  }
  std::vector<Front> fronts(search.threads);
  search.parallel(fronts.size(), [&](std::size_t thread) {
    Search own = search;
    own.threads = 1;
    own.parallel = nullptr;
    if (thread != 0) {
      own.seed = seed_of(search.seed, thread);
      own.on_better = nullptr;
    }
    fronts[thread] = Tailor(program, matrix, cores, own).run(whole_front);
  });
  Front best;
  for (Front& front : fronts) {
    for (auto& [steps, timed] : front) offer(best, std::move(timed));
  }
  return best;
}

std::vector<TailoredProgram> tailored(const Program& program, std::size_t cores,
                                      const Search& search, bool whole_front) {
  check_cores(cores);
  check_search(search);
  const BitMatrix matrix = evaluate_symbolically(program);
  std::vector<TailoredProgram> front;
  for (const auto& [steps, timed] : front_of(program, matrix, cores, search, whole_front)) {
    TailoredProgram point{program_of(timed.circuit, program), {}};
    point.plan = plan_of(timed, point.program, cores);
    CoreSchedule listed = schedule_on_cores(point.program, cores);
    if (makespan(listed) < makespan(point.plan)) point.plan = std::move(listed);
    check_program(point.program);
    prove(point.program, matrix);
    check_core_schedule(point.program, point.plan);
    // If list scheduling is shorter, earlier points of more XORs may be dominated.
    std::erase_if(front, [&](const TailoredProgram& other) {
      return makespan(other.plan) >= makespan(point.plan);
    });
    front.push_back(std::move(point));
    if (!whole_front) break;
  }
  return front;
}

}  // namespace

TailoredProgram tailor_to_cores(const Program& program, std::size_t cores, const Search& search) {
  return std::move(tailored(program, cores, search, false).front());
}

std::vector<TailoredProgram> front_on_cores(const Program& program, std::size_t cores,
                                            const Search& search) {
  return tailored(program, cores, search, true);
}

}  // namespace xorloom
