#pragma once

#include <optional>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A program of a map by additive Fourier transforms, if the code has them (Code::transform_points).
/// Encoding adds up the inverse transforms of each M data symbols, and transforms the sum. About
/// log2(M)/2 multiplications per data symbol take the place of m.
///
/// Decoding is by syndromes. The program encodes what is left, with zeros for the data that is
/// lost, and adds what the redundant cells hold. These e sums, multiplied by the inverse of a
/// matrix of e x e, are what is lost.
///
/// Shape:  the map is one of the code. The inputs have as many redundant cells as data cells are
///         missing among them.
/// Answer: none if the code has no transforms, if M exceeds 8, or if the map is of another shape.
/// Source: S.-J. Lin, T. Y. Al-Naffouri, Y. S. Han, FFT algorithm for binary extension finite
///         fields and its application to Reed-Solomon codes, IEEE Trans. Inf. Theory 62(10), 2016.
std::optional<Program> transform_program(const Code& code, const LinearMap& map);

}  // namespace xorloom
