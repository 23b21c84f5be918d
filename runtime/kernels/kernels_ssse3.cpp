#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/word_kernel_loops.hpp"

namespace xorloom {

extern constinit const WordKernelTable kSsse3Words =
    make_kernels<Nibbles, 4, 2, 1>(FactorForm::kNibbles);

}  // namespace xorloom
