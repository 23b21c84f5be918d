#pragma once

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/acceptance_cases.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/task_graph.hpp"

namespace xorloom {

/// Accepts a computation as computing a map of a code on this machine, or throws. A computation
/// that was not accepted must not run.
///
///   tables        every entry of every multiplication table is the product by shift and add
///   unit vectors  and the zero vector, a lane each, give back the matrix. A lane is a bit of a
///                 packet or a unit of a sub-chunk; there are batches until all inputs had one. In
///                 packets every bit of an input is tried. In words, too, unless there are many
///                 inputs: then one bit of each, which tells any two coefficients apart
///   random data   over at least three super-blocks or blocks of words agrees with the oracle
///   codewords     in place of both if Computation::is_of_codewords says so: see Codewords
///
/// Random data, and unit vectors in packets, are tried as a whole and cut into ranges, with aligned
/// and odd pointers and with non-temporal stores; unit vectors in words once through each loop of a
/// kernel. Locations that are not to be read hold junk, and nothing but the outputs may change,
/// guard bytes around chunks included.
///
/// A computation on words may add to its outputs (Computation::adds). Then each output must hold
/// its old content plus that of the map.
///
/// Wide packets are cut down to a block, a line and a word each: packet_bytes only scales the
/// offsets of packets and says how often those three occur.
///
/// Errors: throws kInternal, naming what failed.
/// Cost:   under a millisecond for 10 + 4. Each lane costs a run of all terms, so unit vectors cost
///         inputs times terms, which is what tells with wide words: about 10 ms for 223 + 32.
void accept(const Code& code, const LinearMap& map, const Computation& computation);

/// Accepts a computation by one case, in all variants. Precondition: the case reaches all loops of
/// the kernels.
///
/// Errors: as the first accept().
void accept(const Code& code, const AcceptanceCase& test_case, const Computation& computation);

/// Estimated nanoseconds to accept a computation of `inputs` input cells and `terms` terms.
/// A term adds an input, times a coefficient, to an output.
double acceptance_nanoseconds(const Code& code, double inputs, double terms);

/// Accepts a task graph, over blocks of all lengths, with cores that keep to groups and with cores
/// that keep to blocks.
///
/// Errors: as the first accept().
/// Cost:   several runs over five super-blocks with packets of full length.
void accept(const Code& code, const LinearMap& map, const TaskGraph& graph);

}  // namespace xorloom
