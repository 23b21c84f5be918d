#pragma once

#include "equations/ir/circuit.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// The greedy common-pair circuit of a program: as long as some two values are added in more than
/// one equation, the pair that most of them have in common is computed once; of pairs that are
/// equally common one whose values are in few equations besides. What is left of an equation is
/// added as a balanced tree. Never more XORs than the program has.
///
/// An equation may read the target of another, so outputs can be made of outputs. Random, if given,
/// decides between pairs that are alike.
///
/// Memory: 2 bytes a pair of values (1 with up to 255 equations), at most some 300 MB; where that
///         is not enough, what is left to share then stays unshared.
/// Cost:   O(operands · inputs) to begin with, then O(equations in common · their length) a pair.
/// Source: C. Paar, Optimized arithmetic for Reed-Solomon encoders, ISIT 1997; as grammar
///         compression: N. Larsson, A. Moffat, Offline dictionary-based compression, DCC 1999.
Circuit share_pairs(const Program& program, Random* random = nullptr);

}  // namespace xorloom
