#include "equations/search/restart_race.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

RestartRace small_tournament() {
  RestartRace race;
  race.matrix = test::random_matrix(12, 20, 4);
  race.start = [program = direct_program(race.matrix)](std::uint64_t number) {
    Random random(number);
    return share_pairs(program, &random);
  };
  return race;
}

TEST_CASE("The same moves and seed give the same circuit in whatever order the jobs run") {
  RestartRace race = small_tournament();
  const Circuit circuit = run_moves(race, 3'000'000);
  CHECK(matrix_of(circuit) == race.matrix);
  CHECK(circuit.xors() < race.start(0).xors());
  race.parallel = [](std::size_t n, const std::function<void(std::size_t)>& job) {
    std::vector<std::thread> threads;
    for (std::size_t i = n; i-- > 0;) threads.emplace_back(job, i);
    for (std::thread& thread : threads) thread.join();
  };
  CHECK(run_moves(race, 3'000'000) == circuit);
  race.seed = 2;
  CHECK(run_moves(race, 3'000'000) != circuit);
}

TEST_CASE("It is told when it is over, and keeps what it found") {
  RestartRace race = small_tournament();
  race.threads = 3;
  std::atomic<int> looks = 0;
  race.stop_requested = [&] { return ++looks > 60; };
  std::size_t told = 0;
  race.on_better = [&](const Circuit& circuit) { told = circuit.xors(); };
  const Circuit circuit = run_until_stopped(race);
  CHECK(matrix_of(circuit) == race.matrix);
  CHECK(circuit.xors() == told);
  CHECK(circuit.xors() < race.start(0).xors());
  // Over before it began: the first start is still a circuit.
  CHECK(matrix_of(run_until_stopped(race)) == race.matrix);
  CHECK(matrix_of(run_moves(race, 100)) == race.matrix);
}

TEST_CASE("It ends where enough is reached") {
  RestartRace race = small_tournament();
  race.enough = race.start(0).xors() - 1;
  CHECK(run_until_stopped(race).xors() <= race.enough);
  CHECK(run_moves(race, std::uint64_t{1} << 40).xors() <= race.enough);
}

}  // namespace
}  // namespace xorloom
