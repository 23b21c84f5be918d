#include "equations/search/in_place_elimination.hpp"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "equations/passes/row_forms.hpp"

namespace xorloom {
namespace {

/// Row `to` gets row `from` added.
struct Addition {
  std::size_t to;
  std::size_t from;
};

/// A matrix and its dual, the transposed inverse: adding row j to row i of the matrix adds row i to
/// row j of the dual. The elimination keeps one Side of the matrix, whose steps are on rows, and
/// one of its transposed, whose rows are the columns.
class Side {
 public:
  Side(BitMatrix matrix, BitMatrix inverse_transposed, std::uint32_t weight_of_inverse)
      : matrix_(std::move(matrix)),
        dual_(std::move(inverse_transposed)),
        weight_of_inverse_(static_cast<std::ptrdiff_t>(weight_of_inverse)) {}

  /// By how much the weighted ones of the matrix and its dual grow.
  std::ptrdiff_t growth(Addition rows) const {
    const auto change = [](const BitMatrix& of, std::size_t to, std::size_t from) {
      return static_cast<std::ptrdiff_t>(distance(of, to, from)) -
             static_cast<std::ptrdiff_t>(of.weight(to));
    };
    return static_cast<std::ptrdiff_t>(kWeightOfMatrix) * change(matrix_, rows.to, rows.from) +
           weight_of_inverse_ * change(dual_, rows.from, rows.to);
  }

  void add(Addition rows) {
    matrix_.add_row(rows.to, matrix_.row(rows.from));
    dual_.add_row(rows.from, dual_.row(rows.to));
  }

  /// Follows add() of the other Side, whose rows are the columns here.
  void add_columns(Addition columns) {
    add_column(matrix_, columns);
    add_column(dual_, {columns.from, columns.to});
  }

  const BitMatrix& matrix() const { return matrix_; }

 private:
  static void add_column(BitMatrix& matrix, Addition columns) {
    for (std::size_t r = 0; r < matrix.rows(); ++r) {
      if (matrix(r, columns.from)) matrix.flip(r, columns.to);
    }
  }

  BitMatrix matrix_;
  BitMatrix dual_;
  std::ptrdiff_t weight_of_inverse_;
};

}  // namespace

std::optional<InPlaceCircuit> eliminate_in_place(const BitMatrix& matrix, Random& random,
                                                 std::uint32_t weight_of_inverse, bool in_layers) {
  const std::size_t size = matrix.rows();
  if (size == 0 || size > kMostWires) return std::nullopt;
  const std::optional<BitMatrix> inverted = inverse(matrix);
  if (!inverted) return std::nullopt;

  Side rows(matrix, transposed(*inverted), weight_of_inverse);
  Side columns(transposed(matrix), *inverted, weight_of_inverse);
  struct Step {
    bool is_row;
    Addition addition;
  };
  std::vector<Step> steps;
  // [0]: columns, [1]: rows that the layer has used; all false unless `in_layers`.
  std::array<std::vector<bool>, 2> is_busy;
  const auto begin_layer = [&] {
    for (std::vector<bool>& busy : is_busy) busy.assign(size, false);
  };
  begin_layer();
  bool is_begun = false;  // the layer has steps
  while (rows.matrix().weight() > size) {
    if (steps.size() == size * size) return std::nullopt;
    Step chosen{};
    std::ptrdiff_t least = 0;
    std::uint32_t num_alike = 0;
    for (const bool is_row : {true, false}) {
      const Side& side = is_row ? rows : columns;
      const std::vector<bool>& busy = is_busy[is_row ? 1 : 0];
      for (std::size_t to = 0; to < size; ++to) {
        for (std::size_t from = 0; from < size; ++from) {
          if (to == from || busy[to] || busy[from]) continue;
          if (!steps.empty() && steps.back().is_row == is_row && steps.back().addition.to == to &&
              steps.back().addition.from == from) {
            continue;  // it would undo the last step
          }
          const std::ptrdiff_t growth = side.growth({to, from});
          if (num_alike != 0 && growth > least) continue;
          if (num_alike == 0 || growth < least) num_alike = 0;
          least = growth;
          if (random.below(++num_alike) == 0) chosen = {is_row, {to, from}};
        }
      }
    }
    if (in_layers) {
      if (is_begun && (num_alike == 0 || least >= 0)) {
        begin_layer();
        is_begun = false;
        continue;
      }
      std::vector<bool>& busy = is_busy[chosen.is_row ? 1 : 0];
      busy[chosen.addition.to] = busy[chosen.addition.from] = is_begun = true;
    }
    (chosen.is_row ? rows : columns).add(chosen.addition);
    (chosen.is_row ? columns : rows).add_columns(chosen.addition);
    steps.push_back(chosen);
  }

  // matrix = R1 R2 … P … C2 C1: the inputs meet the additions of columns in their order, then the
  // permutation, then the additions of rows in reverse.
  InPlaceCircuit circuit;
  using Wire = InPlaceCircuit::Wire;
  const auto add = [&](std::size_t to, std::size_t from) {
    circuit.lines.push_back({static_cast<Wire>(to), static_cast<Wire>(from)});
  };
  for (const Step& step : steps) {
    if (!step.is_row) add(step.addition.from, step.addition.to);
  }
  for (std::size_t r = 0; r < size; ++r) {
    circuit.outputs.push_back(static_cast<Wire>(rows.matrix().ones(r).front()));
  }
  for (std::size_t i = steps.size(); i-- > 0;) {
    const auto [to, from] = steps[i].addition;
    if (steps[i].is_row) add(circuit.outputs[to], circuit.outputs[from]);
  }
  return circuit;
}

}  // namespace xorloom
