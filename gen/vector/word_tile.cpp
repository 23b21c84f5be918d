#include "gen/vector/word_tile.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/gate_trees.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;
using Value = Element;
using Terms = std::vector<Operand>;
using Indices = std::vector<std::size_t>;

/// Two matched halves of the rows of a matrix, and of columns: m(r, c) = m(r', c') and m(r, c') =
/// m(r', c) for all r, r' and c, c' that match.
struct DyadicSplit {
  std::array<Indices, 2> rows;
  std::array<Indices, 2> columns;
  Indices columns_left;
};

/// Pairs the columns that match if row first[i] is matched with second[i]; the rest is in
/// columns_left.
DyadicSplit matched_columns(const Matrix& m, const Indices& columns, const Indices& first,
                            const Indices& second) {
  DyadicSplit split;
  split.rows = {first, second};
  std::map<std::vector<Symbol>, Indices> waiting;  // by the symbols that the partner must hold
  const auto held = [&](std::size_t column, const Indices& upper, const Indices& lower) {
    std::vector<Symbol> symbols;
    for (const std::size_t r : upper) symbols.push_back(m(r, column));
    for (const std::size_t r : lower) symbols.push_back(m(r, column));
    return symbols;
  };
  for (const std::size_t column : columns) {
    const auto partner = waiting.find(held(column, first, second));
    if (partner == waiting.end() || partner->second.empty()) {
      waiting[held(column, second, first)].push_back(column);
      continue;
    }
    split.columns[0].push_back(partner->second.back());
    split.columns[1].push_back(column);
    partner->second.pop_back();
  }
  for (const auto& [symbols, unmatched] : waiting) {
    split.columns_left.insert(split.columns_left.end(), unmatched.begin(), unmatched.end());
  }
  std::ranges::sort(split.columns_left);
  return split;
}

/// The split that matches most columns, of three ways to pair rows: first with second half, in
/// order and in reverse, and neighbours. nullopt if no column matches, or if the number of rows is
/// odd.
std::optional<DyadicSplit> dyadic_split(const Matrix& m, const Indices& rows,
                                        const Indices& columns) {
  if (rows.size() % 2 != 0 || columns.size() < 2) return std::nullopt;
  const std::size_t half = rows.size() / 2;
  std::vector<std::pair<Indices, Indices>> choices(3);
  for (std::size_t i = 0; i < half; ++i) {
    choices[0].first.push_back(rows[i]);
    choices[0].second.push_back(rows[half + i]);
    choices[1].first.push_back(rows[i]);
    choices[1].second.push_back(rows[rows.size() - 1 - i]);
    choices[2].first.push_back(rows[2 * i]);
    choices[2].second.push_back(rows[2 * i + 1]);
  }
  std::optional<DyadicSplit> best;
  for (const auto& [first, second] : choices) {
    DyadicSplit split = matched_columns(m, columns, first, second);
    if (split.columns[0].empty()) continue;
    if (best && best->columns[0].size() >= split.columns[0].size()) continue;
    best = std::move(split);
  }
  return best;
}

class Builder {
 public:
  Builder(const Program& of, bool uses_blocks)
      : uses_blocks_(uses_blocks),
        tile_(dense_without_equations(of.inputs.size(), of.outputs.size(), of.field)) {}

  /// sums += m * values.
  ///
  /// Shape: a row for each sum, a column for each value.
  void add(const Matrix& m, const std::vector<Terms*>& sums, const std::vector<Value>& values) {
    Indices rows(m.rows());
    Indices columns(m.columns());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    std::optional<DyadicSplit> split;
    if (uses_blocks_) split = dyadic_split(m, rows, columns);
    if (!split) {
      for (const std::size_t r : rows) {
        for (const std::size_t c : columns) add_term(*sums[r], values[c], m(r, c));
      }
      return;
    }
    const Matrix a = part(m, split->rows[0], split->columns[0]);
    Matrix both = part(m, split->rows[0], split->columns[1]);
    for (std::size_t r = 0; r < a.rows(); ++r) {
      for (std::size_t c = 0; c < a.columns(); ++c) both(r, c) ^= a(r, c);
    }
    const std::vector<Terms*> upper = chosen(sums, split->rows[0]);
    const std::vector<Terms*> lower = chosen(sums, split->rows[1]);
    const std::vector<Value> left = chosen(values, split->columns[0]);
    const std::vector<Value> right = chosen(values, split->columns[1]);
    std::vector<Value> together;
    for (std::size_t c = 0; c < left.size(); ++c) {
      together.push_back(equation({{left[c]}, {right[c]}}));
    }
    std::vector<Terms> products(a.rows());
    std::vector<Terms*> to_products;
    for (Terms& terms : products) to_products.push_back(&terms);
    add(a, to_products, together);
    for (std::size_t r = 0; r < products.size(); ++r) {
      const Value product = equation(std::move(products[r]));
      upper[r]->push_back({product});
      lower[r]->push_back({product});
    }
    add(both, upper, right);
    add(both, lower, left);
    if (!split->columns_left.empty()) {
      Indices all(m.rows());
      std::iota(all.begin(), all.end(), std::size_t{0});
      add(part(m, all, split->columns_left), sums, chosen(values, split->columns_left));
    }
  }

