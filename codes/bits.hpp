#pragma once

#include "codes/code.hpp"

namespace xorloom {

/// A code seen bit by bit: each element is a cell of its own, over GF(2). Elements keep their numbers,
/// and the layout of bytes is the same. It is what a code on packets is to those who read single rows.
///
/// Errors: throws kUnsupported unless the code lies in packets: bits of words are not apart.
Code bits_of(const Code& code);

}  // namespace xorloom
