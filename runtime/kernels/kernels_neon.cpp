#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/word_kernel_loops.hpp"

namespace xorloom {

extern constinit const WordKernelTable kNeonWords =
    make_kernels<Nibbles, 8, 4, 2>(FactorForm::kNibbles);

}  // namespace xorloom
