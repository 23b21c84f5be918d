#include "runtime/transforms/encoding_passes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include "codes/families/leopard.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

EncodingShape shape_of(std::size_t k, std::size_t m) {
  return {std::bit_ceil(m), std::vector<bool>(k, true), std::vector<bool>(m, true)};
}

}  // namespace

TEST_CASE("The steps of a transform of two points are the sum and the products of the code") {
  const Field& field = leopard_field(8);
  const TransformPasses transform = encoding_passes(shape_of(2, 2), 3);
  CHECK(transform.matrix(field) == leopard_matrix(field, 2, 2));
  // Upwards the constant of the one butterfly is the point 2, downwards it is 0.
  CHECK(transform.constants() == std::vector<Field::Symbol>{2, 0});
  CHECK(transform.multiplications() == 1);
}

TEST_CASE("Transforms multiplied out are the matrix, whatever passes they have") {
  struct Case {
    std::size_t k, m, w;
  };
  for (const Case& one : {Case{10, 4, 8},
                          {28, 4, 8},
                          {17, 3, 8},
                          {37, 9, 8},
                          {8, 8, 8},
                          {100, 20, 8},
                          {223, 32, 8},
                          {192, 64, 8},
                          {128, 128, 8},
                          {3, 100, 8},
                          {129, 16, 8},
                          {10, 5, 16},
                          {301, 9, 16},
                          {300, 70, 16}}) {
    const Field& field = leopard_field(one.w);
    Matrix expected(std::bit_ceil(one.m), one.k);
    const Matrix rows = leopard_matrix(field, one.k, one.m);
    for (std::size_t i = 0; i < one.m; ++i) {
      for (std::size_t j = 0; j < one.k; ++j) expected(i, j) = rows(i, j);
    }
    for (std::size_t max_levels = 1; max_levels <= 3; ++max_levels) {
      CAPTURE(one.k);
      CAPTURE(one.m);
      CAPTURE(max_levels);
      CHECK(encoding_passes(shape_of(one.k, one.m), max_levels).matrix(field) == expected);
      const auto in_strips = encoding_passes_in_strips(shape_of(one.k, one.m), max_levels);
      if (in_strips) CHECK(in_strips->matrix(field) == expected);
    }
  }
}

TEST_CASE("All passes are in strips where all groups are summed at once, in more than one pass") {
  CHECK(encoding_passes_in_strips(shape_of(128, 128), 3));
  CHECK(encoding_passes_in_strips(shape_of(64, 32), 3));
  CHECK_FALSE(encoding_passes_in_strips(shape_of(65, 32), 3));
  CHECK_FALSE(encoding_passes_in_strips(shape_of(64, 8), 3));
  EncodingShape shape = shape_of(32, 16);
  shape.has_output.assign(16, false);
  CHECK_FALSE(encoding_passes_in_strips(shape, 3));
  const auto passes = encoding_passes_in_strips(shape_of(60, 32), 3);
  REQUIRE(passes);
  for (const TransformStep& step : passes->steps()) {
    CHECK(step.is_in_strips);
    CHECK(step.ends_strips == (&step == &passes->steps().back()));
  }
}

TEST_CASE("Inputs that are not there count as 0, and outputs that nobody wants take few steps") {
  const Field& field = leopard_field(8);
  std::mt19937 random(1);
  for (int turn = 0; turn < 20; ++turn) {
    CAPTURE(turn);
    const std::size_t k = 1 + random() % 90;
    const std::size_t m = 2 + random() % 40;
    EncodingShape shape = shape_of(k, m);
    for (std::size_t j = 0; j < k; ++j) shape.has_input[j] = random() % 3 != 0;
    shape.has_input[random() % k] = true;
    for (std::size_t i = 0; i < m; ++i) shape.has_output[i] = random() % 8 == 0;
    const Matrix rows = leopard_matrix(field, k + 1, m);  // a code of one location is no transform
    Matrix expected(shape.points, k);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        if (shape.has_output[i] && shape.has_input[j]) expected(i, j) = rows(i, j);
      }
    }
    const TransformPasses transform = encoding_passes(shape, 1 + random() % 3);
    CHECK(transform.matrix(field) == expected);
    CHECK(transform.stores() <= encoding_passes(shape_of(k, m), 1).stores());
  }
}

