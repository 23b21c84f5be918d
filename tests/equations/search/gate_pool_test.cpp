#include "equations/search/gate_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

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

using Sum = std::array<Node, 3>;

/// The spare sums, found by many draws.
std::set<Sum> spare_sums(const ZeroSums& sums) {
  Random random(1);
  std::set<Sum> result;
  for (std::size_t i = 0; sums.num_spare() != 0 && i < 40 * sums.num_spare(); ++i) {
    Sum nodes = sums.draw(random());
    std::ranges::sort(nodes);
    result.insert(nodes);
  }
  return result;
}

/// All triples of nodes in use that add up to zero, but not a gate with its operands.
std::set<Sum> expected_sums(const GatePool& pool) {
  std::set<Sum> result;
  const auto is_there = [&](Node node) { return !pool.is_gate(node) || !pool.is_free(node); };
  const auto end = static_cast<Node>(pool.num_nodes());
  for (Node a = 0; a < end; ++a) {
    for (Node b = a + 1; b < end; ++b) {
      for (Node c = b + 1; c < end; ++c) {
        if (!is_there(a) || !is_there(b) || !is_there(c)) continue;
        if ((pool.value(a) ^ pool.value(b)) == pool.value(c)) result.insert({a, b, c});
      }
    }
  }
  for (const Node gate : pool.in_use()) {
    Sum nodes{gate, pool.operands(gate)[0], pool.operands(gate)[1]};
    std::ranges::sort(nodes);
    result.erase(nodes);
  }
  return result;
}

ZeroSums sums_of(const GatePool& pool) {
  ZeroSums sums(pool.num_nodes());
  for (Node input = 0; input < pool.num_inputs(); ++input) sums.enter(input, pool);
  for (const Node gate : pool.in_use()) {
    sums.enter(gate, pool);
    sums.define(gate, pool.operands(gate)[0], pool.operands(gate)[1]);
  }
  return sums;
}

TEST_CASE("The spare sums are all that add up to zero and define no gate") {
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const BitMatrix matrix = test::random_matrix(24, 4 + seed % 4, seed);
    const GatePool pool(share_pairs(direct_program(matrix), &random), 2, random);
    const ZeroSums sums = sums_of(pool);
    CHECK(sums.num_spare() == expected_sums(pool).size());
    CHECK(spare_sums(sums) == expected_sums(pool));
    most = std::max(most, sums.num_spare());
  }
  CHECK(most > 10);
}

TEST_CASE("A node that leaves takes its sums with it, and one that enters brings its own") {
  // Nodes 3 = 0+1, 4 = 1+2, 5 = 3+2, which is 0+4 as well.
  Random random(1);
  GatePool pool({3, {{0, 1}, {1, 2}, {3, 2}}, {4, 5}}, 1, random);
  ZeroSums sums = sums_of(pool);
  CHECK(spare_sums(sums) == std::set<Sum>{{0, 4, 5}});
  // Defined by that, it may be computed from 3 and 2 again.
  sums.define(5, 4, 0);
  pool.set_operands(5, 4, 0);
  CHECK(spare_sums(sums) == std::set<Sum>{{2, 3, 5}});
  sums.leave(3);
  pool.remove(3);
  CHECK(sums.num_spare() == 0);
  // 6 - 3 = 3 is free again: it becomes 0+2, which is 3 nodes' sum with 1 and 5.
  const Node node = pool.add(0, 2);
  sums.enter(node, pool);
  CHECK(spare_sums(sums) == std::set<Sum>{{0, 2, node}, {1, node, 5}});
  sums.define(node, 2, 0);
  CHECK(spare_sums(sums) == std::set<Sum>{{1, node, 5}});
}

TEST_CASE("Each of the three nodes of a sum comes first as often as the others") {
  Random random(1);
  const GatePool pool({3, {{0, 1}, {1, 2}, {3, 2}}, {4, 5}}, 1, random);
  const ZeroSums sums = sums_of(pool);
  std::vector<int> count(pool.num_nodes());
  for (int i = 0; i < 3000; ++i) ++count[sums.draw(random())[0]];
  for (const Node node : std::vector<Node>{0, 4, 5}) CHECK(count[node] > 900);
}

TEST_CASE("In a large circuit the sum that defines a gate is known, however far its nodes") {
  Circuit circuit{2 * ZeroSums::kMostLooks, {}, {}};
  for (Circuit::Value i = 0; i < 64; ++i) {
    const auto last = static_cast<Circuit::Value>(circuit.inputs - 1 - i);
    circuit.outputs.push_back(circuit.add(i, last));
  }
  Random random(1);
  const GatePool pool(circuit, 1, random);
  ZeroSums sums = sums_of(pool);
  CHECK(sums.num_spare() == 0);
  for (const Node gate : pool.in_use()) sums.leave(gate);
  CHECK(sums.num_spare() == 0);
}

}  // namespace
}  // namespace xorloom
