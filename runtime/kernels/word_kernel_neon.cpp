#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_neon.hpp"

namespace xorloom {

extern constinit const WordKernelTable kNeonWords =
    make_kernels<Neon, 8, 4, 2>(FactorForm::kNibbles);

}  // namespace xorloom
