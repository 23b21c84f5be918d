#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace xorloom::test {

/// Result of checking equations against a matrix, by code that shares nothing with the library.
struct CheckedEquations {
  std::string flaw;  ///< empty if every row comes out
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t xors = 0;   ///< counted from the equations, whatever they say of themselves
  std::size_t depth = 0;  ///< levels of two-input XORs, each equation added up in the best order
};

/// Reads a matrix ("rows columns", then rows of 0 and 1) and equations in their JSON form, computes
/// each element as a set of columns, bit by bit, and compares the outputs with the rows.
inline CheckedEquations check_equations(const std::string& matrix, const std::string& equations) {
  CheckedEquations checked;
  std::istringstream lines(matrix);
  lines >> checked.rows >> checked.columns;
  std::vector<std::vector<bool>> wanted(checked.rows);
  for (std::vector<bool>& row : wanted) {
    std::string bits;
    lines >> bits;
    for (const char bit : bits) row.push_back(bit == '1');
  }

  const auto json = nlohmann::json::parse(equations);
  std::map<std::size_t, std::vector<bool>> known;
  std::map<std::size_t, std::size_t> level;  // 0 for inputs
  std::size_t column = 0;
  for (const std::size_t input : json.at("inputs")) {
    known[input].resize(checked.columns);
    known[input].at(column++) = true;
  }
  for (const auto& equation : json.at("equations")) {
    std::vector<bool> sum(checked.columns);
    std::size_t operands = 0;
    double leaves = 0;  // leaves of a tree of this depth: 2^level for each operand
    for (const std::size_t operand : equation.at("xor")) {
      if (known.count(operand) == 0) {
        checked.flaw = "element " + std::to_string(operand) + " is read before it is computed";
        return checked;
      }
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = sum[i] != known[operand][i];
      ++operands;
      leaves += std::ldexp(1.0, static_cast<int>(level[operand]));
    }
    std::size_t levels = 0;
    while (std::ldexp(1.0, static_cast<int>(levels)) < leaves) ++levels;
    level[equation.at("target").get<std::size_t>()] = levels;
    checked.depth = std::max(checked.depth, levels);
    checked.xors += operands == 0 ? 0 : operands - 1;
    known[equation.at("target").get<std::size_t>()] = sum;
  }
  const auto outputs = json.at("outputs").get<std::vector<std::size_t>>();
  if (outputs.size() != checked.rows || column != checked.columns) {
    checked.flaw = "the equations have other inputs or outputs than the matrix";
    return checked;
  }
  for (std::size_t r = 0; r < checked.rows; ++r) {
    if (known.count(outputs[r]) == 0 || known[outputs[r]] != wanted[r]) {
      checked.flaw = "row " + std::to_string(r) + " does not come out";
      return checked;
    }
  }
  return checked;
}

/// Reads a matrix and a circuit in place in its JSON form, runs its lines bit by bit, and compares
/// what the wires hold with the rows. `depth` counts levels of lines that share no wire.
inline CheckedEquations check_in_place(const std::string& matrix, const std::string& circuit) {
  CheckedEquations checked;
  std::istringstream lines(matrix);
  lines >> checked.rows >> checked.columns;
  const auto json = nlohmann::json::parse(circuit);
  std::vector<std::vector<bool>> wires(json.at("wires").get<std::size_t>());
  std::vector<std::size_t> level(wires.size());
  for (std::size_t i = 0; i < wires.size(); ++i) {
    wires[i].resize(checked.columns);
    wires[i].at(i) = true;
  }
  for (const auto& line : json.at("lines")) {
    const auto to = line.at(0).get<std::size_t>();
    const auto from = line.at(1).get<std::size_t>();
    if (to == from) checked.flaw = "a line adds a wire to itself";
    for (std::size_t i = 0; i < checked.columns; ++i) {
      wires.at(to)[i] = wires.at(to)[i] != wires.at(from)[i];
    }
    level[to] = level[from] = std::max(level[to], level[from]) + 1;
    checked.depth = std::max(checked.depth, level[to]);
    ++checked.xors;
  }
  for (std::size_t r = 0; r < checked.rows; ++r) {
    std::string bits;
    lines >> bits;
    const std::vector<bool>& wire = wires.at(json.at("outputs").at(r).get<std::size_t>());
    for (std::size_t i = 0; i < checked.columns; ++i) {
      if (wire[i] != (bits[i] == '1')) checked.flaw = "row " + std::to_string(r) + " differs";
    }
  }
  return checked;
}

}  // namespace xorloom::test
