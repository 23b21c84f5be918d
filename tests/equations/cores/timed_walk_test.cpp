#include "equations/cores/timed_walk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

/// Whether each gate follows what it reads, and how many gates of steps find no core.
std::size_t overflow_of(const TimedCircuit& timed, std::size_t num_steps, std::size_t cores) {
  const Circuit& circuit = timed.circuit;
  std::vector<std::size_t> load(num_steps + 1, 0);
  REQUIRE(timed.steps.size() == circuit.gates.size());
  for (std::size_t i = 0; i < circuit.gates.size(); ++i) {
    REQUIRE(timed.steps[i] >= 1);
    REQUIRE(timed.steps[i] <= num_steps);
    ++load[timed.steps[i]];
    for (const Circuit::Value operand : circuit.gates[i]) {
      if (operand >= circuit.inputs) CHECK(timed.steps[operand - circuit.inputs] < timed.steps[i]);
    }
  }
  std::size_t overflow = 0;
  for (const std::size_t gates : load) overflow += gates - std::min(gates, cores);
  return overflow;
}

TEST_CASE("Wherever a timed walk stands, its circuit computes the matrix in its steps") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = test::random_matrix(4 + seed % 10, 3 + seed % 23, seed);
    const Circuit start = share_pairs(direct_program(matrix));
    const std::size_t steps = depth(start) + seed % 3;
    const std::size_t cores = 1 + seed % 5;
    TimedWalk walk(start, steps, cores, seed);
    for (int i = 0; i < 20; ++i) {
      walk.run(300, 0);
      const TimedCircuit best = walk.best();
      CHECK(matrix_of(best.circuit) == matrix);
      CHECK(best.circuit.xors() == walk.best_xors());
      CHECK(overflow_of(best, steps, cores) == walk.best_overflow());
    }
  }
}

TEST_CASE("Steps that compute nothing are left out") {
  const Circuit start = share_pairs(direct_program(test::random_matrix(8, 8, 3)));
  TimedWalk walk(start, start.xors() + 20, 1, 1);
  walk.run(50'000, 0);
  REQUIRE(walk.best_overflow() == 0);
  const TimedCircuit best = walk.best();
  for (std::size_t i = 0; i < best.steps.size(); ++i) CHECK(best.steps[i] == i + 1);
}

TEST_CASE("It makes room where there is some") {
  // Eight XORs in four steps on two cores.
  const BitMatrix matrix = test::matrix_of_rows({"111110000", "000001111"});
  const Circuit start = share_pairs(direct_program(matrix));
  TimedWalk walk(start, 4, 2, 1);
  walk.run(100'000, 7);
  CHECK(walk.best_overflow() == 0);
  CHECK(walk.best_xors() == 7);
}

}  // namespace
}  // namespace xorloom
