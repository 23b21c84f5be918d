#include "equations/search/restart_race.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "equations/ir/random.hpp"
#include "equations/search/plateau_walk.hpp"

namespace xorloom {
namespace {

/// Moves before a start is judged for the first time, for each XOR.
constexpr std::uint64_t kFirstMoves = 1000;

/// Twice as many starts for each, of those that moves are shared among beforehand.
constexpr std::uint64_t kMostLevels = 5;

/// A level that no time is enough for.
constexpr std::uint64_t kNoLastLevel = 40;

/// Moves between questions whether to stop: a millisecond or so.
constexpr std::uint64_t kMovesAtOnce = 2'000;

/// A turn of a walk climbs at one of the rates 16, 32, … 256.
constexpr std::uint32_t kFewestClimbs = 16;
constexpr std::uint32_t kRatesOfClimbs = 5;

/// A walk from one start, on the circuit and on its transposed in turns; see PlateauWalk.
struct Walker {
  Walker(Circuit start, std::uint64_t seed) : best(std::move(start)), current(best), random(seed) {}

  /// Goes on for that many moves, less if `enough` XORs are reached or it is over.
  void walk(std::uint64_t moves, std::size_t enough, const std::function<bool()>& stop_requested);

  Circuit best;
  Circuit current;
  Random random;
  bool is_transposed = false;
};

void Walker::walk(std::uint64_t moves, std::size_t enough,
                  const std::function<bool()>& stop_requested) {
  const auto is_to_stop = [&] { return stop_requested && stop_requested(); };
  PlateauWalk::Options options;
  while (moves != 0 && best.xors() > enough && !is_to_stop()) {
    // Wide circuits gain by long walks, small ones by many turns.
    const std::uint64_t usual = (1000 * std::max<std::uint64_t>(best.xors(), 1))
                                << (1 + random.below(4));
    std::uint64_t left = std::min(moves, usual);
    moves -= left;
    // Few climbs serve some matrices best, many serve others.
    options.climbs = kFewestClimbs << random.below(kRatesOfClimbs);
    const std::uint64_t seed = random();
    PlateauWalk walk(is_transposed ? transposed(current, random) : current, seed, options,
                     stop_requested);
    // What is left on the other side is known only there.
    const std::size_t enough_here =
        is_transposed ? walk.xors() - std::min(walk.xors(), current.xors() - enough) : enough;
    while (left != 0 && !is_to_stop()) {
      const std::uint64_t some = std::min(left, kMovesAtOnce);
      left -= some;
      if (walk.run(some, enough_here) < some) break;
    }
    Circuit found = is_transposed ? transposed(walk.best(), random) : walk.best();
    current = is_transposed ? transposed(walk.circuit(), random) : walk.circuit();
    if (found.xors() < best.xors()) best = std::move(found);
    if (current.xors() > best.xors() + options.slack) current = best;
    is_transposed = !is_transposed;
  }
}

/// The best circuit of a race, proved.
class Best {
 public:
  explicit Best(const RestartRace& race) : tournament_(race) {}

  void offer(const Circuit& circuit) {
    const std::lock_guard lock(mutex_);
    if (best_ && best_->xors() <= circuit.xors()) return;
    prove(circuit, tournament_.matrix);
    best_ = circuit;
    if (tournament_.on_better) tournament_.on_better(circuit);
  }

  bool is_enough() const {
    const std::lock_guard lock(mutex_);
    return best_ && best_->xors() <= tournament_.enough;
  }

  Circuit circuit() const { return *best_; }

 private:
  const RestartRace& tournament_;
  mutable std::mutex mutex_;
  std::optional<Circuit> best_;
};

bool is_better(const Walker& a, const Walker& b) { return a.best.xors() < b.best.xors(); }

std::uint64_t seed_of(const RestartRace& race, std::uint64_t number) {
  return Random(race.seed ^ Random(number)())();
}

bool stop_requested(const RestartRace& race) {
  return race.stop_requested && race.stop_requested();
}

void run_jobs(const RestartRace& race, std::size_t n, const std::function<void(std::size_t)>& job) {
  if (race.parallel) return race.parallel(n, job);
  for (std::size_t i = 0; i < n; ++i) job(i);
}

/// The winner of 2^level walkers, whose start numbers begin at `first` and go up by `stride`.
std::optional<Walker> win(const RestartRace& race, std::uint64_t level, std::uint64_t first,
                          std::uint64_t stride, Best& best) {
  if (stop_requested(race) || best.is_enough()) return std::nullopt;
  std::optional<Walker> winner(std::in_place, race.start(first), seed_of(race, first));
  for (std::uint64_t round = 0;; ++round) {
    winner->walk((kFirstMoves * winner->best.xors()) << round, race.enough, race.stop_requested);
    best.offer(winner->best);
    if (round == level) return winner;
    // It meets the winner of as many others.
    std::optional<Walker> other = win(race, round, first + (stride << round), stride, best);
    if (!other) return winner;
    if (is_better(*other, *winner)) winner = std::move(other);
  }
}

}  // namespace

Circuit run_moves(const RestartRace& race, std::uint64_t moves) {
  Best seen(race);
  Circuit best = race.start(0);
  seen.offer(best);
  // Levels 0 … L of 2^L, …, 1 walkers take the same number of moves each.
  const std::uint64_t first_moves = kFirstMoves * std::max<std::size_t>(best.xors(), 1);
  std::uint64_t last_level = 0;
  while (last_level < kMostLevels &&
         (first_moves << (last_level + 1)) * (last_level + 2) <= moves) {
    ++last_level;
  }
  const std::uint64_t moves_a_level = moves / (last_level + 1);

  std::vector<std::optional<Walker>> walkers(std::size_t{1} << last_level);
  for (std::uint64_t level = 0; level <= last_level && best.xors() > race.enough; ++level) {
    const std::size_t num_walkers = walkers.size() >> level;
    // Once one has enough, those after it end: that leaves the result the same at any pace.
    std::atomic<std::size_t> first_done = num_walkers;
    run_jobs(race, num_walkers, [&](std::size_t number) {
      std::optional<Walker>& walker = walkers[number];
      if (!walker) walker.emplace(race.start(number), seed_of(race, number));
      walker->walk(moves_a_level / num_walkers, race.enough,
                   [&] { return first_done < number || stop_requested(race); });
      seen.offer(walker->best);
      if (walker->best.xors() > race.enough) return;
      for (std::size_t first = first_done; number < first;) {
        if (first_done.compare_exchange_weak(first, number)) break;
      }
    });
    // Chosen in the order of their numbers, whoever was done first.
    for (std::size_t i = 0; i < num_walkers; ++i) {
      if (walkers[i]->best.xors() < best.xors()) best = walkers[i]->best;
    }
    for (std::size_t i = 0; i < num_walkers / 2; ++i) {
      const bool is_second = is_better(*walkers[2 * i + 1], *walkers[2 * i]);
      std::optional<Walker> winner = std::move(walkers[2 * i + (is_second ? 1 : 0)]);
      walkers[i] = std::move(winner);
    }
  }
  return best;
}

Circuit run_until_stopped(const RestartRace& race) {
  Best best(race);
  best.offer(race.start(0));
  run_jobs(race, race.threads,
           [&](std::size_t thread) { win(race, kNoLastLevel, thread, race.threads, best); });
  return best.circuit();
}

}  // namespace xorloom
