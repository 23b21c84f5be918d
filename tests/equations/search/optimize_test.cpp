#include "equations/search/optimize.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <thread>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/row_forms.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/program_digest.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/subsets.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

#ifdef XORLOOM_IS_SANITIZED
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

using test::members;
using test::random_matrix;

TEST_CASE("The worked example takes 24 XORs, which is the bound, with any effort but fast") {
  const Program direct = direct_encoding(make_code(kWorkedExample));
  const Program program = optimize(direct);
  CHECK(cost(program).xors == 24);
  CHECK_NOTHROW(prove(program, make_code(kWorkedExample)));
}

TEST_CASE("Small matrices get the fewest XORs there are") {
  Search search;
  search.effort = Effort::kMax;
  search.steps = 300'000;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(1 + seed % 8, 1 + seed % 4, seed);
    const Program program = optimize(direct_program(matrix), search);
    CHECK(evaluate_symbolically(program) == matrix);
    CHECK(cost(program).xors == test::fewest_xors(matrix));
  }
}

TEST_CASE("Whatever the effort, what comes out holds and is within its bounds") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(seed % 24, 1 + seed % 37, seed, 100);
    const Program direct = direct_program(matrix);
    for (const Effort effort : {Effort::kFast, Effort::kMax}) {
      Search search;
      search.effort = effort;
      search.steps = 50'000;
      const Program program = optimize(direct, search);
      CHECK_NOTHROW(check_program(program));
      CHECK(evaluate_symbolically(program) == matrix);
      CHECK(program.inputs == direct.inputs);
      CHECK(program.outputs == direct.outputs);
      CHECK(cost(program).xors <= cost(direct).xors);
      CHECK(cost(program).xors >= lower_bound(matrix));
    }
  }
}

TEST_CASE("With a bounded depth no output waits for more levels, whatever the effort") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(1 + seed % 24, 1 + seed % 37, seed, 100);
    const Program direct = direct_program(matrix);
    const std::size_t least = std::max<std::size_t>(1, least_depth(matrix));
    for (const Effort effort : {Effort::kFast, Effort::kQuick, Effort::kMax}) {
      Search search;
      search.effort = effort;
      search.steps = 50'000;
      search.depth = least + seed % 2;
      const Program program = optimize(direct, search);
      CHECK(evaluate_symbolically(program) == matrix);
      CHECK(cost(program).critical_path <= search.depth);
      CHECK(cost(program).xors <= cost(direct).xors);
    }
  }
}

TEST_CASE("A depth that a row of ones excludes is refused with the least one") {
  const Program direct = direct_program(test::matrix_of_rows({"11111", "11000"}));
  Search search;
  search.depth = 2;
  const char* const sentence =
      "depth = 2 is less than the 3 levels that an output of 5 inputs needs";
  CHECK_THROWS_WITH_AS(optimize(direct, search), sentence, Error);
  CHECK_THROWS_WITH_AS(front_of_depth(direct, search), sentence, Error);
  search.depth = 3;
  CHECK(cost(optimize(direct, search)).critical_path == 3);
}

TEST_CASE("Over symbols a bounded depth is refused") {
  const Program direct = direct_encoding(make_code("rs:k=3,m=2"), {}, Over::kSymbols);
  Search search;
  search.depth = 9;
  CHECK_THROWS_AS(optimize(direct, search), Error);
}

TEST_CASE("The front of depth begins with the least depth, and each level more saves XORs") {
  const Program direct = direct_encoding(make_code(kWorkedExample));
  const BitMatrix matrix = evaluate_symbolically(direct);
  Search search;
  search.effort = Effort::kMax;
  search.steps = 3'000'000;
  const std::vector<Program> front = front_of_depth(direct, search);
  REQUIRE(front.size() >= 2);
  CHECK(cost(front.front()).critical_path == least_depth(matrix));
  CHECK(cost(front.back()).xors == 24);
  for (std::size_t i = 0; i < front.size(); ++i) {
    CHECK(evaluate_symbolically(front[i]) == matrix);
    if (i == 0) continue;
    CHECK(cost(front[i]).critical_path > cost(front[i - 1]).critical_path);
    CHECK(cost(front[i]).xors < cost(front[i - 1]).xors);
  }
  CHECK(front_of_depth(direct, search) == front);
  search.depth = least_depth(matrix);
  CHECK(front_of_depth(direct, search).size() == 1);
}

TEST_CASE("A front has no two programs of one depth, though writing sums into users saves levels") {
  Search search;
  search.effort = Effort::kFast;
  const Program direct = direct_encoding(make_code("cauchy-good:k=6,m=3,w=4"));
  std::size_t last = 0;
  for (const Program& program : front_of_depth(direct, search)) {
    CHECK(cost(program).critical_path > last);
    last = cost(program).critical_path;
  }
}

TEST_CASE("All losses of a code are rebuilt with fewer XORs than direct, fast") {
  const Code code = make_code("cauchy-good:k=4,m=2,w=4");
  Search search;
  search.effort = Effort::kFast;
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = a + 1; b < 6; ++b) {
      const std::vector<std::size_t> lost{a, b};
      CAPTURE(a);
      CAPTURE(b);
      const Program direct = direct_decoding(code, lost);
      const Program program = optimize(direct, search);
      CHECK_NOTHROW(prove(program, code));
      CHECK(cost(program).xors < cost(direct).xors);
    }
  }
}

