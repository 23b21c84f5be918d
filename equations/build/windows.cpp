#include "equations/build/windows.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// The equations of a window in elements of the whole program: outputs become temporaries, and
/// copies are what they copy.
class Window {
 public:
  Window(const Program& window, Element first, Element shift)
      : names_(window.end_of_elements()), next_(static_cast<Element>(names_.size()) + shift) {
    for (Element element = 0; element < names_.size(); ++element) {
      names_[element] = element < first ? element : element + shift;
    }
  }

  /// Adds an equation to others, if it is no copy.
  void add(Equation equation, Element first, std::vector<Equation>& equations) {
    const Element target = equation.target;
    for (Operand& operand : equation.operands) operand.element = names_[operand.element];
    if (equation.operands.size() == 1) {
      names_[target] = equation.operands[0].element;
      return;
    }
    if (target < first) names_[target] = next_++;
    equation.target = names_[target];
    std::ranges::sort(equation.operands);
    equations.push_back(std::move(equation));
  }

  Element name(Element element) const { return names_[element]; }
  Element end() const { return next_; }

 private:
  std::vector<Element> names_;
  Element next_;
};

}  // namespace

std::vector<Program> windows_of(const Program& direct, std::size_t inputs) {
  std::vector<std::size_t> window_of(direct.end_of_elements(), kNone);
  Program empty = without_equations(direct);
  empty.inputs.clear();
  empty.outputs.clear();
  std::vector<Program> windows((direct.inputs.size() + inputs - 1) / inputs, empty);
  for (std::size_t i = 0; i < direct.inputs.size(); ++i) {
    window_of[direct.inputs[i]] = i / inputs;
    windows[i / inputs].inputs.push_back(direct.inputs[i]);
  }
  for (const Equation& equation : direct.equations) {
    std::vector<std::vector<Operand>> operands(windows.size());
    for (const Operand& operand : equation.operands) {
      const std::size_t window = window_of[operand];
      if (window == kNone) {
        fail(Status::kInternal, "windows are made of equations that read inputs alone");
      }
      operands[window].push_back(operand);
    }
    for (std::size_t w = 0; w < windows.size(); ++w) {
      if (operands[w].empty()) continue;
      windows[w].outputs.push_back(equation.target);
      windows[w].equations.push_back({equation.target, std::move(operands[w])});
    }
  }
  std::erase_if(windows, [](const Program& window) { return window.equations.empty(); });
  return windows;
}

Program summed(const Program& direct, std::vector<Program> windows) {
  Program result = without_equations(direct);
  const Element first = direct.first_temporary();
  std::vector<std::vector<Operand>> sums(first);
  Element shift = 0;
  for (Program& of : windows) {
    Window window(of, first, shift);
    for (Equation& equation : of.equations) {
      window.add(std::move(equation), first, result.equations);
    }
    for (const Element output : of.outputs) sums[output].push_back(window.name(output));
    shift = window.end() - first;
  }
  for (const Equation& equation : direct.equations) {
    std::vector<Operand>& operands = sums[equation.target];
    std::ranges::sort(operands);
    result.equations.push_back({equation.target, std::move(operands)});
  }
  return result;
}

}  // namespace xorloom
