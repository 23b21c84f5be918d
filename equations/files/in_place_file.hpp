#pragma once

#include <string>

#include "equations/files/equation_file.hpp"
#include "equations/ir/in_place.hpp"

namespace xorloom {

/// A proved circuit in place, and how it was found.
struct InPlaceFile {
  InPlaceCircuit circuit;
  SearchRecord search;
};

/// The text form for people:
///
///     style:   in place
///     wires:   4
///
///     2 ^= 0
///     …
///
///     outputs: 0 1 3 2
///
///     # cost: 3 XORs, depth 2
///     # proof: symbolic, each output holds as a set of inputs
///
/// Wire i begins as input i. `outputs` lists, by row, the wire that holds it at the end.
std::string write_text(const InPlaceFile& file);

/// The JSON form, {"format":"xorloom-in-place","version":1,…}. "lines" has [to, from] for each
/// line.
std::string write_json(const InPlaceFile& file);

/// A C function whose lines are `x2 ^= x0;`.
std::string write_c(const InPlaceFile& file);

/// An OpenQASM 3 program of CNOT gates on qubits `q`; `output` lists, by row, the qubit that holds
/// it at the end.
std::string write_qasm(const InPlaceFile& file);

}  // namespace xorloom
