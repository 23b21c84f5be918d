#include "runtime/engine/program_code.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/initial_circuits.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/machine/executable_memory.hpp"
#include "tests/runtime/engine/packet_scene.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

/// The machine code that runs a program; null if kernels do.
struct MadeCode {
  MadeCode(const Code& code, const Program& program, const PlanOptions& options)
      : computation(make_computation(code, program, options)) {}

  explicit operator bool() const { return computation->has_code(); }
  const ProgramCode* operator->() const {
    return dynamic_cast<const ProgramCode*>(computation.get());
  }

  std::unique_ptr<const Computation> computation;
};

void check_code(const Code& code, const Program& program, Isa isa, Effort effort = Effort::kFast) {
  const auto machine_code = MadeCode(code, program, {.isa = isa, .effort = effort});
  REQUIRE(machine_code);
  const std::size_t chunk_bytes = 5 * chunk_multiple(code);
  const std::size_t columns = chunk_bytes / code.rows();
  for (const Stores stores : {Stores::kOrdinary, Stores::kNonTemporal}) {
    for (const std::size_t misalignment : {0U, 32U, 5U}) {
      CAPTURE(static_cast<int>(stores));
      CAPTURE(misalignment);
      Stripe stripe(code.locations, chunk_bytes, 1, misalignment);
      const Stripe want = expected(code, program, stripe);
      const auto [begin, end] = machine_code->whole_tiles(0, columns);
      machine_code->run(stripe.chunks(), chunk_bytes, begin, end, stores);
      CHECK(stripe == want);
      CHECK(stripe.guards_intact());
    }
  }
}

TEST_CASE("Machine code for packets agrees with the oracle, past the caches and through them") {
  for (const Isa isa : isas_with_code()) {
    for (const std::size_t packet_bytes : {32U, 64U, 96U, 128U, 192U, 320U, 1024U, 4096U}) {
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        CAPTURE(to_string(isa));
        CAPTURE(packet_bytes);
        CAPTURE(seed);
        const Code code = packet_layout(5, 7, packet_bytes);
        check_code(code, random_program(5, 7, 9, seed), isa,
                   seed == 3 ? Effort::kQuick : Effort::kFast);
      }
    }
  }
}

TEST_CASE("Chunks at equal places of pages hold the bytes that others hold") {
  for (const Isa isa : isas_with_code()) {
    for (const std::size_t locations : {8U, 9U, 12U, 14U, 15U, 16U, 28U}) {
      for (const std::size_t shift : {0U, 64U, 4064U, 13U}) {
        for (const std::size_t tiles : {0U, 1U, 2U, 9U}) {
          CAPTURE(to_string(isa));
          CAPTURE(locations);
          CAPTURE(shift);
          CAPTURE(tiles);
          const std::size_t rows = locations > 16 ? 2 : 8;
          const Code code = packet_layout(locations, rows, 64);
          const Program program = random_program(locations, rows, 12, locations);
          const auto machine_code = MadeCode(code, program, {.isa = isa});
          REQUIRE(machine_code);
          std::set<std::size_t> read;
          for (const Element input : program.inputs) read.insert(input / rows);
          const bool crowd =
              vector_machine(isa)->has_cache_hints &&
              (vector_bytes(isa) < 64 || wants_crowded_kernel(this_machine(), read.size()));
          CHECK(machine_code->facts().looks_at_addresses == (locations > 8 && crowd));
          const std::size_t chunk_bytes = tiles * chunk_multiple(code);
          const Stripe stripe(locations, chunk_bytes, 3);
          const Stripe want = expected(code, program, stripe);
          constexpr std::size_t kPitch = 3 * 4096;
          std::vector<std::uint8_t> memory((locations + 1) * kPitch, 0xa5);
          std::uint8_t* base = memory.data();
          base += 4096 - reinterpret_cast<std::uintptr_t>(base) % 4096 + shift;
          std::vector<std::uint8_t> before = memory;
          std::vector<std::uint8_t*> chunks;
          for (std::size_t l = 0; l < locations; ++l) {
            chunks.push_back(base + l * kPitch);
            std::ranges::copy(stripe.chunk(l), chunks[l]);
            std::ranges::copy(want.chunk(l), before.data() + (chunks[l] - memory.data()));
          }
          for (const Stores stores : {Stores::kOrdinary, Stores::kNonTemporal}) {
            machine_code->run(chunks.data(), chunk_bytes, 0, tiles * 64, stores);
            CHECK(memory == before);
          }
        }
      }
    }
  }
}

TEST_CASE("More locations than there are registers for pointers are no matter") {
  for (const Isa isa : isas_with_code()) {
    for (const std::size_t locations : {14U, 15U, 16U, 17U, 40U, 100U}) {
      CAPTURE(to_string(isa));
      CAPTURE(locations);
      const Code code = packet_layout(locations, 2, 64);
      check_code(code, random_program(locations, 2, 5, locations), isa);
    }
  }
}

