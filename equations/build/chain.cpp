#include "equations/build/chain.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// The equations of a program in new elements, one after the other. Copies are what they copy.
class Renamed {
 public:
  Renamed(const Program& program, const std::vector<Element>& inputs)
      : program_(program),
        names_(program.end_of_elements()),
        has_name_(program.end_of_elements(), false) {
    give(program.inputs, inputs);
  }

  void give(const std::vector<Element>& elements, const std::vector<Element>& names) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      names_[elements[i]] = names[i];
      has_name_[elements[i]] = true;
    }
  }

  /// Elements without a name are called `next` and so on.
  void append_to(std::vector<Equation>& equations, Element& next) {
    for (Equation equation : program_.equations) {
      for (Operand& operand : equation.operands) operand.element = names_[operand.element];
      Element& name = names_[equation.target];
      if (!has_name_[equation.target]) {
        const bool is_copy = equation.operands.size() == 1;
        name = is_copy ? equation.operands.front().element : next++;
        if (is_copy) continue;
      }
      equation.target = name;
      std::ranges::sort(equation.operands);
      equations.push_back(std::move(equation));
    }
  }

  std::vector<Element> names(const std::vector<Element>& elements) const {
    std::vector<Element> result;
    for (const Element element : elements) result.push_back(names_[element]);
    return result;
  }

 private:
  const Program& program_;
  std::vector<Element> names_;
  std::vector<bool> has_name_;
};

}  // namespace

Program chained(const Program& first, const Program& second) {
  Program result;
  result.rows = 1;
  result.locations = first.inputs.size() + second.outputs.size();
  for (Element element = 0; element < result.locations; ++element) {
    (element < first.inputs.size() ? result.inputs : result.outputs).push_back(element);
  }
  Element next = result.first_temporary();
  Renamed of_first(first, result.inputs);
  of_first.append_to(result.equations, next);
  Renamed of_second(second, of_first.names(first.outputs));
  of_second.give(second.outputs, result.outputs);
  of_second.append_to(result.equations, next);
  return result;
}

}  // namespace xorloom
