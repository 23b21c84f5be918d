#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/circuit.hpp"

namespace xorloom {

/// A circuit without temporaries: wires hold the inputs, each line adds a wire to another, and at
/// the end the wires hold the outputs in some order. Only invertible square matrices have one. The
/// literature counts its lines as s-XORs, or as CNOT gates of a quantum circuit.
struct InPlaceCircuit {
  using Wire = std::uint16_t;

  /// wire `to` ^= wire `from`
  struct Line {
    Wire to;
    Wire from;
    friend bool operator==(const Line&, const Line&) = default;
  };

  std::vector<Line> lines;
  std::vector<Wire> outputs;  ///< by row of the matrix: the wire that holds it at the end

  std::size_t size() const { return outputs.size(); }
  std::size_t xors() const { return lines.size(); }
};

/// Most rows of a matrix with a circuit in place.
inline constexpr std::size_t kMostWires = 1024;

/// The circuit of no lines, which computes the identity.
InPlaceCircuit identity_in_place(std::size_t size);

/// The matrix that a circuit computes.
BitMatrix matrix_of(const InPlaceCircuit& circuit);

/// Throws kInternal if the circuit does not compute the matrix.
void prove(const InPlaceCircuit& circuit, const BitMatrix& matrix);

/// Levels of a circuit: lines of one level share no wire, written or read. This is the depth of the
/// CNOT circuit with its lines in this order.
std::size_t depth(const InPlaceCircuit& circuit);

/// The circuit of the transposed matrix: lines in reverse order, written and read wires exchanged.
InPlaceCircuit transposed(const InPlaceCircuit& circuit);

/// The circuit of the inverse matrix: lines in reverse order.
InPlaceCircuit inverted(const InPlaceCircuit& circuit);

/// The circuit with each line as a gate.
Circuit circuit_of(const InPlaceCircuit& circuit);

}  // namespace xorloom
