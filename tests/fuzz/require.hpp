#pragma once

#include <stdexcept>
#include <string>

namespace xorloom::test {

/// Throws std::logic_error with the sentence unless it holds: a finding of a fuzzer.
inline void require(bool holds, const char* sentence) {
  if (!holds) throw std::logic_error(std::string("does not hold: ") + sentence);
}

}  // namespace xorloom::test
