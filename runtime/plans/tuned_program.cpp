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
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/cuts.hpp"
#include "runtime/plans/machine_program.hpp"
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

  const Program& bare() const { return bare_; }

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

  TunedProgram placed(WisdomEntry entry) const {
    Program program = in_place(std::move(entry.equations));
    ProgramOrders orders{program, in_place(std::move(entry.ordered))};
    if (!machine_.has_three_way_xor) std::swap(orders.two_way, orders.three_way);
    return {direct_, std::move(program), std::make_shared<const ProgramOrders>(std::move(orders)),
            entry.effort, false};
  }

 private:
  Program in_place(Program program) const {
    return xorloom::placed(std::move(program), direct_.locations, direct_.rows, inputs_, outputs_);
  }

  const Program& direct_;
  Program bare_;
  VectorMachine machine_;
  std::vector<Element> inputs_;
  std::vector<Element> outputs_;
};

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
  const auto machine = ProgramCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const std::size_t bands = may_be_code ? usual_bands(direct) : 1;
  return shared_in({bands, 0}, direct, search_options(options));
}

TunedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options) {
  TunedProgram result{direct_program(code, map), {}, {}, Effort::kFast, false};
  // Kernels gain from what was found for machine code, where its equations have fewer XORs, too.
  const auto machine = ProgramCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  if (form_for(options.style, xors(result.direct)) != EquationForm::kIterative) {
    result.program = result.direct;
    return result;
  }
  if (is_more(options.effort, Effort::kFast)) result.effort = options.effort;
  const Question question(result.direct, machine.value_or(kTwoWayMachine));
  const WisdomKey key = question.key();
  const Wisdom wisdom(options.wisdom);
  if (std::optional<WisdomEntry> known =
          wisdom.is_on() ? wisdom.find(key, options.effort) : std::nullopt) {
    if (question.holds(*known)) {
      TunedProgram placed = question.placed(*std::move(known));
      placed.is_known = true;
      if (!may_be_code) return for_kernels(std::move(placed));
      return placed;
    }
    wisdom.forget(key);
  }
  if (!may_be_code) {
    result.program = shared_in({}, result.direct, search_options(options));
    return result;
  }
  WisdomEntry entry = machine_program(question.bare(), code.rows(), *machine, options);
  go_on(options.stop_requested);  // what was cut short is not worth that effort
  if (is_more(options.effort, Effort::kFast) && wisdom.is_on()) wisdom.keep(key, entry);
  return question.placed(std::move(entry));
}

}  // namespace xorloom
