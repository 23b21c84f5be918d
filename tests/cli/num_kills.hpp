#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/support/sanitizers.hpp"

namespace xorloom::test {

/// What the moments of kills are drawn from.
inline constexpr std::uint32_t kSeed = 1;

/// How many kills are to hit a running program: what the variable says, or else `usual`, of which
/// a sanitized program takes a third, as each is slow there. XORLOOM_TEST_WHOLE takes all there
/// too.
inline std::size_t num_kills(const char* variable, std::size_t usual) {
  if (const char* const wanted = std::getenv(variable)) return std::stoul(wanted);
#ifdef XORLOOM_IS_SANITIZED
  if (std::getenv("XORLOOM_TEST_WHOLE") == nullptr) return usual / 3;
#endif
  return usual;
}

}  // namespace xorloom::test
