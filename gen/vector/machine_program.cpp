#include "gen/vector/machine_program.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/build/pieces.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/row_forms.hpp"
#include "gen/vector/tile_order.hpp"

namespace xorloom {
namespace {

/// Outputs of a band whose machine code costs about the least: its sums stay in registers.
constexpr std::size_t kOutputsOfBand = 16;

/// Numbers of bands are compared in steps of the usual number divided by this.
constexpr std::size_t kNumbersOfBands = 8;

/// Direct XORs of a band that fit machine code once they share, if inputs took no room. Loading and
/// prefetching an input takes as much room as two XORs.
constexpr std::size_t kXorsOfBand = 4000;

/// Below one of these limits (chunks; direct XORs per output and chunk), or with one band, values
/// stay in registers without windows.
constexpr std::size_t kFewestChunks = 14;
constexpr std::size_t kFewestXors = 2;

/// Windows that are compared, in chunks.
constexpr std::size_t kChunksOfWindows[] = {1, 2, 4};
constexpr std::size_t kUsualChunksOfWindow = 2;

/// Bytes of inputs and outputs of a turn. Two turns and their intermediate values then fit L1, so
/// that inputs may be read in any order.
constexpr std::size_t kMostTurnBytes = std::size_t{10} << 10;

bool is_sparse(const Program& direct, std::size_t chunks) {
  return xors(direct) < kFewestXors * direct.outputs.size() * chunks;
}

/// The greedy price of a cut.
std::size_t price_of(const Cut& cut, const Program& direct, const MachineFacts& machine) {
  std::size_t price = 0;
  for (const Program& band : bands_of(direct, cut.bands)) {
    const Program shared = shared_in({1, cut.window}, band, search_of(Effort::kFast));
    price += greedy_price(shared, machine, cut.window);
  }
  return price;
}

/// Fewest bands whose machine code is about as long as a kernel may be, for `xors` direct XORs of
/// `inputs` inputs.
std::size_t fewest_bands(std::size_t xors, std::size_t inputs) {
  const std::size_t taken = 2 * inputs;
  const std::size_t fitting = kXorsOfBand > taken ? kXorsOfBand - taken : kXorsOfBand;
  return std::max<std::size_t>(1, (xors + fitting - 1) / fitting);
}

std::size_t fewest_bands(const Program& direct) {
  return fewest_bands(xors(direct), direct.inputs.size());
}

/// Window sizes worth comparing, in inputs: a few chunks each. 0 (no windows) is among them if two
/// turns fit L1, or if the equations are sparse.
std::vector<std::size_t> windows_to_compare(const Program& direct, std::size_t rows,
                                            const MachineFacts& machine) {
  std::vector<std::size_t> windows;
  const std::size_t chunks = direct.inputs.size() / rows;
  const std::size_t turn_bytes =
      (direct.inputs.size() + direct.outputs.size()) * machine.vector_bytes;
  if (turn_bytes <= kMostTurnBytes || is_sparse(direct, chunks)) windows.push_back(0);
  for (const std::size_t number : kChunksOfWindows) {
    if (number < chunks) windows.push_back(number * rows);
  }
  return windows;
}

}  // namespace

std::size_t usual_bands(const Program& direct) {
  const std::size_t bands =
      std::max((direct.outputs.size() + kOutputsOfBand / 2) / kOutputsOfBand, fewest_bands(direct));
  return std::clamp<std::size_t>(bands, 1, direct.outputs.size());
}

std::size_t usual_window(const Program& direct, std::size_t rows, const Program& shared) {
  const std::size_t chunks = direct.inputs.size() / rows;
  const std::size_t outputs = direct.outputs.size();
  const bool has_few =
      chunks < kFewestChunks || outputs <= kOutputsOfBand || is_sparse(direct, chunks);
  const bool shares_most = 3 * xors(shared) < xors(direct);
  return has_few || shares_most ? 0 : kUsualChunksOfWindow * rows;
}

Cut cheapest_cut(const Program& direct, std::size_t rows, const MachineFacts& machine) {
  const std::size_t usual = usual_bands(direct);
  Cut best{usual, 0};
  std::size_t lowest = std::numeric_limits<std::size_t>::max();
  const auto compare = [&](const Cut& cut) {
    const std::size_t price = price_of(cut, direct, machine);
    if (price >= lowest) return false;
    lowest = price;
    best = cut;
    return true;
  };
  for (const std::size_t window : windows_to_compare(direct, rows, machine)) {
    compare({usual, window});
  }
  const std::size_t step = std::max<std::size_t>(1, usual / kNumbersOfBands);
  for (std::size_t number = std::max<std::size_t>(1, usual / 2);
       number <= std::min(2 * usual, direct.outputs.size()); number += step) {
    if (number != usual && !compare({number, best.window}) && number > usual) break;
  }
  return best;
}

Program shared_in(const Cut& cut, const Program& direct, const Search& search) {
  std::vector<Program> bands = bands_of(direct, cut.bands);
  for (Program& band : bands) {
    if (cut.window == 0 || cut.window >= band.inputs.size()) {
      band = optimize(band, search);
      continue;
    }
    std::vector<Program> windows = windows_of(band, cut.window);
    for (Program& window : windows) window = optimize(window, search);
    band = summed(band, windows);
  }
  return stacked(direct, bands);
}

namespace {

/// Terms that two stages must save per value passed between them: such a value is stored and loaded
/// about twice.
constexpr std::size_t kWorthwhileTerms = 8;

/// Equations that are ordered as one program, their sums shared within a cut.
struct Stage {
  Cut cut;
  Program program;
};

/// Stages in order: one, or two of which the second reads the outputs of the first.
using Stages = std::vector<Stage>;

/// Options of the search for equations in a cut if orders are searched, too. A cut may have many
/// windows: a shorter search in each finds programs as good. Without windows effort quick searches
/// as fast does: a longer walk finds programs of fewer XORs that are slower.
Search search_in(const Cut& cut, const Budget& budget) {
  constexpr std::uint64_t kStepsOfWindow = 2000;
  Search search = search_of(budget.effort, budget.stop_requested);
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

/// Splits direct equations into two stages; returns them whole if that saves too little, or if two
/// stages exceed one kernel, as they cannot be cut.
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

/// Cuts that a search of more than effort fast tries. The cheapest cut without a search need not be
/// the cheapest after it.
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

/// Candidates: the stages of each cut. A second stage is small, and has one cut.
std::vector<Stages> stages_by_cut(const Program& direct, std::size_t rows,
                                  const MachineFacts& machine, const Budget& budget) {
  const std::vector<Program> stages = stages_of(direct);
  Stages rest;
  for (std::size_t s = 1; s < stages.size(); ++s) {
    rest.push_back(shared(stages[s], cheapest_cut(stages[s], rows, machine), budget));
  }
  std::vector<Stages> all;
  for (const Cut& cut : cuts_to_search(stages[0], rows, machine, budget.effort)) {
    all.push_back({shared(stages[0], cut, budget)});
    all.back().insert(all.back().end(), rest.begin(), rest.end());
  }
  return all;
}

/// Chains the programs of the stages into one.
Program joined(std::vector<Program> stages) {
  Program result = std::move(stages.front());
  for (std::size_t s = 1; s < stages.size(); ++s) result = chained(result, stages[s]);
  return result;
}

/// Chains the stages, each in the order in which machine code computes it.
Program ordered(const Stages& stages, const MachineFacts& machine, const Budget& budget) {
  std::vector<Program> programs;
  std::size_t work = 0;
  for (const Stage& stage : stages) work += num_operands(stage.program);
  for (const auto& [cut, program] : stages) {
    go_on(budget.stop_requested);
    const Budget share = share_of(budget, num_operands(program), work);
    programs.push_back(in_places_of(program, ordered_tile(program, machine, share, cut.window)));
  }
  return joined(std::move(programs));
}

/// Returns the `most` cheapest candidates; the order of each is searched to find its price.
std::vector<Stages> cheapest(std::vector<Stages> all, std::size_t most, const MachineFacts& machine,
                             const Budget& budget) {
  if (all.size() <= most) return all;
  std::vector<std::pair<std::size_t, Stages>> priced;
  for (Stages& one : all) {
    const std::size_t price = schedule_price(dense(ordered(one, machine, budget)), machine);
    priced.emplace_back(price, std::move(one));
  }
  std::ranges::stable_sort(priced, {}, &std::pair<std::size_t, Stages>::first);
  all.resize(most);
  for (std::size_t i = 0; i < most; ++i) all[i] = std::move(priced[i].second);
  return all;
}

/// Returns the candidate that a long search is spent on. If there are several, quick searches keep
/// three, and a quarter of the long search finds the cheapest of these: programs without windows
/// gain the most by long searches. Effort quick has one candidate, and `start`.
Stages stages_to_search(const Program& direct, std::size_t rows, const MachineFacts& machine,
                        const Budget& budget, const Program* start) {
  constexpr std::size_t kMost = 3;
  constexpr std::uint64_t kPart = 4;
  std::vector<Stages> all = stages_by_cut(direct, rows, machine, budget);
  if (start != nullptr) all.push_back({{{1, 0}, *start}});
  all = cheapest(std::move(all), kMost, machine, budget_of(Effort::kQuick, budget.stop_requested));
  Budget part = budget;
  part.iterations /= kPart;
  return cheapest(std::move(all), 1, machine, part).front();
}

/// Returns the stages with the usual cuts, without a search for a cut.
Stages quickest(const Program& direct, std::size_t rows, const Budget& budget) {
  Stages stages;
  for (const Program& stage : stages_of(direct)) {
    const std::size_t bands = usual_bands(stage);
    stages.push_back(shared(stage, {bands, 0}, budget));
    const std::size_t window = usual_window(stage, rows, stages.back().program);
    if (window != 0) stages.back() = shared(stage, {bands, window}, budget);
  }
  return stages;
}

}  // namespace

OrderedProgram machine_program(const Program& direct, std::size_t rows, const MachineFacts& machine,
                               const Budget& budget, const Program* start) {
  const bool is_search = is_more(budget.effort, Effort::kFast);
  Stages stages = is_search ? stages_to_search(direct, rows, machine, budget, start)
                            : quickest(direct, rows, budget);
  OrderedProgram result;
  result.ordered = without_places(ordered(stages, machine, budget));
  std::vector<Program> programs;
  for (Stage& stage : stages) programs.push_back(std::move(stage.program));
  result.equations = without_places(joined(std::move(programs)));
  if (is_search) result.effort = budget.effort;
  return result;
}

}  // namespace xorloom
