#pragma once

#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {

/// Operations a second of one core, each on a byte, where no operand is fetched: XORs for packets,
/// products and the XORs that add them up for words. Measured now, in some milliseconds, by machine
/// code with few inputs and many operations.
double peak_operations(Isa isa, Arrangement arrangement);

}  // namespace xorloom::cli
