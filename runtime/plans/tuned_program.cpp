#include "runtime/plans/tuned_program.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/build/bands.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/initial_circuits.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/tile_proof.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/packet_tile_code.hpp"
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

/// More bands than that never were cheapest.
constexpr std::size_t kMostBands = 4;

/// The number of bands whose machine code is cheapest where nothing is searched.
std::size_t num_bands(const Program& direct, const VectorMachine& machine) {
  std::size_t best = 1;
  std::size_t lowest = std::numeric_limits<std::size_t>::max();
  for (std::size_t number = 1; number <= std::min(kMostBands, direct.outputs.size()); ++number) {
    std::size_t price = 0;
    for (const Program& band : bands_of(direct, number)) {
      price += greedy_price(program_of(greedy_circuit(band), band), machine);
    }
    if (price >= lowest) break;
    lowest = price;
    best = number;
  }
  return best;
}

/// Searches for the equations of each band, and for an order of each. Shape: direct equations
/// without places.
WisdomEntry searched(const Program& direct, const VectorMachine& machine,
                     const PlanOptions& options) {
  Search search = search_options(options);
  search.price = [&](const Program& program) { return greedy_price(program, machine); };
  const std::vector<Program> bands = bands_of(direct, num_bands(direct, machine));
  JitOptions jit = jit_options(options);
  jit.quick_instructions /= bands.size();
  std::vector<Program> found;
  std::vector<Program> ordered;
  for (const Program& band : bands) {
    found.push_back(optimize(band, search));
    const Program order = program_of(ordered_tile(found.back(), machine, jit));
    ordered.push_back(placed(order, direct.locations, direct.rows, band.inputs, band.outputs));
  }
  return {without_places(stacked(direct, found)), without_places(stacked(direct, ordered)),
          options.effort};
}

}  // namespace

TunedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options) {
  TunedProgram result{direct_program(code, map), {}, {}, Effort::kFast, false};
  if (form_for(options.style, xors(result.direct)) != EquationForm::kIterative) {
    result.program = result.direct;
    return result;
  }
  if (is_more(options.effort, Effort::kFast)) result.effort = options.effort;
  // Kernels gain from what was found for machine code: their equations have fewer XORs, too.
  const auto machine = PacketTileCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const Question question(result.direct, machine.value_or(kTwoWayMachine));
  const WisdomKey key = question.key();
  const Wisdom wisdom(options.wisdom);
  if (const std::optional<WisdomEntry> known =
          wisdom.is_on() ? wisdom.find(key, options.effort) : std::nullopt) {
    if (question.holds(*known)) {
      result = question.placed(*known);
      result.is_known = true;
      if (!may_be_code) result.orders = nullptr;
      return result;
    }
    wisdom.forget(key);
  }
  if (!may_be_code || !is_more(options.effort, Effort::kFast)) {
    result.program = shared_program(result.direct, options);
    return result;
  }
  const WisdomEntry entry = searched(without_places(result.direct), *machine, options);
  // What was cut short is not worth that effort.
  if (wisdom.is_on() && (!options.stop_requested || !options.stop_requested())) {
    wisdom.keep(key, entry);
  }
  return question.placed(entry);
}

}  // namespace xorloom
