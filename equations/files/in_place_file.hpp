#pragma once

#include <string>

#include "equations/files/equation_file.hpp"
#include "equations/ir/in_place.hpp"

namespace xorloom {

/// A circuit in place, proved, and what was spent on it.
struct InPlaceFile {
  InPlaceCircuit circuit;
  SearchRecord search;
};

/// The form people read:
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
/// Wires begin as the inputs with their numbers. `outputs` names by row the wire that holds it at
/// the end.
std::string write_text(const InPlaceFile& file);

/// {"format":"xorloom-in-place","version":1,…}. "lines" has [to, from] for each line.
std::string write_json(const InPlaceFile& file);

/// A function of C whose lines are `x2 ^= x0;`.
std::string write_c(const InPlaceFile& file);

/// An OpenQASM 3 program of CNOT gates on qubits `q`; `output` names them by row at the end.
std::string write_qasm(const InPlaceFile& file);

}  // namespace xorloom
