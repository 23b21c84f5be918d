#include "runtime/kernels/word_vector_avx512.hpp"
#include "runtime/transforms/transform_tables.hpp"

namespace xorloom {

extern constinit const TransformKernelTable kAvx512Transforms =
    make_transforms<Avx512Nibbles, 3, 3>(FactorForm::kNibbles);

}  // namespace xorloom
