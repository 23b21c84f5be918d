#include "equations/passes/fuse.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// Adds sorted operands: those in both cancel.
void add(std::vector<Element>& sum, std::vector<Element> operands) {
  if (sum.empty()) {
    sum = std::move(operands);
    return;
  }
  std::vector<Element> both;
  std::ranges::set_symmetric_difference(sum, operands, std::back_inserter(both));
  sum = std::move(both);
}

void add(std::vector<Element>& sum, Element operand) {
  const auto place = std::ranges::lower_bound(sum, operand);
  if (place != sum.end() && *place == operand) {
    sum.erase(place);
  } else {
    sum.insert(place, operand);
  }
}

/// Equations while temporaries are written into their readers.
class ThreeWayFusion {
 public:
  explicit ThreeWayFusion(const Program& program)
      : first_temporary_(program.first_temporary()),
        equations_(program.equations),
        readers_(program.end_of_elements()) {
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      for (const Element operand : equations_[i].operands) readers_[operand].push_back(i);
    }
  }

  /// One round over all temporaries, last first, so that what is written in is as it will stay.
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

  /// What is left, with its temporaries renumbered in order.
  std::vector<Equation> result() const {
    std::vector<Element> name(readers_.size());
    for (std::size_t e = 0; e < name.size(); ++e) name[e] = static_cast<Element>(e);
    Element next = first_temporary_;
    std::vector<Equation> equations;
    for (Equation equation : equations_) {
      if (equation.target >= first_temporary_) {
        if (gone(equation.target)) continue;
        name[equation.target] = next++;
      }
      for (Element& operand : equation.operands) operand = name[operand];
      std::ranges::sort(equation.operands);
      equation.target = name[equation.target];
      equations.push_back(std::move(equation));
    }
    return equations;
  }

 private:
  bool gone(Element temporary) const { return readers_[temporary].empty(); }

  /// The operands of a reader of an equation once that is written into it.
  std::vector<Element> joined(std::size_t reader, std::size_t equation) const {
    std::vector<Element> operands = equations_[reader].operands;
    add(operands, equations_[equation].target);
    add(operands, equations_[equation].operands);
    return operands;
  }

  std::size_t joined_size(std::size_t reader, std::size_t equation) const {
    const std::vector<Element>& a = equations_[reader].operands;
    const std::vector<Element>& b = equations_[equation].operands;
    std::size_t size = a.size() - 1 + b.size();
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
      if (*i == *j) {
        size -= 2;
        ++i;
        ++j;
      } else {
        *i < *j ? ++i : ++j;
      }
    }
    return size;
  }

  bool is_better_written_in(std::size_t equation) const {
    const std::vector<std::size_t>& readers = readers_[equations_[equation].target];
    std::size_t before = three_way_instructions(equations_[equation].operands.size());
    std::size_t after = 0;
    for (const std::size_t reader : readers) {
      before += three_way_instructions(equations_[reader].operands.size());
      after += three_way_instructions(joined_size(reader, equation));
      if (after >= before + readers.size()) return false;
    }
    return readers.size() == 1 ? after <= before : after < before;
  }

  void write_in(std::size_t equation) {
    for (const std::size_t reader : std::exchange(readers_[equations_[equation].target], {})) {
      std::vector<Element> operands = joined(reader, equation);
      for (const Element operand : equations_[equation].operands) {
        std::vector<std::size_t>& readers = readers_[operand];
        const auto place = std::ranges::find(readers, reader);
        const bool reads = std::ranges::binary_search(operands, operand);
        if (reads && place == readers.end()) readers.push_back(reader);
        if (!reads && place != readers.end()) readers.erase(place);
      }
      equations_[reader].operands = std::move(operands);
    }
    for (const Element operand : equations_[equation].operands) {
      std::erase(readers_[operand], equation);
    }
  }

  Element first_temporary_;
  std::vector<Equation> equations_;
  std::vector<std::vector<std::size_t>> readers_;
};

}  // namespace

Program fuse_single_use(const Program& program) {
  std::vector<std::size_t> uses(program.end_of_elements(), 0);
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) ++uses[operand];
  }
  std::vector<bool> stays(uses.size(), true);
  for (std::size_t e = program.first_temporary(); e < uses.size(); ++e) stays[e] = uses[e] > 1;

  Program result{program.locations, program.rows, program.inputs,
                 program.outputs,   {},           program.virtuals};
  std::vector<std::vector<Element>> written_in(uses.size());
  std::vector<Element> name(uses.size());
  for (std::size_t e = 0; e < name.size(); ++e) name[e] = static_cast<Element>(e);
  Element next = program.first_temporary();
  for (const Equation& equation : program.equations) {
    std::vector<Element> operands;
    for (const Element operand : equation.operands) {
      if (stays[operand]) {
        add(operands, name[operand]);
      } else {
        add(operands, std::exchange(written_in[operand], {}));
      }
    }
    if (!stays[equation.target]) {
      written_in[equation.target] = std::move(operands);
      continue;
    }
    if (equation.target >= program.first_temporary()) name[equation.target] = next++;
    result.equations.push_back({name[equation.target], std::move(operands)});
  }
  return result;
}

Program fuse_three_way(const Program& program) {
  ThreeWayFusion fusion(program);
  while (fusion.round()) {
  }
  return {program.locations, program.rows,    program.inputs,
          program.outputs,   fusion.result(), program.virtuals};
}

}  // namespace xorloom
