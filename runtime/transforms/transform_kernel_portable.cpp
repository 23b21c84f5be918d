#include <cstddef>
#include <cstdint>

#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {
namespace {

/// A register of 32 bytes as four words. Products are looked up by nibbles in a function of its
/// own: inlined in the unrolled loops of all passes it would take megabytes.
struct PortableVector {
  struct Register {
    std::uint64_t words[4];
  };
  using Prepared = Register;
  using Map = const std::uint8_t*;
  static constexpr std::size_t kBytes = 32;
  static constexpr bool kStreams = false;
  static constexpr std::size_t kMapBytes = 32;
  static constexpr std::size_t kRegisters = 0;  // there are no registers of 32 bytes

  static Register zero() { return {}; }
  static Register load(const std::uint8_t* from) { return load_part(from, kBytes); }
  static Register load_part(const std::uint8_t* from, std::size_t bytes) {
    Register x{};
    __builtin_memcpy(x.words, from, bytes);
    return x;
  }
  static void store(std::uint8_t* to, const Register& x) { store_part(to, kBytes, x); }
  static void store_part(std::uint8_t* to, std::size_t bytes, const Register& x) {
    __builtin_memcpy(to, x.words, bytes);
  }
  static Register add(Register a, const Register& b) {
    for (std::size_t i = 0; i < 4; ++i) a.words[i] ^= b.words[i];
    return a;
  }
  static const Prepared& prepare(const Register& x) { return x; }
  static Map map(const std::uint8_t* factor) { return factor; }
  static Register multiply_add(const Register& sum, Map map, const Prepared& x) {
    Register result = sum;
    add_products(result, map, x);
    return result;
  }

 private:
  [[gnu::noinline]] static void add_products(Register& sum, Map map, const Prepared& x) {
    std::uint8_t bytes[kBytes];
    __builtin_memcpy(bytes, x.words, kBytes);
#pragma GCC unroll 1
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(map[byte & 0xfU] ^ map[16 + (byte >> 4)]);
    }
    Register products{};
    __builtin_memcpy(products.words, bytes, kBytes);
    sum = add(sum, products);
  }
};

}  // namespace

extern constinit const TransformKernelTable kPortableTransforms =
    make_transforms<PortableVector, 2, 2>(FactorForm::kNibbles);

}  // namespace xorloom
