#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/word_kernel_loops.hpp"

namespace xorloom {

extern constinit const WordKernelTable kAvx512GfniWords =
    make_kernels<Matrices, 8, 4, 4>(FactorForm::kBits);

}  // namespace xorloom
