#include "runtime/plans/tuned_program.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/tile_proof.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/packet_tile_code.hpp"
#include "runtime/plans/cuts.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/wisdom/wisdom.hpp"

namespace xorloom {
namespace {

/// The same question wherever cells lie, and its answers put in their places.
class Question {
 public:
  Question(const Program& direct, const VectorMachine& machine)
      : direct_(direct), bare_(without_places(direct)), machine_(machine) {
    for (auto* elements : {&inputs_, &outputs_}) {
      *elements = elements == &inputs_ ? direct.inputs : direct.outputs;
      std::ranges::sort(*elements);
    }
  }

  WisdomKey key() const { return wisdom_key(direct_, machine_.has_three_way_xor ? 3 : 2); }

  /// Whether programs are answers.
  bool holds(const WisdomEntry& entry) const try {
    const BitMatrix matrix = evaluate_symbolically(bare_);
    for (const Program* program : {&entry.equations, &entry.ordered}) {
      if (program->inputs != bare_.inputs || program->outputs != bare_.outputs) return false;
      prove(*program, matrix);
    }
    return true;
  } catch (const Error&) {
    return false;
  }

  TunedProgram placed(const WisdomEntry& entry) const {
    Program program = in_place(entry.equations);
    Program ordered = in_place(entry.ordered);
    ProgramOrders orders{program, program};
    (machine_.has_three_way_xor ? orders.three_way : orders.two_way) = std::move(ordered);
    return {direct_, std::move(program), std::make_shared<const ProgramOrders>(std::move(orders)),
            entry.effort, false};
  }

 private:
  Program in_place(const Program& program) const {
    return xorloom::placed(program, direct_.locations, direct_.rows, inputs_, outputs_);
  }

  const Program& direct_;
  Program bare_;
  VectorMachine machine_;
  std::vector<Element> inputs_;
  std::vector<Element> outputs_;
};

/// The search in a cut, where orders are searched as well. Windows are many: less of a search in
/// each finds as much. Without windows a quick walk finds fewer XORs, and slower programs.
Search search_in(const Cut& cut, const PlanOptions& options) {
  constexpr std::uint64_t kStepsOfWindow = 2000;
  Search search = search_options(options);
  const bool is_long = is_more(options.effort, Effort::kQuick);
  if (cut.window == 0) {
    search.effort = is_long ? options.effort : Effort::kFast;
  } else if (is_long) {
    search.effort = Effort::kQuick;
  } else {
    search.effort = Effort::kMax;
    search.steps = kStepsOfWindow;
  }
  return search;
}

/// The cuts for which a search of more than effort fast is made. What is cheapest where nothing is
/// searched need not be it in the end.
std::vector<Cut> cuts_to_search(const Program& direct, std::size_t rows,
                                const VectorMachine& machine, Effort effort) {
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

/// Equations in a cut, and what their machine code costs in a greedy order.
struct Candidate {
  Cut cut;
  Program program;
  std::size_t price = 0;
};

TileProgram ordered(const Candidate& candidate, const VectorMachine& machine, JitOptions making) {
  making.window = candidate.cut.window;
  return ordered_tile(candidate.program, machine, making);
}

WisdomEntry entry_of(const Candidate& candidate, const TileProgram& tile, Effort effort) {
  return {without_places(candidate.program), without_places(program_of(tile)), effort};
}

/// Equations and an order without a search.
WisdomEntry quickest(const Program& direct, std::size_t rows, const VectorMachine& machine,
                     const PlanOptions& options) {
  const Search search = search_options(options);
  Candidate found{{usual_bands(direct), 0}, {}};
  found.program = shared_in(found.cut, direct, search);
  found.cut.window = usual_window(direct, rows, found.program);
  if (found.cut.window != 0) found.program = shared_in(found.cut, direct, search);
  return entry_of(found, ordered(found, machine, jit_options(options)), options.effort);
}

/// The candidates whose order a search is spent on: the cheapest ones.
std::vector<Candidate> candidates(const Program& direct, std::size_t rows,
                                  const VectorMachine& machine, const PlanOptions& options) {
  constexpr std::size_t kMost = 2;
  std::vector<Candidate> all;
  for (const Cut& cut : cuts_to_search(direct, rows, machine, options.effort)) {
    all.push_back({cut, shared_in(cut, direct, search_in(cut, options))});
  }
  if (all.size() == 1) return all;
  for (Candidate& one : all) one.price = schedule_price(ordered(one, machine, {}), machine);
  std::ranges::stable_sort(all, {}, &Candidate::price);
  all.resize(std::min(all.size(), kMost));
  return all;
}

/// Equations and an order of them, as the effort has it.
///
/// Shape: direct equations without places, of chunks of so many rows.
WisdomEntry searched(const Program& direct, std::size_t rows, const VectorMachine& machine,
                     const PlanOptions& options) {
  if (!is_more(options.effort, Effort::kFast)) return quickest(direct, rows, machine, options);
  std::optional<WisdomEntry> best;
  std::size_t lowest = 0;
  for (const Candidate& candidate : candidates(direct, rows, machine, options)) {
    const TileProgram tile = ordered(candidate, machine, jit_options(options));
    const std::size_t price = schedule_price(tile, machine);
    if (best && price >= lowest) continue;
    lowest = price;
    best = entry_of(candidate, tile, options.effort);
  }
  return *std::move(best);
}

/// Kernels take the fewest XORs, which windows do not have.
TunedProgram for_kernels(TunedProgram known) {
  known.orders = nullptr;
  Search fast;
  fast.effort = Effort::kFast;
  Program whole = shared_in({}, known.direct, fast);
  if (xors(whole) < xors(known.program)) {
    known.program = std::move(whole);
    known.effort = Effort::kFast;
    known.is_known = false;
  }
  return known;
}

}  // namespace

Program shared_in_bands(const Code& code, const Program& program, const PlanOptions& options) {
  const Program direct = written_out(program);
  const auto machine = PacketTileCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const std::size_t bands = may_be_code ? usual_bands(direct) : 1;
  return shared_in({bands, 0}, direct, search_options(options));
}

TunedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options) {
  TunedProgram result{direct_program(code, map), {}, {}, Effort::kFast, false};
  // Kernels gain from what was found for machine code, where its equations have fewer XORs, too.
  const auto machine = PacketTileCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  if (form_for(options.style, xors(result.direct)) != EquationForm::kIterative) {
    result.program = result.direct;
    return result;
  }
  if (is_more(options.effort, Effort::kFast)) result.effort = options.effort;
  const Question question(result.direct, machine.value_or(kTwoWayMachine));
  const WisdomKey key = question.key();
  const Wisdom wisdom(options.wisdom);
  if (const std::optional<WisdomEntry> known =
          wisdom.is_on() ? wisdom.find(key, options.effort) : std::nullopt) {
    if (question.holds(*known)) {
      TunedProgram placed = question.placed(*known);
      placed.is_known = true;
      return may_be_code ? placed : for_kernels(std::move(placed));
    }
    wisdom.forget(key);
  }
  if (!may_be_code) {
    result.program = shared_in({}, result.direct, search_options(options));
    return result;
  }
  const WisdomEntry entry = searched(without_places(result.direct), code.rows(), *machine, options);
  // What was cut short is not worth that effort.
  const bool is_worth_keeping = is_more(options.effort, Effort::kFast);
  if (is_worth_keeping && wisdom.is_on() &&
      (!options.stop_requested || !options.stop_requested())) {
    wisdom.keep(key, entry);
  }
  return question.placed(entry);
}

}  // namespace xorloom
