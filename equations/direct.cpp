#include "equations/direct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "codes/bitmatrix.hpp"
#include "codes/error.hpp"

namespace xorloom {

Program direct_program(const Code& code, const LinearMap& map) {
  std::size_t xors = 0;
  for (std::size_t r = 0; r < map.coefficients.rows(); ++r) {
    for (const Field::Symbol symbol : map.coefficients.row(r)) {
      if (symbol != 0) xors += weight(code.field, symbol);
    }
  }
  xors -= std::min(xors, map.outputs.size() * code.field.w());
  if (xors > kMaxDirectXors) {
    fail(Status::kUnsupported,
         fmt::format("{} takes {} direct XORs, more than the {} that are written as equations",
                     code.name(), xors, kMaxDirectXors));
  }

  Program program;
  program.locations = code.locations;
  program.rows = code.rows();
  program.outputs = elements_of(code, map.outputs);
  const std::vector<Element> inputs = elements_of(code, map.inputs);
  const BitMatrix bits = expand(code.field, map.coefficients);
  std::vector<bool> used(inputs.size());
  program.equations.reserve(program.outputs.size());
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    Equation equation{program.outputs[r], {}};
    for (const std::size_t column : bits.ones(r)) {
      equation.operands.push_back(inputs[column]);
      used[column] = true;
    }
    std::ranges::sort(equation.operands);
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
    for (const std::size_t column : matrix.ones(r)) {
      equation.operands.push_back(static_cast<Element>(column));
    }
  }
  return program;
}

Program direct_encoding(const Code& code) {
  Program program = direct_program(code, encoding_map(code));
  program.inputs = elements_of(code, code.data);
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

Program direct_decoding(const Code& code, std::span<const std::size_t> lost,
                        std::span<const std::size_t> wanted) {
  return direct_program(code, decoding_map(code, lost, wanted));
}

}  // namespace xorloom
