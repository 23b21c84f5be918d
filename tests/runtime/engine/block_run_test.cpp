#include "runtime/engine/graph_run.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/machine/thread_team.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/runtime/engine/graph_trial.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

struct Trial {
  std::size_t threads;  ///< threads that call help()
  std::size_t shares;
  std::size_t multiples;  ///< chunk bytes, in chunk multiples
  std::size_t columns;    ///< approximate columns of a block
  Stores stores = Stores::kOrdinary;
  std::size_t misalignment = 0;
};

void check_trial(const Code& code, BlockRun& run, const Trial& trial) {
  check_on_threads(code, run, trial.threads, trial.multiples, trial.misalignment,
                   [&](std::uint8_t* const* chunks, std::size_t chunk_bytes) {
                     run.begin(chunks, chunk_bytes, trial.columns, trial.shares, trial.stores);
                   });
}

TEST_CASE("any number of threads computes blocks of any length, tails and values included") {
  const std::vector<std::size_t> numbers{1, 2, 3, 8};
  std::size_t turn = 0;
  for (const Isa isa : machine_isas()) {
    for (const std::string& spec : kGraphSpecs) {
      const Code code = make_code(spec);
      const Program program = encoding_program(code);
      for (const std::size_t groups : {1U, 2U, 5U}) {
        const TaskGraph graph = graph_of(code, dealt_out(program, groups), isa);
        BlockRun run(graph);
        for (const std::size_t threads : test::one_by_turns(numbers, turn++)) {
          CAPTURE(spec);
          CAPTURE(to_string(isa));
          CAPTURE(groups);
          CAPTURE(threads);
          check_trial(code, run, {threads, threads, 1, 64, Stores::kNear});
          check_trial(code, run, {threads, threads, 17, 64, Stores::kNear, 13});
          check_trial(code, run, {threads, 2 * threads, 40, 100, Stores::kOrdinary, 64});
          check_trial(code, run, {threads, 2, 33, 512, Stores::kNonTemporal});
        }
      }
    }
  }
}

TEST_CASE("one thread does the blocks of threads that never come") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  const TaskGraph graph = graph_of(code, dealt_out(encoding_program(code), 3), choose_isa());
  BlockRun run(graph);
  for (const std::size_t shares : {2U, 3U, 64U, 256U}) check_trial(code, run, {1, shares, 100, 64});
}

TEST_CASE("threads that come late, come twice or have a high number harm nothing") {
  const Code code = make_code("cauchy-good:k=4,m=3,w=4");
  const TaskGraph graph = graph_of(code, dealt_out(encoding_program(code), 2), choose_isa());
  BlockRun run(graph);
  const std::size_t chunk_bytes = 50 * chunk_multiple(code);
  Stripe stripe(code.locations, chunk_bytes, 3, 0);
  Stripe want = stripe;
  oracle(code, encoding_map(code), want.chunks(), chunk_bytes);
  run.begin(stripe.chunks(), chunk_bytes, 64, 3, Stores::kNear);
  for (const std::size_t thread : {7U, 7U, 0U, 1U, 2U}) run.help(thread);
  CHECK(stripe == want);
}

TEST_CASE("many calls on threads that stay awake give the same bytes") {
  const Code code = make_code("cauchy-good:k=4,m=3,w=4");
  const TaskGraph graph = graph_of(code, dealt_out(encoding_program(code), 2), choose_isa());
  BlockRun run(graph);
  ThreadTeam team;
  team.grow(4);
  const std::size_t chunk_bytes = 64 * chunk_multiple(code);
  Stripe stripe(code.locations, chunk_bytes, 11, 0);
  Stripe want = stripe;
  oracle(code, encoding_map(code), want.chunks(), chunk_bytes);
  for (int call = 0; call < 2000; ++call) {
    run.begin(stripe.chunks(), chunk_bytes, 64, 4, Stores::kNear);
    REQUIRE(team.run(4, std::chrono::microseconds(50),
                     [&](std::size_t thread) noexcept { run.help(thread); }));
  }
  CHECK(stripe == want);
}

TEST_CASE("blocks fit the first cache, or a share of the second where few tiles would") {
  const CacheSizes caches{32 << 10, 1 << 20, 32 << 20};
  const auto blocks_of = [&](const char* spec, Isa isa) {
    const Code code = make_code(spec);
    return graph_of(code, dealt_out(encoding_program(code), 2), isa).near_blocks(caches);
  };
  // 7 chunks of 3 packets: 21 bytes per column, and what is handed over.
  const NearBlocks narrow = blocks_of("cauchy:k=5,m=2,w=3", Isa::kPortable);
  CHECK(narrow.fits_first);
  CHECK(narrow.columns % narrow.least == 0);
  CHECK(narrow.columns * 7 * 3 <= caches.l1);
  CHECK(narrow.far > narrow.columns);
  const NearBlocks wide = blocks_of("cauchy:k=60,m=4,w=8", Isa::kPortable);
  CHECK(!wide.fits_first);
  CHECK(wide.columns == wide.far);
  CHECK(wide.columns >= 2 * wide.least);
}

TEST_CASE("cores keep to blocks where there are some for each, and else to groups") {
  const NearBlocks blocks{64, 256, 2048, true};
  CHECK(near_block_columns(blocks, 8192, 2, Stores::kNear) == 256);
  CHECK(near_block_columns(blocks, 8192, 2, Stores::kNonTemporal) == 2048);
  CHECK(near_block_columns(blocks, 512, 2, Stores::kNear) == 128);
  CHECK(near_block_columns(blocks, 256, 2, Stores::kNear) == 64);
  CHECK(near_block_columns(blocks, 255, 2, Stores::kNear) == 0);
  CHECK(near_block_columns(blocks, 8192, 1000, Stores::kNear) == 0);
  CHECK(near_block_columns(blocks, 0, 0, Stores::kNear) == 0);
}

}  // namespace
}  // namespace xorloom
