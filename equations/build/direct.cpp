#include "equations/build/direct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "codes/text/error.hpp"
#include "equations/build/survivors.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

/// Which of the rows of a location are asked for; none given are all.
std::vector<bool> row_flags(std::size_t num_rows, std::span<const std::size_t> rows) {
  std::vector<bool> is_asked(num_rows, rows.empty());
  for (const std::size_t row : rows) {
    if (row >= num_rows) {
      fail(Status::kInvalidArgument,
           fmt::format("row {} is not one of 0 to {}", row, num_rows - 1));
    }
    if (is_asked[row]) fail(Status::kInvalidArgument, fmt::format("row {} is named twice", row));
    is_asked[row] = true;
  }
  return is_asked;
}

/// The rows of a matrix over the inputs of a layout, for those of its outputs whose row of a location
/// is asked for. With `drops_unread`, what no equation reads is no input.
template <typename AnyMatrix>
Program rows_of(Program program, const AnyMatrix& matrix, const std::vector<bool>& is_asked,
                bool drops_unread) {
  const std::vector<Element> outputs = std::exchange(program.outputs, {});
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!is_asked[outputs[o] % program.rows]) continue;
    program.outputs.push_back(outputs[o]);
    program.equations.push_back({outputs[o], operands_of(matrix, o, program.inputs)});
  }
  if (!drops_unread) return program;
  std::vector<bool> is_read(program.num_cells());
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) is_read[operand] = true;
  }
  std::erase_if(program.inputs, [&](Element input) { return !is_read[input]; });
  return program;
}

void check_direct_xors(const Code& code, std::size_t xors) {
  if (xors <= kMaxDirectXors) return;
  fail(Status::kUnsupported,
       fmt::format("{} takes {} direct XORs, more than the {} that are written as equations",
                   code.name(), xors, kMaxDirectXors));
}

}  // namespace

std::size_t direct_xors(const Code& code, const LinearMap& map, std::span<const std::size_t> rows) {
  // For each sub-chunk of a location, the bits of its symbol that stand in the rows asked for.
  const std::vector<bool> is_asked = row_flags(code.rows(), rows);
  std::vector<Field::Symbol> bits(code.subchunks);
  for (std::size_t row = 0; row < is_asked.size(); ++row) {
    if (is_asked[row]) bits[row / code.field.w()] |= Field::Symbol{1} << row % code.field.w();
  }
  std::size_t operands = 0;
  std::size_t outputs = 0;
  for (std::size_t r = 0; r < map.outputs.size(); ++r) {
    const Field::Symbol asked = bits[map.outputs[r] % code.subchunks];
    outputs += static_cast<std::size_t>(std::popcount(asked));
    if (asked == 0) continue;
    for (const Field::Symbol symbol : map.coefficients.row(r)) {
      if (symbol != 0) operands += weight(code.field, symbol, asked);
    }
  }
  return operands - std::min(operands, outputs);
}

Program direct_program(const Code& code, const LinearMap& map, std::span<const std::size_t> rows) {
  check_direct_xors(code, direct_xors(code, map, rows));
  const Program layout{code.locations,
                       code.rows(),
                       elements_of(code, map.inputs),
                       elements_of(code, map.outputs),
                       {}};
  return rows_of(layout, expand(code.field, map.coefficients), row_flags(code.rows(), rows), true);
}

Program direct_program(const BitMatrix& matrix) {
  const std::size_t weight = matrix.weight();
  if (weight > kMaxDirectXors + matrix.rows()) {
    fail(Status::kUnsupported,
         fmt::format("a matrix of {} ones takes more direct XORs than the {} that are written as "
                     "equations",
                     weight, kMaxDirectXors));
  }
  Program layout{matrix.columns() + matrix.rows(), 1, {}, {}, {}};
  for (Element element = 0; element < layout.num_cells(); ++element) {
    (element < matrix.columns() ? layout.inputs : layout.outputs).push_back(element);
  }
  return rows_of(layout, matrix, {true}, false);
}

Program written_out(const Program& program) {
  const BitMatrix matrix = evaluate_symbolically(program);
  Program direct = without_equations(program);
  for (std::size_t r = 0; r < program.outputs.size(); ++r) {
    direct.equations.push_back({program.outputs[r], operands_of(matrix, r, program.inputs)});
  }
  return direct;
}

