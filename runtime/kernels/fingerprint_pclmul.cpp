#include "runtime/kernels/fingerprint_products.hpp"

namespace xorloom {

extern constinit const FingerprintKernels kPclmulFingerprints = {add_products<Half>,
                                                                 slice_symbols<Half>};

}  // namespace xorloom