TEST_CASE("There is no machine code where it is not wanted, cannot be had or would be too long") {
  const Code code = packet_layout(5, 4, 64);
  const Program program = random_program(5, 4, 3, 1);
  CHECK_FALSE(MadeCode(code, program, {.isa = Isa::kPortable}));
  for (const Isa isa : isas_with_code()) {
    CHECK(MadeCode(code, program, {.isa = isa}));
    CHECK_FALSE(MadeCode(code, program, {.isa = isa, .engine = Engine::kKernels}));
    CHECK_FALSE(MadeCode(packet_layout(5, 4, 40), program, {.isa = isa}));
    CHECK_FALSE(MadeCode(packet_layout(5, 4, 8192), program, {.isa = isa}));
    const Code wide = make_code("cauchy:k=60,m=8,w=8");
    CHECK_FALSE(MadeCode(wide, direct_encoding(wide), {.isa = isa}));
    // Nowhere is a place to cut it: each sum reads the one before.
    const Code chained = packet_layout(201, 32, 64);
    Program chain{201, 32, {}, {}, {}};
    for (Element e = 0; e < 3232; ++e) chain.inputs.push_back(e);
    for (Element target = 3232; target < 6432; ++target) {
      chain.outputs.push_back(target);
      chain.equations.push_back({target, {target - 3232, target - 3231}});
      if (target != 3232) chain.equations.back().operands.push_back(target - 1);
    }
    CHECK_FALSE(MadeCode(chained, chain, {.isa = isa}));
  }
}

TEST_CASE("Long programs are machine code in parts, which agree with the oracle over many blocks") {
  const Code code = make_code("cauchy:k=31,m=8,w=8");
  const Program program = direct_encoding(code);
  for (const Isa isa : isas_with_code()) {
    CAPTURE(to_string(isa));
    check_code(code, program, isa);
    const auto machine_code = MadeCode(code, program, {.isa = isa});
    REQUIRE(machine_code);
    CHECK(machine_code->counts().code_bytes > kMostCodeBytes);
    CHECK(machine_code->counts().vectors_written == program.outputs.size());
  }
}

TEST_CASE("A turn computes half a tile of narrow packets, and of wide ones if all is too long") {
  struct Case {
    const char* spec;
    std::size_t turns_of_tile;  // with AVX2
  };
  for (const Case& one :
       {Case{"cauchy:k=5,m=3,w=4", 2}, Case{"cauchy:k=5,m=3,w=4,packet_bytes=128", 1},
        Case{"cauchy-good:k=28,m=4,w=8,packet_bytes=128", 2},
        Case{"cauchy:k=5,m=3,w=4,packet_bytes=32", 1}}) {
    CAPTURE(one.spec);
    const Code code = make_code(one.spec);
    const Program direct = direct_encoding(code);
    const Program program = program_of(greedy_circuit(direct), direct);
    for (const Isa isa : isas_with_code()) {
      CAPTURE(to_string(isa));
      check_code(code, program, isa);
      const auto machine_code = MadeCode(code, program, {.isa = isa});
      REQUIRE(machine_code);
      const TileCounts& counts = machine_code->counts();
      CHECK(counts.vectors_read * program.outputs.size() ==
            counts.vectors_written * program.inputs.size());
      const std::size_t of_turn = counts.vectors_written * counts.vector_bytes;
      std::size_t turns = counts.vector_bytes == 32 ? one.turns_of_tile : 1;
      // A turn without prefetches is always one vector of each packet.
      if (!vector_machine(isa)->has_cache_hints)
        turns = machine_code->facts().tile_columns / counts.vector_bytes;
      CHECK(of_turn * turns == program.outputs.size() * machine_code->facts().tile_columns);
    }
  }
}

TEST_CASE("Whole tiles begin and end at multiples of a tile") {
  for (const Isa isa : isas_with_code()) {
    const auto code = MadeCode(packet_layout(5, 4, 128), random_program(5, 4, 3, 1), {.isa = isa});
    REQUIRE(code);
    for (std::size_t begin = 0; begin < 200; begin += 8) {
      for (std::size_t end = begin; end < 400; end += 8) {
        const ColumnRange range = code->whole_tiles(begin, end);
        REQUIRE(begin <= range.begin);
        REQUIRE(range.begin <= range.end);
        REQUIRE(range.end <= end);
        if (range.begin == range.end) continue;
        REQUIRE(range.begin % 64 + range.end % 64 == 0);
        REQUIRE(range.begin - begin < 64);
        REQUIRE(end - range.end < 64);
      }
    }
  }
}

TEST_CASE("Pages of machine code are never writable and executable at once") {
  const std::vector<std::uint8_t> bytes(5000, 0xc3);
  const auto memory = ExecutableMemory::hold(bytes);
  REQUIRE(memory);
  CHECK(std::equal(bytes.begin(), bytes.end(), static_cast<const std::uint8_t*>(memory->begin())));
  std::ifstream maps("/proc/self/maps");
  if (!maps) return;
  const auto address = reinterpret_cast<std::uintptr_t>(memory->begin());
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t first = 0;
    std::uintptr_t last = 0;
    char dash = 0;
    std::string rights;
    words >> std::hex >> first >> dash >> last >> rights;
    CHECK_FALSE((rights.find('w') != std::string::npos && rights.find('x') != std::string::npos));
    if (address < first || address >= last) continue;
    found = true;
    CHECK(rights == "r-xp");
  }
  CHECK(found);
}

}  // namespace
}  // namespace xorloom
