#include "gen/vector/grouped_tile.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/tile_order.hpp"

namespace xorloom {
namespace {

/// Number of streams of the last group. Each of the `others` leaves one or two of the `ways` to
/// lines that pass. The last group shares the ways of a set with the outputs, so it takes half of
/// them if possible: of 8 ways, with 10 + 4 groups of 6 and 4 were a tenth faster than of 5 and 5.
std::size_t size_of_last(std::size_t streams, std::size_t others, std::size_t ways) {
  const std::size_t most = (ways - 1) * others;
  const std::size_t left = streams > most ? streams - most : 0;
  return std::max(left, std::min(ways / 2, streams - (ways - 2) * others));
}

/// Fewest outputs of a band. Smaller bands are joined: their sums fit the registers together.
constexpr std::size_t kFewestOutputs = 12;

std::vector<std::uint32_t> streams_of(const std::vector<TilePlaces::Place>& places) {
  std::vector<std::uint32_t> streams;
  for (const TilePlaces::Place place : places) streams.push_back(place.stream);
  std::ranges::sort(streams);
  streams.erase(std::unique(streams.begin(), streams.end()), streams.end());
  return streams;
}

/// First equation of each band, then the end of the last band.
std::vector<std::size_t> bounds_of_bands(const Program& tile) {
  const std::vector<std::uint32_t> output_of = outputs_by_equation(tile);
  std::vector<std::size_t> bounds{tile.equations.size()};
  std::size_t outputs = 0;
  std::size_t earliest_read = tile.equations.size();
  for (std::size_t e = tile.equations.size(); e-- > 0;) {
    if (output_of[e] != kNoOutput) ++outputs;
    for (const Operand& term : tile.equations[e].operands) {
      if (term.element < tile.inputs.size()) continue;
      earliest_read = std::min<std::size_t>(earliest_read, term.element - tile.inputs.size());
    }
    if (e != 0 && (outputs < kFewestOutputs || earliest_read < e)) continue;
    bounds.push_back(e);
    outputs = 0;
  }
  std::ranges::reverse(bounds);
  return bounds;
}

}  // namespace

std::optional<StreamGroups> stream_groups(const Program& tile, const TilePlaces& places,
                                          const MachineFacts& machine) {
  const std::vector<std::uint32_t> streams = streams_of(places.inputs);
  if (streams.size() < machine.cache_ways) return std::nullopt;  // as fast without groups
  StreamGroups result;
  result.number = streams.size() / (machine.cache_ways - 1) + 1;
  const std::size_t others = result.number - 1;
  const std::size_t in_others =
      streams.size() - size_of_last(streams.size(), others, machine.cache_ways);
  for (const TilePlaces::Place place : places.inputs) {
    const auto at = std::ranges::lower_bound(streams, place.stream) - streams.begin();
    const std::size_t group = static_cast<std::size_t>(at) * others / in_others;
    result.group_of_input.push_back(std::min(group, others));
  }
  const std::vector<std::size_t> bounds = bounds_of_bands(tile);
  const std::size_t bands = bounds.size() - 1;
  for (std::size_t group = 0; group < result.number; ++group) {
    for (std::size_t i = 0; i < bands; ++i) {
      const std::size_t band = group % 2 == 0 ? i : bands - 1 - i;
      result.parts.push_back({group, bounds[band], bounds[band + 1]});
    }
  }
  return result;
}

namespace {

using Value = Element;
using Number = std::uint32_t;  ///< number of an equation of the tile
constexpr Value kNoValue = std::numeric_limits<Value>::max();
constexpr Number kNone = std::numeric_limits<Number>::max();

/// Greedy orders of a part that are compared: aligned chunks of 10 + 4 and 28 + 4 are encoded 1 and
/// 2 % faster than with one order. More gained nothing.
constexpr std::uint64_t kStarts = 8;

/// The sums of a tile. An equation with one reader that is no output is a step of the reader's sum.
/// If a reader has several such operands, only the last of these is a step.
struct Sums {
  explicit Sums(const Program& tile)
      : end_of(tile.equations.size(), kNone), readers(tile.equations.size()) {
    const auto inputs = static_cast<Value>(tile.inputs.size());
    const std::vector<std::uint32_t> outputs = outputs_by_equation(tile);
    for (const Equation& equation : tile.equations) {
      for (const Operand& term : equation.operands) {
        if (term.element >= inputs) ++readers[term.element - inputs];
      }
    }
    for (auto e = static_cast<Number>(end_of.size()); e-- > 0;) {
      if (end_of[e] == kNone) end_of[e] = e;
      Number last = kNone;
      for (const Operand& term : tile.equations[e].operands) {
        if (term.element < inputs) continue;
        const Number read = term.element - inputs;
        const bool is_step = readers[read] == 1 && outputs[read] == kNoOutput;
        if (is_step && (last == kNone || read > last)) last = read;
      }
      if (last != kNone) end_of[last] = end_of[e];
    }
  }

