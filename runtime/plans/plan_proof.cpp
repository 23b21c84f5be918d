#include "runtime/plans/plan_proof.hpp"

#include <algorithm>
#include <optional>

#include "codes/bits.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "runtime/transforms/encoding_passes.hpp"

namespace xorloom {
namespace {

/// The whole cells that elements are, in their order.
std::vector<Cell> cells_of(const Code& code, const std::vector<Element>& elements) {
  const std::size_t w = code.field.w();
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < elements.size(); i += w) {
    cells.push_back(static_cast<Cell>(elements[i] / w));
  }
  if (elements_of(code, cells) != elements) {
    fail(Status::kDamaged, "a program does not compute whole cells of {}", code.name());
  }
  return cells;
}

/// With fewer products, multiplying out directly is quick.
constexpr std::size_t kManyProducts = std::size_t{1} << 20;

/// Sums that redundant cells add in prove_map, by transforms that are proved to be the code's
/// matrix. For wide codes that takes far fewer products. nullopt if few products are needed, or if
/// the code has no transforms that are its matrix.
std::optional<Matrix> redundant_sums(const LinearMap& map, const Code& code) {
  if (code.transform_points < 2) return std::nullopt;
  const auto redundant = std::ranges::count_if(
      map.inputs, [&](Cell cell) { return code.role(cell) == Role::kRedundant; });
  const std::size_t products =
      map.outputs.size() * static_cast<std::size_t>(redundant) * code.data.size();
  if (products < kManyProducts) return std::nullopt;
  constexpr std::size_t kLevelsOfPass = 3;
  const TransformPasses passes =
      encoding_passes({code.transform_points, std::vector<bool>(code.data.size(), true),
                       std::vector<bool>(code.redundant.size(), true)},
                      kLevelsOfPass);
  Matrix rows(code.redundant.size(), code.transform_points);
  for (std::size_t i = 0; i < rows.rows(); ++i) rows(i, i) = 1;
  if (passes.product(code.field, rows) != code.parity) return std::nullopt;
  const auto row_of = [&](Cell cell) {
    const auto place = std::ranges::lower_bound(code.redundant, cell);
    return static_cast<std::size_t>(place - code.redundant.begin());
  };
  Matrix factors(map.outputs.size(), code.transform_points);
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    const auto add = [&](Cell cell, Field::Symbol factor) {
      if (code.role(cell) == Role::kRedundant) factors(o, row_of(cell)) ^= factor;
    };
    add(map.outputs[o], 1);
    for (std::size_t i = 0; i < map.inputs.size(); ++i) add(map.inputs[i], map.coefficients(o, i));
  }
  return passes.product(code.field, factors);
}

}  // namespace

void prove_map(const LinearMap& map, const Code& code) { prove_map(map, code, CellContents(code)); }

void prove_map(const LinearMap& map, const Code& code, const CellContents& contents) {
  const std::optional<Matrix> redundant = redundant_sums(map, code);
  std::vector<Field::Symbol> sum(code.data.size());
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    std::ranges::fill(sum, 0);
    if (redundant) std::ranges::copy(redundant->row(o), sum.begin());
    const auto add = [&](Cell cell, Field::Symbol factor) {
      if (!redundant || code.role(cell) == Role::kData) contents.add(sum, cell, factor);
    };
    add(map.outputs[o], 1);
    for (std::size_t i = 0; i < map.inputs.size(); ++i) add(map.inputs[i], map.coefficients(o, i));
    if (std::ranges::any_of(sum, [](auto symbol) { return symbol != 0; })) {
      fail(Status::kInternal, "cell {} comes out different from what {} says it holds",
           map.outputs[o], code.name());
    }
  }
}

LinearMap map_of(const Code& code, const Program& program) {
  const bool is_of_words = code.arrangement == Arrangement::kWord;
  if (program.locations != code.locations || program.rows != units_of_chunk(code) ||
      !program.virtuals.empty() || program.field != (is_of_words ? code.field : gf2())) {
    fail(Status::kDamaged, "a program is not one for {}", code.name());
  }
  // Memory for a row of coefficients of each temporary stays bounded by what kernels take.
  if (is_of_words && program.equations.size() > program.outputs.size() + WordKernels::kMostPlaces) {
    fail(Status::kDamaged, "a program has more temporaries than kernels take");
  }
  if (is_of_words) return {program.inputs, program.outputs, coefficients_of(program)};
  LinearMap map{cells_of(code, program.inputs), cells_of(code, program.outputs), {}};
  map.coefficients = Matrix(map.outputs.size(), map.inputs.size());
  const BitMatrix bits = evaluate_symbolically(program);
  const std::size_t w = code.field.w();
  // The first column of a symbol's block is the symbol.
  for (std::size_t row = 0; row < bits.rows(); ++row) {
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
      if (bits(row, i * w)) {
        map.coefficients(row / w, i) |= static_cast<Field::Symbol>(1U << row % w);
      }
    }
  }
  prove(program, expand(code.field, map.coefficients));
  return map;
}

void prove_part(const Code& code, const LinearMap& part, const Program& program) {
  if (program.locations != code.locations || program.rows != code.rows() ||
      program.inputs != elements_of(code, part.inputs) ||
      program.outputs != elements_of(code, part.outputs)) {
    fail(Status::kInternal,
         "equations of {} have other inputs or outputs than the part of a repair that they should "
         "compute",
         code.name());
  }
  check_program(program);
  prove(program, expand(code.field, part.coefficients));
}

void prove_sum(const Code& code, const LinearMap& whole, const std::vector<LinearMap>& parts) {
  const auto wrong = [&] {
    fail(Status::kInternal, "the parts of a repair of {} do not add up to it", code.name());
  };
  const auto places = [&](const std::vector<Cell>& among, const std::vector<Cell>& cells) {
    std::vector<std::size_t> result;
    for (const Cell cell : cells) {
      const auto place = std::ranges::find(among, cell);
      if (place == among.end()) wrong();
      result.push_back(static_cast<std::size_t>(place - among.begin()));
      if (std::ranges::count(cells, cell) != 1) wrong();
    }
    return result;
  };
  Matrix sum(whole.outputs.size(), whole.inputs.size());
  for (const LinearMap& part : parts) {
    const std::vector<std::size_t> columns = places(whole.inputs, part.inputs);
    const std::vector<std::size_t> rows = places(whole.outputs, part.outputs);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        sum(rows[r], columns[c]) ^= part.coefficients(r, c);
      }
    }
  }
  if (sum != whole.coefficients) wrong();
}

}  // namespace xorloom
