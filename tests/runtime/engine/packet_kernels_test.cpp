#include "runtime/engine/packet_kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/ir/proof.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/runtime/engine/packet_scene.hpp"
#include "tests/runtime/face/allocations.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

void check_whole(const Code& code, const Program& program, Isa isa, std::size_t super_blocks,
                 std::size_t misalignment) {
  const auto computation = make_computation(code, program, {.isa = isa});
  const std::size_t chunk_bytes = super_blocks * chunk_multiple(code);
  Stripe stripe(code.locations, chunk_bytes, super_blocks + 17 * misalignment, misalignment);
  const Stripe want = expected(code, program, stripe);
  computation->run(stripe.chunks(), chunk_bytes, 0, computation->columns(chunk_bytes));
  CHECK(stripe == want);
  CHECK(stripe.guards_intact());
}

/// Column numbers from 0 to the last, a random multiple of 8 apart.
std::vector<std::size_t> random_cuts(std::size_t columns, std::mt19937_64& random) {
  std::vector<std::size_t> cuts{0};
  while (cuts.back() < columns) {
    cuts.push_back(std::min(columns, cuts.back() + 8 * (1 + random() % (columns / 16 + 1))));
  }
  return cuts;
}

constexpr std::size_t kPacketBytes[] = {8,   16,  24,  40,  56,  64,  72,   120,
                                        128, 136, 200, 248, 256, 264, 1032, 4096};

}  // namespace

TEST_CASE("random programs agree with the oracle at every packet size, length and alignment") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t packet_bytes : kPacketBytes) {
      for (const std::size_t super_blocks : Sizes{0, 1, 2, 3, 4, 5, 8, 13}) {
        if (super_blocks * packet_bytes > 5000) continue;
        const std::uint64_t seed = packet_bytes + super_blocks;
        INFO(to_string(isa), ", ", packet_bytes, "-byte packets, ", super_blocks,
             " super-blocks, seed ", seed);
        const Code code = packet_layout(5, 4, packet_bytes);
        check_whole(code, random_program(5, 4, seed % 9, seed), isa, super_blocks, seed % 5 * 3);
      }
    }
  }
}

TEST_CASE("many super-blocks of narrow packets agree with the oracle") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t super_blocks : Sizes{63, 64, 65, 127, 128, 131}) {
      INFO(to_string(isa), ", ", super_blocks, " super-blocks");
      check_whole(packet_layout(3, 2, 72), random_program(3, 2, 3, 5), isa, super_blocks, 1);
    }
  }
}

TEST_CASE("ranges of columns in any order and cut anywhere add up to the whole") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t packet_bytes : kPacketBytes) {
      const std::uint64_t seed = packet_bytes;
      INFO(to_string(isa), ", ", packet_bytes, "-byte packets, seed ", seed);
      std::mt19937_64 random(seed);
      const Code code = packet_layout(6, 3, packet_bytes);
      const Program program = random_program(6, 3, 5, seed);
      const auto computation = make_computation(code, program, {.isa = isa});
      const std::size_t chunk_bytes = chunk_multiple(code) * (packet_bytes > 1000 ? 2 : 11);
      Stripe stripe(6, chunk_bytes, seed, 5);
      const Stripe want = expected(code, program, stripe);
      const auto cuts = random_cuts(computation->columns(chunk_bytes), random);
      std::vector<std::size_t> order(cuts.size() - 1);
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::ranges::shuffle(order, random);
      for (const std::size_t i : order) {
        computation->run(stripe.chunks(), chunk_bytes, cuts[i], cuts[i + 1]);
      }
      CHECK(stripe == want);
      CHECK(stripe.guards_intact());
    }
  }
}