  std::vector<Number> end_of;        ///< by equation: the last step of its sum
  std::vector<std::size_t> readers;  ///< by equation: number of equations that read it
};

/// Writes a tile anew, part by part.
class Projection {
 public:
  Projection(const Program& tile, const StreamGroups& groups, const MachineFacts& machine)
      : tile_(tile),
        groups_(groups),
        inputs_(static_cast<Value>(tile.inputs.size())),
        operands_(machine.added_operands()),
        sums_(tile),
        outputs_(outputs_by_equation(tile)),
        given_(num_values(tile)),
        terms_(tile.equations.size()),
        made_(num_values(tile), kNoValue),
        sums_in_work_(tile.equations.size()),
        so_far_(tile.outputs.size(), kNoValue),
        result_(dense_without_equations(tile.inputs.size(), tile.outputs.size(), tile.field)) {
    for (Value i = 0; i < inputs_; ++i) made_[i] = i;
  }

  Program run() && {
    for (const StreamGroups::Part& part : groups_.parts) {
      for (Value i = 0; i < inputs_; ++i) {
        given_[i].assign(groups_.group_of_input[i] == part.group ? 1 : 0, i);
      }
      is_last_ = part.group + 1 == groups_.number;
      for (std::size_t e = part.begin; e < part.end; ++e) reduce(static_cast<Number>(e));
      for (std::size_t e = part.begin; e < part.end; ++e) write(static_cast<Number>(e));
    }
    return std::move(result_);
  }

 private:
  /// A value that a step adds to its sum.
  struct Term {
    Value value;
    Number step;
  };

  /// A partly written sum.
  struct InWork {
    bool has_begun = false;
    Value value = kNoValue;
    std::vector<Value> waiting;  ///< terms for the next instruction
  };

  bool is_output(Number e) const { return outputs_[e] != kNoOutput; }

  bool is_step_before(Value value, Number e) const {
    return value >= inputs_ && sums_.end_of[value - inputs_] == sums_.end_of[e];
  }

  /// Adds the terms of step `e` that the group contributes to the terms of its sum. After the last
  /// step, sets what readers read in place of the sum: nothing, another value, or two values if
  /// that saves an instruction.
  void reduce(Number e) {
    std::vector<Term>& terms = terms_[sums_.end_of[e]];
    for (const Operand& term : tile_.equations[e].operands) {
      if (is_step_before(term.element, e)) continue;
      for (const Value value : given_[term.element]) {
        const auto same = std::ranges::find(terms, value, &Term::value);
        if (same == terms.end()) {
          terms.push_back({value, e});
        } else {
          terms.erase(same);
        }
      }
    }
    if (sums_.end_of[e] != e) return;
    std::vector<Value>& given = given_[inputs_ + e];
    const std::size_t written_in = !is_output(e) && sums_.readers[e] == 1 ? operands_ : 1;
    if (terms.size() > written_in) return given.assign(1, inputs_ + e);
    given.clear();
    for (const Term& term : terms) given.push_back(term.value);
    if (!is_output(e)) terms.clear();
  }

