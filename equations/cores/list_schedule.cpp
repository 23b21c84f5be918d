#include "equations/cores/list_schedule.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "equations/ir/cost.hpp"

namespace xorloom {
namespace {

/// Merges operands two by two, step by step, on any core.
class TwoInputScheduler {
 public:
  TwoInputScheduler(const Program& program, std::size_t cores)
      : program_(program),
        readers_(readers_of_elements(program)),
        merges_(program.equations.size()),
        home_(program.end_of_elements(), kNone),
        schedule_{cores, {}} {
    const std::vector<std::size_t> by = equation_of_element(program);
    for (std::size_t i = merges_.size(); i-- > 0;) {
      Merge& merge = merges_[i];
      merge.left = xors(program.equations[i]);
      if (merge.left > 0) ++open_;
      for (const Element operand : program.equations[i].operands) {
        if (by[operand] == kNone) {
          merge.ready.push_back(operand);
        } else {
          ++merge.missing;
        }
      }
      for (const std::size_t reader : readers_[program.equations[i].target]) {
        const std::size_t own = xors(program.equations[reader]) > 0 ? 1 : 0;
        merge.tail = std::max(merge.tail, merges_[reader].tail + own);
      }
    }
  }

  CoreSchedule run() {
    // Zeros and copies of inputs are ready at the start.
    for (std::size_t i = 0; i < merges_.size(); ++i) {
      if (program_.equations[i].operands.size() < 2 && merges_[i].missing == 0) publish(i);
      offer(i);
    }
    for (std::size_t step = 0; open_ > 0; ++step) {
      std::vector<std::size_t> equations;
      const std::vector<CoreStep> placed = choose(step, equations);
      place_step(placed, home_, schedule_);
      for (std::size_t p = 0; p < placed.size(); ++p) {
        const std::size_t equation = equations[p];
        if (placed[p].target != program_.equations[equation].target) {
          merges_[equation].ready.push_back(placed[p].target);
          offer(equation);
        } else {
          --open_;
          publish(equation);
        }
      }
    }
    sort_steps(schedule_);
    return std::move(schedule_);
  }

 private:
  struct Merge {
    std::vector<Element> ready;  // values to merge in this step, from `merged` on
    std::size_t merged = 0;
    bool is_offered = false;  // it is in queue_
    std::size_t missing = 0;  // operands not computed yet
    std::size_t left = 0;     // XORs not placed yet
    std::size_t tail = 0;     // steps from its end to the end of the program
  };
  /// Priority of an equation: rounds left plus `tail`, then XORs left, then earlier equations.
  using Urgency = std::tuple<std::size_t, std::size_t, std::size_t>;

  /// Puts equation i into queue_ if two of its values can be merged.
  void offer(std::size_t i) {
    Merge& merge = merges_[i];
    if (merge.is_offered || merge.left == 0 || merge.ready.size() - merge.merged < 2) return;
    merge.is_offered = true;
    const auto rounds = static_cast<std::size_t>(std::bit_width(merge.left));
    queue_.emplace(merge.tail + rounds, merge.left, merges_.size() - i);
  }

  /// Returns the XORs of a step, still without cores. Sets `equations` to the equation of each.
  std::vector<CoreStep> choose(std::size_t step, std::vector<std::size_t>& equations) {
    std::vector<CoreStep> placed;
    while (placed.size() < schedule_.cores && !queue_.empty()) {
      const std::size_t i = merges_.size() - std::get<2>(queue_.top());
      queue_.pop();
      Merge& merge = merges_[i];
      merge.is_offered = false;
      const Element* const pair = merge.ready.data() + merge.merged;
      const auto [low, high] = std::minmax(pair[0], pair[1]);
      placed.push_back({0, step, program_.equations[i].target, {low, high}});
      equations.push_back(i);
      merge.merged += 2;
      if (--merge.left > 0) {
        placed.back().target = static_cast<Element>(home_.size());
        home_.push_back(kNone);
      }
      offer(i);
    }
    return placed;
  }

  /// Makes the target of a finished equation ready for its readers. Copies are finished at once.
  void publish(std::size_t index) {
    std::vector<std::size_t> finished{index};
    while (!finished.empty()) {
      const Element value = program_.equations[finished.back()].target;
      const std::vector<std::size_t>& next = readers_[value];
      finished.pop_back();
      for (const std::size_t reader : next) {
        merges_[reader].ready.push_back(value);
        --merges_[reader].missing;
        offer(reader);
        if (program_.equations[reader].operands.size() != 1) continue;
        home_[program_.equations[reader].target] = home_[value];
        finished.push_back(reader);
      }
    }
  }

