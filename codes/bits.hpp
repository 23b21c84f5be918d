#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// Returns a code bit by bit: each element is a cell of its own, over GF(2). Elements keep their
/// numbers, and the layout of bytes stays. Reads of single rows of packets are planned with this
/// code.
///
/// Errors: throws kUnsupported unless the arrangement is packets, since bits of words are not
///         apart.
Code bits_of(const Code& code);

/// Units of reading per chunk: rows of packets, or sub-chunks of words.
std::size_t units_of_chunk(const Code& code);

/// Returns a code whose cells are the units of reading: bits_of(code), or the code itself.
Code readable(const Code& code);

/// The cells of readable(code) that hold any of `elements`, ascending.
std::vector<Cell> cells_holding(const Code& code, const std::vector<Element>& elements);

}  // namespace xorloom
