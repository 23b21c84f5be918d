#include "runtime/kernels/plain_xor_loops.hpp"

namespace xorloom {
namespace {

struct Avx2 {
  using Register = __m256i;
  static constexpr std::size_t kBytes = 32;
  static constexpr std::size_t kMaxLines = 4;
  static constexpr bool kAddsTwo = false;

  static Register load(const std::uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const Register*>(from));
  }
  static void store(std::uint8_t* to, Register x) {
    _mm256_storeu_si256(reinterpret_cast<Register*>(to), x);
  }
  static void stream(std::uint8_t* to, Register x) {
    _mm256_stream_si256(reinterpret_cast<Register*>(to), x);
  }
  static Register add(Register a, Register b) { return _mm256_xor_si256(a, b); }
};

}  // namespace

void plain_xor_avx2(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                    std::size_t end) noexcept {
  xor_streams<Avx2>(streams, shape, begin, end);
}

}  // namespace xorloom