TEST_CASE("An update shares temporaries and is tailored to cores like any other program") {
  const Code code = make_code("cauchy:k=4,m=4,w=4");
  const Program direct = direct_update(code, std::vector<std::size_t>{1, 2});
  const Program program = optimize(direct);
  CHECK(program.virtuals == direct.virtuals);
  CHECK_NOTHROW(check_program(program));
  CHECK_NOTHROW(prove(program, code));
  CHECK(cost(program).xors < cost(direct).xors);
  CHECK(cost(program).temporaries > 0);
  Search search;
  search.effort = test::tries_all() ? Effort::kNormal : Effort::kFast;
  const Program on_cores = tailor_to_cores(direct, 3, search).program;
  CHECK_NOTHROW(check_program(on_cores));
  CHECK_NOTHROW(prove(on_cores, code));
}

TEST_CASE(
    "Fast, all four-loss patterns of RS(10,4) take 330 XORs for data and 445 for all, or less") {
  const Code code = make_code("isa-vandermonde:k=10,m=4");
  Search search;
  search.effort = Effort::kFast;
  std::size_t data_only = 0;
  std::size_t all = 0;
  std::size_t num_patterns = 0;
  for (std::uint32_t mask = 0; mask < 1U << 14; ++mask) {
    if (std::popcount(mask) != 4) continue;
    const std::vector<std::size_t> lost = members(mask);
    const std::vector<std::size_t> data = members(mask & 0x3ff);
    const auto xors = [&](const std::vector<std::size_t>& wanted) {
      const Program direct = direct_program(code, decoding_map(code, lost, wanted));
      const Program program = reuse_rebuilt(code, direct);
      return search_circuit(program, evaluate_symbolically(program), search).xors();
    };
    if (!data.empty()) data_only += xors(data);
    all += xors(lost);
    ++num_patterns;
  }
  CHECK(num_patterns == 1001);
  CHECK(data_only <= 330 * (num_patterns - 1));  // one pattern has lost no data
  CHECK(all <= 445 * num_patterns);
}

TEST_CASE(
    "Decodings begin with their syndromes: the loss of four data chunks takes 415 XORs or less") {
  const Code code = make_code("isa-vandermonde:k=10,m=4");
  const std::vector<std::size_t> lost{2, 4, 5, 6};
  const Program direct = direct_program(code, decoding_map(code, lost));
  CHECK(cost(direct).xors == 1368);
  CHECK(search_circuit(direct, evaluate_symbolically(direct), {}).xors() <= 415);
}

TEST_CASE("The same seed and steps give the same equations with any number of threads") {
  const Program direct = direct_encoding(make_code("cauchy-good:k=6,m=3,w=4"));
  Search search;
  search.effort = Effort::kMax;
  search.steps = 2'000'000;
  const Program program = optimize(direct, search);
  CHECK(optimize(direct, search) == program);
  search.threads = 4;
  search.parallel = [](std::size_t n, const std::function<void(std::size_t)>& job) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < n; ++i) threads.emplace_back(job, i);
    for (std::thread& thread : threads) thread.join();
  };
  CHECK(optimize(direct, search) == program);
  search.seed = 2;
  CHECK(optimize(direct, search) != program);
}

TEST_CASE("A 256 x 1784 bitmatrix is within normal effort and loses more than half of its XORs" *
          doctest::skip(kIsSanitized)) {  // takes a minute with a sanitizer
  const Program direct = direct_encoding(make_code("cauchy-good:k=223,m=32"));
  CHECK(direct.outputs.size() == 256);
  CHECK(direct.inputs.size() == 1784);
  CHECK(2 * xors(optimize(direct)) < xors(direct));
}

TEST_CASE("A search of normal effort ends once all of many walks come to the same XORs") {
  const auto searched = [](const char* spec) {
    int parts = 0;
    Search search;
    search.on_moves = [&](double) { ++parts; };
    const Program program = optimize(direct_encoding(make_code(spec)), search);
    return std::pair{cost(program).xors, parts};
  };
  // No part of the moves of a whole race is made.
  CHECK(searched("cauchy-good:k=4,m=2,w=4") == std::pair{std::size_t{25}, 0});
  CHECK(searched("cauchy-good:k=4,m=2,w=8") == std::pair{std::size_t{55}, 0});
  if (kIsSanitized) return;
  // Few walks come to the fewest.
  const auto [xors, parts] = searched("cauchy-good:k=6,m=3,w=4");
  CHECK(xors == 50);
  CHECK(parts > 0);
}

