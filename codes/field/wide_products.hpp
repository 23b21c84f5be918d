#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace xorloom {

/// The default modulus of GF(2^32): x^32 + x^22 + x^2 + x + 1.
inline constexpr std::uint64_t kDefaultModulus32 = 0x100400007;

/// Products of a polynomial of degree below 32 with others, modulo a polynomial of degree 32, by
/// shift and add. Takes 4 bits of the other factor at a time.
class WideProducts {
 public:
  explicit WideProducts(std::uint64_t factor, std::uint64_t modulus) : modulus_(modulus) {
    multiples_[0] = 0;
    multiples_[1] = factor;
    for (std::size_t i = 2; i < multiples_.size(); i += 2) {
      multiples_[i] = multiples_[i / 2] << 1;
      multiples_[i + 1] = multiples_[i] ^ factor;
    }
  }

  std::uint64_t operator()(std::uint64_t other) const {
    std::uint64_t product = 0;
    for (int shift = 0; shift < 32; shift += 4) {
      product ^= multiples_[other >> shift & 0xf] << shift;
    }
    return modulus_ == kDefaultModulus32 ? remainder_of_default(product) : remainder(product);
  }

 private:
  /// Replaces terms of degree 32 and more by multiples of the lower terms of the modulus.
  std::uint64_t remainder(std::uint64_t product) const {
    while (product >> 32 != 0) {
      const std::uint64_t high = product >> 32;
      product &= 0xffffffff;
      for (std::uint64_t low = modulus_ & 0xffffffff; low != 0; low &= low - 1) {
        product ^= high << std::countr_zero(low);
      }
    }
    return product;
  }

  /// remainder() for the default modulus, whose loop would run four times. Of the product
  /// x^i·(x^22 + x^2 + x + 1), the terms of degree 32 and more are those of x^i / x^10 and
  /// x^i / x^30.
  static std::uint64_t remainder_of_default(std::uint64_t product) {
    const std::uint64_t once = product >> 32;
    const std::uint64_t twice = once >> 10 ^ once >> 30;
    const std::uint64_t high = once ^ twice ^ twice >> 10 ^ twice >> 20;
    return (product ^ high ^ high << 1 ^ high << 2 ^ high << 22) & 0xffffffff;
  }

  std::uint64_t modulus_;
  std::array<std::uint64_t, 16> multiples_;
};

}  // namespace xorloom
