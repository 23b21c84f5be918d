#include "runtime/kernels/word_vector_neon.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kNeonTransforms =
    make_transforms<Neon, 3, 3>(FactorForm::kNibbles);

}  // namespace xorloom
