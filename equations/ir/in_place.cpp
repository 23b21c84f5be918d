#include "equations/ir/in_place.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

using Line = InPlaceCircuit::Line;
using Wire = InPlaceCircuit::Wire;

/// By wire: the output that it holds at the end.
std::vector<Wire> rows_of_wires(const InPlaceCircuit& circuit) {
  std::vector<Wire> rows(circuit.size());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[circuit.outputs[r]] = static_cast<Wire>(r);
  return rows;
}

/// The lines in reverse order, on wires that are renamed to the outputs that they held at the end.
InPlaceCircuit backwards(const InPlaceCircuit& circuit) {
  InPlaceCircuit result;
  result.outputs = rows_of_wires(circuit);
  for (std::size_t i = circuit.lines.size(); i-- > 0;) {
    const Line& line = circuit.lines[i];
    result.lines.push_back({result.outputs[line.to], result.outputs[line.from]});
  }
  return result;
}

}  // namespace

InPlaceCircuit identity_in_place(std::size_t size) {
  InPlaceCircuit circuit;
  for (std::size_t wire = 0; wire < size; ++wire) {
    circuit.outputs.push_back(static_cast<Wire>(wire));
  }
  return circuit;
}

BitMatrix matrix_of(const InPlaceCircuit& circuit) { return matrix_of(circuit_of(circuit)); }

void prove(const InPlaceCircuit& circuit, const BitMatrix& matrix) {
  if (matrix_of(circuit) == matrix) return;
  fail(Status::kInternal, "a circuit in place of {} XORs does not compute its {} x {} matrix",
       circuit.xors(), matrix.rows(), matrix.columns());
}

std::size_t depth(const InPlaceCircuit& circuit) {
  std::vector<std::size_t> level(circuit.size(), 0);
  std::size_t deepest = 0;
  for (const auto& [to, from] : circuit.lines) {
    level[to] = level[from] = std::max(level[to], level[from]) + 1;
    deepest = std::max(deepest, level[to]);
  }
  return deepest;
}

InPlaceCircuit transposed(const InPlaceCircuit& circuit) {
  InPlaceCircuit result = backwards(circuit);
  for (Line& line : result.lines) std::swap(line.to, line.from);
  return result;
}

InPlaceCircuit inverted(const InPlaceCircuit& circuit) { return backwards(circuit); }

Circuit circuit_of(const InPlaceCircuit& circuit) {
  Circuit result;
  result.inputs = circuit.size();
  std::vector<Circuit::Value> values;
  for (Circuit::Value input = 0; input < circuit.size(); ++input) values.push_back(input);
  for (const auto& [to, from] : circuit.lines) values[to] = result.add(values[to], values[from]);
  for (const Wire wire : circuit.outputs) result.outputs.push_back(values[wire]);
  return result;
}

}  // namespace xorloom
