#include "runtime/transforms/decoding_passes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include "codes/families/leopard.hpp"

namespace xorloom {
namespace {

/// A code of k + m with some points lost: M in all, those that are never sent among them.
struct Losses {
  std::size_t k, m;
  std::size_t sent;  ///< M
  std::size_t points;
  std::vector<bool> is_zero;
  DecodingShape shape;  ///< without factors

  Losses(std::size_t data, std::size_t redundant, std::mt19937& random)
      : k(data), m(redundant), sent(std::bit_ceil(m)), points(std::bit_ceil(sent + k)) {
    std::vector<std::size_t> order(k + m);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    is_zero.resize(points);
    shape = {points, std::vector<Field::Symbol>(points), std::vector<Field::Symbol>(points)};
    for (std::size_t i = 0; i < k + m; ++i) {
      const std::size_t point = order[i] < m ? order[i] : sent + order[i] - m;
      shape.known[point] = i >= m ? 1 : 0;
      shape.wanted[point] = i < m && random() % 4 != 0 ? 1 : 0;
    }
    for (std::size_t i = sent + k; i < points; ++i) is_zero[i] = true;
  }
};

/// Each point as a combination of the data.
Matrix values(const Field& field, const Losses& losses) {
  const Matrix redundancy = leopard_matrix(field, losses.k, losses.m);
  Matrix result(losses.points, losses.k);
  for (std::size_t i = 0; i < losses.m; ++i) {
    std::ranges::copy(redundancy.row(i), result.row(i).begin());
  }
  for (std::size_t j = 0; j < losses.k; ++j) result(losses.sent + j, j) = 1;
  return result;
}

}  // namespace

TEST_CASE("Wanted values come from known ones, whatever is lost and whatever passes there are") {
  struct Case {
    std::size_t k, m, w;
  };
  std::mt19937 random(3);
  for (const Case& one : {Case{2, 2, 8},
                          {5, 2, 8},
                          {3, 7, 8},
                          {10, 4, 8},
                          {37, 9, 8},
                          {100, 20, 8},
                          {64, 64, 8},
                          {20, 7, 16},
                          {130, 33, 16}}) {
    const Field& field = leopard_field(one.w);
    for (std::size_t max_levels = 1; max_levels <= 3; ++max_levels) {
      CAPTURE(one.k);
      CAPTURE(one.m);
      CAPTURE(max_levels);
      const Losses losses(one.k, one.m, random);
      const TransformPasses passes =
          decoding_passes(with_factors(field, losses.shape, losses.is_zero), max_levels);
      const Matrix of_data = values(field, losses);
      Matrix known = of_data;
      Matrix expected = of_data;
      for (std::size_t i = 0; i < losses.points; ++i) {
        if (losses.shape.known[i] == 0) std::ranges::fill(known.row(i), 0);
        if (losses.shape.wanted[i] == 0) std::ranges::fill(expected.row(i), 0);
      }
      CHECK(multiply(field, passes.matrix(field), known) == expected);
    }
  }
}

TEST_CASE("Factors of points are products of their differences to the points lost") {
  const Field& field = leopard_field(8);
  const DecodingShape shape =
      with_factors(field, {4, {1, 0, 1, 0}, {0, 0, 0, 1}}, std::vector<bool>(4));
  CHECK(shape.known ==
        std::vector<Field::Symbol>{field.multiply(1, 3), 0, field.multiply(3, 1), 0});
  CHECK(shape.wanted == std::vector<Field::Symbol>{0, 0, 0, field.invert(3 ^ 1)});
}

TEST_CASE("Many losses take no more products than few, and far fewer than a matrix") {
  std::mt19937 random(1);
  const Losses losses(128, 128, random);
  const TransformPasses passes =
      decoding_passes(with_factors(leopard_field(8), losses.shape, losses.is_zero), 3);
  CHECK(passes.multiplications() < 128 * 128 / 7);
}

}  // namespace xorloom
