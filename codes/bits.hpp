#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// A code seen bit by bit: each element is a cell of its own, over GF(2). Elements keep their
/// numbers, and the layout of bytes is the same. Whoever reads single rows of a code on packets
/// sees this code.
///
/// Errors: throws kUnsupported unless the code lies in packets: bits of words are not apart.
Code bits_of(const Code& code);

/// The units of a chunk, each of which can be read alone: rows in packets, sub-chunks in words.
std::size_t units_of_chunk(const Code& code);

/// A code whose cells are those units: its bits, or the code itself.
Code readable(const Code& code);

/// The cells of readable(code) that hold any of some elements, ascending.
std::vector<Cell> cells_holding(const Code& code, const std::vector<Element>& elements);

}  // namespace xorloom