  Value equation(Terms terms, std::uint32_t output = kNoOutput) {
    const Value made = add_equation(tile_, std::move(terms));
    if (output != kNoOutput) tile_.outputs[output] = made;
    return made;
  }

  Program result() && { return std::move(tile_); }

 private:
  static Matrix part(const Matrix& m, const Indices& rows, const Indices& columns) {
    Matrix result(rows.size(), columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < columns.size(); ++c) result(r, c) = m(rows[r], columns[c]);
    }
    return result;
  }

  template <typename T>
  static std::vector<T> chosen(const std::vector<T>& all, const Indices& indices) {
    std::vector<T> result;
    for (const std::size_t i : indices) result.push_back(all[i]);
    return result;
  }

  void add_term(Terms& sum, Value value, Symbol coefficient) {
    if (coefficient != 0) sum.push_back({value, coefficient});
  }

  bool uses_blocks_;
  Program tile_;
};

/// Program that adds one input at a time, to at most `outputs_at_a_time` sums.
Program by_inputs(const Program& program, std::size_t outputs_at_a_time) {
  const Matrix coefficients = coefficients_of(program);
  Builder builder(program, false);
  const std::size_t inputs = coefficients.columns();
  const std::size_t outputs = coefficients.rows();
  for (std::size_t first = 0; first < outputs; first += outputs_at_a_time) {
    const std::size_t end = std::min(first + outputs_at_a_time, outputs);
    std::vector<Terms> sums(outputs);
    for (std::size_t c = 0; c < inputs; ++c) {
      for (std::size_t r = first; r < end; ++r) {
        const Symbol coefficient = coefficients(r, c);
        if (coefficient == 0) continue;
        sums[r].push_back({static_cast<Value>(c), coefficient});
        if (c + 1 < inputs) sums[r] = {{builder.equation(std::move(sums[r]))}};
      }
    }
    for (std::size_t r = first; r < end; ++r) {
      builder.equation(std::move(sums[r]), static_cast<std::uint32_t>(r));
    }
  }
  return std::move(builder).result();
}

/// sums += coefficients * inputs, in blocks of `inputs_at_a_time` columns. Before each block, sums
/// of several terms become values.
void add_inputs(Builder& builder, const Matrix& coefficients, std::size_t inputs_at_a_time,
                std::vector<Terms>& sums) {
  const std::size_t inputs = coefficients.columns();
  for (std::size_t first = 0; first < inputs; first += inputs_at_a_time) {
    const std::size_t width = std::min(inputs_at_a_time, inputs - first);
    Matrix m(sums.size(), width);
    std::vector<Value> values;
    std::vector<Terms*> to_sums;
    for (std::size_t c = 0; c < width; ++c) values.push_back(static_cast<Value>(first + c));
    for (std::size_t r = 0; r < sums.size(); ++r) {
      if (sums[r].size() > 1) sums[r] = {{builder.equation(std::move(sums[r]))}};
      to_sums.push_back(&sums[r]);
      for (std::size_t c = 0; c < width; ++c) m(r, c) = coefficients(r, first + c);
    }
    builder.add(m, to_sums, values);
  }
}

/// Program whose equations add `inputs_at_a_time` inputs at a time to all of their sums.
Program build(const Program& program, std::size_t inputs_at_a_time, bool uses_blocks) {
  const Program tile = dense(program);
  const std::vector<std::uint32_t> output_of = outputs_by_equation(tile);
  const std::size_t inputs = tile.inputs.size();
  std::vector<std::size_t> reading;  // equations that read inputs
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    const Terms& terms = tile.equations[e].operands;
    if (std::ranges::any_of(terms, [&](const auto& term) { return term.element < inputs; })) {
      reading.push_back(e);
    }
  }
  Matrix coefficients(reading.size(), inputs);
  for (std::size_t r = 0; r < reading.size(); ++r) {
    for (const auto& [value, coefficient] : tile.equations[reading[r]].operands) {
      if (value < inputs) coefficients(r, value) = coefficient;
    }
  }
  Builder builder(tile, uses_blocks);
  std::vector<Terms> of_inputs(reading.size());
  add_inputs(builder, coefficients, inputs_at_a_time, of_inputs);
  std::vector<Terms> sums(tile.equations.size());
  for (std::size_t r = 0; r < reading.size(); ++r) sums[reading[r]] = std::move(of_inputs[r]);
  std::vector<Value> made;
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    for (const auto& [value, coefficient] : tile.equations[e].operands) {
      if (value >= inputs) sums[e].push_back({made[value - inputs], coefficient});
    }
    made.push_back(builder.equation(std::move(sums[e]), output_of[e]));
  }
  return std::move(builder).result();
}

