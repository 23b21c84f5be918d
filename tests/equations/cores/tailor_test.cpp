#include "equations/cores/tailor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

/// Whether each gate follows what it reads, and how many gates of steps find no core.
std::size_t overflow_of(const TimedCircuit& timed, std::size_t num_steps, std::size_t cores) {
  const Circuit& circuit = timed.circuit;
  std::vector<std::size_t> load(num_steps + 1, 0);
  REQUIRE(timed.steps.size() == circuit.gates.size());
  for (std::size_t i = 0; i < circuit.gates.size(); ++i) {
    REQUIRE(timed.steps[i] >= 1);
    REQUIRE(timed.steps[i] <= num_steps);
    ++load[timed.steps[i]];
    for (const Circuit::Value operand : circuit.gates[i]) {
      if (operand >= circuit.inputs) CHECK(timed.steps[operand - circuit.inputs] < timed.steps[i]);
    }
  }
  std::size_t overflow = 0;
  for (const std::size_t gates : load) overflow += gates - std::min(gates, cores);
  return overflow;
}

TEST_CASE("Wherever a timed walk stands, its circuit computes the matrix in its steps") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = test::random_matrix(4 + seed % 10, 3 + seed % 23, seed);
    const Circuit start = share_pairs(direct_program(matrix));
    const std::size_t steps = depth(start) + seed % 3;
    const std::size_t cores = 1 + seed % 5;
    TimedWalk walk(start, steps, cores, seed);
    for (int i = 0; i < 20; ++i) {
      walk.run(300, 0);
      const TimedCircuit best = walk.best();
      CHECK(matrix_of(best.circuit) == matrix);
      CHECK(best.circuit.xors() == walk.best_xors());
      CHECK(overflow_of(best, steps, cores) == walk.best_overflow());
    }
  }
}

