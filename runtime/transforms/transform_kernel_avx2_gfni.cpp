#include "runtime/kernels/vector.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kAvx2GfniTransforms =
    make_transforms<Matrices, 3, 2>(FactorForm::kBits);

}  // namespace xorloom
