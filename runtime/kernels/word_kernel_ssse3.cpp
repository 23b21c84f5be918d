#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/word_vector_ssse3.hpp"

namespace xorloom {

extern constinit const WordKernelTable kSsse3Words =
    make_kernels<Ssse3, 4, 2, 1>(FactorForm::kNibbles);

}  // namespace xorloom
