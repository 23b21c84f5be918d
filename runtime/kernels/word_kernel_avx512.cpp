#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_avx512.hpp"

namespace xorloom {
namespace {

constexpr int kXorOfThree = 0x96;

struct Avx512Nibbles : Avx512Vector {
  struct Prepared {
    Register low;
    Register high;
  };
  struct Map {
    Register low;
    Register high;
  };
  static constexpr std::size_t kMapBytes = 32;
  static constexpr std::size_t kRegisters = 28;
  static constexpr std::size_t kSourceRegisters = 2;

  static Prepared prepare(Register x) {
    const Register nibble = _mm512_set1_epi8(0x0f);
    return {_mm512_and_si512(x, nibble), _mm512_and_si512(_mm512_srli_epi16(x, 4), nibble)};
  }
  static Map map(const std::uint8_t* factor) {
    const auto* table = reinterpret_cast<const __m128i*>(factor);
    return {_mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128(table)),
            _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128(table + 1))};
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    return _mm512_ternarylogic_epi64(sum, _mm512_shuffle_epi8(map.low, x.low),
                                     _mm512_shuffle_epi8(map.high, x.high), kXorOfThree);
  }
};

}  // namespace

extern constinit const WordKernelTable kAvx512Words =
    make_kernels<Avx512Nibbles, 8, 4, 4>(FactorForm::kNibbles);

}  // namespace xorloom
