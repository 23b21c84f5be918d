#pragma once

#include <cstdint>

#include "equations/ir/program.hpp"

namespace xorloom::test {

/// A number that tells sequences of numbers apart, the same with every compiler and C library:
/// FNV-1a.
class Digest {
 public:
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ (number >> 8 * byte & 0xff)) * 0x100000001b3;
    }
  }

  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// The digest of a program's equations.
inline std::uint64_t digest(const Program& program) {
  Digest digest;
  for (const auto& [target, operands] : program.equations) {
    digest.add(target);
    digest.add(operands.size());
    for (const auto& [element, coefficient] : operands) {
      digest.add(element);
      if (coefficient != 1) digest.add(std::uint64_t{coefficient} << 32);
    }
  }
  return digest.value();
}

}  // namespace xorloom::test