TEST_CASE("Steps that compute nothing are left out") {
  const Circuit start = share_pairs(direct_program(test::random_matrix(8, 8, 3)));
  TimedWalk walk(start, start.xors() + 20, 1, 1);
  walk.run(50'000, 0);
  REQUIRE(walk.best_overflow() == 0);
  const TimedCircuit best = walk.best();
  for (std::size_t i = 0; i < best.steps.size(); ++i) CHECK(best.steps[i] == i + 1);
}

TEST_CASE("It makes room where there is some") {
  // Eight XORs in four steps on two cores.
  const BitMatrix matrix = test::matrix_of_rows({"111110000", "000001111"});
  const Circuit start = share_pairs(direct_program(matrix));
  TimedWalk walk(start, 4, 2, 1);
  walk.run(100'000, 7);
  CHECK(walk.best_overflow() == 0);
  CHECK(walk.best_xors() == 7);
}

TEST_CASE("On 6 cores the worked example takes 5 steps, with equations of two operands") {
  const Program direct = direct_encoding(make_code(kWorkedExample));
  const TailoredProgram tailored = tailor_to_cores(direct, 6);
  CHECK(makespan(tailored.plan) == 5);
  CHECK(cost(tailored.program).xors <= 26);
  CHECK(cost(tailored.program).longest_equation == 1);
  CHECK(atomic_makespan(tailored.program, 6) >= 5);
  CHECK(makespan_bound(evaluate_symbolically(direct), 6) == 4);
}

/// Every way to compute the columns of a matrix of the bound's XORs from unit vectors without a
/// value besides them, and the least depth of the circuits that are these run backwards.
class Derivations {
 public:
  explicit Derivations(const BitMatrix& matrix) : num_units_(matrix.rows()) {
    for (std::size_t r = 0; r < num_units_; ++r) values_.push_back(1U << r);
    const BitMatrix columns = transposed(matrix);
    for (std::size_t c = 0; c < columns.rows(); ++c) {
      values_.push_back(static_cast<unsigned>(columns.row(c)[0]));
    }
    chosen_.resize(values_.size());
    pairs_.resize(values_.size());
    for (std::size_t v = num_units_; v < values_.size(); ++v) {
      for (std::size_t a = 0; a < values_.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          if (a != v && b != v && (values_[a] ^ values_[b]) == values_[v]) {
            pairs_[v].push_back({a, b});
          }
        }
      }
    }
  }

  /// The least depth, and how many ways there are.
  std::pair<std::size_t, std::size_t> least_depth() {
    choose(num_units_);
    return {least_, num_ways_};
  }

 private:
  using Pair = std::array<std::size_t, 2>;

  bool depends(std::size_t value, std::size_t on, std::size_t known) const {
    if (value == on) return true;
    if (value < num_units_ || value > known) return false;
    return depends(chosen_[value][0], on, known) || depends(chosen_[value][1], on, known);
  }

  void choose(std::size_t value) {
    if (value == values_.size()) {
      ++num_ways_;
      least_ = std::min(least_, depth_backwards());
      return;
    }
    for (const Pair& pair : pairs_[value]) {
      // Cycles through values that are still to be chosen are seen when these are.
      if (depends(pair[0], value, value - 1) || depends(pair[1], value, value - 1)) continue;
      chosen_[value] = pair;
      choose(value + 1);
    }
  }

  /// Run backwards, a value becomes the sum of its readers and, if it is a column, of its input: k
  /// terms of depths d are added in a depth of log2 of the sum of 2^d, rounded up.
  std::size_t depth_backwards() const {
    std::vector<std::size_t> depths(values_.size(), kUnknown);
    std::size_t deepest = 0;
    for (std::size_t unit = 0; unit < num_units_; ++unit) {
      deepest = std::max(deepest, depth_of(unit, depths));
    }
    return deepest;
  }

  std::size_t depth_of(std::size_t value, std::vector<std::size_t>& depths) const {
    if (depths[value] != kUnknown) return depths[value];
    std::size_t width = value < num_units_ ? 0 : 1;
    for (std::size_t reader = num_units_; reader < values_.size(); ++reader) {
      if (chosen_[reader][0] == value || chosen_[reader][1] == value) {
        width += std::size_t{1} << depth_of(reader, depths);
      }
    }
    return depths[value] = static_cast<std::size_t>(std::bit_width(width - 1));
  }

  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
  std::size_t num_units_;
  std::vector<unsigned> values_;
  std::vector<std::vector<Pair>> pairs_;
  std::vector<Pair> chosen_;
  std::size_t least_ = kUnknown;
  std::size_t num_ways_ = 0;
};

TEST_CASE("No equations of the worked example take four steps on 6 cores") {
  // Four steps of 6 cores are 24 XORs, which is the lower bound. Backwards, a circuit of 24 XORs
  // has 24 + 6 - 15 = 15, one for each of the 15 columns, which all differ and have two ones or
  // more: so each of its values is a column, and it is one of these.
  const BitMatrix matrix = bitmatrix(make_code(kWorkedExample));
  REQUIRE(lower_bound(matrix) == 24);
  REQUIRE(matrix.rows() == 6);
  REQUIRE(matrix.columns() == 15);
  const auto [depth, num_ways] = Derivations(matrix).least_depth();
  CHECK(num_ways == 468);
  CHECK(depth > 4);
}

TEST_CASE("Tailored programs hold, and take no more steps than list scheduling needs") {
  const std::vector<std::size_t> lost{0, 3};
  const Code code = make_code("cauchy-good:k=4,m=2,w=4");
  Search search;
  search.effort = Effort::kFast;
  for (const Program& direct : {direct_encoding(code), direct_decoding(code, lost)}) {
    const Program shared = optimize(direct, search);
    for (const std::size_t cores : {1UL, 2UL, 5UL, 100UL}) {
      CAPTURE(cores);
      const TailoredProgram tailored = tailor_to_cores(direct, cores, search);
      CHECK_NOTHROW(prove(tailored.program, code));
      CHECK_NOTHROW(check_core_schedule(tailored.program, tailored.plan));
      CHECK(makespan(tailored.plan) <= makespan(schedule_on_cores(direct, cores)));
      CHECK(makespan(tailored.plan) <= makespan(schedule_on_cores(shared, cores)));
      CHECK(makespan(tailored.plan) >= makespan_bound(evaluate_symbolically(direct), cores));
    }
  }
}

TEST_CASE("A plan begins with few XORs, which are added up in the order that suits the cores") {
  const Code code = make_code("cauchy-good:k=7,m=3,w=5");
  const Program direct = direct_encoding(code);
  Search search;
  search.effort = Effort::kNormal;
  const Program few = optimize(direct, search);
  search.effort = Effort::kFast;
  search.start = circuit_of(few);
  for (const std::size_t cores : {2UL, 4UL, 8UL}) {
    CAPTURE(cores);
    const TailoredProgram tailored = tailor_to_cores(direct, cores, search);
    const std::size_t steps = makespan(schedule_on_cores(few, cores));
    CHECK(makespan(tailored.plan) <= steps);
    CHECK((makespan(tailored.plan) < steps || xors(tailored.program) <= xors(few)));
  }
}

TEST_CASE("A plan for many cores begins with few levels, if these take fewer steps") {
  Search search;
  search.effort = Effort::kMax;
  search.steps = 100'000;
  const Program direct = direct_encoding(make_code("cauchy-good:k=10,m=4,w=4"));
  CHECK(makespan(tailor_to_cores(direct, 8, search).plan) <= 16);
}

TEST_CASE("The same seed gives the same plan, and cores out of bounds are refused") {
  const Program direct = direct_program(test::random_matrix(8, 12, 1));
  Search search;
  search.effort = Effort::kFast;
  const TailoredProgram tailored = tailor_to_cores(direct, 3, search);
  CHECK(tailor_to_cores(direct, 3, search).program == tailored.program);
  CHECK(tailor_to_cores(direct, 3, search).plan == tailored.plan);
  CHECK_THROWS_AS(tailor_to_cores(direct, 0, search), Error);
  CHECK_THROWS_AS(tailor_to_cores(direct, kMaxCores + 1, search), Error);
}

TEST_CASE(
    "The front runs from the fewest steps to the fewest XORs, each step more for fewer XORs") {
  const Code code = make_code(kWorkedExample);
  const Program direct = direct_encoding(code);
  const std::vector<TailoredProgram> front = front_on_cores(direct, 6);
  REQUIRE(front.size() >= 2);
  CHECK(makespan(front.front().plan) == makespan(tailor_to_cores(direct, 6).plan));
  CHECK(cost(front.back().program).xors == 24);
  for (std::size_t i = 0; i < front.size(); ++i) {
    CHECK_NOTHROW(prove(front[i].program, code));
    CHECK_NOTHROW(check_core_schedule(front[i].program, front[i].plan));
    if (i == 0) continue;
    CHECK(makespan(front[i].plan) > makespan(front[i - 1].plan));
    CHECK(cost(front[i].program).xors < cost(front[i - 1].program).xors);
  }
  // Steps on one core are XORs.
  Search search;
  search.effort = Effort::kFast;
  CHECK(front_on_cores(direct, 1, search).size() == 1);
}

TEST_CASE("Without steps or an end, a search of effort max is refused") {
  const Program direct = direct_program(test::random_matrix(4, 6, 1));
  Search search;
  search.effort = Effort::kMax;
  CHECK_THROWS_AS(tailor_to_cores(direct, 3, search), Error);
  CHECK_THROWS_AS(front_on_cores(direct, 3, search), Error);
}

TEST_CASE("Threads share the time of a search, and change nothing where steps end it") {
  // The fewest XORs of the worked example are found at once, so steps and time go to the cores.
  const Code paper = make_code(kWorkedExample);
  const Program direct =
      direct_encoding(test::tries_all() ? make_code("cauchy-good:k=4,m=2,w=4") : paper);
  Search search;
  search.effort = Effort::kMax;
  search.steps = 300'000;
  const TailoredProgram one = tailor_to_cores(direct, 4, search);
  search.threads = 3;
  search.parallel = [](std::size_t n, const std::function<void(std::size_t)>& job) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < n; ++i) threads.emplace_back(job, i);
    for (std::thread& thread : threads) thread.join();
  };
  CHECK(tailor_to_cores(direct, 4, search).program == one.program);
  search.steps = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  search.stop_requested = [end] { return std::chrono::steady_clock::now() >= end; };
  const std::vector<TailoredProgram> front = front_on_cores(direct_encoding(paper), 6, search);
  REQUIRE(front.size() >= 2);
  for (const TailoredProgram& point : front) {
    CHECK_NOTHROW(prove(point.program, paper));
    CHECK_NOTHROW(check_core_schedule(point.program, point.plan));
  }
  for (std::size_t i = 1; i < front.size(); ++i) {
    CHECK(makespan(front[i].plan) > makespan(front[i - 1].plan));
    CHECK(cost(front[i].program).xors < cost(front[i - 1].program).xors);
  }
}

TEST_CASE("What needs no XOR takes no step") {
  const Program direct = direct_program(test::matrix_of_rows({"10", "00", "01", "01"}));
  const TailoredProgram tailored = tailor_to_cores(direct, 2);
  CHECK(makespan(tailored.plan) == 0);
}

}  // namespace
}  // namespace xorloom
