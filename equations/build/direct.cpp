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

/// For each sub-chunk of a location, the bits of its symbol that stand in the rows asked for.
std::vector<Field::Symbol> bits_of_rows(const Code& code, std::span<const std::size_t> rows) {
  const std::vector<bool> is_asked = row_flags(code.rows(), rows);
  std::vector<Field::Symbol> bits(code.subchunks);
  for (std::size_t row = 0; row < is_asked.size(); ++row) {
    if (is_asked[row]) bits[row / code.field.w()] |= Field::Symbol{1} << row % code.field.w();
  }
  return bits;
}

void check_direct_xors(const Code& code, std::size_t xors) {
  if (xors <= kMaxDirectXors) return;
  fail(Status::kUnsupported,
       fmt::format("{} takes {} direct XORs, more than the {} that are written as equations",
                   code.name(), xors, kMaxDirectXors));
}

}  // namespace

std::size_t direct_xors(const Code& code, const LinearMap& map, std::span<const std::size_t> rows) {
  const std::vector<Field::Symbol> bits = bits_of_rows(code, rows);
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
  const std::vector<Field::Symbol> asked = bits_of_rows(code, rows);
  const std::size_t w = code.field.w();
  Program program;
  program.locations = code.locations;
  program.rows = code.rows();
  const std::vector<Element> inputs = elements_of(code, map.inputs);
  const BitMatrix bits = expand(code.field, map.coefficients);
  std::vector<bool> used(inputs.size());
  program.equations.reserve(bits.rows());
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    const Cell cell = map.outputs[r / w];
    if ((asked[cell % code.subchunks] >> r % w & 1) == 0) continue;
    Equation equation{static_cast<Element>(cell * w + r % w), {}};
    equation.operands.reserve(bits.weight(r));
    for (const std::size_t column : bits.ones(r)) {
      equation.operands.push_back(inputs[column]);
      used[column] = true;
    }
    std::ranges::sort(equation.operands);
    program.outputs.push_back(equation.target);
    program.equations.push_back(std::move(equation));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (used[i]) program.inputs.push_back(inputs[i]);
  }
  return program;
}

Program direct_program(const BitMatrix& matrix) {
  const std::size_t weight = matrix.weight();
  if (weight > kMaxDirectXors + matrix.rows()) {
    fail(Status::kUnsupported,
         fmt::format("a matrix of {} ones takes more direct XORs than the {} that are written as "
                     "equations",
                     weight, kMaxDirectXors));
  }
  Program program;
  program.locations = matrix.columns() + matrix.rows();
  program.rows = 1;
  for (std::size_t c = 0; c < matrix.columns(); ++c) {
    program.inputs.push_back(static_cast<Element>(c));
  }
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    const auto target = static_cast<Element>(matrix.columns() + r);
    program.outputs.push_back(target);
    Equation& equation = program.equations.emplace_back(Equation{target, {}});
    equation.operands.reserve(matrix.weight(r));
    for (const std::size_t column : matrix.ones(r)) {
      equation.operands.push_back(static_cast<Element>(column));
    }
  }
  return program;
}

Program written_out(const Program& program) {
  const BitMatrix matrix = evaluate_symbolically(program);
  Program direct = without_equations(program);
  for (std::size_t r = 0; r < program.outputs.size(); ++r) {
    Equation& equation = direct.equations.emplace_back(Equation{program.outputs[r], {}});
    for (const std::size_t column : matrix.ones(r)) {
      equation.operands.emplace_back(program.inputs[column]);
    }
    std::ranges::sort(equation.operands);
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
  const std::vector<bool> is_asked = row_flags(code.subchunks, rows);
  Program program = program_over_symbols(code, map);
  program.outputs.clear();
  std::vector<bool> is_read(map.inputs.size(), rows.empty());
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    if (!is_asked[map.outputs[o] % code.subchunks]) continue;
    program.outputs.push_back(map.outputs[o]);
    Equation& equation = program.equations.emplace_back(Equation{map.outputs[o], {}});
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
      const Field::Symbol coefficient = map.coefficients(o, i);
      if (coefficient == 0) continue;
      equation.operands.emplace_back(map.inputs[i], coefficient);
      is_read[i] = true;
    }
    std::ranges::sort(equation.operands);
  }
  if (rows.empty()) return program;
  program.inputs.clear();
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    if (is_read[i]) program.inputs.push_back(map.inputs[i]);
  }
  return program;
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