  const Program& program_;
  std::vector<std::vector<std::size_t>> readers_;  // by element
  std::vector<Merge> merges_;
  std::vector<std::size_t> home_;  // by element: core that computed it; kNone: an input
  std::priority_queue<Urgency> queue_;
  std::size_t open_ = 0;
  CoreSchedule schedule_;
};

/// Core and first step of an equation that stays on one core.
struct TimeSlot {
  std::size_t core = 0;
  std::size_t start = 0;
};

std::vector<TimeSlot> atomic_slots(const Program& program, std::size_t cores) {
  const auto readers = readers_of_elements(program);
  const std::size_t count = program.equations.size();
  std::vector<std::size_t> way(count);  // own steps plus the longest path after them
  std::vector<std::size_t> missing(count);
  for (std::size_t i = count; i-- > 0;) {
    for (const std::size_t reader : readers[program.equations[i].target]) {
      way[i] = std::max(way[i], way[reader]);
      ++missing[reader];
    }
    way[i] += xors(program.equations[i]);
  }
  std::priority_queue<std::pair<std::size_t, std::size_t>> ready;  // way; earlier equations first
  for (std::size_t i = 0; i < count; ++i) {
    if (missing[i] == 0) ready.emplace(way[i], count - i);
  }
  using Running = std::pair<std::size_t, std::size_t>;  // end, equation
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> idle;
  for (std::size_t core = 0; core < cores; ++core) idle.push(core);
  std::vector<TimeSlot> slots(count);
  std::size_t now = 0;
  for (std::size_t finished = 0; finished < count; ++finished) {
    while (!ready.empty()) {
      const std::size_t i = count - ready.top().second;
      const bool takes_a_core = xors(program.equations[i]) > 0;
      if (takes_a_core && idle.empty()) break;
      ready.pop();
      slots[i] = {takes_a_core ? idle.top() : 0, now};
      if (takes_a_core) idle.pop();
      running.emplace(now + xors(program.equations[i]), i);
    }
    const auto [end, i] = running.top();
    running.pop();
    now = end;
    if (xors(program.equations[i]) > 0) idle.push(slots[i].core);
    for (const std::size_t reader : readers[program.equations[i].target]) {
      if (--missing[reader] == 0) ready.emplace(way[reader], count - reader);
    }
  }
  return slots;
}

}  // namespace

CoreSchedule atomic_schedule_on_cores(const Program& program, std::size_t cores) {
  require_xors(program, "a plan for cores");
  check_cores(cores);
  const std::vector<TimeSlot> slots = atomic_slots(program, cores);
  CoreSchedule schedule{cores, {}};
  Element next_partial = program.end_of_elements();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Equation& equation = program.equations[i];
    if (equation.operands.size() < 2) continue;
    append_sum(schedule, equation, slots[i].core, slots[i].start, next_partial);
  }
  sort_steps(schedule);
  return schedule;
}

CoreSchedule schedule_on_cores(const Program& program, std::size_t cores) {
  require_xors(program, "a plan for cores");
  CoreSchedule atomic = atomic_schedule_on_cores(program, cores);
  if (cores == 1) return atomic;
  CoreSchedule two_input = TwoInputScheduler(program, cores).run();
  return makespan(atomic) <= makespan(two_input) ? atomic : two_input;
}

void place_step(const std::vector<CoreStep>& xors_of_step, std::vector<std::size_t>& home,
                CoreSchedule& plan) {
  std::vector<bool> is_busy(plan.cores);
  std::vector<CoreStep> homeless;
  const auto place = [&](CoreStep step, std::size_t core) {
    is_busy[core] = true;
    home[step.target] = core;
    step.core = core;
    plan.steps.push_back(step);
  };
  for (const CoreStep& step : xors_of_step) {
    const auto at_home = std::ranges::find_if(step.operands, [&](Element operand) {
      return home[operand] != kNone && !is_busy[home[operand]];
    });
    if (at_home != step.operands.end()) {
      place(step, home[*at_home]);
    } else {
      homeless.push_back(step);
    }
  }
  for (const CoreStep& step : homeless) {
    place(step, static_cast<std::size_t>(std::ranges::find(is_busy, false) - is_busy.begin()));
  }
}

std::size_t atomic_makespan(const Program& program, std::size_t cores) {
  return makespan(atomic_schedule_on_cores(program, cores));
}

}  // namespace xorloom
