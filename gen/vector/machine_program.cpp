#include "gen/vector/machine_program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/build/pieces.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/row_forms.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/cuts.hpp"
#include "gen/vector/tile_order.hpp"

namespace xorloom {
namespace {

/// Terms that two stages have to save for each value that goes from one to the other: that is
/// stored and loaded about twice.
constexpr std::size_t kWorthwhileTerms = 8;

/// Equations that are ordered as one, their sums shared in a cut.
struct Stage {
  Cut cut;
  Program program;
};

/// One stage, or two of which the second reads what the first gives.
struct Candidate {
  std::vector<Stage> stages;
  std::size_t price = 0;
};

/// The search in a cut, where orders are searched as well. Windows are many, and less of a search
/// in each finds as much. Without windows effort quick is that of fast: a longer walk finds fewer
/// XORs, but slower programs.
Search search_in(const Cut& cut, const Budget& budget) {
  constexpr std::uint64_t kStepsOfWindow = 2000;
  Search search = search_of(budget);
  const bool is_long = is_more(budget.effort, Effort::kQuick);
  if (cut.window == 0) {
    if (!is_long) search.effort = Effort::kFast;
  } else if (is_long) {
    search.effort = Effort::kQuick;
  } else if (is_more(budget.effort, Effort::kFast)) {
    search.effort = Effort::kMax;
    search.steps = kStepsOfWindow;
  }
  return search;
}

Stage shared(const Program& direct, const Cut& cut, const Budget& budget) {
  go_on(budget.stop_requested);
  return {cut, shared_in(cut, direct, search_in(cut, budget))};
}

/// Direct equations in two stages, or alone where that saves too little. Two stages make one
/// kernel: they have no place to be cut at.
std::vector<Program> stages_of(const Program& direct) {
  std::vector<Program> alone(1, direct);
  if (usual_bands(direct) == 1) return alone;
  const Factors factors = factors_of(evaluate_symbolically(direct));
  const std::size_t passed_on = factors.basis.rows();
  const std::size_t terms = factors.basis.weight() + factors.outer.weight();
  const bool saves_enough = num_operands(direct) >= terms + kWorthwhileTerms * passed_on;
  const bool is_one_kernel = fewest_bands(terms, direct.inputs.size() + passed_on) == 1;
  if (!saves_enough || !is_one_kernel) return alone;
  return {direct_program(factors.basis), direct_program(factors.outer)};
}

/// The cut without any search.
Stage quickest(const Program& direct, std::size_t rows, const Budget& budget) {
  Stage stage = shared(direct, {usual_bands(direct), 0}, budget);
  const std::size_t window = usual_window(direct, rows, stage.program);
  if (window == 0) return stage;
  return shared(direct, {stage.cut.bands, window}, budget);
}

/// The cuts for which a search of more than effort fast is made. What is cheapest where nothing is
/// searched need not be it in the end.
std::vector<Cut> cuts_to_search(const Program& direct, std::size_t rows,
                                const MachineFacts& machine, Effort effort) {
  const Cut cheapest = cheapest_cut(direct, rows, machine);
  if (!is_more(effort, Effort::kQuick)) return {cheapest};
  std::vector<Cut> cuts;
  for (const std::size_t window : windows_to_compare(direct, rows, machine)) {
    cuts.push_back({cheapest.bands, window});
  }
  if (cheapest.bands != 1 && cuts[0].window == 0 && fewest_bands(direct) == 1) {
    cuts.push_back({1, 0});
  }
  return cuts;
}

/// What is shared in each of them. Second stages are small: they have one cut.
void add_candidates(const std::vector<Program>& stages, std::size_t rows,
                    const MachineFacts& machine, const Budget& budget,
                    std::vector<Candidate>& all) {
  std::vector<Stage> rest;
  for (std::size_t s = 1; s < stages.size(); ++s) {
    rest.push_back(shared(stages[s], cheapest_cut(stages[s], rows, machine), budget));
  }
  for (const Cut& cut : cuts_to_search(stages[0], rows, machine, budget.effort)) {
    Candidate one{{shared(stages[0], cut, budget)}};
    one.stages.insert(one.stages.end(), rest.begin(), rest.end());
    all.push_back(std::move(one));
  }
}

/// One program of those of the stages.
Program joined(std::vector<Program> stages) {
  Program result = std::move(stages.front());
  for (std::size_t s = 1; s < stages.size(); ++s) result = chained(result, stages[s]);
  return result;
}

Program whole(Candidate candidate) {
  std::vector<Program> programs;
  for (Stage& stage : candidate.stages) programs.push_back(std::move(stage.program));
  return joined(std::move(programs));
}

/// The whole in the order that machine code computes it in.
Program ordered(const Candidate& candidate, const MachineFacts& machine, const JitOptions& making) {
  std::vector<Program> programs;
  std::size_t work = 0;
  for (const Stage& stage : candidate.stages) work += num_operands(stage.program);
  for (const Stage& stage : candidate.stages) {
    go_on(making.stop_requested);
    JitOptions of_stage = options_of_part(making, num_operands(stage.program), work);
    of_stage.window = stage.cut.window;
    programs.push_back(in_places_of(stage.program, ordered_tile(stage.program, machine, of_stage)));
  }
  return joined(std::move(programs));
}

std::size_t price_of(const Program& ordered, const MachineFacts& machine) {
  return schedule_price(dense(ordered), machine);
}

/// The cheapest of some candidates, so many of them, after a search each.
std::vector<Candidate> cheapest(std::vector<Candidate> all, std::size_t most,
                                const MachineFacts& machine, const JitOptions& search) {
  if (all.size() <= most) return all;
  for (Candidate& one : all) one.price = price_of(ordered(one, machine, search), machine);
  std::ranges::stable_sort(all, {}, &Candidate::price);
  all.resize(most);
  return all;
}

/// The candidate that a long search is spent on. If there are several, quick searches leave three,
/// and a quarter of the long one finds the cheapest of these: programs without windows gain the
/// most by long searches. Effort quick has one candidate, and the budget's start.
Candidate candidate_to_search(const Program& direct, std::size_t rows, const MachineFacts& machine,
                              const Budget& budget) {
  constexpr std::size_t kMost = 3;
  constexpr std::uint64_t kPart = 4;
  std::vector<Candidate> all;
  add_candidates(stages_of(direct), rows, machine, budget, all);
  if (budget.start) all.push_back({{{{1, 0}, *budget.start}}});
  all = cheapest(std::move(all), kMost, machine,
                 jit_options({Effort::kQuick, budget.stop_requested}));
  JitOptions part = jit_options(budget);
  part.iterations /= kPart;
  return cheapest(std::move(all), 1, machine, part).front();
}

OrderedProgram result_of(Candidate candidate, Program ordered, Effort effort) {
  return {without_places(whole(std::move(candidate))), without_places(std::move(ordered)), effort};
}

OrderedProgram searched(const Program& direct, std::size_t rows, const MachineFacts& machine,
                        const Budget& budget) {
  Candidate candidate = candidate_to_search(direct, rows, machine, budget);
  Program program = ordered(candidate, machine, jit_options(budget));
  return result_of(std::move(candidate), std::move(program), budget.effort);
}

}  // namespace

OrderedProgram machine_program(const Program& direct, std::size_t rows, const MachineFacts& machine,
                               const Budget& budget) {
  if (is_more(budget.effort, Effort::kFast)) return searched(direct, rows, machine, budget);
  Candidate candidate;
  for (const Program& stage : stages_of(direct)) {
    candidate.stages.push_back(quickest(stage, rows, budget));
  }
  Program in_order = ordered(candidate, machine, jit_options(budget));
  return result_of(std::move(candidate), std::move(in_order), Effort::kFast);
}

}  // namespace xorloom
