#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_avx512.hpp"

namespace xorloom {

extern constinit const WordKernelTable kAvx512GfniWords =
    make_kernels<Avx512Gfni, 8, 4, 4>(FactorForm::kBits);

}  // namespace xorloom
