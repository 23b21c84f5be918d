#include "runtime/kernels/vector.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kNeonSha3Transforms =
    make_transforms<Nibbles, 3, 3>(FactorForm::kNibbles);

}  // namespace xorloom
