#include "runtime/kernels/word_vector_avx2.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kAvx2Transforms =
    make_transforms<Avx2Nibbles, 3, 2>(FactorForm::kNibbles);

}  // namespace xorloom
