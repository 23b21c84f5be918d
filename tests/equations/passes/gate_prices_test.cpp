#include "equations/passes/gate_prices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/passes/gate_trees.hpp"
#include "equations/search/gate_search.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/thrown.hpp"

namespace xorloom {
namespace {

/// The lowest price of a sum, by trying every gate last.
std::uint64_t cheapest(std::size_t operands, const std::vector<GatePrices::Gate>& gates) {
  if (operands < 2) return 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& [inputs, price] : gates) {
    const std::size_t left = operands - std::min(operands - 1, inputs - 1);
    least = std::min(least, price + cheapest(left, gates));
  }
  return least;
}

}  // namespace

TEST_CASE("Sums take the gates of the lowest price, as trying them all says") {
  const std::vector<std::vector<GatePrices::Gate>> kinds = {
      {{2, 1000}, {3, 1600}, {4, 2200}}, {{2, 1000}, {3, 2500}}, {{3, 5}}, {{2, 3}, {5, 4}}};
  for (const auto& gates : kinds) {
    CAPTURE(gates.back().inputs);
    const GatePrices prices(gates);
    const std::vector<std::uint64_t> of_sums = prices.of_sums(12);
    const std::vector<std::size_t> widest = prices.widest_gates(12);
    for (std::size_t operands = 0; operands <= 12; ++operands) {
      CAPTURE(operands);
      CHECK(of_sums[operands] == cheapest(operands, gates));
      std::uint64_t price = 0;
      for (const std::size_t inputs : gates_of_sum(operands, widest))
        price += prices.of_gate(inputs);
      CHECK(price == of_sums[operands]);
    }
  }
}

TEST_CASE("Gates of one price are counted as gates_of_sum counts them") {
  for (const std::size_t inputs : {2U, 3U, 4U, 6U}) {
    const std::vector<std::uint64_t> prices = GatePrices::uniform(inputs).of_sums(40);
    for (std::size_t operands = 0; operands <= 40; ++operands) {
      CHECK(prices[operands] == gates_of_sum(operands, inputs));
    }
  }
}

TEST_CASE("A tree of gates computes the same, each equation one gate, at the price of its sums") {
  const GatePrices prices({{2, 1000}, {3, 1600}, {5, 2500}});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(9, 4, 20, seed);
    const Program trees = gate_trees(program, prices);
    check_program(trees);
    prove(trees, program);
    const std::vector<std::uint64_t> of_sums = prices.of_sums(64);
    std::uint64_t price = 0;
    for (const Equation& equation : program.equations) price += of_sums[equation.operands.size()];
    CHECK(count_gates(trees, prices).price == price);
  }
}

TEST_CASE("A sum whose cheapest gates are too deep takes wider ones") {
  const Program program = direct_program(
      test::matrix_of_rows({"1111000000", "0011110000", "1001010000", "1111111111"}));
  const GatePrices prices({{2, 1000}, {4, 3000}});
  for (const std::uint64_t moves : {std::uint64_t{1}, std::uint64_t{1000}}) {
    for (const std::size_t levels : {2U, 3U, 4U}) {
      CAPTURE(levels);
      const Program found =
          search_gates(program, {.prices = prices, .depth = levels, .seed = 1, .moves = moves});
      const Program trees = gate_trees(found, prices, levels);
      prove(trees, program);
      CHECK(count_gates(trees, prices).depth <= levels);
      CHECK(gate_rank(found, prices, levels) == GateRank{0, count_gates(trees, prices).price});
    }
  }
  // One gate of four inputs a row, of three too: two of two inputs would be cheaper, and deeper.
  const Program rows = direct_program(test::matrix_of_rows({"1111000", "0011100", "1000001"}));
  CHECK(gate_rank(search_gates(rows, {.prices = prices, .depth = 1}), prices, 1) ==
        GateRank{0, 7000});
}

TEST_CASE("A search by prices computes the same, and takes the kinds of gates that are cheap") {
  const Program program = random_program(12, 8, 40, 3);
  const auto count_with = [&](const std::vector<GatePrices::Gate>& gates) {
    const GatePrices prices(gates);
    const Program found =
        gate_trees(search_gates(program, {.prices = prices, .seed = 1, .moves = 400}), prices);
    check_program(found);
    prove(found, program);
    return count_gates(found, prices);
  };
  const GateCount dear = count_with({{2, 1000}, {3, 2500}});
  CHECK(dear.by_inputs[3] == 0);
  const GateCount cheap = count_with({{2, 1000}, {3, 1100}});
  CHECK(cheap.by_inputs[3] > 0);
  CHECK(cheap.price < dear.price);
}

TEST_CASE("Prices that say nothing are refused") {
  const auto refusal = [](const std::vector<GatePrices::Gate>& gates) {
    return test::thrown_by([&] { GatePrices{gates}; }).what;
  };
  CHECK(refusal({}) == "no gate is given, and a sum needs one");
  CHECK(refusal({{1, 5}}) == "a gate of 1 input is not one of 2 to 64");
  CHECK(refusal({{65, 5}}) == "a gate of 65 inputs is not one of 2 to 64");
  CHECK(refusal({{2, 0}}) ==
        "the price of a gate of 2 inputs is not above 0 and at most 4294967296");
  CHECK(refusal({{2, 1}, {2, 2}}) == "the gate of 2 inputs has two prices");
}

}  // namespace xorloom
