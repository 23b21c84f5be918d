#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "tests/support/sanitizers.hpp"

namespace xorloom::test {

/// True if tests try all they can, as they do at night. Otherwise they take samples.
inline bool tries_all() { return std::getenv("XORLOOM_TEST_WHOLE") != nullptr; }

/// True if an emulator of another processor runs the tests, many times slower: cmake/cross.cmake.
inline bool is_emulated() { return std::getenv("XORLOOM_EMULATED") != nullptr; }

/// `most` elements of a list, spread evenly, from the first to the last; all if there are no more.
template <class T>
std::vector<T> sample(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < most; ++i) {
    some.push_back(all[most == 1 ? 0 : i * (all.size() - 1) / (most - 1)]);
  }
  return some;
}

/// sample() in the ordinary suite; the whole list with XORLOOM_TEST_WHOLE.
template <class T>
std::vector<T> sample_unless_whole(const std::vector<T>& all, std::size_t most) {
  return tries_all() ? all : sample(all, most);
}

/// sample() under a sanitizer, where programs run many times slower and which the ordinary suite
/// precedes with the whole list. XORLOOM_TEST_WHOLE takes the whole list there too.
template <class T>
std::vector<T> sample_if_sanitized(const std::vector<T>& all, [[maybe_unused]] std::size_t most) {
#ifdef XORLOOM_IS_SANITIZED
  return sample_unless_whole(all, most);
#else
  return all;
#endif
}

/// The element of `all` whose turn it is, or `all` with XORLOOM_TEST_WHOLE. A loop within a loop
/// then goes through both lists, but not through every pair.
template <class T>
std::vector<T> one_by_turns(const std::vector<T>& all, std::size_t turn) {
  if (tries_all()) return all;
  if (all.empty()) return {};
  return {all[turn % all.size()]};
}

}  // namespace xorloom::test
