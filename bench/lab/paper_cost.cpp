#include "bench/lab/paper_cost.hpp"

#include <algorithm>

namespace xorloom {
namespace {

double real(std::size_t number) { return static_cast<double>(number); }

std::size_t parts(std::size_t whole, std::size_t part) { return (whole + part - 1) / part; }

}  // namespace

double optimal_cost(std::size_t k, std::size_t m) { return (real(k) - 1) * real(m); }

double cauchy_cost(std::size_t k, std::size_t m, const PaperModel& model) {
  return (model.factor * real(k) - 1) * real(m);
}

double classical_cost(std::size_t k, std::size_t m, const PaperModel& model) {
  return model.classical_factor * optimal_cost(k, m);
}

double cauchy_cost_on_cores(std::size_t k, std::size_t m, std::size_t cores, double efficiency,
                            const PaperModel& model) {
  const std::size_t busy = std::min(cores, m * model.symbol_bits);
  return cauchy_cost(k, m, model) / (real(busy) * efficiency);
}

double fpga_cost(std::size_t k, std::size_t m, const PaperModel& model) {
  const std::size_t parts_of_row = parts(k, model.multiplier_side);
  const std::size_t products = parts_of_row * parts(m, model.multiplier_side);
  return real(products) * model.slower_clock + (real(parts_of_row) - 1) * real(m);
}

std::size_t array_clocks(std::size_t k, std::size_t m, std::size_t rows, std::size_t columns) {
  return parts(k, columns) * parts(m, rows);
}

double measured_fpga_cost(std::size_t k, std::size_t m, const PaperModel& model) {
  const std::size_t side = model.multiplier_side;
  return real(array_clocks(k, m, side, side)) * model.slower_clock;
}

}  // namespace xorloom