/// Program that adds each value to the sums of all its readers as soon as it is computed.
Program by_values(const Program& program) {
  const Program tile = dense(program);
  const std::vector<std::uint32_t> output_of = outputs_by_equation(tile);
  struct Reader {
    std::size_t equation;
    Symbol coefficient;
  };
  std::vector<std::vector<Reader>> readers(num_values(tile));
  std::vector<std::size_t> missing;  // by equation: number of terms that are not known yet
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    for (const auto& [value, coefficient] : tile.equations[e].operands) {
      readers[value].push_back({e, coefficient});
    }
    missing.push_back(tile.equations[e].operands.size());
  }
  Builder builder(tile, false);
  std::vector<Terms> sums(tile.equations.size());
  std::vector<std::pair<Value, Value>> known;  // value of the tile, value of the result
  const auto make = [&](std::size_t e) {
    const Value value = builder.equation(std::move(sums[e]), output_of[e]);
    known.emplace_back(tile.equations[e].target, value);
  };
  for (Value input = 0; input < tile.inputs.size(); ++input) known.emplace_back(input, input);
  for (std::size_t e = 0; e < missing.size(); ++e) {
    if (missing[e] == 0) make(e);
  }
  std::size_t next = 0;
  while (next < known.size()) {  // `make` appends to `known`
    const auto [of_tile, value] = known[next++];
    for (const auto& [e, coefficient] : readers[of_tile]) {
      sums[e].push_back({value, coefficient});
      if (--missing[e] == 0) {
        make(e);
      } else {
        sums[e] = {{builder.equation(std::move(sums[e]))}};
      }
    }
  }
  return std::move(builder).result();
}

/// True if equations read inputs alone.
bool is_direct(const Program& program) {
  const std::vector<std::size_t> made_by = equation_of_element(program);
  return std::ranges::all_of(program.equations, [&](const Equation& equation) {
    return std::ranges::all_of(equation.operands,
                               [&](Element operand) { return made_by[operand] == kNone; });
  });
}

/// True if few equations read inputs, so that their sums stay in registers.
bool has_few_sums(const Program& program) {
  constexpr std::size_t kFew = 8;
  std::vector<bool> is_input(program.end_of_elements());
  for (const Element input : program.inputs) is_input[input] = true;
  const auto reads_inputs = [&](const Equation& equation) {
    return std::ranges::any_of(equation.operands,
                               [&](Element operand) { return is_input[operand]; });
  };
  return std::ranges::count_if(program.equations, reads_inputs) <= std::ptrdiff_t{kFew};
}

/// Cycles of a tile on a core that computes two vectors per cycle, at most one of them a product.
std::size_t cycles(const Program& tile, const MachineFacts& machine) {
  const std::size_t products = multiplications(tile);
  const std::size_t operands = machine.xor_operands;
  std::size_t additions = 0;
  for (const Equation& equation : tile.equations) {
    additions += gates_of_sum(equation.operands.size(), operands);
  }
  return std::max(products, (products + additions + 1) / 2);
}

/// Returns the tile by blocks if it takes fewer cycles, else the plain one. make(inputs_at_a_time,
/// uses_blocks) makes a tile.
template <typename Make>
Program with_or_without_blocks(std::size_t sums, const MachineFacts& machine, const Make& make) {
  constexpr std::size_t kForProducts = 3;
  const std::size_t taken = sums + kForProducts;
  const std::size_t fitting = machine.registers > taken + 4 ? machine.registers - taken : 4;
  Program plain = make(fitting, false);
  // Sums of inputs take registers, too.
  Program blocks = make(std::max<std::size_t>(4, fitting / 2), true);
  return cycles(blocks, machine) < cycles(plain, machine) ? std::move(blocks) : std::move(plain);
}

}  // namespace

Program word_tile(const Program& program, const MachineFacts& machine) {
  constexpr std::size_t kForInput = 2;  // registers for an input and for the copy that begins a sum
  const bool is_sum_of_inputs = is_direct(program);
  if (is_sum_of_inputs && !machine.has_matrix_products && multiplications(program) != 0) {
    const std::size_t taken = machine.table_registers + kForInput;
    return by_inputs(program, machine.registers > taken ? machine.registers - taken : 1);
  }
  if (!is_sum_of_inputs && !has_few_sums(program)) return dense(program);
  if (!is_sum_of_inputs && !machine.has_matrix_products) return by_values(program);
  return with_or_without_blocks(program.outputs.size(), machine,
                                [&](std::size_t inputs_at_a_time, bool uses_blocks) {
                                  return build(program, inputs_at_a_time, uses_blocks);
                                });
}

std::optional<Program> tile_by_blocks(const Program& program) {
  if (!has_few_sums(program)) return std::nullopt;
  Program blocks = build(program, program.inputs.size(), true);
  if (multiplications(blocks) >= multiplications(program)) return std::nullopt;
  return blocks;
}

}  // namespace xorloom
