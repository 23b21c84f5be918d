#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_avx2.hpp"

namespace xorloom {
namespace {

struct Avx2Nibbles : Avx2Vector {
  struct Prepared {
    Register low;
    Register high;
  };
  struct Map {
    Register low;
    Register high;
  };
  static constexpr std::size_t kMapBytes = 32;
  static constexpr std::size_t kRegisters = 13;
  static constexpr std::size_t kSourceRegisters = 2;

  static Prepared prepare(Register x) {
    const Register nibble = _mm256_set1_epi8(0x0f);
    return {_mm256_and_si256(x, nibble), _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble)};
  }
  static Map map(const std::uint8_t* factor) {
    const auto* table = reinterpret_cast<const __m128i*>(factor);
    return {_mm256_broadcastsi128_si256(_mm_loadu_si128(table)),
            _mm256_broadcastsi128_si256(_mm_loadu_si128(table + 1))};
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(map.low, x.low));
    return _mm256_xor_si256(sum, _mm256_shuffle_epi8(map.high, x.high));
  }
};

}  // namespace

extern constinit const WordKernelTable kAvx2Words =
    make_kernels<Avx2Nibbles, 4, 2, 1>(FactorForm::kNibbles);

}  // namespace xorloom
