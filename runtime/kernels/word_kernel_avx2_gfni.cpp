#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_avx2.hpp"

namespace xorloom {

extern constinit const WordKernelTable kAvx2GfniWords =
    make_kernels<Avx2Gfni, 6, 2, 2>(FactorForm::kBits);

}  // namespace xorloom
