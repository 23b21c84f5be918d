#include "runtime/kernels/word_vector_avx512.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kAvx512GfniTransforms =
    make_transforms<Avx512Gfni, 3, 3>(FactorForm::kBits);

}  // namespace xorloom
