#pragma once

#include <functional>

#include "equations/ir/circuit.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// Returns the greedy common-pair circuit of a program. As long as two values occur together in
/// more than one equation, the pair that occurs in the most equations is computed once; of equally
/// common pairs, one whose values are in few other equations. The rest of an equation is added as a
/// balanced tree. Never more XORs than the program has.
///
/// An equation may read the target of another, so outputs may be computed from outputs. `random`,
/// if not null, decides between equal pairs. Once stop_requested, if given, returns true, no more
/// pairs are shared.
///
/// `depth` is the most levels of XORs of the circuit; 0: any number. A pair is shared only among
/// equations that then still fit within the depth.
///
/// Shape:  with a depth, equations read inputs alone, and each at most 2^depth of them.
/// Memory: that of the equations. At most 12288 values, inputs included; what is then left stays
///         unshared.
/// Cost:   O(sum of the squares of the equations' lengths) to begin with. Then for each pair some
///         times O(values + equations of one value · their length).
/// Source: C. Paar, Optimized arithmetic for Reed-Solomon encoders, ISIT 1997; as grammar
///         compression: N. Larsson, A. Moffat, Offline dictionary-based compression, DCC 1999.
Circuit share_pairs(const Program& program, Random* random = nullptr,
                    const std::function<bool()>& stop_requested = {}, std::size_t depth = 0);

}  // namespace xorloom