TEST_CASE("the paper's iterative equations and other chained ones compute their codes") {
  for (const Isa isa : machine_isas()) {
    INFO(to_string(isa));
    check_whole(make_code(kWorkedExample), paper_iterative(), isa, 9, 3);
    for (const char* spec : {"cauchy-good:k=10,m=4,w=8", "cauchy:k=3,m=3,w=4,packet_bytes=320"}) {
      const Code code = make_code(spec);
      check_whole(code, direct_encoding(code), isa, 9, 3);
      check_whole(code, chained(direct_encoding(code)), isa, 9, 11);
    }
  }
}

namespace {

/// A code of random factors on packets of w rows. From 0 to all of the factors are 0.
Code random_code(std::size_t w, std::size_t k, std::size_t packet_bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Field field(w);
  Code code =
      systematic_code("random", field, matrix_of(3, k, [&](std::size_t, std::size_t) {
                        const bool is_zero = random() % 8 < seed % 9;
                        return is_zero ? 0 : static_cast<Field::Symbol>(random() % field.size());
                      }));
  code.packet_bytes = packet_bytes;
  return code;
}

}  // namespace

TEST_CASE("rows of maps, several of which are a step, agree with the oracle") {
  bool are_plain = false;
  bool are_together = false;
  for (const Isa isa : machine_isas()) {
    for (const std::size_t w : Sizes{1, 2, 3, 4, 5, 6, 7, 8, 11, 16}) {
      for (const std::size_t packet_bytes : Sizes{8, 72, 64, 256, 264, 1032}) {
        const std::uint64_t seed = 16 * w + packet_bytes / 8;
        const std::size_t super_blocks = 1 + seed % 7;
        INFO(to_string(isa), ", w = ", w, ", ", packet_bytes, "-byte packets, ", super_blocks,
             " super-blocks, seed ", seed);
        const Code code = random_code(w, 1 + seed % 11, packet_bytes, seed);
        const LinearMap map = encoding_map(code);
        const PacketKernels kernels(code, map, isa);
        are_plain = are_plain || (kernels.facts().kernel_rows & kPlainPackets) != 0;
        are_together = are_together || (kernels.facts().kernel_rows & kPacketRowSteps) != 0;
        const std::size_t chunk_bytes = super_blocks * chunk_multiple(code);
        const Stripe before(code.locations, chunk_bytes, seed, seed % 5 * 3);
        Stripe want = before;
        oracle(code, map, want.chunks(), chunk_bytes);
        for (const Stores stores : {Stores::kNear, Stores::kOrdinary}) {
          Stripe stripe = before;
          kernels.run(stripe.chunks(), chunk_bytes, 0, kernels.columns(chunk_bytes), stores);
          CHECK(stripe == want);
          CHECK(stripe.guards_intact());
        }
      }
    }
  }
  CHECK(are_plain);
  CHECK(are_together);
}

TEST_CASE(
    "rows of dense maps read each packet once for four rows, and rows of sparse maps do not") {
  const Code dense = make_code("cauchy-good:k=10,m=4,w=8");
  const LinearMap map = decoding_map(dense, Sizes{0, 3, 4, 7}, {});
  // 8 steps of 80 packets, of which about a sixteenth is in no row, and of 15 sets.
  CHECK(PacketKernels(dense, map, Isa::kPortable).cost() <= 8 * (80 + 15));
  CHECK(direct_xors(dense, map) > 1000);
  const Code sparse = make_code("evenodd:k=5");
  const PacketKernels rows(sparse, encoding_map(sparse), Isa::kPortable);
  CHECK(rows.cost() == direct_xors(sparse, encoding_map(sparse)));
  CHECK(rows.facts().kernel_rows == kPlainPackets);
}

TEST_CASE("an equation of no operand writes zeros and one of a single operand copies") {
  Program program{3, 2, {0, 1}, {2, 4, 5}, {{4, {}}, {2, {1}}, {5, {2, 4}}}};
  check_program(program);
  for (const Isa isa : machine_isas()) {
    INFO(to_string(isa));
    for (const std::size_t packet_bytes : Sizes{8, 64, 328}) {
      check_whole(packet_layout(3, 2, packet_bytes), program, isa, 6, 1);
    }
  }
}

