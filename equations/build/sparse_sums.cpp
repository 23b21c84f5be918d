#include "equations/build/sparse_sums.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "codes/field/matrix.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

/// Work to begin a group, in units of an operand.
constexpr std::size_t kBeginning = 6;

/// True if a group of `group` temporaries, of `operands` operands each, is no more work written
/// into its `readers` readers than computed, stored and loaded again.
bool is_better_written_in(std::size_t operands, std::size_t group, std::size_t readers) {
  const std::size_t written_in = operands * (1 + readers);
  return group * written_in <= kBeginning + operands + group * (operands + 1 + 1 + readers);
}

constexpr std::uint32_t kUnset = ~std::uint32_t{0};

/// The code's sums as a system of equations in the unknown cells: the target and the terms of a sum
/// add up to zero.
class Equations {
 public:
  Equations(const Code& code, const std::vector<Cell>& known)
      : code_(code),
        is_known_(code.num_cells() + code.hidden),
        equations_of_(is_known_.size()),
        equation_of_(is_known_.size(), kUnset),
        unknown_of_(code.sums.size(), kUnset) {
    for (const Cell cell : known) is_known_[cell] = true;
    for (std::uint32_t e = 0; e < code.sums.size(); ++e) {
      for_each_unknown(e, [&](Cell cell) { equations_of_[cell].push_back(e); });
    }
    match();
  }

  /// Returns sums that compute `cells`; nullopt if the equations do not determine them.
  std::optional<std::vector<CellSum>> solve_for(const std::vector<Cell>& cells) {
    std::vector<CellSum> sums;
    place_.assign(is_known_.size(), Place{});
    for (const Cell cell : cells) {
      if (place_[cell].number == 0 && !visit(cell, sums)) return std::nullopt;
    }
    return sums;
  }

 private:
  /// A cell in Tarjan's algorithm: its index and its lowlink.
  struct Place {
    std::uint32_t number = 0;  ///< 0: not seen
    std::uint32_t lowest = 0;
    bool is_open = false;
  };

  template <typename Use>
  void for_each_unknown(std::uint32_t e, const Use& use) const {
    const CellSum& sum = code_.sums[e];
    if (!is_known_[sum.target]) use(sum.target);
    for (const CellSum::Term& term : sum.terms) {
      if (!is_known_[term.cell] && term.factor != 0) use(term.cell);
    }
  }

  /// Computes a maximum bipartite matching of equations and unknowns: first equations with a single
  /// unmatched unknown, then along augmenting paths.
  void match() {
    std::vector<std::size_t> free_unknowns(code_.sums.size());
    std::vector<std::uint32_t> ready;
    for (std::uint32_t e = 0; e < code_.sums.size(); ++e) {
      for_each_unknown(e, [&](Cell) { ++free_unknowns[e]; });
      if (free_unknowns[e] == 1) ready.push_back(e);
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const std::uint32_t e = ready[i];
      for_each_unknown(e, [&](Cell cell) {
        if (equation_of_[cell] != kUnset || unknown_of_[e] != kUnset) return;
        pair(e, cell);
        for (const std::uint32_t other : equations_of_[cell]) {
          if (--free_unknowns[other] == 1 && unknown_of_[other] == kUnset) ready.push_back(other);
        }
      });
    }
    std::vector<std::uint32_t> reached_from(is_known_.size(), kUnset);
    for (std::uint32_t e = 0; e < code_.sums.size(); ++e) {
      if (unknown_of_[e] == kUnset) augment(e, reached_from);
    }
  }

  void pair(std::uint32_t equation, Cell unknown) {
    equation_of_[unknown] = equation;
    unknown_of_[equation] = unknown;
  }

  /// Searches breadth first for an augmenting path from equation `start` to an unmatched unknown,
  /// and flips it. If there is none, the cells reached stay marked, and later searches skip them.
  void augment(std::uint32_t start, std::vector<std::uint32_t>& reached_from) {
    std::vector<std::uint32_t> queue{start};
    std::vector<Cell> reached;
    Cell end = kUnset;
    for (std::size_t i = 0; i < queue.size() && end == kUnset; ++i) {
      for_each_unknown(queue[i], [&](Cell cell) {
        if (reached_from[cell] != kUnset || end != kUnset) return;
        reached_from[cell] = queue[i];
        reached.push_back(cell);
        if (equation_of_[cell] == kUnset) {
          end = cell;
        } else {
          queue.push_back(equation_of_[cell]);
        }
      });
    }
    if (end == kUnset) return;
    while (true) {
      const std::uint32_t equation = reached_from[end];
      const Cell before = unknown_of_[equation];
      pair(equation, end);
      if (equation == start) break;
      end = before;
    }
    for (const Cell cell : reached) reached_from[cell] = kUnset;
  }

