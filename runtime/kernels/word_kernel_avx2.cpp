#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_avx2.hpp"

namespace xorloom {

extern constinit const WordKernelTable kAvx2Words =
    make_kernels<Avx2Nibbles, 4, 2, 1>(FactorForm::kNibbles);

}  // namespace xorloom
