#include "runtime/kernels/word_vector_avx2.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kAvx2GfniTransforms =
    make_transforms<Avx2Gfni, 3, 2>(FactorForm::kBits);

}  // namespace xorloom
