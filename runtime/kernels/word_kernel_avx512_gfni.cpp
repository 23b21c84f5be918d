#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_avx512.hpp"

namespace xorloom {
namespace {

struct Avx512Gfni : Avx512Vector {
  using Prepared = Register;
  using Map = Register;
  static constexpr std::size_t kMapBytes = 8;
  static constexpr std::size_t kRegisters = 30;
  static constexpr std::size_t kSourceRegisters = 1;

  static Prepared prepare(Register x) { return x; }
  static Map map(const std::uint8_t* factor) {
    long long bits = 0;
    __builtin_memcpy(&bits, factor, sizeof bits);
    Map matrix = _mm512_set1_epi64(bits);
    // clang 14 scales the offset of a matrix that it lets the instruction broadcast from memory
    // wrongly; so it has to come from a register.
    __asm__("" : "+v"(matrix));
    return matrix;
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    return _mm512_xor_si512(sum, _mm512_gf2p8affine_epi64_epi8(x, map, 0));
  }
};

}  // namespace

extern constinit const WordKernelTable kAvx512GfniWords =
    make_kernels<Avx512Gfni, 8, 4, 4>(FactorForm::kBits);

}  // namespace xorloom
