#include "runtime/kernels/vector.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kAvx2Transforms =
    make_transforms<Nibbles, 3, 2>(FactorForm::kNibbles);

}  // namespace xorloom
