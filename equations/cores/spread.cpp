#include "equations/cores/spread.hpp"

#include <algorithm>
#include <map>

#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/drop_equations.hpp"
#include "equations/passes/fuse.hpp"

namespace xorloom {
namespace {

/// The work of an equation, at least 1: its XORs, or over a larger field its operands.
std::size_t work_of(const Program& program, const Equation& equation) {
  const std::size_t work = program.is_xor() ? xors(equation) : equation.operands.size();
  return std::max<std::size_t>(1, work);
}

/// By piece of work: its group, if groups are filled one after the other up to `limit` work each.
std::vector<std::size_t> filled(const std::vector<std::size_t>& work, std::size_t limit) {
  std::vector<std::size_t> group_of;
  std::size_t group = 0;
  std::size_t sum = 0;
  for (const std::size_t piece : work) {
    if (!group_of.empty() && sum + piece > limit) {
      ++group;
      sum = 0;
    }
    sum += piece;
    group_of.push_back(group);
  }
  return group_of;
}

/// By element: true if an equation of another group reads it. `group_of` is by equation.
template <typename Group>
std::vector<bool> read_elsewhere(const Program& program, const std::vector<Group>& group_of) {
  const std::vector<std::size_t> by = equation_of_element(program);
  std::vector<bool> is_read(by.size());
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    for (const Element operand : program.equations[i].operands) {
      if (by[operand] != kNone && group_of[by[operand]] != group_of[i]) is_read[operand] = true;
    }
  }
  return is_read;
}

SpreadProgram listed(const Program& program, std::size_t cores) {
  // Only dependencies matter here, so coefficients may be left out.
  Program sums = program;
  sums.field = gf2();
  for (Equation& equation : sums.equations) {
    for (Operand& operand : equation.operands) operand.coefficient = 1;
  }
  return {program, cores_of_equations(program, atomic_schedule_on_cores(sums, cores))};
}

SpreadProgram in_groups(const Program& program, std::size_t cores) {
  std::vector<std::size_t> work;
  for (const Equation& equation : program.equations) work.push_back(work_of(program, equation));
  return {program, contiguous_groups(work, cores)};
}

/// Contiguous groups of outputs, with about equally many terms. For the least latency, the outputs
/// of a chunk stay together if the largest group grows little: cores that write neighbouring lines
/// steal them from each other by prefetching.
std::vector<std::size_t> groups_of_outputs(const Program& program,
                                           const std::vector<std::size_t>& terms, std::size_t cores,
                                           SpreadGoal goal) {
  constexpr std::size_t kLittleMore = 4;  // a quarter
  const auto most = [&](const std::vector<std::size_t>& group_of) {
    std::vector<std::size_t> sums(cores);
    for (std::size_t o = 0; o < terms.size(); ++o) sums[group_of[o]] += terms[o];
    return std::ranges::max(sums);
  };
  std::vector<std::size_t> chunk_of;  // by output: its chunk, counted from 0
  std::vector<std::size_t> terms_of_chunk;
  for (std::size_t o = 0; o < terms.size(); ++o) {
    const bool is_next =
        o == 0 || program.outputs[o] / program.rows != program.outputs[o - 1] / program.rows;
    if (is_next) terms_of_chunk.push_back(0);
    terms_of_chunk.back() += terms[o];
    chunk_of.push_back(terms_of_chunk.size() - 1);
  }
  std::vector<std::size_t> group_of = contiguous_groups(terms, cores);
  if (goal == SpreadGoal::kThroughput) return group_of;
  const std::vector<std::size_t> group_of_chunk = contiguous_groups(terms_of_chunk, cores);
  std::vector<std::size_t> whole;
  for (const std::size_t chunk : chunk_of) whole.push_back(group_of_chunk[chunk]);
  return most(whole) <= most(group_of) + most(group_of) / kLittleMore ? whole : group_of;
}

/// A program per group of groups_of_outputs().
std::vector<Program> split_outputs(const Program& program, std::size_t cores, SpreadGoal goal) {
  std::vector<std::size_t> terms;
  for (const Equation& equation : written_out(program).equations) {
    terms.push_back(equation.operands.size());
  }
  const std::vector<std::size_t> group_of = groups_of_outputs(program, terms, cores, goal);
  std::vector<Program> programs(group_of.empty() ? 0 : group_of.back() + 1, program);
  for (Program& part : programs) part.outputs.clear();
  for (std::size_t o = 0; o < terms.size(); ++o) {
    programs[group_of[o]].outputs.push_back(program.outputs[o]);
  }
  for (Program& part : programs) part = drop_unread(part);
  return programs;
}

/// Puts programs with inputs of `whole` side by side, each on a core of its own. A cell that a
/// program computes only for itself becomes a temporary, since another program outputs the cell.
SpreadProgram side_by_side(const Program& whole, const std::vector<Program>& programs) {
  SpreadProgram spread{whole, {}};
  Program& all = spread.program;
  all.equations.clear();
  Element next = all.first_temporary();
  for (std::size_t core = 0; core < programs.size(); ++core) {
    ElementNames names = own_names(programs[core].end_of_elements(), whole.first_temporary());
    for (const Equation& equation : programs[core].equations) names[equation.target] = kUnnamed;
    give(names, programs[core].outputs, programs[core].outputs);
    for (const Equation& equation : programs[core].equations) {
      all.equations.push_back(renamed(equation, names, next));
      spread.core_of.push_back(core);
    }
  }
  check_program(all);
  prove(all, whole);
  return spread;
}

/// The part of each equation of a program. No part reads a part of a higher number.
struct Cut {
  const Program& program;
  std::vector<std::uint32_t> part_of;  ///< by equation
  std::vector<std::size_t> core_of;    ///< by part
};

/// Makes the programs of the parts.
class Cutting {
 public:
  Cutting(const Cut& cut, std::size_t per_location)
      : cut_(cut), is_read_(read_elsewhere(cut.program, cut.part_of)), is_output_(is_read_.size()) {
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
    // Values that stay within a part get names of that part.
    for (const Equation& equation : cut.program.equations) {
      if (!is_seen(equation.target)) name_[equation.target] = kUnnamed;
    }
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
  bool is_seen(Element element) const { return is_output_[element] || is_read_[element]; }

  void add_equations() {
    const std::vector<std::size_t> by = equation_of_element(cut_.program);
    std::vector<Element> next(result_.parts.size());
    for (std::size_t p = 0; p < next.size(); ++p) {
      next[p] = result_.parts[p].program.first_temporary();
    }
    for (std::size_t i = 0; i < cut_.program.equations.size(); ++i) {
      const std::uint32_t p = cut_.part_of[i];
      Program& part = result_.parts[p].program;
      const Equation& equation = cut_.program.equations[i];
      for (const Element operand : equation.operands) {
        const std::size_t made = by[operand];
        if (made != kNone && cut_.part_of[made] != p)
          result_.edges.emplace_back(cut_.part_of[made], p);
      }
      part.equations.push_back(renamed(equation, name_, next[p]));
      if (is_seen(equation.target)) part.outputs.push_back(name_[equation.target]);
    }
  }

  /// Sets the inputs of a part: elements that it reads but does not compute.
  static void add_inputs(Program& part) {
    const std::vector<std::size_t> by = equation_of_element(part);
    const std::vector<std::size_t> reader = last_reader_of_element(part);
    for (Element e = 0; e < reader.size(); ++e) {
      if (reader[e] != kNone && by[e] == kNone) part.inputs.push_back(e);
    }
    std::ranges::sort(part.outputs);
  }

  const Cut& cut_;
  std::vector<bool> is_read_;    ///< by element: read by another part
  std::vector<bool> is_output_;  ///< by element: output of the whole program
  ElementNames name_;            ///< by element: its name in the parts
  ProgramParts result_;
};

/// A part for each core and number of hand-overs: the most on a path to the equation.
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

std::vector<std::size_t> contiguous_groups(const std::vector<std::size_t>& work,
                                           std::size_t groups) {
  std::size_t low = 0;
  std::size_t high = 0;
  for (const std::size_t piece : work) {
    low = std::max(low, piece);
    high += piece;
  }
  while (low < high) {  // the lowest limit for which `groups` groups suffice
    const std::size_t limit = low + (high - low) / 2;
    if (filled(work, limit).back() < groups) {
      high = limit;
    } else {
      low = limit + 1;
    }
  }
  return filled(work, low);
}

double price_of(const SpreadProgram& spread, std::size_t cores, const CorePrices& prices,
                SpreadGoal goal) {
  const Program& program = spread.program;
  const std::vector<std::size_t> by = equation_of_element(program);
  std::vector<double> free_at(cores);
  std::vector<double> ready_at(by.size());
  const std::vector<bool> is_handed_over = read_elsewhere(program, spread.core_of);
  std::vector<bool> has(by.size() * cores);  // by element and core: true if the core has it
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const auto& [target, operands] = program.equations[i];
    const std::size_t core = spread.core_of[i];
    double begin = free_at[core];
    double work = static_cast<double>(work_of(program, program.equations[i]));
    for (const Element operand : operands) {
      if (goal == SpreadGoal::kLatency) begin = std::max(begin, ready_at[operand]);
      if (has[operand * cores + core]) continue;
      has[operand * cores + core] = true;
      work += by[operand] == kNone ? prices.load : prices.hand_over;
    }
    if (is_handed_over[target]) work += prices.hand_over;
    has[target * cores + core] = true;
    free_at[core] = ready_at[target] = begin + work;
  }
  return *std::ranges::max_element(free_at);
}

SpreadProgram spread_over_cores(const Program& program, std::size_t cores, const CorePrices& prices,
                                SpreadGoal goal,
                                const std::function<Program(const Program&)>& share) {
  check_cores(cores);
  SpreadProgram best = listed(program, cores);
  double least = price_of(best, cores, prices, goal);
  const auto offer = [&](SpreadProgram spread) {
    const double price = price_of(spread, cores, prices, goal);
    if (price >= least) return;
    least = price;
    best = std::move(spread);
  };
  offer(in_groups(program, cores));
  std::vector<Program> programs = split_outputs(program, cores, goal);
  if (programs.size() < 2) return best;
  offer(side_by_side(program, programs));
  if (share) {
    for (Program& part : programs) {
      Program anew = share(part);
      if (xors(anew) < xors(part)) part = std::move(anew);
    }
    offer(side_by_side(program, programs));
  }
  return best;
}

CoreSchedule schedule_of(const SpreadProgram& spread, std::size_t cores) {
  const Program& program = spread.program;
  require_xors(program, "a plan for cores");
  CoreSchedule schedule{cores, {}};
  std::vector<std::size_t> free_at(cores);
  std::vector<std::size_t> ready_at(program.end_of_elements());
  Element next_partial = program.end_of_elements();
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const auto& [target, operands] = program.equations[i];
    std::size_t& free = free_at[spread.core_of[i]];
    if (operands.size() == 1) ready_at[target] = ready_at[operands.front()];
    if (operands.size() < 2) continue;
    std::size_t step = free;
    for (const Element operand : operands) step = std::max(step, ready_at[operand]);
    free = ready_at[target] =
        append_sum(schedule, program.equations[i], spread.core_of[i], step, next_partial);
  }
  sort_steps(schedule);
  return schedule;
}

ProgramParts parts_on_cores(const SpreadProgram& spread, std::size_t per_location) {
  return Cutting(cut_at_hand_overs(spread.program, spread.core_of), per_location).run();
}

ProgramParts parts_on_cores(const Program& program, const CoreSchedule& plan,
                            std::size_t per_location) {
  const Program steps = program_of_steps(program, plan);
  return Cutting(cut_at_hand_overs(steps, cores_of_equations(steps, plan)), per_location).run();
}

void prove_parts(const ProgramParts& parts, const Program& program) {
  // Joins the parts to one program: handed-over values become temporaries again, and the
  // temporaries of each part are renumbered.
  Program whole = without_equations(program);
  Element next = program.first_temporary();
  ElementNames names = own_names(program.first_temporary(), program.first_temporary());
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
