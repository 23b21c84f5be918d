#include "equations/search/gate_pool.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace xorloom {
namespace {

using Node = GatePool::Node;

/// Nodes 3 = 0+1 and 4 = 3+2, and a spare one.
GatePool small_pool() {
  Random random(1);
  return GatePool({3, {{0, 1}, {3, 2}}, {4, 3}}, 1, random);
}

TEST_CASE("A pool holds the circuit it was loaded with") {
  const GatePool pool = small_pool();
  CHECK(pool.num_inputs() == 3);
  CHECK(pool.num_gates() == 2);
  CHECK(pool.num_nodes() == 6);
  CHECK(pool.in_use() == std::vector<Node>{3, 4});
  CHECK(pool.outputs() == std::vector<Node>{4, 3});
  CHECK(pool.operands(4) == Circuit::Gate{3, 2});
  CHECK(!pool.is_gate(2));
  CHECK(pool.is_gate(3));
  CHECK(pool.is_free(5));
}

TEST_CASE("Values alike are loaded as one node, sums of nothing as none") {
  // Value 3 = 0+1, value 4 the same again, value 5 = 3+4 = 0, value 6 = 5+2 = 2.
  const Circuit circuit{3, {{0, 1}, {1, 0}, {3, 4}, {5, 2}}, {3, 4, 5, 6, Circuit::kZero}};
  Random random(1);
  const GatePool pool(circuit, 0, random);
  CHECK(pool.num_gates() == 1);
  CHECK(pool.outputs() == std::vector<Node>{3, 3, GatePool::kNone, 2, GatePool::kNone});
}

TEST_CASE("A node is found as any sum that it is, as long as it is there") {
  GatePool pool = small_pool();
  CHECK(pool.find_sum(1, 0) == 3);
  CHECK(pool.find_sum(4, 2) == 3);
  CHECK(pool.find_sum(4, 3) == 2);
  CHECK(pool.find_sum(1, 2) == GatePool::kNone);

  CHECK(pool.add(1, 2) == 5);
  CHECK(pool.is_full());
  CHECK(pool.find_sum(1, 2) == 5);
  CHECK(pool.find_sum(0, 4) == 5);

  CHECK(pool.remove(3) == Circuit::Gate{0, 1});
  CHECK(!pool.is_full());
  CHECK(pool.is_free(3));
  CHECK(pool.find_sum(0, 1) == GatePool::kNone);
  CHECK(pool.in_use() == std::vector<Node>{5, 4});
}

TEST_CASE("To re-associate moves the inner sum and keeps the outer") {
  GatePool pool = small_pool();
  pool.reassociate({4, 3, 0, 1, 2});
  CHECK(pool.operands(3) == Circuit::Gate{1, 2});
  CHECK(pool.operands(4) == Circuit::Gate{0, 3});
  CHECK(pool.find_sum(1, 2) == 3);
  CHECK(pool.find_sum(0, 1) == GatePool::kNone);
  CHECK(pool.find_sum(0, 3) == 4);
}

TEST_CASE("A chain drawn is a gate and one that it reads") {
  const GatePool pool = small_pool();
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t bits = random();
    const auto chain = pool.draw_chain(bits);
    REQUIRE(chain.has_value() == (pool.draw(bits) == 4));
    if (!chain) continue;
    CHECK(chain->gate == 4);
    CHECK(chain->inner == 3);
    CHECK(chain->a + chain->b == 1);
    CHECK(chain->c == 2);
  }
}

TEST_CASE("A probe shows every pair that adds up to a gate, until it is told to stop") {
  const GatePool pool = small_pool();
  for (const int most : {1, 100}) {
    int num_calls = 0;
    pool.probe(0, [&](Node gate, Node first, Node second) {
      CHECK(gate == 3);
      CHECK(pool.find_sum(first, second) == gate);
      CHECK(first != gate);
      CHECK(second != gate);
      return ++num_calls == most;
    });
    // Eight nodes looked at, two of the six twice: 0+1, 1+0, 2+4, 4+2, and 0+1, 1+0 again.
    CHECK(num_calls == (most == 1 ? 1 : 6));
  }
}

}  // namespace
}  // namespace xorloom
