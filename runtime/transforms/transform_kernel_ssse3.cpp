#include "runtime/kernels/word_vector_ssse3.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kSsse3Transforms =
    make_transforms<Ssse3, 3, 2>(FactorForm::kNibbles);

}  // namespace xorloom
