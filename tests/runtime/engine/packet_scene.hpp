#pragma once

#include <vector>

#include "codes/code.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/proof.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/kernels/isa.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {

/// The stripe that `program` must make of `stripe`, by the oracle.
inline Stripe expected(const Code& code, const Program& program, const Stripe& stripe) {
  Stripe result = stripe;
  oracle_packets(evaluate_symbolically(program), program.inputs, program.outputs, code.rows(),
                 code.packet_bytes, result.chunks(), result.chunk_bytes());
  return result;
}

/// The machine's instruction sets that machine code is written for.
inline std::vector<Isa> isas_with_code() {
  std::vector<Isa> isas;
  for (const Isa isa : machine_isas()) {
    if (vector_machine(isa)) isas.push_back(isa);
  }
  return isas;
}

}  // namespace xorloom
