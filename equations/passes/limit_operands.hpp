#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"

namespace xorloom {

/// The program with equations of more operands than `most` broken up: their first operands become a
/// temporary, that and the next ones another, and so on. What it costs in XORs stays the same.
///
/// Errors: throws kInvalidArgument if most is less than 2.
Program limit_operands(const Program& program, std::size_t most);

}  // namespace xorloom
