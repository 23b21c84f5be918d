#include "codes/construction/array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/cell_sums.hpp"
#include "codes/construction/bounds.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

bool is_prime(std::size_t number) {
  if (number < 2) return false;
  for (std::size_t divisor = 2; divisor <= number / divisor; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return true;
}

std::size_t prime_from(std::size_t lowest) {
  while (!is_prime(lowest)) ++lowest;
  return lowest;
}

void check_prime(const char* key, std::size_t number) {
  if (is_prime(number)) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} = {} is not a prime; the next one is {}", key, number, prime_from(number)));
}

std::size_t read_prime(const Spec& spec, const char* key, std::size_t lowest) {
  const std::size_t usual = prime_from(std::max<std::size_t>(3, lowest));
  const std::size_t prime = spec.number_or(key, 3, kMaxArrayRows, usual);
  check_prime(key, prime);
  return prime;
}

Code double_parity_code(
    std::string family, std::size_t k, std::size_t w,
    const std::function<std::vector<std::size_t>(std::size_t j, std::size_t l)>& rows_of,
    Spread spread) {
  check_xors_fit(k, 2 * w);
  CellSums sums(Field(1), k + 2, w, cells_of_locations(0, k, w), SpecLimits{});
  const auto cell = [w](std::size_t location, std::size_t row) {
    return static_cast<Cell>(location * w + row);
  };
  for (std::size_t l = 0; l < w; ++l) {
    std::vector<Cell> row;
    for (std::size_t j = 0; j < k; ++j) row.push_back(cell(j, l));
    sums.add(cell(k, l), row);
  }
  const std::size_t summed = spread == Spread::kData ? k : k + 1;
  for (std::size_t l = 0; l < w; ++l) {
    std::vector<Cell> cells;
    for (std::size_t j = 0; j < summed; ++j) {
      for (const std::size_t r : rows_of(j, l)) cells.push_back(cell(j, r));
    }
    sums.add(cell(k + 1, l), cells);
  }
  Code code = sums.code(std::move(family));
  code.k = k;
  code.m = 2;
  code.w = w;
  code.promised_losses = 2;
  return code;
}

}  // namespace xorloom