TEST_CASE("a cell that is assigned but is no output is left alone") {
  const Program program{2, 2, {0}, {3}, {{2, {0}}, {3, {2}}}};
  for (const Isa isa : machine_isas()) {
    INFO(to_string(isa));
    check_whole(packet_layout(2, 2, 64), program, isa, 3, 0);
  }
}

TEST_CASE("locations that take no part may have null pointers") {
  const Program program{4, 1, {1}, {2}, {{2, {1}}}};
  const Code code = packet_layout(4, 1, 64);
  for (const Isa isa : machine_isas()) {
    Stripe stripe(4, 640, 3);
    std::uint8_t* const chunks[] = {nullptr, stripe.chunks()[1], stripe.chunks()[2], nullptr};
    const auto computation = make_computation(code, program, {.isa = isa});
    computation->run(chunks, 640, 0, 640);
    CHECK(std::ranges::equal(stripe.chunk(1), stripe.chunk(2)));
  }
}

TEST_CASE("equations cost their XORs, and copies one") {
  CHECK(make_computation(make_code(kWorkedExample), paper_iterative(), {.isa = Isa::kPortable})
            ->cost() == 33);
  CHECK(make_computation(packet_layout(3, 2, 8), {3, 2, {0}, {4}, {{4, {0}}}},
                         {.isa = Isa::kPortable})
            ->cost() == 1);
}

namespace {

/// `count` temporaries, all alive until their sum, which is 0 or the one input.
Program many_alive(std::size_t count) {
  Program program{1, 2, {0}, {1}, {}};
  Equation sum{1, {}};
  for (std::size_t t = 0; t < count; ++t) {
    const Element temporary = program.first_temporary() + static_cast<Element>(t);
    program.equations.push_back({temporary, {0}});
    sum.operands.push_back(temporary);
  }
  program.equations.push_back(sum);
  return program;
}

}  // namespace

TEST_CASE("temporaries that crowd the stack block are computed in narrower columns") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t count : Sizes{255, 256, 257, 1024, 1025, 4097, 8191, 8192}) {
      for (const std::size_t packet_bytes : Sizes{8, 72, 328}) {
        INFO(to_string(isa), ", ", count, " temporaries, ", packet_bytes, "-byte packets");
        check_whole(packet_layout(1, 2, packet_bytes), many_alive(count), isa, 3, 1);
      }
    }
  }
}

TEST_CASE("more live temporaries than fit are refused with the bound") {
  CHECK_THROWS_WITH_AS(PacketKernels(packet_layout(1, 2, 64), many_alive(8193), Isa::kPortable),
                       "8193 temporaries are alive at once, more than the 8192 that fit 64 KiB",
                       Error);
}

TEST_CASE("temporaries that die give their room back") {
  Program program{1, 2, {0}, {1}, {}};
  Element last = 0;
  for (Element t = 2; t < 20'002; ++t) {
    program.equations.push_back({t, {last}});
    last = t;
  }
  program.equations.push_back({1, {0, last}});
  for (const Isa isa : machine_isas()) {
    INFO(to_string(isa));
    check_whole(packet_layout(1, 2, 64), program, isa, 5, 1);
  }
}

TEST_CASE("running allocates nothing") {
  for (const Isa isa : machine_isas()) {
    const Code code = make_code(kWorkedExample);
    const auto computation = make_computation(code, paper_iterative(), {.isa = isa});
    const std::size_t chunk_bytes = 20 * chunk_multiple(code);
    const std::size_t columns = computation->columns(chunk_bytes);
    const Stripe stripe(code.locations, chunk_bytes, 1);
    const AllocationCount allocations;
    computation->run(stripe.chunks(), chunk_bytes, 0, columns);
    CHECK(allocations.so_far() == 0);
  }
}

}  // namespace xorloom