  /// Writes the instructions of step `e`. Terms that do not fill an instruction wait for more.
  void write(Number e) {
    const Number end = sums_.end_of[e];
    std::vector<Term>& terms = terms_[end];
    InWork& sum = sums_in_work_[end];
    sum.waiting.reserve(operands_ + 1);
    if (!std::exchange(sum.has_begun, true) && is_output(end) && sums_.readers[end] == 0) {
      sum.value = so_far_[outputs_[end]];
    }
    std::size_t number = 0;
    for (; number < terms.size() && terms[number].step <= e; ++number) {
      sum.waiting.push_back(made_[terms[number].value]);
      const std::size_t most = sum.value == kNoValue ? operands_ + 1 : operands_;
      if (sum.waiting.size() == most && number + 1 < terms.size()) write_step(sum);
    }
    terms.erase(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(number));
    if (e == end) write_end(e, std::exchange(sum, {}));
  }

  Value write_step(InWork& sum, std::uint32_t output = kNoOutput) {
    std::vector<Operand> operands;
    operands.reserve(sum.waiting.size() + 1);
    if (sum.value != kNoValue) operands.emplace_back(sum.value);
    for (const Value value : sum.waiting) operands.emplace_back(value);
    sum.waiting.clear();
    sum.value = add_equation(result_, std::move(operands));
    if (output != kNoOutput) result_.outputs[output] = sum.value;
    return sum.value;
  }

  void write_end(Number e, InWork sum) {
    Value& made = made_[inputs_ + e];
    if (!is_output(e)) {
      if (!sum.waiting.empty()) made = write_step(sum);
      return;
    }
    const std::uint32_t output = outputs_[e];
    if (sums_.readers[e] != 0) {
      // Readers of the output read the contribution of this group alone, without earlier groups.
      const std::vector<Value>& given = given_[inputs_ + e];
      if (given.size() == 1 && given.front() == inputs_ + e) {
        made = write_step(sum);
        sum.waiting.push_back(made);
      }
      sum.value = so_far_[output];
    }
    if (is_last_) {
      write_step(sum, output);
    } else if (sum.value == kNoValue && sum.waiting.size() == 1) {
      so_far_[output] = sum.waiting.front();
    } else if (!sum.waiting.empty()) {
      so_far_[output] = write_step(sum);
    }
  }

  const Program& tile_;
  const StreamGroups& groups_;
  Value inputs_;
  std::size_t operands_;  ///< operands that an instruction adds to a sum
  Sums sums_;
  bool is_last_ = false;                ///< the current group is the last one
  std::vector<std::uint32_t> outputs_;  ///< by equation: the output that it makes, or kNoOutput
  /// By value: the values whose sum is the group's contribution.
  std::vector<std::vector<Value>> given_;
  std::vector<std::vector<Term>> terms_;  ///< by last step of a sum: terms to be added
  std::vector<Value> made_;               ///< by value: its number in the result
  std::vector<InWork> sums_in_work_;      ///< by last step of a sum
  std::vector<Value> so_far_;             ///< by output: the sum of earlier groups
  Program result_;
};

/// Shares the sums of a tile's parts anew. Elements of parts are the inputs of the tile, its
/// outputs, and for each output the sum that earlier groups contributed.
class SharedParts {
 public:
  SharedParts(const Program& tile, const StreamGroups& groups, const MachineFacts& machine)
      : groups_(groups),
        machine_(machine),
        inputs_(static_cast<Element>(tile.inputs.size())),
        outputs_(static_cast<Element>(tile.outputs.size())),
        output_of_(outputs_by_equation(tile)),
        rows_(evaluate_symbolically(tile)),
        so_far_(tile.outputs.size(), kNoValue),
        result_(dense_without_equations(tile.inputs.size(), tile.outputs.size(), tile.field)) {}

  Program run() && {
    for (const StreamGroups::Part& part : groups_.parts) {
      const bool is_last = part.group + 1 == groups_.number;
      const Program shared = optimize(direct(part), search_of(Effort::kFast));
      const Program program = with_so_far(shared, part, is_last);
      append(program, greedy_steps(dense(fused(program, machine_)), machine_, kStarts).tile,
             is_last);
    }
    return std::move(result_);
  }

