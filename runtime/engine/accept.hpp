#pragma once

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/acceptance_cases.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/task_graph.hpp"

namespace xorloom {

/// Accepts a computation as computing a map of a code on this machine, or throws. What was not
/// accepted must not run.
///
///   tables        every entry of every multiplication table is the field's product by shift and
///   add unit vectors  and the zero vector, a lane each, give back the matrix; a lane is a bit of a
///                 packet or a unit of a sub-chunk, and there are batches until all inputs had one.
///                 Every bit of an input is tried in packets; in words too unless there are many
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

/// Accepts a computation by one case alone, in all variants. The caller makes the case so that it
/// reaches all loops of the kernels.
///
/// Errors: as above.
void accept(const Code& code, const AcceptanceCase& test_case, const Computation& computation);

/// About how many nanoseconds it takes to accept a computation of that many input cells and terms.
/// A term adds an input, times a coefficient, to an output.
double acceptance_nanoseconds(const Code& code, double inputs, double terms);

/// The same of a task graph, over blocks of all lengths, with cores that keep to groups and with cores
/// that keep to blocks.
///
/// Cost: several runs over five super-blocks, of packets as long as they are.
void accept(const Code& code, const LinearMap& map, const TaskGraph& graph);

}  // namespace xorloom
