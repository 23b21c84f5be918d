#pragma once

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/computation.hpp"

namespace xorloom {

/// Accepts a computation as computing a map of a code on this machine, or throws. What was not
/// accepted must not run.
///
///   tables        every entry of every multiplication table is the field's product by shift and add
///   unit vectors  and the zero vector, a lane each, give back the matrix; a lane is a bit of a
///                 packet or a symbol of a sub-chunk, and there are batches until all inputs had one
///   random data   over at least three super-blocks or blocks of words agrees with the oracle
///
/// Both kinds of data are tried as a whole and cut into ranges, with aligned and odd pointers, in one
/// call and step by step in the latest order the dependencies allow; cells that are not to be read
/// hold junk, and nothing but the outputs may change, guard bytes around chunks and scratch included.
///
/// Wide packets are cut down to a block, a line and a word each: packet_bytes only scales the
/// offsets of packets and says how often those three occur.
///
/// Errors: throws kInternal, naming what failed.
/// Cost:   a few milliseconds for 10 + 4; proportional to the ones of the matrix.
void accept(const Code& code, const LinearMap& map, const Computation& computation);

}  // namespace xorloom
