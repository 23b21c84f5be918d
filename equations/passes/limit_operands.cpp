#include "equations/passes/limit_operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {

Program limit_operands(const Program& program, std::size_t most) {
  if (most < 2) {
    fail(Status::kInvalidArgument,
         fmt::format("most = {} operands is less than the 2 a sum needs", most));
  }
  Program result = without_equations(program);
  Element next = program.end_of_elements();
  for (const Equation& equation : program.equations) {
    auto begin = equation.operands.begin();
    std::vector<Operand> operands;
    for (;;) {
      const auto left = equation.operands.end() - begin;
      const auto room = static_cast<std::ptrdiff_t>(most - operands.size());
      const auto end = begin + std::min(left, room);
      // A partial sum has a higher number than whatever it is summed with.
      operands.insert(operands.begin(), begin, end);
      begin = end;
      if (begin == equation.operands.end()) break;
      result.equations.push_back({next, std::move(operands)});
      operands = {next++};
    }
    result.equations.push_back({equation.target, std::move(operands)});
  }
  return result;
}

}  // namespace xorloom
