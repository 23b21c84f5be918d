#include "bench/lab/paper_cost.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>

namespace xorloom {

TEST_CASE("the optimum and classical Reed-Solomon are as the paper has them") {
  CHECK(optimal_cost(5, 2) == 8);
  CHECK(optimal_cost(1, 6) == 0);
  CHECK(classical_cost(5, 2) == doctest::Approx(2.3 * 8));
}

TEST_CASE("Cauchy Reed-Solomon costs (F k - 1) m on one core") {
  CHECK(cauchy_cost(5, 2) == doctest::Approx(23));
  CHECK(cauchy_cost(32, 6) == doctest::Approx(474));
  // With F of the worked example, 45 XORs for three rows of bits.
  PaperModel worked;
  worked.factor = 1.7;
  CHECK(cauchy_cost(5, 2, worked) == doctest::Approx(45.0 / 3));
}

TEST_CASE("cores past one an equation are idle, and the efficiency divides") {
  CHECK(cauchy_cost_on_cores(5, 2, 16, kDirectEfficiency) == doctest::Approx(23 / (16 * 0.93)));
  CHECK(cauchy_cost_on_cores(5, 2, 100, kDirectEfficiency) ==
        cauchy_cost_on_cores(5, 2, 16, kDirectEfficiency));
  CHECK(cauchy_cost_on_cores(5, 2, 4, 1) == doctest::Approx(23.0 / 4));
  // The worked example: 15 XORs for a row of bits, on 6 cores with 5.6 / 6, make its 8 steps.
  PaperModel worked;
  worked.factor = 1.7;
  worked.symbol_bits = 3;
  CHECK(cauchy_cost_on_cores(5, 2, 6, 45.0 / 8 / 6, worked) * 3 == doctest::Approx(8));
}

TEST_CASE("the FPGA takes T for each array full of products, and adds parts of rows up") {
  CHECK(fpga_cost(1, 2) == 18);
  CHECK(fpga_cost(8, 6) == 18);
  CHECK(fpga_cost(9, 2) == 36 + 2);
  CHECK(fpga_cost(32, 6) == 4 * 18 + 3 * 6);
  CHECK(fpga_cost(8, 9) == 36);
}

TEST_CASE("an array that adds tiles up in place takes a clock for each, and nothing more") {
  CHECK(array_clocks(10, 4, 8, 8) == 2);
  CHECK(array_clocks(32, 6, 8, 8) == 4);
  CHECK(array_clocks(10, 4, 4, 10) == 1);
  CHECK(array_clocks(9, 9, 8, 4) == 6);
  for (const std::size_t m : {2U, 4U, 6U}) {
    for (std::size_t k = 1; k <= 32; ++k) {
      const std::size_t tiles_added = (k + 7) / 8 - 1;
      const auto second_term = static_cast<double>(tiles_added * m);
      CHECK(measured_fpga_cost(k, m) == fpga_cost(k, m) - second_term);
    }
  }
}

}  // namespace xorloom
