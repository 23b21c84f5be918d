#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace xorloom {

/// Runs kernels of AArch64 on any machine, an instruction at a time. It knows the instructions that
/// kernels may have, and throws at any other.
class ArmInterpreter {
 public:
  using Vector = std::array<std::uint8_t, 16>;

  /// Runs a kernel, and checks that the registers that a callee must preserve are unchanged.
  /// Returns the number of instructions executed.
  std::size_t run(const std::vector<std::uint8_t>& code, std::uint8_t* const* streams,
                  std::size_t tiles) {
    x_.fill(0x5eed5eed5eed5eed);
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i].fill(static_cast<std::uint8_t>(0x80 + i));
    std::vector<std::uint8_t> stack(std::size_t{1} << 20);
    x_[0] = reinterpret_cast<std::uint64_t>(streams);
    x_[1] = tiles;
    x_[31] = reinterpret_cast<std::uint64_t>(stack.data() + stack.size() / 16 * 16);
    const auto general = x_;
    const auto vectors = v_;
    std::size_t executed = 0;
    pc_ = code.data();
    while (pc_ != nullptr) {
      if (pc_ < code.data() || pc_ + 4 > code.data() + code.size()) refuse("left the code");
      std::uint32_t word = 0;
      std::memcpy(&word, pc_, 4);
      const std::uint8_t* const at = pc_;
      step(word);
      if (pc_ == at) pc_ += 4;
      ++executed;
    }
    for (std::size_t i = 18; i < 32; ++i) {
      if (x_[i] != general[i]) refuse("a general register was not kept");
    }
    for (std::size_t i = 8; i < 16; ++i) {
      if (std::memcmp(v_[i].data(), vectors[i].data(), 8) != 0) refuse("a vector was not kept");
    }
    return executed;
  }

 private:
  [[noreturn]] static void refuse(const std::string& what) { throw std::runtime_error(what); }

  static std::uint32_t bits(std::uint32_t word, unsigned low, unsigned count) {
    return word >> low & ((1U << count) - 1);
  }
  static std::int64_t signed_bits(std::uint32_t word, unsigned low, unsigned count) {
    const auto shift = 64 - count;
    return static_cast<std::int64_t>(std::uint64_t{bits(word, low, count)} << shift) >> shift;
  }
  std::uint8_t* memory(std::uint64_t address) { return reinterpret_cast<std::uint8_t*>(address); }
  /// A register where number 31 is zero.
  std::uint64_t value(std::uint32_t number) const { return number == 31 ? 0 : x_[number]; }

  void step(std::uint32_t word) {
    const std::uint32_t d = bits(word, 0, 5);
    const std::uint32_t n = bits(word, 5, 5);
    const std::uint32_t m = bits(word, 16, 5);
    if (is_vector_operation(word, d, n, m) || is_memory(word, d, n)) return;
    if ((word & 0xff800000) == 0x91000000) {
      x_[d] = x_[n] + immediate(word);
    } else if ((word & 0xff800000) == 0xd1000000) {
      x_[d] = x_[n] - immediate(word);
    } else if ((word & 0xff800000) == 0xf1000000) {
      is_zero_ = (x_[d] = x_[n] - immediate(word)) == 0;
    } else if ((word & 0xffe0fc00) == 0x8b000000) {
      x_[d] = value(n) + value(m);
    } else if ((word & 0xffff0000) == 0xf2400000 && d == 31) {  // tst with ones at the bottom
      is_zero_ = (x_[n] & ((std::uint64_t{2} << bits(word, 10, 6)) - 1)) == 0;
    } else if ((word & 0xffe00000) == 0xd2800000) {
      x_[d] = bits(word, 5, 16);
    } else if ((word & 0xffe0fc00) == 0x9a800000) {  // csel, if equal
      x_[d] = is_zero_ ? x_[n] : x_[m];
    } else if ((word & 0xff000000) == 0xb4000000) {
      if (x_[d] == 0) jump(signed_bits(word, 5, 19) * 4);
    } else if ((word & 0xff00001f) == 0x54000001) {  // b.ne
      if (!is_zero_) jump(signed_bits(word, 5, 19) * 4);
    } else if ((word & 0x9f000000) == 0x10000000) {  // adr
      x_[d] = reinterpret_cast<std::uint64_t>(pc_) +
              static_cast<std::uint64_t>(signed_bits(word, 5, 19) * 4 + bits(word, 29, 2));
    } else if (word == 0xd65f03c0) {
      pc_ = nullptr;
    } else {
      refuse("not an instruction of kernels: " + std::to_string(word));
    }
  }

  static std::uint64_t immediate(std::uint32_t word) {
    return std::uint64_t{bits(word, 10, 12)} << (bits(word, 22, 1) * 12);
  }
  void jump(std::int64_t bytes) { pc_ += bytes; }

  bool is_vector_operation(std::uint32_t word, std::uint32_t d, std::uint32_t n, std::uint32_t m) {
    const Vector a = v_[n];
    const Vector b = v_[m];
    const Vector c = v_[bits(word, 10, 5)];
    Vector result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
      if ((word & 0xffe0fc00) == 0x6e201c00) {
        result[i] = a[i] ^ b[i];
      } else if ((word & 0xffe08000) == 0xce000000) {
        result[i] = a[i] ^ b[i] ^ c[i];
      } else if ((word & 0xffe0fc00) == 0x4ea01c00) {
        result[i] = a[i] | b[i];
      } else if ((word & 0xffe0fc00) == 0x4e201c00) {
        result[i] = a[i] & b[i];
      } else if ((word & 0xffe0fc00) == 0x4e000000) {
        result[i] = b[i] < 16 ? a[b[i]] : std::uint8_t{0};
      } else if ((word & 0xfff8fc00) == 0x6f080400) {
        result[i] = static_cast<std::uint8_t>(a[i] >> (8 - bits(word, 16, 3)));
      } else if ((word & 0xfff8fc00) == 0x4f00e400) {
        result[i] = static_cast<std::uint8_t>(bits(word, 16, 3) << 5 | bits(word, 5, 5));
      } else {
        return false;
      }
    }
    v_[d] = result;
    return true;
  }

  bool is_memory(std::uint32_t word, std::uint32_t d, std::uint32_t n) {
    const std::uint32_t second = bits(word, 10, 5);
    const std::int64_t pair = signed_bits(word, 15, 7);
    const std::uint32_t kind = word & 0xffc00000;
    if (kind == 0x3dc00000) {
      std::memcpy(v_[d].data(), memory(x_[n] + bits(word, 10, 12) * 16), 16);
    } else if (kind == 0x3d800000) {
      std::memcpy(memory(x_[n] + bits(word, 10, 12) * 16), v_[d].data(), 16);
    } else if (kind == 0xf9400000) {
      std::memcpy(&x_[d], memory(x_[n] + bits(word, 10, 12) * 8), 8);
    } else if (kind == 0xacc00000) {  // ldp q, q, [x], #
      std::memcpy(v_[d].data(), memory(x_[n]), 16);
      std::memcpy(v_[second].data(), memory(x_[n] + 16), 16);
      x_[n] += static_cast<std::uint64_t>(pair * 16);
    } else if (kind == 0xa9800000 || kind == 0x6d800000) {  // stp, [x, #]!
      x_[n] += static_cast<std::uint64_t>(pair * 8);
      std::memcpy(memory(x_[n]), half(kind == 0x6d800000, d), 8);
      std::memcpy(memory(x_[n] + 8), half(kind == 0x6d800000, second), 8);
    } else if (kind == 0xa8c00000 || kind == 0x6cc00000) {  // ldp, [x], #
      std::memcpy(half(kind == 0x6cc00000, d), memory(x_[n]), 8);
      std::memcpy(half(kind == 0x6cc00000, second), memory(x_[n] + 8), 8);
      x_[n] += static_cast<std::uint64_t>(pair * 8);
    } else {
      return false;
    }
    return true;
  }

  std::uint8_t* half(bool is_vector, std::uint32_t number) {
    return is_vector ? v_[number].data() : reinterpret_cast<std::uint8_t*>(&x_[number]);
  }

  std::array<std::uint64_t, 32> x_{};  ///< 31: the stack pointer
  std::array<Vector, 32> v_{};
  bool is_zero_ = false;
  const std::uint8_t* pc_ = nullptr;
};

}  // namespace xorloom
