#pragma once

// A register of 16 bytes and how it multiplies, for the kernels' files alone (see
// word_kernel_loops.hpp).

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

namespace xorloom {
namespace {

struct Neon {
  using Register = uint8x16_t;
  struct Prepared {
    Register low;
    Register high;
  };
  struct Map {
    Register low;
    Register high;
  };
  static constexpr std::size_t kBytes = 16;
  static constexpr bool kStreams = false;
  static constexpr int kPrefetchLocality = 2;
  static constexpr std::size_t kMapBytes = 32;
  static constexpr std::size_t kRegisters = 28;
  static constexpr std::size_t kSourceRegisters = 2;

  static Register zero() { return vdupq_n_u8(0); }
  static Register load(const std::uint8_t* from) { return vld1q_u8(from); }
  static Register load_part(const std::uint8_t* from, std::size_t bytes) {
    if (bytes == kBytes) return load(from);
    std::uint8_t padded[kBytes] = {};
    __builtin_memcpy(padded, from, bytes);
    return load(padded);
  }
  static void store(std::uint8_t* to, Register x) { vst1q_u8(to, x); }
  static void store_part(std::uint8_t* to, std::size_t bytes, Register x) {
    if (bytes == kBytes) return store(to, x);
    std::uint8_t padded[kBytes];
    store(padded, x);
    __builtin_memcpy(to, padded, bytes);
  }
  static Register add(Register a, Register b) { return veorq_u8(a, b); }
  static void split(Register& a, Register& b) {
    const Register low = vuzp1q_u8(a, b);
    b = vuzp2q_u8(a, b);
    a = low;
  }
  static void join(Register& a, Register& b) {
    const Register low = vzip1q_u8(a, b);
    b = vzip2q_u8(a, b);
    a = low;
  }

  static Prepared prepare(Register x) { return {vandq_u8(x, vdupq_n_u8(0x0f)), vshrq_n_u8(x, 4)}; }
  static Map map(const std::uint8_t* factor) { return {load(factor), load(factor + 16)}; }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    sum = veorq_u8(sum, vqtbl1q_u8(map.low, x.low));
    return veorq_u8(sum, vqtbl1q_u8(map.high, x.high));
  }
};

}  // namespace
}  // namespace xorloom
