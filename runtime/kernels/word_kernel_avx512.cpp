#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/word_kernel_loops.hpp"

namespace xorloom {

extern constinit const WordKernelTable kAvx512Words =
    make_kernels<Nibbles, 8, 4, 4>(FactorForm::kNibbles);

}  // namespace xorloom
