#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_avx2.hpp"

namespace xorloom {
namespace {

struct Avx2Gfni : Avx2Vector {
  using Prepared = Register;
  using Map = Register;
  static constexpr std::size_t kMapBytes = 8;
  static constexpr std::size_t kRegisters = 14;
  static constexpr std::size_t kSourceRegisters = 1;

  static Prepared prepare(Register x) { return x; }
  static Map map(const std::uint8_t* factor) {
    long long bits = 0;
    __builtin_memcpy(&bits, factor, sizeof bits);
    return _mm256_set1_epi64x(bits);
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    return _mm256_xor_si256(sum, _mm256_gf2p8affine_epi64_epi8(x, map, 0));
  }
};

}  // namespace

extern constinit const WordKernelTable kAvx2GfniWords =
    make_kernels<Avx2Gfni, 6, 2, 2>(FactorForm::kBits);

}  // namespace xorloom
