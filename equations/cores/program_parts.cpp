#include "equations/cores/program_parts.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "equations/ir/proof.hpp"
#include "equations/passes/fuse.hpp"

namespace xorloom {
namespace {

/// Which part each equation of a program is in. Parts are numbered so that none reads a later one.
struct Cut {
  const Program& program;
  std::vector<std::uint32_t> part_of;  ///< by equation
  std::vector<std::size_t> core_of;    ///< by part
};

/// The elements that a part other than their own reads.
std::vector<bool> read_elsewhere(const Cut& cut) {
  const std::vector<std::size_t> by = equation_of_element(cut.program);
  std::vector<bool> is_read(by.size());
  for (std::size_t i = 0; i < cut.program.equations.size(); ++i) {
    for (const Element operand : cut.program.equations[i].operands) {
      if (by[operand] != kNone && cut.part_of[by[operand]] != cut.part_of[i]) {
        is_read[operand] = true;
      }
    }
  }
  return is_read;
}

/// Makes the programs of the parts.
class Cutting {
 public:
  Cutting(const Cut& cut, std::size_t per_location)
      : cut_(cut), is_read_(read_elsewhere(cut)), is_output_(is_read_.size()) {
    result_.per_location = per_location;
    for (const Element output : cut.program.outputs) is_output_[output] = true;
    name_ = own_names(is_read_.size(), is_read_.size());
    const auto rows = static_cast<Element>(cut.program.rows);
    const auto per = static_cast<Element>(per_location);
    Element value = 0;
    for (Element e = 0; e < name_.size(); ++e) {
      if (!is_read_[e] || is_output_[e]) continue;
      name_[e] = cut.program.num_cells() + value / per * rows + value % per;
      ++value;
    }
    result_.handed_over = value;
  }

  ProgramParts run() {
    const std::size_t added =
        (result_.handed_over + result_.per_location - 1) / result_.per_location;
    for (const std::size_t core : cut_.core_of) {
      result_.parts.push_back({core, {}});
      Program& part = result_.parts.back().program;
      part.locations = cut_.program.locations + added;
      part.rows = cut_.program.rows;
      part.field = cut_.program.field;
    }
    add_equations();
    for (ProgramParts::Part& part : result_.parts) {
      add_inputs(part.program);
      part.program = fuse_single_use(part.program);
      check_program(part.program);
    }
    std::ranges::sort(result_.edges);
    result_.edges.erase(std::unique(result_.edges.begin(), result_.edges.end()),
                        result_.edges.end());
    prove_parts(result_, cut_.program);
    return std::move(result_);
  }

 private:
  void add_equations() {
    const std::vector<std::size_t> by = equation_of_element(cut_.program);
    std::vector<Element> next(result_.parts.size());
    for (std::size_t p = 0; p < next.size(); ++p) {
      next[p] = result_.parts[p].program.first_temporary();
    }
    for (std::size_t i = 0; i < cut_.program.equations.size(); ++i) {
      const std::uint32_t p = cut_.part_of[i];
      Program& part = result_.parts[p].program;
      Equation equation = cut_.program.equations[i];
      const bool is_seen = is_output_[equation.target] || is_read_[equation.target];
      // A temporary of a part is read by no other, so that its name is the part's own.
      if (!is_seen) name_[equation.target] = next[p]++;
      equation.target = name_[equation.target];
      for (Operand& operand : equation.operands) {
        const std::size_t made = by[operand];
        if (made != kNone && cut_.part_of[made] != p)
          result_.edges.emplace_back(cut_.part_of[made], p);
        operand.element = name_[operand];
      }
      std::ranges::sort(equation.operands);
      if (is_seen) part.outputs.push_back(equation.target);
      part.equations.push_back(std::move(equation));
    }
  }

  /// What a part reads and does not make.
  static void add_inputs(Program& part) {
    const std::vector<std::size_t> by = equation_of_element(part);
    std::vector<bool> is_input(by.size());
    for (const Equation& equation : part.equations) {
      for (const Element operand : equation.operands) {
        if (by[operand] == kNone) is_input[operand] = true;
      }
    }
    for (Element e = 0; e < is_input.size(); ++e) {
      if (is_input[e]) part.inputs.push_back(e);
    }
    std::ranges::sort(part.outputs);
  }

  const Cut& cut_;
  std::vector<bool> is_read_;    ///< by another part
  std::vector<bool> is_output_;  ///< of the whole program
  Names name_;                   ///< in the parts
  ProgramParts result_;
};

/// Parts by core and by how many times a value was handed over on the way to it, at most.
Cut cut_at_hand_overs(const Program& program, const std::vector<std::size_t>& core_of) {
  const std::vector<std::size_t> by = equation_of_element(program);
  using Place = std::pair<std::size_t, std::size_t>;  // hand-overs, core
  std::vector<Place> places(program.equations.size());
  std::map<Place, std::uint32_t> number_of;
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto& [hand_overs, core] = places[i];
    core = core_of[i];
    for (const Element operand : program.equations[i].operands) {
      if (by[operand] == kNone) continue;
      const auto [before, from] = places[by[operand]];
      hand_overs = std::max(hand_overs, before + (from == core ? 0 : 1));
    }
    number_of.emplace(places[i], 0);
  }
  Cut cut{program, {}, {}};
  for (auto& [place, number] : number_of) {
    number = static_cast<std::uint32_t>(cut.core_of.size());
    cut.core_of.push_back(place.second);
  }
  for (const Place& place : places) cut.part_of.push_back(number_of.at(place));
  return cut;
}

}  // namespace

ProgramParts parts_on_cores(const SpreadProgram& spread, std::size_t per_location) {
  return Cutting(cut_at_hand_overs(spread.program, spread.core_of), per_location).run();
}

ProgramParts parts_on_cores(const Program& program, const CoreSchedule& plan,
                            std::size_t per_location) {
  const Program steps = program_of_steps(program, plan);
  return Cutting(cut_at_hand_overs(steps, cores_of_equations(steps, plan)), per_location).run();
}

void prove_parts(const ProgramParts& parts, const Program& program) {
  // All of it in one program: what is handed over becomes a temporary again, and each part's own
  // temporaries get numbers of their own.
  Program whole = without_equations(program);
  Element next = program.first_temporary();
  Names names = own_names(program.first_temporary(), program.first_temporary());
  for (const auto& [core, part] : parts.parts) {
    names.resize(std::max<std::size_t>(names.size(), part.end_of_elements()), kUnnamed);
    const auto own = names.begin() + static_cast<std::ptrdiff_t>(part.first_temporary());
    std::fill(own, names.end(), kUnnamed);
    for (const Equation& equation : part.equations) {
      whole.equations.push_back(renamed(equation, names, next));
    }
  }
  check_program(whole);
  prove(whole, program);
}

}  // namespace xorloom
