#include "equations/passes/fuse.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "equations/ir/cost.hpp"
#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

/// By element: how often equations read it.
std::vector<std::size_t> uses_of_elements(const Program& program) {
  std::vector<std::size_t> uses(program.end_of_elements(), 0);
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) ++uses[operand];
  }
  return uses;
}

/// Equations of a program whose temporaries are written into their readers.
class WideFusion {
 public:
  WideFusion(const Program& program, std::size_t inputs)
      : field_(program.field),
        inputs_(inputs),
        first_temporary_(program.first_temporary()),
        equations_(program.equations),
        readers_(readers_of_elements(program)) {}

  /// Makes one round over all temporaries, from the last to the first. True if it changed any.
  bool round() {
    bool changed = false;
    for (std::size_t i = equations_.size(); i-- > 0;) {
      const Element target = equations_[i].target;
      if (target < first_temporary_ || gone(target) || !is_better_written_in(i)) continue;
      write_in(i);
      changed = true;
    }
    return changed;
  }

  /// The remaining equations, their temporaries renumbered in order.
  std::vector<Equation> result() && {
    ElementNames names = own_names(readers_.size(), first_temporary_);
    Element next = first_temporary_;
    std::vector<Equation> equations;
    for (Equation& equation : equations_) {
      if (equation.target >= first_temporary_ && gone(equation.target)) continue;
      equations.push_back(renamed(std::move(equation), names, next));
    }
    return equations;
  }

 private:
  bool gone(Element temporary) const { return readers_[temporary].empty(); }

  static Operand read_of(const Equation& reader, Element element) {
    return {element, coefficient_of(reader.operands, element)};
  }

  /// The operands of `reader` after `equation` is written into it.
  std::vector<Operand> joined(std::size_t reader, std::size_t equation) const {
    std::vector<Operand> operands = equations_[reader].operands;
    const Operand read = read_of(equations_[reader], equations_[equation].target);
    add(operands, read);
    add_scaled(field_, operands, read.coefficient, equations_[equation].operands);
    return operands;
  }

  /// The instructions of joined(reader, equation), without making the operands.
  std::size_t joined_instructions(std::size_t reader, std::size_t equation) const {
    const std::vector<Operand>& a = equations_[reader].operands;
    const std::vector<Operand>& b = equations_[equation].operands;
    const Operand read = read_of(equations_[reader], equations_[equation].target);
    std::size_t size = a.size() - 1 + b.size();
    std::size_t products = multiplications(equations_[reader]) - (read.coefficient != 1 ? 1U : 0U);
    for (auto i = a.begin(), j = b.begin(); j != b.end(); ++j) {
      Field::Symbol sum = j->coefficient;
      if (read.coefficient != 1) sum = field_.multiply(read.coefficient, sum);
      while (i != a.end() && i->element < j->element) ++i;
      if (i != a.end() && i->element == j->element) {
        products -= i->coefficient != 1 ? 1U : 0U;
        sum ^= i->coefficient;
        size -= sum == 0 ? 2U : 1U;
      }
      products += sum > 1 ? 1U : 0U;
    }
    return gates_of_sum(size, inputs_) + products;
  }

  std::size_t instructions(std::size_t equation) const {
    return gates_of_sum(equations_[equation].operands.size(), inputs_) +
           multiplications(equations_[equation]);
  }

  bool is_better_written_in(std::size_t equation) const {
    const std::vector<std::size_t>& readers = readers_[equations_[equation].target];
    std::size_t before = instructions(equation);
    std::size_t after = 0;
    for (const std::size_t reader : readers) {
      before += instructions(reader);
      after += joined_instructions(reader, equation);
      if (after >= before + readers.size()) return false;
    }
    return readers.size() == 1 ? after <= before : after < before;
  }

  void write_in(std::size_t equation) {
    for (const std::size_t reader : std::exchange(readers_[equations_[equation].target], {})) {
      std::vector<Operand> operands = joined(reader, equation);
      for (const Element operand : equations_[equation].operands) {
        std::vector<std::size_t>& readers = readers_[operand];
        const auto place = std::ranges::find(readers, reader);
        const bool reads = coefficient_of(operands, operand) != 0;
        if (reads && place == readers.end()) readers.push_back(reader);
        if (!reads && place != readers.end()) readers.erase(place);
      }
      equations_[reader].operands = std::move(operands);
    }
    for (const Element operand : equations_[equation].operands) {
      std::erase(readers_[operand], equation);
    }
  }

  const Field& field_;
  std::size_t inputs_;
  Element first_temporary_;
  std::vector<Equation> equations_;
  std::vector<std::vector<std::size_t>> readers_;
};

}  // namespace

Program fuse_single_use(const Program& program) {
  const std::vector<std::size_t> uses = uses_of_elements(program);
  const std::vector<std::size_t> computed_by = equation_of_element(program);
  ElementNames name = own_names(uses.size(), uses.size());
  const auto stays = [&](Element element) {
    return element < program.first_temporary() || uses[element] > 1;
  };

  Program result = without_equations(program);
  Element next = program.first_temporary();
  std::vector<Operand> pending;
  for (const Equation& equation : program.equations) {
    if (!stays(equation.target)) continue;
    // Collects all terms and adds them up once at the end, since a long chain would be copied at
    // each link.
    std::vector<Operand> terms;
    pending.assign(equation.operands.rbegin(), equation.operands.rend());
    while (!pending.empty()) {
      const Operand operand = pending.back();
      pending.pop_back();
      if (stays(operand) || computed_by[operand] == kNone) {
        terms.emplace_back(name[operand], operand.coefficient);
        continue;
      }
      for (const Operand& inner : program.equations[computed_by[operand]].operands) {
        const Field::Symbol coefficient =
            operand.coefficient == 1
                ? inner.coefficient
                : program.field.multiply(operand.coefficient, inner.coefficient);
        pending.emplace_back(inner.element, coefficient);
      }
    }
    if (equation.target >= program.first_temporary()) name[equation.target] = next++;
    result.equations.push_back({name[equation.target], sum_of(std::move(terms))});
  }
  return result;
}

Program fuse_three_way(const Program& program) { return fuse_wide(program, 3); }

Program fuse_wide(const Program& program, std::size_t inputs) {
  WideFusion fusion(program, inputs);
  while (fusion.round()) {
  }
  Program result = without_equations(program);
  result.equations = std::move(fusion).result();
  return result;
}

}  // namespace xorloom
