#pragma once

#include <cstddef>
#include <string>

namespace xorloom::gibraltar {

/// The most buffers of a code: its points are symbols of GF(2^8).
inline constexpr std::size_t kMostBuffers = 256;

/// Gibraltar's code of k + m buffers as a spec. Its field is GF(2^8) by 0x11d.
///
/// Row i of a Vandermonde matrix is the powers 0 … k-1 of the symbol i. Columns are combined until
/// the first k rows are the identity; the others are the redundancy. In other words, data are the
/// values of a polynomial of degree k-1 at the symbols 0 … k-1, and redundancy its values at
/// k … k+m-1. So any k of the values are enough.
///
/// Shape: k and m are 1 or more, and k + m is at most kMostBuffers.
std::string code_spec(std::size_t k, std::size_t m);

}  // namespace xorloom::gibraltar
