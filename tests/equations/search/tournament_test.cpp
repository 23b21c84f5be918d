#include "equations/search/tournament.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

Tournament small_tournament() {
  Tournament tournament;
  tournament.matrix = test::random_matrix(12, 20, 4);
  tournament.start = [program = direct_program(tournament.matrix)](std::uint64_t number) {
    Random random(number);
    return share_pairs(program, &random);
  };
  return tournament;
}

TEST_CASE("The same moves and seed give the same circuit in whatever order the jobs run") {
  Tournament tournament = small_tournament();
  const Circuit circuit = play_moves(tournament, 3'000'000);
  CHECK(matrix_of(circuit) == tournament.matrix);
  CHECK(circuit.xors() < tournament.start(0).xors());
  tournament.parallel = [](std::size_t n, const std::function<void(std::size_t)>& job) {
    std::vector<std::thread> threads;
    for (std::size_t i = n; i-- > 0;) threads.emplace_back(job, i);
    for (std::thread& thread : threads) thread.join();
  };
  CHECK(play_moves(tournament, 3'000'000) == circuit);
  tournament.seed = 2;
  CHECK(play_moves(tournament, 3'000'000) != circuit);
}

TEST_CASE("It is told when it is over, and keeps what it found") {
  Tournament tournament = small_tournament();
  tournament.threads = 3;
  std::atomic<int> looks = 0;
  tournament.stop_requested = [&] { return ++looks > 60; };
  std::size_t told = 0;
  tournament.on_better = [&](const Circuit& circuit) { told = circuit.xors(); };
  const Circuit circuit = play_on(tournament);
  CHECK(matrix_of(circuit) == tournament.matrix);
  CHECK(circuit.xors() == told);
  CHECK(circuit.xors() < tournament.start(0).xors());
  // Over before it began: the first start is still a circuit.
  CHECK(matrix_of(play_on(tournament)) == tournament.matrix);
  CHECK(matrix_of(play_moves(tournament, 100)) == tournament.matrix);
}

TEST_CASE("It ends where enough is reached") {
  Tournament tournament = small_tournament();
  tournament.enough = tournament.start(0).xors() - 1;
  CHECK(play_on(tournament).xors() <= tournament.enough);
  CHECK(play_moves(tournament, std::uint64_t{1} << 40).xors() <= tournament.enough);
}

}  // namespace
}  // namespace xorloom