 private:
  Element element_of(std::uint32_t output) const { return inputs_ + output; }
  Element so_far_of(std::uint32_t output) const { return inputs_ + outputs_ + output; }

  /// Direct equations of a part: what its group contributes to each output of its band. Outputs
  /// that get nothing are left out.
  Program direct(const StreamGroups::Part& part) const {
    Program program{std::size_t{inputs_} + 2 * outputs_, 1, {}, {}, {}};
    for (Element i = 0; i < inputs_; ++i) {
      if (groups_.group_of_input[i] == part.group) program.inputs.push_back(i);
    }
    for_outputs(part, [&](std::uint32_t output) {
      Equation equation{element_of(output), {}};
      for (const Element input : program.inputs) {
        if (rows_(output, input)) equation.operands.emplace_back(input);
      }
      if (equation.operands.empty()) return;
      program.outputs.push_back(equation.target);
      program.equations.push_back(std::move(equation));
    });
    return program;
  }

  template <typename Do>
  void for_outputs(const StreamGroups::Part& part, const Do& act) const {
    for (std::size_t e = part.begin; e < part.end; ++e) {
      if (output_of_[e] != kNoOutput) act(output_of_[e]);
    }
  }

  /// Returns `part` with the sum of earlier groups added to each output.
  Program with_so_far(Program part, const StreamGroups::Part& of, bool is_last) const {
    const Element end = part.end_of_elements();
    std::vector<bool> is_given(outputs_);
    for (const Element output : part.outputs) is_given[output - inputs_] = true;
    const auto is_added = [&](Element element) {
      return element >= inputs_ && element < inputs_ + outputs_ &&
             so_far_[element - inputs_] != kNoValue;
    };
    const auto rename = [&](Element& element) {
      if (is_added(element)) element += end;
    };
    for (Equation& equation : part.equations) {
      rename(equation.target);
      for (Operand& operand : equation.operands) rename(operand.element);
      std::ranges::sort(equation.operands);
    }
    for_outputs(of, [&](std::uint32_t output) {
      const Element element = element_of(output);
      const bool has_so_far = so_far_[output] != kNoValue;
      if (is_given[output] ? !has_so_far : !is_last) return;
      Equation equation{element, {}};
      if (has_so_far) {
        part.inputs.push_back(so_far_of(output));
        equation.operands.emplace_back(so_far_of(output));
      }
      if (is_given[output]) {
        equation.operands.emplace_back(element + end);
      } else {
        part.outputs.push_back(element);
      }
      part.equations.push_back(std::move(equation));
    });
    return part;
  }

  /// Appends the steps of `part` to the result.
  void append(const Program& part, const Program& steps, bool is_last) {
    std::vector<Value> values;
    for (const Element input : part.inputs) {
      values.push_back(input < inputs_ ? input : so_far_[input - so_far_of(0)]);
    }
    for (const Equation& equation : steps.equations) {
      std::vector<Operand> operands;
      for (const Element operand : equation.operands) operands.emplace_back(values[operand]);
      values.push_back(add_equation(result_, std::move(operands)));
    }
    for (std::size_t o = 0; o < steps.outputs.size(); ++o) {
      const Element output = part.outputs[o] - inputs_;
      so_far_[output] = values[steps.outputs[o]];
      if (is_last) result_.outputs[output] = so_far_[output];
    }
  }

  const StreamGroups& groups_;
  MachineFacts machine_;
  Element inputs_;
  Element outputs_;
  std::vector<std::uint32_t> output_of_;  ///< by equation: the output that it makes, or kNoOutput
  BitMatrix rows_;
  std::vector<Value> so_far_;  ///< by output: the sum of earlier groups
  Program result_;
};

}  // namespace

Program grouped_tile(const Program& tile, const StreamGroups& groups, const MachineFacts& machine,
                     bool shares_anew) {
  return shares_anew ? SharedParts(tile, groups, machine).run()
                     : Projection(tile, groups, machine).run();
}

}  // namespace xorloom
