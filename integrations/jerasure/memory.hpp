#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#define XORLOOM_JERASURE extern "C" __attribute__((visibility("default")))

namespace xorloom::jerasure {

/// Memory that a program frees by free(); null if there is none.
inline int* new_ints(std::size_t count) {
  return static_cast<int*>(std::calloc(count == 0 ? 1 : count, sizeof(int)));
}

inline std::size_t size(int number) { return number > 0 ? static_cast<std::size_t>(number) : 0; }

inline std::uint8_t* bytes_of(char* bytes) { return reinterpret_cast<std::uint8_t*>(bytes); }
inline std::uint8_t* const* chunks_of(char** chunks) {
  return reinterpret_cast<std::uint8_t* const*>(chunks);
}

/// Up to this size, add_few is faster than a kernel.
inline constexpr std::size_t kFewBytes = 256;

inline void add_few(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::size_t at = 0;
  for (; at + kWord <= bytes; at += kWord) {
    std::uint64_t sum = 0;
    std::uint64_t more = 0;
    std::memcpy(&sum, to + at, kWord);
    std::memcpy(&more, from + at, kWord);
    sum ^= more;
    std::memcpy(to + at, &sum, kWord);
  }
  for (; at < bytes; ++at) to[at] = static_cast<std::uint8_t>(to[at] ^ from[at]);
}

inline constexpr const char* kNoPackets = "packetsize is not above 0";

/// Ends the program, as Jerasure does if a call is wrong that has no way to report an error.
[[noreturn]] inline void give_up(const char* function, const char* why) {
  std::fprintf(stderr, "xorloom, in place of Jerasure: %s: %s\n", function, why);
  std::abort();
}

/// Returns the result of `function`; an exception ends the program. For functions that cannot
/// report an error.
template <typename Function>
auto or_give_up(const char* name, const Function& function) noexcept {
  try {
    return function();
  } catch (const std::exception& error) {
    give_up(name, error.what());
  }
}

}  // namespace xorloom::jerasure
