#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "gen/vector/lower.hpp"
#include "gen/vector/machine_program.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

using Vector = std::vector<std::uint8_t>;
using Memory = InstructionSchedule::Memory;
using Op = InstructionSchedule::Op;

/// The schedules are run here, not their bytes.
Vector no_code(const TilePlaces&, const InstructionSchedule&, const MachineFacts&,
               const MachineCodeOptions&) {
  return {0};
}

/// A machine that no processor has.
MachineFacts machine_of(std::size_t vector_bytes, std::size_t registers) {
  MachineFacts machine;
  machine.vector_bytes = vector_bytes;
  machine.registers = registers;
  machine.xor_operands = 2;
  machine.has_matrix_products = false;
  machine.work = {1, 1, 2, 1};
  machine.encode = no_code;
  return machine;
}

/// Runs the schedule of a turn on bytes.
class Interpreter {
 public:
  Interpreter(const LoweredKernels& kernels, const MachineFacts& machine)
      : kernels_(kernels),
        bytes_(machine.vector_bytes),
        registers_(machine.registers, Vector(bytes_)),
        slots_(kernels.schedule.slots, Vector(bytes_)) {}

  void turn(const std::vector<std::uint8_t*>& streams) {
    for (const auto& in : kernels_.schedule.instructions) {
      const bool has_memory = in.memory.kind != Memory::Kind::kNowhere;
      Vector& target = registers_.at(in.target);
      const Vector a = registers_.at(in.a);
      if (in.op == Op::kStore) {
        std::copy_n(a.begin(), bytes_, place(streams, in.memory));
      } else if (in.op == Op::kCopy) {
        target = a;
      } else if (in.op == Op::kZero) {
        target.assign(bytes_, 0);
      } else {
        REQUIRE((in.op == Op::kLoad || in.op == Op::kXor));
        Vector b = has_memory ? Vector(bytes_) : registers_.at(in.b);
        if (has_memory) std::copy_n(place(streams, in.memory), bytes_, b.begin());
        for (std::size_t i = 0; in.op == Op::kXor && i < bytes_; ++i) b[i] ^= a[i];
        target = b;
      }
    }
  }

 private:
  std::uint8_t* place(const std::vector<std::uint8_t*>& streams, const Memory& memory) {
    if (memory.kind == Memory::Kind::kSlot) return slots_.at(memory.index).data();
    const auto& side =
        memory.kind == Memory::Kind::kInput ? kernels_.places.inputs : kernels_.places.outputs;
    return streams.at(side.at(memory.index).stream) + side[memory.index].offset;
  }

  const LoweredKernels& kernels_;
  std::size_t bytes_;
  std::vector<Vector> registers_;
  std::vector<Vector> slots_;
};

/// Encodes by the schedules of the machine, and compares with the oracle.
void check_encoding(const std::string& spec, std::size_t packet_bytes,
                    const MachineFacts& machine) {
  CAPTURE(spec);
  CAPTURE(packet_bytes);
  CAPTURE(machine.vector_bytes);
  CAPTURE(machine.registers);
  Code code = make_code(spec);
  code.packet_bytes = packet_bytes;
  const Program program = direct_encoding(code);
  const OrderedProgram found = machine_program(program, code.rows(), machine, {});
  const auto parts = lower_packets(program, packet_bytes, machine, {}, found.order());
  REQUIRE(!parts.empty());
  const bool is_narrow = parts.front().tile_bytes == packet_bytes;
  const std::size_t super_blocks = is_narrow ? 3 : 1;
  const std::size_t chunk_bytes = super_blocks * code.rows() * packet_bytes;
  Stripe stripe(code.locations, chunk_bytes, 5);
  Stripe want = stripe;
  oracle(code, encoding_map(code), want.chunks(), chunk_bytes);
  std::size_t num_outputs = 0;
  for (const LoweredKernels& part : parts) num_outputs += part.tile.outputs.size();
  const std::size_t turn_bytes = num_outputs / program.outputs.size() * machine.vector_bytes;
  for (const LoweredKernels& part : parts) {
    Interpreter run(part, machine);
    const std::size_t num_tiles = is_narrow ? super_blocks : packet_bytes / part.tile_bytes;
    for (std::size_t t = 0; t < num_tiles; ++t) {
      for (std::size_t at = 0; at < part.tile_bytes; at += turn_bytes) {
        std::vector<std::uint8_t*> streams;
        for (const auto& [location, subchunk] : part.places.streams) {
          streams.push_back(stripe.chunks()[location] + t * part.stride + at);
        }
        run.turn(streams);
      }
    }
  }
  CHECK(stripe == want);
}

TEST_CASE("schedules for vectors of any width encode as the oracle does") {
  for (const std::size_t bytes : {8U, 16U, 24U, 40U, 48U, 64U, 72U, 96U, 128U, 256U}) {
    for (const std::size_t vectors : {1U, 2U, 3U, 4U, 8U}) {
      check_encoding("cauchy:k=5,m=2,w=3", vectors * bytes, machine_of(bytes, 24));
    }
  }
  CHECK_THROWS_AS(check_encoding("cauchy:k=5,m=2,w=3", 64, machine_of(48, 24)), Error);
}

TEST_CASE("schedules for any number of registers encode as the oracle does") {
  for (const std::size_t registers : {4U, 5U, 7U, 24U, 31U, 33U, 63U, 64U}) {
    check_encoding("cauchy-good:k=10,m=4,w=8", 96, machine_of(48, registers));
  }
}

}  // namespace
}  // namespace xorloom
