#include "equations/ir/circuit.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

using Value = Circuit::Value;

/// Adds gates for the sum of `terms`, in random order. Returns kZero if there are no terms.
Value sum_of(std::vector<Value>& terms, Circuit& circuit, Random& random) {
  if (terms.empty()) return Circuit::kZero;
  const auto take = [&] {
    std::swap(terms[random.below(static_cast<std::uint32_t>(terms.size()))], terms.back());
    const Value taken = terms.back();
    terms.pop_back();
    return taken;
  };
  while (terms.size() > 1) {
    const Value first = take();
    const Value second = take();
    terms.push_back(circuit.add(first, second));
  }
  return terms.front();
}

/// Counts for a lower bound of the gates of a matrix.
struct Rows {
  std::size_t nonzero = 0;
  std::size_t gates = 0;  ///< lower bound of the gates of the rows
};

Rows count_rows(const BitMatrix& matrix) {
  Rows rows;
  std::vector<std::vector<std::size_t>> sums;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    std::vector<std::size_t> ones = matrix.ones(r);
    if (!ones.empty()) ++rows.nonzero;
    if (ones.size() > 1) sums.push_back(std::move(ones));
  }
  std::ranges::sort(sums);
  const auto repeated = std::unique(sums.begin(), sums.end());
  sums.erase(repeated, sums.end());
  // Lower bound: each of the distinct `sums` is a gate. The first one that is computed takes as
  // many gates as it has ones, less one; only the last of these gates is among `sums`.
  std::size_t fewest = 0;
  for (const auto& ones : sums) fewest = fewest == 0 ? ones.size() : std::min(fewest, ones.size());
  rows.gates = sums.empty() ? 0 : sums.size() - 1 + fewest - 1;
  return rows;
}

}  // namespace

Value Circuit::add(Value a, Value b) {
  gates.push_back({a, b});
  return static_cast<Value>(num_values() - 1);
}

BitMatrix matrix_of(const Circuit& circuit) {
  const Program layout = layout_of_matrix(circuit.outputs.size(), circuit.inputs);
  return evaluate_symbolically(program_of(circuit, layout));
}

void prove(const Circuit& circuit, const BitMatrix& matrix) {
  if (matrix_of(circuit) == matrix) return;
  fail(Status::kInternal, "a circuit of {} XORs does not compute its {} x {} matrix",
       circuit.xors(), matrix.rows(), matrix.columns());
}

Circuit transposed(const Circuit& circuit, Random& random) {
  Circuit result;
  result.inputs = circuit.outputs.size();
  std::vector<std::vector<Value>> terms(circuit.num_values());
  for (std::size_t r = 0; r < circuit.outputs.size(); ++r) {
    if (circuit.outputs[r] != Circuit::kZero) {
      terms[circuit.outputs[r]].push_back(static_cast<Value>(r));
    }
  }
  for (std::size_t i = circuit.gates.size(); i-- > 0;) {
    const Value sum = sum_of(terms[circuit.inputs + i], result, random);
    if (sum == Circuit::kZero) continue;
    for (const Value operand : circuit.gates[i]) terms[operand].push_back(sum);
  }
  for (std::size_t i = 0; i < circuit.inputs; ++i) {
    result.outputs.push_back(sum_of(terms[i], result, random));
  }
  return result;
}

Circuit composed(const Circuit& outer, const Circuit& inner) {
  Circuit result = inner;
  std::vector<Value> value = inner.outputs;
  for (const auto& [a, b] : outer.gates) value.push_back(result.add(value[a], value[b]));
  result.outputs.clear();
  for (const Value output : outer.outputs) {
    result.outputs.push_back(output == Circuit::kZero ? output : value[output]);
  }
  return result;
}

