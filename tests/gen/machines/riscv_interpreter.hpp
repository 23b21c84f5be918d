#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace xorloom {

/// Runs kernels of RISC-V on any machine, an instruction at a time. It knows the instructions that
/// kernels may have, and throws at any other.
class RiscvInterpreter {
 public:
  explicit RiscvInterpreter(std::size_t vector_bytes)
      : vector_bytes_(vector_bytes), v_(32, std::vector<std::uint8_t>(vector_bytes, 0x77)) {}

  /// Runs a kernel, and checks that the registers that a callee must preserve are unchanged.
  /// Returns the number of instructions executed.
  std::size_t run(const std::vector<std::uint8_t>& code, std::uint8_t* const* streams,
                  std::size_t tiles) {
    x_.fill(0x5eed5eed5eed5eed);
    std::vector<std::uint8_t> stack(std::size_t{1} << 20);
    x_[0] = 0;
    x_[1] = 0;  // the return address
    x_[2] = reinterpret_cast<std::uint64_t>(stack.data() + stack.size() / 16 * 16);
    x_[10] = reinterpret_cast<std::uint64_t>(streams);
    x_[11] = tiles;
    const auto before = x_;
    std::size_t executed = 0;
    pc_ = code.data();
    while (pc_ != nullptr) {
      if (pc_ < code.data() || pc_ + 4 > code.data() + code.size()) refuse("left the code");
      std::uint32_t word = 0;
      std::memcpy(&word, pc_, 4);
      const std::uint8_t* const at = pc_;
      step(word);
      x_[0] = 0;
      if (pc_ == at) pc_ += 4;
      ++executed;
    }
    for (const std::size_t kept :
         {2U, 3U, 4U, 8U, 9U, 18U, 19U, 20U, 21U, 22U, 23U, 24U, 25U, 26U, 27U}) {
      if (x_[kept] != before[kept]) refuse("a register was not kept");
    }
    return executed;
  }

 private:
  [[noreturn]] static void refuse(const std::string& what) { throw std::runtime_error(what); }

  static std::uint32_t bits(std::uint32_t word, unsigned low, unsigned count) {
    return word >> low & ((1U << count) - 1);
  }
  static std::uint64_t extended(std::uint32_t number, unsigned count) {
    const auto shift = 64 - count;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::uint64_t{number} << shift) >>
                                      shift);
  }
  static std::uint8_t* memory(std::uint64_t address) {
    return reinterpret_cast<std::uint8_t*>(address);
  }

  void step(std::uint32_t word) {
    const std::uint32_t d = bits(word, 7, 5);
    const std::uint32_t a = bits(word, 15, 5);
    const std::uint32_t b = bits(word, 20, 5);
    const std::uint64_t immediate = extended(bits(word, 20, 12), 12);
    switch (word & 0x707f) {
      case 0x0013:  // addi
        x_[d] = x_[a] + immediate;
        return;
      case 0x7013:  // andi
        x_[d] = x_[a] & immediate;
        return;
      case 0x0033:  // add
        if (bits(word, 25, 7) != 0) refuse("not an addition");
        x_[d] = x_[a] + x_[b];
        return;
      case 0x3003:  // ld
        std::memcpy(&x_[d], memory(x_[a] + immediate), 8);
        return;
      case 0x3023:  // sd
        std::memcpy(memory(x_[a] + extended(bits(word, 25, 7) << 5 | d, 12)), &x_[b], 8);
        return;
      case 0x0063:  // beq
        if (x_[a] == x_[b]) pc_ += branch(word);
        return;
      case 0x1063:  // bne
        if (x_[a] != x_[b]) pc_ += branch(word);
        return;
      case 0x0067:  // jalr, of which kernels have the return alone
        if (word != 0x8067) refuse("a jump elsewhere");
        pc_ = nullptr;
        return;
      case 0x7057:  // vsetvli zero, a, e8, m1, ta, ma
        if (bits(word, 20, 12) != 0xc0 || d != 0) refuse("other vectors");
        if (x_[a] > vector_bytes_) refuse("longer vectors than the machine has");
        active_bytes_ = x_[a];
        return;
      default:
        break;
    }
    switch (word & 0x7f) {
      case 0x37:
        x_[d] = extended(word & 0xfffff000, 32);
        return;
      case 0x17:
        x_[d] = reinterpret_cast<std::uint64_t>(pc_) + extended(word & 0xfffff000, 32);
        return;
      case 0x6f: {
        if (d != 0) refuse("a call");
        const std::uint32_t to = bits(word, 31, 1) << 20 | bits(word, 12, 8) << 12 |
                                 bits(word, 20, 1) << 11 | bits(word, 21, 10) << 1;
        pc_ += static_cast<std::int64_t>(extended(to, 21));
        return;
      }
      case 0x07:
        if ((word & 0xfff07000) != 0x02000000) refuse("another load");
        std::memcpy(v_[d].data(), memory(x_[a]), active_bytes_);
        return;
      case 0x27:
        if ((word & 0xfff07000) != 0x02000000) refuse("another store");
        std::memcpy(memory(x_[a]), v_[d].data(), active_bytes_);
        return;
      case 0x57:
        return operate(word, d, a, b);
      default:
        refuse("not an instruction of kernels: " + std::to_string(word));
    }
  }

  static std::int64_t branch(std::uint32_t word) {
    const std::uint32_t to = bits(word, 31, 1) << 12 | bits(word, 7, 1) << 11 |
                             bits(word, 25, 6) << 5 | bits(word, 8, 4) << 1;
    return static_cast<std::int64_t>(extended(to, 13));
  }

  void operate(std::uint32_t word, std::uint32_t d, std::uint32_t first, std::uint32_t second) {
    const std::vector<std::uint8_t> a = v_[first];
    const std::vector<std::uint8_t> b = v_[second];
    if (bits(word, 26, 6) == 0x0c && (d == first || d == second)) refuse("a gather into itself");
    for (std::size_t i = 0; i < active_bytes_; ++i) {
      switch (word & 0xfe007000) {
        case 0x2e000000:
          v_[d][i] = a[i] ^ b[i];
          break;
        case 0x26003000:
          v_[d][i] = b[i] & static_cast<std::uint8_t>(first);
          break;
        case 0xa2003000:
          v_[d][i] = static_cast<std::uint8_t>(b[i] >> first);
          break;
        case 0x32000000:
          v_[d][i] = a[i] < vector_bytes_ ? b[a[i]] : std::uint8_t{0};
          break;
        case 0x5e000000:
          v_[d][i] = a[i];
          break;
        case 0x5e003000:
          v_[d][i] = static_cast<std::uint8_t>(first);
          break;
        default:
          refuse("not an operation of kernels: " + std::to_string(word));
      }
    }
  }

  std::size_t vector_bytes_;
  std::size_t active_bytes_ = 0;  ///< bytes of a vector that instructions use; 0: not set yet
  std::array<std::uint64_t, 32> x_{};
  std::vector<std::vector<std::uint8_t>> v_;
  const std::uint8_t* pc_ = nullptr;
};

}  // namespace xorloom