  /// Solves for `root` and the cells that it depends on, by Tarjan's algorithm without recursion.
  /// False if they are not determined.
  bool visit(Cell root, std::vector<CellSum>& sums) {
    struct Frame {
      Cell cell;
      std::vector<Cell> needs;
      std::size_t next = 0;
    };
    std::vector<Frame> frames;
    std::vector<Cell> open;
    const auto enter = [&](Cell cell) {
      if (equation_of_[cell] == kUnset) return false;
      const std::uint32_t number = ++num_seen_;
      place_[cell] = {number, number, true};
      open.push_back(cell);
      frames.push_back({cell, {}, 0});
      for_each_unknown(equation_of_[cell], [&](Cell other) {
        if (other != cell) frames.back().needs.push_back(other);
      });
      return true;
    };
    if (!enter(root)) return false;
    while (!frames.empty()) {
      Frame& frame = frames.back();
      Place& place = place_[frame.cell];
      if (frame.next < frame.needs.size()) {
        const Cell other = frame.needs[frame.next++];
        if (place_[other].number == 0) {
          if (!enter(other)) return false;
        } else if (place_[other].is_open) {
          place.lowest = std::min(place.lowest, place_[other].number);
        }
        continue;
      }
      if (place.lowest == place.number) {
        const auto first = std::ranges::find(open, frame.cell);
        std::vector<Cell> block(first, open.end());
        open.erase(first, open.end());
        for (const Cell cell : block) place_[cell].is_open = false;
        if (!solve(std::move(block), sums)) return false;
      }
      const std::uint32_t lowest = place.lowest;
      frames.pop_back();
      if (!frames.empty()) {
        Place& before = place_[frames.back().cell];
        before.lowest = std::min(before.lowest, lowest);
      }
    }
    return true;
  }

  /// Solves a block of cells by the inverse of their equations' matrix. All other cells in these
  /// equations are known or computed before. False if the matrix is singular.
  bool solve(std::vector<Cell> block, std::vector<CellSum>& sums) const {
    std::ranges::sort(block);
    const auto index_of = [&](Cell cell) {
      const auto found = std::ranges::lower_bound(block, cell);
      return found != block.end() && *found == cell
                 ? static_cast<std::size_t>(found - block.begin())
                 : block.size();
    };
    Matrix own(block.size(), block.size());
    std::map<Cell, std::vector<Field::Symbol>> others;  // a column for each
    const auto add = [&](std::size_t row, Cell cell, Field::Symbol factor) {
      const std::size_t column = index_of(cell);
      if (column < block.size()) {
        own(row, column) ^= factor;
      } else {
        auto& symbols = others[cell];
        symbols.resize(block.size());
        symbols[row] ^= factor;
      }
    };
    for (std::size_t row = 0; row < block.size(); ++row) {
      const CellSum& sum = code_.sums[equation_of_[block[row]]];
      add(row, sum.target, 1);
      for (const CellSum::Term& term : sum.terms) add(row, term.cell, term.factor);
    }
    const std::optional<Matrix> solution = inverse(code_.field, own);
    if (!solution) return false;
    for (std::size_t row = 0; row < block.size(); ++row) {
      CellSum& sum = sums.emplace_back(CellSum{block[row], {}});
      for (const auto& [cell, symbols] : others) {
        Field::Symbol factor = 0;
        for (std::size_t i = 0; i < block.size(); ++i) {
          factor ^= code_.field.multiply((*solution)(row, i), symbols[i]);
        }
        if (factor != 0) sum.terms.push_back({cell, factor});
      }
    }
    return true;
  }

  const Code& code_;
  std::vector<bool> is_known_;                            ///< by cell
  std::vector<std::vector<std::uint32_t>> equations_of_;  ///< by cell: equations that contain it
  std::vector<std::uint32_t> equation_of_;  ///< by cell: its matched equation, or kUnset
  std::vector<Cell> unknown_of_;            ///< by equation: its matched cell, or kUnset
  std::vector<Place> place_;                ///< by cell
  std::uint32_t num_seen_ = 0;
};

/// The program of `sums`. Cells of chunks that are computed but are not outputs become temporaries.
Program program_of(const Code& code, const LinearMap& map, const std::vector<CellSum>& sums) {
  Program program = program_over_symbols(code, map);
  std::vector<bool> is_hidden(code.num_cells() + code.hidden);
  for (const CellSum& sum : sums) is_hidden[sum.target] = sum.target < code.num_cells();
  for (const Cell cell : map.outputs) is_hidden[cell] = false;
  const auto name = [&](Cell cell) {
    return is_hidden[cell] ? cell + static_cast<Cell>(is_hidden.size()) : cell;
  };
  for (const CellSum& sum : sums) {
    std::vector<Operand> operands;
    for (const CellSum::Term& term : sum.terms) operands.emplace_back(name(term.cell), term.factor);
    program.equations.push_back({name(sum.target), sum_of(std::move(operands))});
  }
  return program;
}

}  // namespace

std::vector<std::vector<std::size_t>> groups_of(const Program& program) {
  std::map<std::vector<Element>, std::size_t> number_of;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const std::vector<Operand>& operands = program.equations[i].operands;
    const auto [known, is_new] = number_of.try_emplace(
        std::vector<Element>(operands.begin(), operands.end()), groups.size());
    if (is_new) groups.emplace_back();
    groups[known->second].push_back(i);
  }
  return groups;
}

