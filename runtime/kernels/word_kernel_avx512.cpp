#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_avx512.hpp"

namespace xorloom {

extern constinit const WordKernelTable kAvx512Words =
    make_kernels<Avx512Nibbles, 8, 4, 4>(FactorForm::kNibbles);

}  // namespace xorloom
