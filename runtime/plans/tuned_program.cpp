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

/// Of a band for which machine code costs about the least.
constexpr std::size_t kOutputsOfBand = 16;

/// About as many numbers of bands are compared, as far as the usual one.
constexpr std::size_t kNumbersOfBands = 8;

/// Direct XORs of a band that fit machine code once they share, where loading the inputs and
/// prefetching them took no room. They take as much as two XORs each.
constexpr std::size_t kXorsOfBand = 4000;

/// The fewest bands whose machine code is about as long as a kernel may be.
std::size_t fewest_bands(const Program& direct) {
  const std::size_t taken = 2 * direct.inputs.size();
  const std::size_t fitting = kXorsOfBand > taken ? kXorsOfBand - taken : kXorsOfBand;
  return std::max<std::size_t>(1, (xors(direct) + fitting - 1) / fitting);
}

/// A number of bands that is near the cheapest where orders are greedy.
std::size_t usual_bands(const Program& direct) {
  const std::size_t bands =
      std::max((direct.outputs.size() + kOutputsOfBand / 2) / kOutputsOfBand, fewest_bands(direct));
  return std::clamp<std::size_t>(bands, 1, direct.outputs.size());
}

/// The number of bands whose machine code is cheapest where nothing is searched. Of many numbers,
/// some are tried: one more or less makes little difference there.
std::size_t cheapest_bands(const Program& direct, const VectorMachine& machine) {
  const std::size_t usual = usual_bands(direct);
  const std::size_t step = std::max<std::size_t>(1, usual / kNumbersOfBands);
  std::size_t best = usual;
  std::size_t lowest = std::numeric_limits<std::size_t>::max();
  for (std::size_t number = std::max<std::size_t>(1, usual / 2);
       number <= std::min(2 * usual, direct.outputs.size()); number += step) {
    std::size_t price = 0;
    for (const Program& band : bands_of(direct, number)) {
      price += greedy_price(program_of(greedy_circuit(band), band), machine);
    }
    if (price >= lowest && number > usual) break;
    if (price >= lowest) continue;
    lowest = price;
    best = number;
  }
  return best;
}

Program searched_in_bands(const Program& direct, std::size_t bands, const Search& search) {
  std::vector<Program> found;
  for (const Program& band : bands_of(direct, bands)) found.push_back(optimize(band, search));
  return stacked(direct, found);
}

/// Searches for equations in bands, and for an order of them. Long searches also try no bands,
/// where that may fit a kernel: they order what is shared better than greedy ones do.
///
/// Shape: direct equations without places.
WisdomEntry searched(const Program& direct, const VectorMachine& machine,
                     const PlanOptions& options) {
  Search search = search_options(options);
  search.price = [&](const Program& program) { return greedy_price(program, machine); };
  std::vector<std::size_t> numbers{cheapest_bands(direct, machine)};
  const bool may_be_whole = numbers[0] != 1 && fewest_bands(direct) == 1;
  if (is_more(options.effort, Effort::kQuick) && may_be_whole) numbers.push_back(1);
  std::optional<WisdomEntry> best;
  std::size_t lowest = 0;
  for (const std::size_t number : numbers) {
    const Program program = searched_in_bands(direct, number, search);
    const TileProgram tile = ordered_tile(program, machine, jit_options(options));
    const std::size_t price = schedule_price(tile, machine);
    if (best && price >= lowest) continue;
    lowest = price;
    best = {without_places(program), without_places(program_of(tile)), options.effort};
  }
  return *std::move(best);
}

}  // namespace

Program shared_in_bands(const Code& code, const Program& program, const PlanOptions& options) {
  const Program direct = written_out(program);
  const auto machine = PacketTileCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const std::size_t bands = may_be_code ? usual_bands(direct) : 1;
  return searched_in_bands(direct, bands, search_options(options));
}

TunedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options) {
  TunedProgram result{direct_program(code, map), {}, {}, Effort::kFast, false};
  // Kernels gain from what was found for machine code: their equations have fewer XORs, too.
  const auto machine = PacketTileCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const std::size_t bands = may_be_code ? usual_bands(result.direct) : 1;
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
      result = question.placed(*known);
      result.is_known = true;
      if (!may_be_code) result.orders = nullptr;
      return result;
    }
    wisdom.forget(key);
  }
  if (!may_be_code || !is_more(options.effort, Effort::kFast)) {
    result.program = searched_in_bands(result.direct, bands, search_options(options));
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
