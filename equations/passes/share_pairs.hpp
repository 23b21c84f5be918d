#pragma once

#include <functional>

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
/// decides between pairs that are alike. Once stop_requested, if given, returns true, the pairs
/// found so far are all that is shared.
///
/// `depth`, unless 0, is the most levels of XORs that the circuit has. Then a pair is shared only
/// among equations that can still be added up within it.
///
/// Shape:  with a depth, equations read inputs alone, and each at most 2^depth of them.
/// Memory: that of the equations. There are at most 12288 values, inputs included; what is left to
///         share then stays unshared.
/// Cost:   O(sum of the squares of the equations' lengths) to begin with. Then for each pair some
///         times O(values + equations of one value · their length).
/// Source: C. Paar, Optimized arithmetic for Reed-Solomon encoders, ISIT 1997; as grammar
///         compression: N. Larsson, A. Moffat, Offline dictionary-based compression, DCC 1999.
Circuit share_pairs(const Program& program, Random* random = nullptr,
                    const std::function<bool()>& stop_requested = {}, std::size_t depth = 0);

}  // namespace xorloom