Circuit sorted_circuit(std::size_t inputs, std::span<const Circuit::Gate> gates,
                       std::span<const Value> outputs) {
  Circuit result;
  result.inputs = inputs;
  std::vector<Value> name(inputs + gates.size(), Circuit::kZero);
  for (std::size_t i = 0; i < inputs; ++i) name[i] = static_cast<Value>(i);
  std::vector<Value> pending;
  const auto is_open = [&](Value value) { return name[value] == Circuit::kZero; };
  for (const Value output : outputs) {
    if (output != Circuit::kZero) pending.push_back(output);
    while (!pending.empty()) {
      const Value value = pending.back();
      if (!is_open(value)) {
        pending.pop_back();
        continue;
      }
      const auto [a, b] = gates[value - inputs];
      if (!is_open(a) && !is_open(b)) {
        name[value] = result.add(name[a], name[b]);
        continue;
      }
      if (is_open(b)) pending.push_back(b);
      if (is_open(a)) pending.push_back(a);
    }
    result.outputs.push_back(output == Circuit::kZero ? output : name[output]);
  }
  return result;
}

Circuit circuit_of(const Program& program) {
  require_xors(program, "a circuit");
  Circuit result;
  result.inputs = program.inputs.size();
  std::vector<Value> value(program.end_of_elements(), Circuit::kZero);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    value[program.inputs[i]] = static_cast<Value>(i);
  }
  for (const Equation& equation : program.equations) {
    Value sum = Circuit::kZero;
    for (const Element operand : equation.operands) {
      const Value next = value[operand];
      if (next == Circuit::kZero) continue;
      if (sum == next) {
        sum = Circuit::kZero;
      } else {
        sum = sum == Circuit::kZero ? next : result.add(sum, next);
      }
    }
    value[equation.target] = sum;
  }
  for (const Element output : program.outputs) result.outputs.push_back(value[output]);
  return result;
}

Program program_of(const Circuit& circuit, const Program& layout) {
  Program result = without_equations(layout);
  constexpr auto kNoElement = static_cast<Element>(-1);
  std::vector<Element> element(circuit.num_values(), kNoElement);
  for (std::size_t i = 0; i < circuit.inputs; ++i) element[i] = layout.inputs[i];
  for (std::size_t r = 0; r < circuit.outputs.size(); ++r) {
    const Value output = circuit.outputs[r];
    if (output != Circuit::kZero && element[output] == kNoElement) {
      element[output] = layout.outputs[r];
    }
  }
  Element next = layout.first_temporary();
  result.equations.reserve(circuit.gates.size());
  for (std::size_t i = 0; i < circuit.gates.size(); ++i) {
    Element& target = element[circuit.inputs + i];
    if (target == kNoElement) target = next++;
    const auto [a, b] = std::minmax({element[circuit.gates[i][0]], element[circuit.gates[i][1]]});
    result.equations.push_back({target, {a, b}});
  }
  for (std::size_t r = 0; r < circuit.outputs.size(); ++r) {
    const Value output = circuit.outputs[r];
    if (output == Circuit::kZero) {
      result.equations.push_back({layout.outputs[r], {}});
    } else if (element[output] != layout.outputs[r]) {
      result.equations.push_back({layout.outputs[r], {element[output]}});
    }
  }
  return result;
}

std::size_t lower_bound(const BitMatrix& matrix) {
  const Rows rows = count_rows(matrix);
  const Rows columns = count_rows(transposed(matrix));
  const std::size_t backwards = columns.gates + columns.nonzero;
  return std::max(rows.gates, backwards - std::min(backwards, rows.nonzero));
}

std::size_t most_ones(const BitMatrix& matrix) {
  std::size_t most = 1;
  for (std::size_t r = 0; r < matrix.rows(); ++r) most = std::max(most, matrix.weight(r));
  return most;
}

std::size_t least_depth(const BitMatrix& matrix) {
  return static_cast<std::size_t>(std::bit_width(most_ones(matrix) - 1));
}

std::size_t depth(const Circuit& circuit) {
  std::vector<std::size_t> level(circuit.num_values(), 0);
  for (std::size_t i = 0; i < circuit.gates.size(); ++i) {
    const auto [a, b] = circuit.gates[i];
    level[circuit.inputs + i] = std::max(level[a], level[b]) + 1;
  }
  return *std::ranges::max_element(level);
}

}  // namespace xorloom
