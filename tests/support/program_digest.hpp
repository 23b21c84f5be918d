#pragma once

#include <cstdint>

#include "equations/ir/program.hpp"

namespace xorloom::test {

/// A number that tells programs apart, the same with every compiler and C library: FNV-1a of their
/// equations.
inline std::uint64_t digest(const Program& program) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      hash = (hash ^ (number >> 8 * byte & 0xff)) * 0x100000001b3;
    }
  };
  for (const auto& [target, operands] : program.equations) {
    add(target);
    add(operands.size());
    for (const Element operand : operands) add(operand);
  }
  return hash;
}

}  // namespace xorloom::test