Program direct_encoding(const Code& code, std::span<const std::size_t> rows, Over over) {
  const LinearMap map = encoding_map(code);
  if (over == Over::kSymbols) return direct_symbols(code, map, rows);
  Program program = direct_program(code, map, rows);
  if (rows.empty()) program.inputs = elements_of(code, code.data);
  return program;
}

Program direct_decoding(const Code& code, std::span<const std::size_t> lost,
                        std::span<const std::size_t> wanted, std::span<const std::size_t> rows,
                        Over over) {
  if (over == Over::kSymbols) return direct_symbols(code, decoding_map(code, lost, wanted), rows);
  return direct_program(code, choose_survivors(code, lost, wanted, rows), rows);
}

Program direct_update(const Code& code, std::span<const std::size_t> updated,
                      std::span<const std::size_t> rows, Over over) {
  const std::vector<bool> is_updated = location_flags(code, updated, "updated");
  std::vector<bool> has_data(code.locations);
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < code.data.size(); ++column) {
    const std::size_t location = code.location_of_cell(code.data[column]);
    has_data[location] = true;
    if (is_updated[location]) columns.push_back(column);
  }
  for (const std::size_t location : updated) {
    if (has_data[location]) continue;
    fail(Status::kInvalidArgument,
         fmt::format("updated location {} holds no data that could change", location));
  }

  // What the data of these locations contribute to each redundant element: in these equations a
  // data element may as well be a difference.
  LinearMap map{{}, code.redundant, Matrix(code.redundant.size(), columns.size())};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    map.inputs.push_back(code.data[columns[c]]);
    for (std::size_t r = 0; r < code.redundant.size(); ++r) {
      map.coefficients(r, c) = code.parity(r, columns[c]);
    }
  }
  Program program =
      over == Over::kSymbols ? direct_symbols(code, map, rows) : direct_program(code, map, rows);
  std::erase_if(program.equations, [](const Equation& e) { return e.operands.empty(); });
  std::vector<Element> differences = std::exchange(program.inputs, {});
  std::ranges::sort(differences);
  program.outputs.clear();

  using Kind = VirtualElement::Kind;
  const auto add = [&](Kind kind, Element element) {
    program.virtuals.push_back({kind, element});
    (kind == Kind::kUpdated ? program.outputs : program.inputs)
        .push_back(program.first_temporary() - 1);
  };
  for (const Element element : differences) add(Kind::kDifference, element);
  for (const Equation& equation : program.equations) add(Kind::kOld, equation.target);
  for (const Equation& equation : program.equations) add(Kind::kUpdated, equation.target);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    Equation& equation = program.equations[i];
    for (Operand& operand : equation.operands) {
      const auto place = std::ranges::lower_bound(differences, operand.element);
      operand.element = program.inputs[static_cast<std::size_t>(place - differences.begin())];
    }
    equation.operands.push_back(program.inputs[differences.size() + i]);
    equation.target = program.outputs[i];
  }
  if (over == Over::kBits) check_direct_xors(code, xors(program));
  return program;
}

Program program_over_symbols(const Code& code, const LinearMap& map) {
  return {code.locations, code.subchunks, map.inputs, map.outputs, {}, {}, code.field};
}

Program direct_symbols(const Code& code, const LinearMap& map, std::span<const std::size_t> rows) {
  return rows_of(program_over_symbols(code, map), map.coefficients, row_flags(code.subchunks, rows),
                 !rows.empty());
}

LinearMap decoding_map(const Code& code, std::span<const std::size_t> lost,
                       std::span<const std::size_t> wanted) {
  if (wanted.empty()) wanted = lost;
  std::optional<LinearMap> map = recovery_map(code, lost, wanted);
  if (!map) {
    fail(Status::kDamaged,
         fmt::format("the loss of {} cannot be rebuilt: {} has {} locations and "
                     "promises to survive any {} losses",
                     set_text(lost), code.name(), code.locations, code.promised_losses));
  }
  return *std::move(map);
}

}  // namespace xorloom
