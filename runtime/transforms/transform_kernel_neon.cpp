#include "runtime/kernels/word_vector_neon.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kNeonTransforms =
    make_transforms<Neon>(FactorForm::kNibbles, 3, 3);

}  // namespace xorloom
