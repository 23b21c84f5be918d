#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/field/byte_maps.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/ir/random.hpp"
#include "gen/machines/machines.hpp"
#include "gen/vector/lower.hpp"
#include "gen/vector/machine_program.hpp"
#include "tests/gen/machines/arm_interpreter.hpp"
#include "tests/gen/machines/riscv_interpreter.hpp"

namespace xorloom {
namespace {

/// A machine, with the encoder of a processor that need not be this one, and how its code is run.
struct Case {
  MachineFacts machine;
  bool is_riscv;
  std::function<std::size_t(const std::vector<std::uint8_t>&, std::uint8_t* const*, std::size_t)>
      run;
};

std::vector<Case> cases() {
  std::vector<Case> all;
#if defined(XORLOOM_TEST_AARCH64)
  for (MachineFacts machine : {kNeonMachine, neon_sha3_machine()}) {
    machine.encode = aarch64_code;
    all.push_back({machine, false, [](const auto& code, auto streams, auto tiles) {
                     return ArmInterpreter().run(code, streams, tiles);
                   }});
  }
#endif
  for (const std::size_t bytes : {16U, 32U, 64U}) {
    MachineFacts machine = rvv_machine(bytes);
    machine.encode = riscv64_code;
    all.push_back({machine, true, [bytes](const auto& code, auto streams, auto tiles) {
                     return RiscvInterpreter(bytes).run(code, streams, tiles);
                   }});
  }
  return all;
}

/// Chunks of a code, filled at random, and the pointers to them.
struct Chunks {
  Chunks(std::size_t count, std::size_t bytes) : chunks(count, std::vector<std::uint8_t>(bytes)) {
    Random random(count + bytes);
    for (auto& chunk : chunks) {
      for (std::uint8_t& byte : chunk) byte = static_cast<std::uint8_t>(random.below(256));
    }
  }
  std::vector<std::uint8_t*> pointers() {
    std::vector<std::uint8_t*> result;
    for (auto& chunk : chunks) result.push_back(chunk.data());
    return result;
  }
  std::vector<std::vector<std::uint8_t>> chunks;
};

/// The direct equations, or those that plans begin with.
enum class Equations { kDirect, kShared };

/// Encodes some super-blocks of packets by the interpreter, and by the oracle. The answer is the
/// number of instructions for each byte of data.
double encode_packets(const std::string& spec, std::size_t packet_bytes, const Case& of,
                      Equations equations = Equations::kDirect) {
  const std::optional<MachineFacts> machine = machine_for_packets(of.machine, packet_bytes);
  REQUIRE(machine);
  Code code = make_code(spec);
  code.packet_bytes = packet_bytes;
  const Program program = direct_encoding(code);
  std::optional<Program> order;
  if (equations == Equations::kShared) {
    order = machine_program(program, code.rows(), *machine, {}).ordered;
  }
  const std::vector<LoweredKernels> parts =
      lower_packets(program, packet_bytes, *machine, {}, order ? &*order : nullptr);
  REQUIRE(!parts.empty());
  const std::size_t tile_bytes = parts.front().tile_bytes;
  const bool is_narrow = packet_bytes == tile_bytes;
  const std::size_t super_blocks = is_narrow ? 3 : 1;
  const std::size_t bytes = super_blocks * code.rows() * packet_bytes;
  Chunks made(code.locations, bytes);
  Chunks expected = made;
  std::size_t executed = 0;
  for (const LoweredKernels& part : parts) {
    std::vector<std::uint8_t*> streams;
    for (const auto& [location, subchunk] : part.places.streams) {
      streams.push_back(made.chunks[location].data());
    }
    executed +=
        of.run(part.bytes, streams.data(), is_narrow ? super_blocks : packet_bytes / tile_bytes);
  }
  const auto pointers = expected.pointers();
  oracle(code, encoding_map(code), pointers.data(), bytes);
  CHECK(made.chunks == expected.chunks);
  const std::size_t data_bytes = code.data.size() / code.subchunks * bytes;
  return static_cast<double>(executed) / static_cast<double>(data_bytes);
}

TEST_CASE("Kernels of other processors encode packets as the oracle does") {
  for (const Case& of : cases()) {
    CAPTURE(of.machine.xor_operands);
    CAPTURE(of.machine.vector_bytes);
    for (const char* spec :
         {"cauchy:k=5,m=2,w=3", "cauchy-good:k=10,m=4,w=8", "cauchy:k=28,m=4,w=5"}) {
      CAPTURE(spec);
      encode_packets(spec, 64, of);
      encode_packets(spec, 192, of);
    }
    // Longer vectors do not divide these packets: shorter ones of the same processor do.
    for (const std::size_t packet_bytes : {16U, 32U, 48U, 96U, 160U}) {
      encode_packets("cauchy:k=5,m=2,w=3", packet_bytes, of);
    }
    // Cells lie further from a stream's pointer than a load reaches.
    encode_packets("liberation:k=3,w=17", 4096, of);
  }
}

TEST_CASE("Packets are computed by vectors of the same processor that divide them, or by none") {
  for (const MachineFacts& machine :
       {kTwoWayMachine, kThreeWayMachine, kNeonMachine, neon_sha3_machine(), kRvv16Machine,
        kRvv32Machine, kRvv64Machine, rvv_machine(128)}) {
    CAPTURE(machine.vector_bytes);
    // An encoder that tells the processor, as this build has none of another one.
    MachineFacts of_processor = machine;
    of_processor.encode = riscv64_code;
    const std::size_t shortest = machine.reads_memory ? 32 : 16;
    for (std::size_t packet_bytes = 8; packet_bytes <= 640; packet_bytes += 8) {
      CAPTURE(packet_bytes);
      const auto found = machine_for_packets(of_processor, packet_bytes);
      REQUIRE(found.has_value() == (packet_bytes % shortest == 0));
      if (!found) continue;
      const bool has_its_encoder = found->encode == of_processor.encode;
      CHECK(has_its_encoder);
      CHECK(packet_bytes % found->vector_bytes == 0);
      CHECK(found->vector_bytes <= machine.vector_bytes);
      CHECK(found->reads_memory == machine.reads_memory);
      const bool is_itself = *found == of_processor;
      CHECK(is_itself == (packet_bytes % machine.vector_bytes == 0));
    }
  }
}

double encode_words(const std::string& spec, std::size_t vectors, const Case& of) {
  const MachineFacts& machine = of.machine;
  const Code code = make_code(spec);
  const LinearMap map = encoding_map(code);
  const Program program = direct_symbols(code, map);
  const auto kernels = lower_symbols(program, vectors, machine, [&](Field::Symbol coefficient) {
    std::vector<std::uint8_t> tables(kNibbleMapBytes);
    write_nibble_maps(code.field, coefficient, tables.data());
    return tables;
  });
  REQUIRE(kernels);
  constexpr std::size_t kTiles = 5;
  const std::size_t bytes = kTiles * vectors * machine.vector_bytes;
  Chunks made(code.locations, bytes);
  Chunks expected = made;
  std::vector<std::uint8_t*> streams;
  for (const auto* cells : {&program.inputs, &program.outputs}) {
    for (const Cell cell : *cells) streams.push_back(made.chunks[cell].data());
  }
  const std::size_t executed = of.run(kernels->bytes, streams.data(), kTiles);
  const auto pointers = expected.pointers();
  oracle_words(code, map, pointers.data(), bytes);
  CHECK(made.chunks == expected.chunks);
  return static_cast<double>(executed) / static_cast<double>(program.inputs.size() * bytes);
}

TEST_CASE("Kernels of other processors encode words as the oracle does") {
  for (const Case& of : cases()) {
    CAPTURE(of.machine.xor_operands);
    CAPTURE(of.machine.vector_bytes);
    for (const char* spec : {"rs:k=10,m=4", "isa-cauchy:k=28,m=4", "rs:k=4,m=2", "rs:k=3,m=1,w=4",
                             "isa-cauchy:k=5,m=19", "leopard:k=10,m=4"}) {
      CAPTURE(spec);
      for (const std::size_t vectors : {1U, 2U, 4U}) encode_words(spec, vectors, of);
    }
  }
}

TEST_CASE("Instructions for a byte of data are as few as the engine's page says") {
  struct Row {
    const char* spec;
    double neon, sha3, rvv;
  };
  for (const Row& row : {Row{"cauchy-good:k=10,m=4,w=8", 0.51, 0.42, 0.64},
                         Row{"cauchy-good:k=28,m=4,w=8", 0.64, 0.48, 0.76},
                         Row{"isa-cauchy:k=10,m=4", 1.25, 1.03, 1.40},
                         Row{"isa-cauchy:k=28,m=4", 1.25, 1.01, 1.35}}) {
    CAPTURE(row.spec);
    for (const Case& of : cases()) {
      if (of.machine.vector_bytes != 16) continue;
      const bool is_packets = make_code(row.spec).arrangement == Arrangement::kPacket;
      const double count = is_packets ? encode_packets(row.spec, 64, of, Equations::kShared)
                                      : encode_words(row.spec, of.machine.word_vectors, of);
      CHECK(count <= (of.is_riscv                      ? row.rvv
                      : of.machine.has_three_way_xor() ? row.sha3
                                                       : row.neon) +
                         0.005);
    }
  }
}

}  // namespace
}  // namespace xorloom
