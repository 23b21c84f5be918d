#include "runtime/kernels/plain_xor_loops.hpp"

namespace xorloom {
namespace {

struct Avx512 {
  using Register = __m512i;
  static constexpr std::size_t kBytes = 64;
  static constexpr std::size_t kMaxLines = 8;
  static constexpr bool kAddsTwo = true;

  static Register load(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
  static void store(std::uint8_t* to, Register x) { _mm512_storeu_si512(to, x); }
  static void stream(std::uint8_t* to, Register x) {
    _mm512_stream_si512(reinterpret_cast<Register*>(to), x);
  }
  static Register add(Register a, Register b) { return _mm512_xor_si512(a, b); }
  static Register add(Register a, Register b, Register c) {
    constexpr int kXorOfThree = 0x96;
    return _mm512_ternarylogic_epi64(a, b, c, kXorOfThree);
  }
};

}  // namespace

void plain_xor_avx512(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                      std::size_t end) noexcept {
  xor_streams<Avx512>(streams, shape, begin, end);
}

}  // namespace xorloom
