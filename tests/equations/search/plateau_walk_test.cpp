#include "equations/search/plateau_walk.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::fewest_xors;
using test::random_matrix;

TEST_CASE("Wherever a walk stands, its circuit computes the matrix") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(4 + seed % 20, 3 + seed % 23, seed);
    // Many climbs, so that it goes up and down a lot.
    PlateauWalk walk(share_pairs(direct_program(matrix)), seed, {32'768, 8192, 8});
    for (int i = 0; i < 30; ++i) {
      walk.run(50, 0);
      CHECK(matrix_of(walk.circuit()) == matrix);
      CHECK(walk.circuit().xors() == walk.xors());
      CHECK(matrix_of(walk.best()) == matrix);
      CHECK(walk.best().xors() == walk.best_xors());
      CHECK(walk.best_xors() <= walk.xors());
    }
  }
}

TEST_CASE("Wherever a walk of bounded depth stands, its circuit is no deeper") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(4 + seed % 20, 3 + seed % 23, seed);
    const std::size_t most = std::max<std::size_t>(1, least_depth(matrix)) + seed % 3;
    const Circuit start = share_pairs(direct_program(matrix), nullptr, {}, most);
    REQUIRE(depth(start) <= most);
    PlateauWalk walk(start, seed, {8192, 16'384, 8, most, 16'384, 16'384});
    for (int i = 0; i < 40; ++i) {
      walk.run(50, 0);
      CHECK(matrix_of(walk.circuit()) == matrix);
      CHECK(depth(walk.circuit()) <= most);
      CHECK(walk.circuit().xors() == walk.xors());
      CHECK(depth(walk.best()) <= most);
      CHECK(walk.best().xors() == walk.best_xors());
    }
  }
}

TEST_CASE("A value with cancelled terms is found within a tight depth") {
  // Eight ones and seven of them: alone 7 + 6 XORs in three levels, with shared quarters 9.
  const BitMatrix matrix = test::matrix_of_rows({"11111111", "11111110"});
  PlateauWalk walk(circuit_of(direct_program(matrix)), 1, {8192, 256, 4, 10, 16'384, 16'384});
  walk.run(100'000, 7);
  CHECK(walk.best_xors() == 7);
  PlateauWalk tight(share_pairs(direct_program(matrix), nullptr, {}, 3), 1,
                    {8192, 256, 4, 3, 16'384, 16'384});
  tight.run(100'000, 0);
  CHECK(tight.best_xors() == 9);
  CHECK(depth(tight.best()) == 3);
}

TEST_CASE("Rows alike, rows of zeros and values computed twice are one value to begin with") {
  // Value 3 = 0+1, value 4 the same again, value 5 = 3+4 = 0, value 6 = 5+2 = 2.
  const Circuit circuit{3, {{0, 1}, {1, 0}, {3, 4}, {5, 2}}, {3, 4, 5, 6, Circuit::kZero}};
  const PlateauWalk walk(circuit, 1);
  CHECK(walk.xors() == 1);
  CHECK(matrix_of(walk.best()) == matrix_of(circuit));
}

TEST_CASE("Walks find the fewest XORs of small matrices") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(2 + seed % 5, 4, seed);
    const std::size_t fewest = fewest_xors(matrix);
    PlateauWalk walk(circuit_of(direct_program(matrix)), seed, {32'768, 2048, 4});
    walk.run(200'000, fewest);
    CHECK(walk.best_xors() == fewest);
  }
}

TEST_CASE("A walk ends when enough is reached, and where there is nothing to do") {
  const BitMatrix matrix = bitmatrix(make_code("cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0", {}));
  PlateauWalk walk(share_pairs(direct_program(matrix)), 1);
  CHECK(walk.run(1'000'000, 1000) == 0);
  PlateauWalk empty(Circuit{2, {}, {1, 0}}, 1);
  CHECK(empty.run(100, 0) == 0);
  CHECK(empty.best().outputs == std::vector<Circuit::Value>{1, 0});
}

TEST_CASE("The same seed walks the same way") {
  const Circuit start = share_pairs(direct_program(random_matrix(16, 40, 3)));
  PlateauWalk a(start, 5), b(start, 5), c(start, 6);
  for (PlateauWalk* walk : {&a, &b, &c}) walk->run(100'000, 0);
  CHECK(a.circuit() == b.circuit());
  CHECK(a.circuit() != c.circuit());
}

TEST_CASE("A walk that is told to stop while it begins makes no moves, and keeps its circuit") {
  const BitMatrix matrix = random_matrix(40, 400, 3);
  const Circuit circuit = share_pairs(direct_program(matrix));
  int asked = 0;
  PlateauWalk walk(circuit, 1, {}, [&] { return ++asked == 2; });
  CHECK(asked == 2);
  CHECK(walk.run(1000, 0) == 0);
  CHECK(matrix_of(walk.best()) == matrix);
  CHECK(matrix_of(walk.circuit()) == matrix);
}

}  // namespace
}  // namespace xorloom
