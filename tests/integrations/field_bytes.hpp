#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

// Parts shared by tests of libraries on GF(2^8): products computed bit by bit, and random bytes.

namespace xorloom::test {

using Byte = std::uint8_t;
using Bytes = std::vector<Byte>;

/// In the field of 0x11d.
inline Byte product(Byte a, Byte b) {
  unsigned int sum = 0;
  for (unsigned int bit = 0, value = a; bit < 8; ++bit, value <<= 1U) {
    if ((value & 0x100U) != 0) value ^= 0x11dU;
    if ((b >> bit & 1U) != 0) sum ^= value;
  }
  return static_cast<Byte>(sum);
}

class Random {
 public:
  explicit Random(unsigned int seed) : engine_(seed) {}

  int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned int>(bound)); }

  Bytes bytes(std::size_t count) {
    Bytes result(count);
    for (Byte& byte : result) byte = static_cast<Byte>(engine_());
    return result;
  }

  void shuffle(std::vector<int>& numbers) { std::shuffle(numbers.begin(), numbers.end(), engine_); }

 private:
  std::mt19937 engine_;
};

}  // namespace xorloom::test
