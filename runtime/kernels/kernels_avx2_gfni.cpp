#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/word_kernel_loops.hpp"

namespace xorloom {

extern constinit const WordKernelTable kAvx2GfniWords =
    make_kernels<Matrices, 6, 2, 2>(FactorForm::kBits);

}  // namespace xorloom