TEST_CASE("A search that is given a circuit to start from comes out with no more XORs") {
  const Program direct = direct_encoding(make_code("cauchy-good:k=6,m=3,w=4"));
  Search search;
  search.effort = Effort::kMax;
  search.steps = kIsSanitized ? 200'000 : 5'000'000;
  const Program good = optimize(direct, search);
  search.start = circuit_of(good);
  for (const std::uint64_t steps : {1UL, 1000UL, 100'000UL}) {
    for (const std::uint64_t seed : {1UL, 2UL}) {
      search.steps = steps;
      search.seed = seed;
      CAPTURE(steps);
      const Program program = optimize(direct, search);
      CHECK(xors(program) <= xors(good));
      CHECK(evaluate_symbolically(program) == evaluate_symbolically(direct));
    }
  }
  search.start = circuit_of(direct_program(test::random_matrix(12, 24, 1)));
  CHECK_THROWS_AS(optimize(direct, search), Error);
}

TEST_CASE("Searches ask often whether to stop, and a quick one stops at once") {
  const Program direct = direct_encoding(make_code("cauchy-good:k=10,m=4,w=8"));
  Search search;
  search.effort = Effort::kQuick;
  search.stop_requested = [] { return true; };
  Search fast;
  fast.effort = Effort::kFast;
  CHECK(optimize(direct, search) == optimize(direct, fast));
  std::size_t asked = 0;
  search.effort = Effort::kMax;
  search.steps = 100'000;
  search.stop_requested = [&] { return ++asked == 0; };
  static_cast<void>(optimize(direct, search));
  CHECK(asked >= 50);
}

TEST_CASE("A quick search is never dearer than a fast one, and the same every time") {
  for (const char* spec : {"cauchy-good:k=10,m=4,w=4", "cauchy-good:k=6,m=3,w=8", "evenodd:k=5"}) {
    CAPTURE(spec);
    const Program direct = direct_encoding(make_code(spec));
    Search quick;
    quick.effort = Effort::kQuick;
    Search fast;
    fast.effort = Effort::kFast;
    const Program found = optimize(direct, quick);
    CHECK(xors(found) <= xors(optimize(direct, fast)));
    CHECK(found == optimize(direct, quick));
  }
}

TEST_CASE("A search without an end is refused") {
  Search search;
  search.effort = Effort::kMax;
  CHECK_THROWS_AS(optimize(direct_program(random_matrix(3, 3, 1)), search), Error);
}

CircuitRace small_tournament() {
  CircuitRace race;
  race.matrix = test::random_matrix(12, 20, 4);
  race.start = [program = direct_program(race.matrix)](std::uint64_t number) {
    Random random(number);
    return share_pairs(program, &random);
  };
  return race;
}

TEST_CASE("The same moves and seed give the same circuit in whatever order the jobs run") {
  CircuitRace race = small_tournament();
  const Circuit circuit = run_moves(race, 3'000'000);
  CHECK(matrix_of(circuit) == race.matrix);
  CHECK(circuit.xors() < race.start(0).xors());
  race.search.parallel = [](std::size_t n, const std::function<void(std::size_t)>& job) {
    std::vector<std::thread> threads;
    for (std::size_t i = n; i-- > 0;) threads.emplace_back(job, i);
    for (std::thread& thread : threads) thread.join();
  };
  CHECK(run_moves(race, 3'000'000) == circuit);
  // On every machine, with every C library.
  CHECK(test::digest(program_of(circuit, layout_of_matrix(12, 20))) == 6590087846069299547U);
  race.search.seed = 2;
  CHECK(run_moves(race, 3'000'000) != circuit);
}

TEST_CASE("It is told when it is over, and keeps what it found") {
  CircuitRace race = small_tournament();
  race.search.threads = 3;
  std::atomic<int> looks = 0;
  race.search.stop_requested = [&] { return ++looks > 60; };
  std::size_t told = 0;
  race.search.on_better = [&](std::size_t xors, std::size_t) { told = xors; };
  const Circuit circuit = run_until_stopped(race);
  CHECK(matrix_of(circuit) == race.matrix);
  CHECK(circuit.xors() == told);
  CHECK(circuit.xors() < race.start(0).xors());
  // Over before it began: the first start is still a circuit.
  CHECK(matrix_of(run_until_stopped(race)) == race.matrix);
  CHECK(matrix_of(run_moves(race, 100)) == race.matrix);
}

TEST_CASE("Each better circuit is given, and the last one finished is the program returned") {
  const Program direct = direct_encoding(make_code("cauchy-good:k=8,m=3,w=4"));
  Search search;
  search.effort = Effort::kMax;
  search.steps = 200'000;
  std::vector<Program> given;
  search.on_circuit = [&](const Circuit& circuit) {
    given.push_back(finished_program(circuit, direct));
  };
  const Program program = optimize(direct, search);
  REQUIRE(given.size() > 1);
  for (std::size_t i = 1; i < given.size(); ++i) CHECK(xors(given[i]) < xors(given[i - 1]));
  CHECK(given.back() == program);
}

TEST_CASE("It ends where enough is reached") {
  CircuitRace race = small_tournament();
  race.enough = race.start(0).xors() - 1;
  CHECK(run_until_stopped(race).xors() <= race.enough);
  CHECK(run_moves(race, std::uint64_t{1} << 40).xors() <= race.enough);
}

}  // namespace
}  // namespace xorloom
