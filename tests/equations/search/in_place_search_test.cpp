#include "equations/search/in_place_search.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "equations/ir/circuit.hpp"
#include "equations/search/in_place_elimination.hpp"
#include "equations/search/in_place_walk.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/program_digest.hpp"
#include "tests/support/thrown.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;
using test::random_matrix;

/// Random lines on some wires, and a random order of the outputs.
InPlaceCircuit random_circuit(std::size_t size, std::size_t lines, std::uint64_t seed) {
  Random random(seed);
  InPlaceCircuit circuit = identity_in_place(size);
  const auto wires = static_cast<std::uint32_t>(size);
  for (std::size_t i = 0; i < lines; ++i) {
    const std::uint32_t to = random.below(wires);
    const std::uint32_t from = (to + 1 + random.below(wires - 1)) % wires;
    circuit.lines.push_back(
        {static_cast<InPlaceCircuit::Wire>(to), static_cast<InPlaceCircuit::Wire>(from)});
  }
  for (std::uint32_t i = wires; i-- > 1;) {
    std::swap(circuit.outputs[i], circuit.outputs[random.below(i + 1)]);
  }
  return circuit;
}

/// The fewest lines of a matrix of four rows: all matrices that one, two, … additions of rows lead
/// to, until one is a permutation.
std::size_t fewest_lines_of_four(const BitMatrix& wanted) {
  const auto number_of = [](const BitMatrix& matrix) {
    std::size_t number = 0;
    for (std::size_t r = 0; r < 4; ++r) number = 16 * number + matrix.row(r).front();
    return number;
  };
  std::vector<bool> seen(1U << 16, false);
  std::vector<BitMatrix> level{wanted};
  for (std::size_t lines = 0;; ++lines) {
    std::vector<BitMatrix> next;
    for (const BitMatrix& matrix : level) {
      if (matrix.weight() == 4) return lines;
      for (std::size_t pair = 0; pair < 16; ++pair) {
        if (pair / 4 == pair % 4) continue;
        BitMatrix added = matrix;
        added.add_row(pair / 4, matrix.row(pair % 4));
        if (seen[number_of(added)]) continue;
        seen[number_of(added)] = true;
        next.push_back(std::move(added));
      }
    }
    level = std::move(next);
  }
}

/// Some tries, which take some milliseconds.
Search short_search() {
  Search search;
  search.effort = Effort::kMax;
  search.steps = 20'000;
  return search;
}

}  // namespace

TEST_CASE("Lines backwards compute the inverse, and with their wires exchanged the transposed") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    const InPlaceCircuit circuit = random_circuit(2 + seed % 9, seed, seed);
    const BitMatrix matrix = matrix_of(circuit);
    CHECK(matrix_of(inverted(circuit)) == *inverse(matrix));
    CHECK(matrix_of(transposed(circuit)) == transposed(matrix));
    CHECK(matrix_of(circuit_of(circuit)) == matrix);
    CHECK(depth(inverted(circuit)) == depth(circuit));
    CHECK(depth(transposed(circuit)) == depth(circuit));
  }
}

TEST_CASE("Lines that share no wire are one level") {
  InPlaceCircuit circuit = identity_in_place(4);
  circuit.lines = {{0, 1}, {2, 3}, {1, 3}, {0, 2}};
  CHECK(depth(circuit) == 2);
  circuit.lines.push_back({2, 0});
  CHECK(depth(circuit) == 3);
}

TEST_CASE("A wrong circuit in place is not proved") {
  InPlaceCircuit circuit = random_circuit(6, 20, 1);
  const BitMatrix matrix = matrix_of(circuit);
  CHECK_NOTHROW(prove(circuit, matrix));
  std::swap(circuit.lines.back().to, circuit.lines.back().from);
  CHECK(test::thrown_by([&] { prove(circuit, matrix); }).kind == Status::kInternal);
}

TEST_CASE("A walk keeps the map, whatever its moves, and its best has no more lines") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const InPlaceCircuit start = random_circuit(2 + seed, 4 * seed, seed);
    const BitMatrix matrix = matrix_of(start);
    InPlaceWalk::Options options;
    options.orders = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 65536 : 32768;
    options.climbs = 4096;
    options.depth = seed % 2 == 0 ? 3 + seed / 4 : 0;
    InPlaceWalk walk(start, seed, options);
    walk.run(3000, 0);
    CHECK(matrix_of(walk.circuit()) == matrix);
    CHECK(matrix_of(walk.best()) == matrix);
    if (options.depth == 0) CHECK(walk.best().xors() <= start.xors());
  }
}

TEST_CASE("Matrices of four rows get the fewest lines there are") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = matrix_of(random_circuit(4, 5, seed));
    const InPlaceCircuit found = search_in_place(matrix, short_search());
    CHECK(matrix_of(found) == matrix);
    CHECK(found.xors() == fewest_lines_of_four(matrix));
  }
}