std::size_t work(const Program& program) {
  std::size_t result = 0;
  for (const std::vector<std::size_t>& group : groups_of(program)) {
    const std::size_t operands = program.equations[group.front()].operands.size();
    result += kBeginning + operands + group.size() * (operands + 1);
  }
  return result;
}

Program without_short_ones(const Program& program) {
  const std::vector<std::vector<std::size_t>> groups = groups_of(program);
  std::vector<std::vector<std::size_t>> readers(program.end_of_elements());  // by element: groups
  std::vector<std::size_t> group_of(program.equations.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Element operand : program.equations[groups[g].front()].operands) {
      readers[operand].push_back(g);
    }
    for (const std::size_t i : groups[g]) group_of[i] = g;
  }
  const auto is_short = [&](std::size_t i, const std::vector<Operand>& operands) {
    const Element target = program.equations[i].target;
    return target >= program.first_temporary() && readers[target].size() == 1 &&
           is_better_written_in(operands.size(), groups[group_of[i]].size(),
                                groups[readers[target].front()].size());
  };
  std::vector<std::vector<Operand>> written_in(program.end_of_elements());
  std::vector<bool> is_gone(program.end_of_elements());
  Program result = without_equations(program);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const Equation& equation = program.equations[i];
    std::vector<Operand> operands;
    for (const Operand& operand : equation.operands) {
      if (is_gone[operand]) {
        add_scaled(program.field, operands, operand.coefficient, written_in[operand]);
      } else {
        add(operands, operand);
      }
    }
    if (is_short(i, operands)) {
      is_gone[equation.target] = true;
      written_in[equation.target] = std::move(operands);
    } else {
      result.equations.push_back({equation.target, std::move(operands)});
    }
  }
  return result;
}

Program in_short_order(const Program& program) {
  const std::vector<Equation>& equations = program.equations;
  const std::vector<std::vector<std::size_t>> groups = groups_of(program);
  const std::vector<std::size_t> made_by = equation_of_element(program);
  std::vector<std::vector<std::size_t>> readers(program.end_of_elements());  // by element: groups
  std::vector<std::size_t> waits_for(groups.size());
  std::vector<bool> is_done(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Element operand : equations[groups[g].front()].operands) {
      if (made_by[operand] == kNone) continue;
      readers[operand].push_back(g);
      ++waits_for[g];
    }
  }
  const auto is_stored = [&](std::size_t g) {
    return equations[groups[g].front()].target < program.first_temporary();
  };
  Program result = without_equations(program);
  for (std::size_t first = 0; first < groups.size(); ++first) {
    std::vector<std::size_t> ready{first};
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (is_done[ready[i]]) continue;
      is_done[ready[i]] = true;
      for (const std::size_t e : groups[ready[i]]) {
        for (const std::size_t g : readers[equations[e].target]) {
          if (--waits_for[g] == 0 && is_stored(g)) ready.push_back(g);
        }
        result.equations.push_back(equations[e]);
      }
    }
  }
  return result;
}

std::optional<Program> program_by_sums(const Code& code, const std::vector<Cell>& inputs,
                                       const std::vector<Cell>& outputs) {
  if (code.sums.empty()) return std::nullopt;
  // Solves for outputs layer by layer, so that neighbours in a layer are computed in succession.
  std::vector<Cell> in_layers = outputs;
  std::ranges::stable_sort(in_layers, {}, [&](Cell cell) { return cell % code.subchunks; });
  const auto solved = Equations(code, inputs).solve_for(in_layers);
  if (!solved) return std::nullopt;
  Program program =
      in_short_order(without_short_ones(program_of(code, {inputs, outputs, {}}, *solved)));
  std::vector<bool> is_read(program.end_of_elements());
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) is_read[operand] = true;
  }
  std::erase_if(program.inputs, [&](Element input) { return !is_read[input]; });
  return program;
}

std::optional<SparseSums> sparse_sums(const Code& code, const LinearMap& map) {
  std::optional<Program> program = program_by_sums(code, map.inputs, map.outputs);
  if (!program) return std::nullopt;
  program->inputs = map.inputs;
  SparseSums sparse{*std::move(program), 0, work(direct_symbols(code, map))};
  sparse.work = work(sparse.program);
  if (sparse.work >= sparse.work_of_rows) return std::nullopt;
  return sparse;
}

std::optional<LinearMap> map_by_sums(const Code& code, const std::vector<Cell>& inputs,
                                     const std::vector<Cell>& outputs) {
  if (code.sums.empty()) return std::nullopt;
  const auto solved = Equations(code, inputs).solve_for(outputs);
  if (!solved) return std::nullopt;
  LinearMap map{inputs, outputs, {}};
  map.coefficients = coefficients_of(program_of(code, map, *solved));
  return map;
}

}  // namespace xorloom
