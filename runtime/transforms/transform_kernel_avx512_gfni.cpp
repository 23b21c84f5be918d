#include "runtime/kernels/vector.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kAvx512GfniTransforms =
    make_transforms<Matrices, 3, 3>(FactorForm::kBits);

}  // namespace xorloom