TEST_CASE("The same seed gives the same lines on every machine, with every C library") {
  const BitMatrix matrix = matrix_of(random_circuit(8, 40, 3));
  const Circuit circuit = circuit_of(search_in_place(matrix, short_search()));
  CHECK(test::digest(program_of(circuit, layout_of_matrix(8, 8))) == 9548793587254809645U);
}

TEST_CASE("Random lines are never exceeded by the search, and often undercut") {
  std::size_t num_fewer = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const InPlaceCircuit hidden = random_circuit(12, 24, seed);
    const BitMatrix matrix = matrix_of(hidden);
    const InPlaceCircuit found = search_in_place(matrix, short_search());
    CHECK(matrix_of(found) == matrix);
    CHECK(found.xors() <= hidden.xors());
    if (found.xors() < hidden.xors()) ++num_fewer;
    CHECK(found.xors() >= lower_bound_in_place(matrix, *inverse(matrix)));
  }
  CHECK(num_fewer >= 6);
}

TEST_CASE("A matrix and its inverse come to the same lines") {
  const BitMatrix matrix = matrix_of(random_circuit(10, 30, 7));
  const BitMatrix back = *inverse(matrix);
  const InPlaceCircuit there = search_in_place(matrix, short_search());
  const InPlaceCircuit returning = search_in_place(back, short_search());
  CHECK(matrix_of(returning) == back);
  CHECK(there.xors() == returning.xors());
}

TEST_CASE("With a depth, lines that share no wire fit that many levels") {
  const BitMatrix matrix = matrix_of(random_circuit(8, 20, 3));
  Search search = short_search();
  search.steps = 200'000;
  const InPlaceCircuit any = search_in_place(matrix, search);
  search.depth = depth(any) - 1;
  const InPlaceCircuit shallow = search_in_place(matrix, search);
  CHECK(matrix_of(shallow) == matrix);
  CHECK(depth(shallow) <= search.depth);
}

TEST_CASE("Lines hidden in 6 levels of 32 wires are found in 8") {
  std::size_t num_found = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    InPlaceCircuit hidden = identity_in_place(32);
    std::vector<InPlaceCircuit::Wire> order = hidden.outputs;
    for (std::size_t level = 0; level < 6; ++level) {
      for (std::uint32_t i = 32; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
      for (std::size_t i = 0; i < 32; i += 2) hidden.lines.push_back({order[i], order[i + 1]});
    }
    const BitMatrix matrix = matrix_of(hidden);
    Search search = short_search();
    search.steps = 100'000;
    search.depth = 8;
    const std::string refusal =
        test::thrown_by([&] { CHECK(depth(search_in_place(matrix, search)) <= 8); }).what;
    if (refusal.empty()) ++num_found;
  }
  CHECK(num_found >= 4);
}

TEST_CASE("The same tries give the same lines with any number of threads") {
  const BitMatrix matrix = matrix_of(random_circuit(12, 40, 5));
  Search search = short_search();
  search.steps = 100'000;
  const InPlaceCircuit one = search_in_place(matrix, search);
  search.threads = 2;
  search.parallel = [](std::size_t n, const std::function<void(std::size_t)>& job) {
    for (std::size_t i = n; i-- > 0;) job(i);
  };
  const InPlaceCircuit other = search_in_place(matrix, search);
  CHECK(one.lines == other.lines);
  CHECK(one.outputs == other.outputs);
}

TEST_CASE("Large matrices come from Gaussian elimination, and end on request") {
  BitMatrix matrix(150, 150);
  for (std::size_t i = 0; i < 150; ++i) matrix.flip(i, (i + 7) % 150);
  for (std::size_t i = 1; i < 150; ++i) matrix.add_row(i, matrix.row(i - 1));
  Search search;
  search.effort = Effort::kMax;
  search.stop_requested = [] { return true; };
  const InPlaceCircuit circuit = search_in_place(matrix, search);
  CHECK(matrix_of(circuit) == matrix);
}

TEST_CASE("Matrices without circuits in place are refused, with the rank") {
  const auto refusal = [](const BitMatrix& matrix, std::size_t depth) {
    Search search = short_search();
    search.depth = depth;
    return test::thrown_by([&] { search_in_place(matrix, search); }).what;
  };
  CHECK(refusal(matrix_of_rows({"110", "011", "101"}), 0) ==
        "a circuit in place needs an invertible matrix, and the rank of this 3 x 3 matrix is 2: "
        "leave out option in_place, and the equations get temporaries");
  CHECK(refusal(random_matrix(3, 4, 1), 0).find("and this one is 3 x 4") != std::string::npos);
  CHECK(refusal(matrix_of_rows({"1111", "0100", "0010", "0001"}), 1) ==
        "depth = 1 is less than the 2 levels that a circuit in place needs at least, as its "
        "heaviest row or column, or that of its inverse, shows");
  CHECK(refusal(matrix_of_rows({"111", "010", "001"}), 2).empty());
}

}  // namespace xorloom
