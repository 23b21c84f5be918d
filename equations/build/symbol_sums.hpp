#pragma once

#include <utility>
#include <vector>

#include "equations/ir/operands.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// Equations of a program over symbols, added as they are needed. A value is an element, or zero.
class SymbolSums {
 public:
  static constexpr Element kZero = ~Element{0};

  explicit SymbolSums(Program& program) : program_(program), next_(program.first_temporary()) {}

  /// The value of a sum, whose zeros are left out: a new temporary, unless it is one operand.
  Element sum(const std::vector<Operand>& operands) {
    std::vector<Operand> terms = without_zeros(operands);
    if (terms.empty()) return kZero;
    if (terms.size() == 1 && terms.front().coefficient == 1) return terms.front().element;
    program_.equations.push_back({next_, std::move(terms)});
    return next_++;
  }

  /// The same as the value of an element, which is an output.
  Element assign(Element target, const std::vector<Operand>& operands) {
    program_.equations.push_back({target, without_zeros(operands)});
    return target;
  }

 private:
  static std::vector<Operand> without_zeros(const std::vector<Operand>& operands) {
    std::vector<Operand> terms;
    for (const Operand& operand : operands) {
      if (operand.element != kZero && operand.coefficient != 0) add(terms, operand);
    }
    return terms;
  }

  Program& program_;
  Element next_;
};

}  // namespace xorloom
