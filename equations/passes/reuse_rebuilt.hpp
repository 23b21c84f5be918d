#pragma once

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A decoding in which lost redundancy is made of the data again, the rebuilt data included,
/// wherever that takes fewer operands than making it of what survives. What is computed stays the
/// same; the program is then no longer direct, but a better one to begin a search with.
///
/// Shape: the program is over the bits or the symbols of the code.
///
/// Only data that the program reads or rebuilds already are made use of.
Program reuse_rebuilt(const Code& code, Program program);

}  // namespace xorloom
