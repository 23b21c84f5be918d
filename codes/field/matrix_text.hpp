#pragma once

#include <string_view>

#include "codes/field/bitmatrix.hpp"

namespace xorloom {

/// Reads a 0/1 matrix: one line of 0s and 1s per row, after an optional line "rows columns". A row
/// is an output, a column an input. A first line "10 11" is two sizes.
///
/// Ignores spaces, commas and brackets between bits, as Python writes them. Rows may share a line
/// if brackets or ; separate them: "[[1, 0], [0, 1]]", "[1 0; 0 1]". Ignores comments after #,
/// lines with a comment alone, empty lines before and after the matrix, and a byte order mark.
///
/// Errors: throws kParse with the line: no or bad sizes, another character, a row too short or too
///         long, a ; after a row of one column, too few or too many rows; kInvalidArgument if it
///         has more than kMaxMatrixBits, or more than kMaxMatrixRows, since each row takes extra
///         memory.
BitMatrix read_bitmatrix(std::string_view text);
inline constexpr std::size_t kMaxMatrixBits = std::size_t{1} << 30;
inline constexpr std::size_t kMaxMatrixRows = std::size_t{1} << 24;

}  // namespace xorloom