TEST_CASE("Transforms recover lost data from data that is left and stored outputs") {
  const Field& field = leopard_field(8);
  std::mt19937 random(11);
  for (int turn = 0; turn < 24; ++turn) {
    CAPTURE(turn);
    const std::size_t max_levels = 1 + random() % 3;
    const std::size_t m = 9 + random() % 30;  // 4 to 6 levels
    const std::size_t points = std::bit_ceil(m);
    const std::size_t k = turn == 0 ? m : 1 + random() % 90;
    const std::size_t lost = turn == 0 ? m : 1 + random() % std::min(k, m);
    CHECK(may_recover(points, max_levels));
    std::vector<std::size_t> cells(k);
    std::vector<std::size_t> outputs(m);
    std::iota(cells.begin(), cells.end(), std::size_t{0});
    std::iota(outputs.begin(), outputs.end(), std::size_t{0});
    std::ranges::shuffle(cells, random);
    std::ranges::shuffle(outputs, random);
    EncodingShape data{points, std::vector<bool>(k, true), {}};
    std::vector<Field::Symbol> is_stored(points);
    std::vector<Field::Symbol> is_wanted(k);
    for (std::size_t i = 0; i < lost; ++i) {
      data.has_input[cells[i]] = false;
      is_stored[outputs[i]] = 1;
      is_wanted[cells[i]] = i == 0 || random() % 4 != 0 ? 1 : 0;
    }
    const TransformPasses transform =
        recovering_passes(with_factors(field, {data, is_stored, is_wanted}), max_levels);
    const Matrix recovered = transform.matrix(field);
    const std::size_t first_stored = (k + points - 1) / points * points;
    REQUIRE(transform.has_input().size() == first_stored + points);
    // The outputs are those of the code for any data, so each wanted cell is itself and no other.
    const Matrix rows = leopard_matrix(field, k + 1, m);
    for (std::size_t cell = 0; cell < k; ++cell) {
      for (std::size_t from = 0; from < k; ++from) {
        Field::Symbol sum = data.has_input[from] ? recovered(points + cell, from) : 0;
        for (std::size_t i = 0; i < points; ++i) {
          if (is_stored[i] != 0) {
            sum ^= field.multiply(recovered(points + cell, first_stored + i), rows(i, from));
          }
        }
        CHECK(sum == (is_wanted[cell] != 0 && cell == from ? 1 : 0));
      }
    }
  }
  CHECK_FALSE(may_recover(8, 3));
}

TEST_CASE("A matrix times transforms is their outputs, added up") {
  const Field& field = leopard_field(16);
  std::mt19937 random(4);
  const TransformPasses transform = encoding_passes(shape_of(50, 20), 2);
  Matrix left(70, 32);
  for (std::size_t r = 0; r < left.rows(); ++r) {
    for (std::size_t i = 0; i < 20; ++i) left(r, i) = static_cast<Field::Symbol>(random() & 0xffff);
  }
  CHECK(transform.product(field, left) == multiply(field, left, transform.matrix(field)));
}

TEST_CASE("Transforms that read rows which nothing wrote are found out") {
  TransformPasses transform(2, 1, {true, true}, {true, true});
  TransformStep step;
  step.kind = TransformKind::kOutputsZero;
  step.levels = 1;
  step.from = 0;
  step.count = 1;
  step.distance = 1;
  transform.add_pass(step, 0);
  CHECK_THROWS_WITH_AS(transform.matrix(leopard_field(8)),
                       "transforms read rows that no step has written", Error);
}

TEST_CASE("A transform of 223 and 32 takes a tenth of the products of the matrix") {
  const TransformPasses transform = encoding_passes(shape_of(223, 32), 3);
  CHECK(transform.multiplications() < 223 * 32 / 10);
}

}  // namespace xorloom
