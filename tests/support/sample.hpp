#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "tests/support/sanitizers.hpp"

namespace xorloom::test {

/// That many of a list, spread evenly, the first and the last among them; all if there are no more.
template <class T>
std::vector<T> sample(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return some;
}

/// The same under a sanitizer, where programs run many times slower and the whole list has been
/// through the ordinary suite. XORLOOM_TEST_WHOLE takes all of it there too.
template <class T>
std::vector<T> sample_if_sanitized(const std::vector<T>& all, [[maybe_unused]] std::size_t most) {
#ifdef XORLOOM_IS_SANITIZED
  if (std::getenv("XORLOOM_TEST_WHOLE") == nullptr) return sample(all, most);
#endif
  return all;
}

}  // namespace xorloom::test
