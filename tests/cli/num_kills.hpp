#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/support/sanitizers.hpp"

namespace xorloom::test {

/// Seed of the random moments of kills.
inline constexpr std::uint32_t kSeed = 1;

/// Number of kills that must hit a running program: the value of the environment variable, or else
/// `usual`. A sanitized program is slow and takes a third of `usual`, or all with
/// XORLOOM_TEST_WHOLE.
inline std::size_t num_kills(const char* variable, std::size_t usual) {
  if (const char* const wanted = std::getenv(variable)) return std::stoul(wanted);
#ifdef XORLOOM_IS_SANITIZED
  if (std::getenv("XORLOOM_TEST_WHOLE") == nullptr) return usual / 3;
#endif
  return usual;
}

}  // namespace xorloom::test
