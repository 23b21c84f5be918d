#include "equations/search/gate_search.hpp"

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/passes/gate_trees.hpp"
#include "equations/search/optimize.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/program_digest.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

TEST_CASE("A search for few gates computes the same and never takes more gates") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(9, 4, 20, seed);
    for (const std::size_t inputs : {2U, 4U, 6U}) {
      const Program found = search_gates(program, {.inputs = inputs, .seed = seed, .moves = 200});
      check_program(found);
      prove(found, program);
      CHECK(num_gates(found, inputs) <= num_gates(fuse_wide(program, inputs), inputs));
    }
  }
}

TEST_CASE("The same seed and moves give the same gates") {
  const Program direct = direct_program(test::random_matrix(12, 20, 3));
  const Program few = optimize(direct, {.effort = Effort::kFast});
  const GateSearch search{.inputs = 4, .seed = 7, .moves = 300};
  CHECK(search_gates(few, search) == search_gates(few, search));
  // On every machine, with every C library.
  CHECK(test::digest(search_gates(few, search)) == 1334465035773180007U);
}

TEST_CASE("Fewest XORs are not fewest gates: a search finds less") {
  const Code code = make_code("cauchy-good:k=6,m=3,w=8");
  const Program few = optimize(direct_encoding(code), {.effort = Effort::kQuick});
  for (const std::size_t inputs : {4U, 6U}) {
    CAPTURE(inputs);
    const Program found = search_gates(few, {.inputs = inputs, .moves = 2000});
    CHECK(num_gates(found, inputs) * 100 < num_gates(fuse_wide(few, inputs), inputs) * 97);
  }
}

TEST_CASE("Depth is a price: fewer levels are found where they are asked for") {
  const Code code = make_code("cauchy-good:k=6,m=3,w=8");
  const Program few = optimize(direct_encoding(code), {.effort = Effort::kFast});
  // Soft, as a price is.
  const auto depth = [&](std::size_t most) {
    const Program found = search_gates(few, {.inputs = 4, .depth = most, .moves = 2000});
    return gate_depth(gate_trees(found, 4));
  };
  CHECK(depth(4) < depth(0));
}

TEST_CASE("Gates are never worse than any program that a search begins with") {
  const GatePrices prices({{2, 1000}, {3, 1600}, {4, 2900}});
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(9, 4, 20, seed);
    const Program few = optimize(program, {.effort = Effort::kFast, .seed = seed});
    for (const std::size_t depth : {0U, 2U, 3U}) {
      CAPTURE(depth);
      GateSearch search{.prices = prices, .depth = depth, .seed = seed, .moves = 1};
      search.known = {few};
      const auto rank = [&](const Program& each) { return gate_rank(each, prices, depth); };
      const GateRank fast = rank(search_gates(program, search));
      CHECK(fast <= rank(program));
      CHECK(fast <= rank(search.known.front()));
      if (depth != 0) CHECK(fast <= rank(written_out(program)));
      search.moves = 300;
      CHECK(rank(search_gates(program, search)) <= fast);
    }
  }
}

TEST_CASE("Levels that no gates can have are refused") {
  const Program program = direct_program(test::matrix_of_rows({"11111111110", "10000000001"}));
  CHECK(test::refusal(Status::kInvalidArgument,
                      [&] { search_gates(program, {.inputs = 3, .depth = 2}); }) ==
        "levels = 2 is less than the 3 levels that an output of 10 inputs needs with gates of "
        "3 inputs");
  CHECK(gate_rank(search_gates(program, {.inputs = 3, .depth = 3}), GatePrices::uniform(3), 3)
            .excess == 0);
}

TEST_CASE("Equations too large for a search are refused, with the bound") {
  const Program direct = direct_encoding(make_code("rs:k=100,m=25"));
  CHECK(test::refusal(Status::kUnsupported, [&] { search_gates(direct, {}); }) ==
        "the equations have 77300 XORs, and a search for few gates takes at most 65536");
}

TEST_CASE("A search that is told to stop stops, and outputs that are zero or alike are kept") {
  const BitMatrix matrix = test::matrix_of_rows({"11110000", "00000000", "11110000", "11111111"});
  const Program program = direct_program(matrix);
  const Program found = search_gates(
      program,
      {.inputs = 4, .is_endless = true, .stop_requested = [n = 0]() mutable { return ++n > 500; }});
  CHECK(evaluate_symbolically(found) == matrix);
  CHECK(num_gates(found, 4) == 3);
}

TEST_CASE("A move over many sums stops in its midst") {
  // A move looks at each pair of 4,000 sums, some thousand times: minutes.
  const Program program = direct_program(test::random_matrix(4000, 300, 1, 12));
  int asked = 0;
  const Program found = search_gates(
      program, {.inputs = 4, .is_endless = true, .stop_requested = [&] { return ++asked > 20; }});
  CHECK(asked < 40);
  CHECK(evaluate_symbolically(found) == evaluate_symbolically(program));
}

}  // namespace
}  // namespace xorloom
