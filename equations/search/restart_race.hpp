#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "equations/search/optimize.hpp"

namespace xorloom {

/// A knockout race of walkers from many starts. The result of a walk depends much on its start, and
/// shows early. So the better of two walkers goes on for twice as long, then the better of two of
/// those, and so on.
///
/// A Walker has walk(moves, enough, stop_requested) and a circuit `best`. Its xors() and price()
/// are those of `best`. The price is the XORs, plus a penalty if `best` is too deep.
///
/// Shape: `search` outlives the race.
template <typename Walker>
class RestartRace {
 public:
  using Circuit = decltype(Walker::best);

  /// Makes walker `number`, determined by it.
  using Start = std::function<Walker(std::uint64_t number)>;

  /// Proves a walker that is better than all before, and reports it.
  using Take = std::function<void(const Walker& walker)>;

  /// `enough`: XORs that cannot be beaten. The effort and steps of `search` are not used.
  RestartRace(Start start, Take take, std::size_t enough, const Search& search)
      : start_(std::move(start)), take_(std::move(take)), enough_(enough), search_(search) {}

  Walker start(std::uint64_t number) const { return start_(number); }
  std::size_t enough() const { return enough_; }
  const Search& search() const { return search_; }

  /// Takes `walker` if its price is the lowest so far. Called after each walk, by any thread.
  void offer(const Walker& walker) {
    const std::lock_guard lock(mutex_);
    if (best_ && price_ <= walker.price()) return;
    take_(walker);
    best_ = walker.best;
    price_ = walker.price();
  }

  bool is_over() const {
    if (search_.is_over()) return true;
    const std::lock_guard lock(mutex_);
    return best_ && price_ <= enough_;
  }

  /// The best offer. Shape: there was one.
  Circuit best() const { return *best_; }

 private:
  Start start_;
  Take take_;
  std::size_t enough_;
  const Search& search_;
  mutable std::mutex mutex_;
  std::optional<Circuit> best_;
  std::size_t price_ = 0;
};

/// Moves per XOR before a start is judged for the first time.
inline constexpr std::uint64_t kFirstMoves = 1000;

/// Most levels of run_moves; a race of L levels has 2^L starts.
inline constexpr std::uint64_t kMostLevels = 5;

/// A level that no search reaches, for races that only a stop ends.
inline constexpr std::uint64_t kNoLastLevel = 40;

inline void run_jobs(const Search& search, std::size_t n,
                     const std::function<void(std::size_t)>& job) {
  if (search.parallel) return search.parallel(n, job);
  for (std::size_t i = 0; i < n; ++i) job(i);
}

/// The winner of 2^level walkers, with start numbers first, first + stride, and so on. nullopt: the
/// race was over before.
template <typename Walker>
std::optional<Walker> win(RestartRace<Walker>& race, std::uint64_t level, std::uint64_t first,
                          std::uint64_t stride) {
  if (race.is_over()) return std::nullopt;
  std::optional<Walker> winner(race.start(first));
  for (std::uint64_t round = 0;; ++round) {
    winner->walk((kFirstMoves * winner->xors()) << round, race.enough(),
                 race.search().stop_requested);
    race.offer(*winner);
    if (round == level) return winner;
    // The opponent is the winner of 2^round others.
    std::optional<Walker> other = win(race, round, first + (stride << round), stride);
    if (!other) return winner;
    if (other->price() < winner->price()) winner = std::move(other);
  }
}

/// Runs until the search is stopped, or an offer has a price of at most `enough`. Returns the best.
template <typename Walker>
auto run_until_stopped(RestartRace<Walker>& race) {
  race.offer(race.start(0));
  run_jobs(race.search(), race.search().threads,
           [&](std::size_t thread) { win(race, kNoLastLevel, thread, race.search().threads); });
  return race.best();
}

/// Makes `moves` moves in all and returns the best walker, which moves and seed determine.
template <typename Walker>
Walker run_moves(RestartRace<Walker>& race, std::uint64_t moves) {
  Walker best = race.start(0);
  race.offer(best);
  // Levels 0 … L of 2^L, …, 1 walkers take the same number of moves each.
  const std::uint64_t first_moves = kFirstMoves * std::max<std::size_t>(best.xors(), 1);
  std::uint64_t last_level = 0;
  while (last_level < kMostLevels &&
         (first_moves << (last_level + 1)) * (last_level + 2) <= moves) {
    ++last_level;
  }
  const std::uint64_t moves_a_level = moves / (last_level + 1);

  std::vector<std::optional<Walker>> walkers(std::size_t{1} << last_level);
  std::atomic<std::uint64_t> made = 0;
  for (std::uint64_t level = 0; level <= last_level && best.price() > race.enough(); ++level) {
    const std::size_t num_walkers = walkers.size() >> level;
    // Once a walker has `enough`, those of higher numbers stop: the pace of threads does not
    // matter.
    std::atomic<std::size_t> first_done = num_walkers;
    run_jobs(race.search(), num_walkers, [&](std::size_t number) {
      std::optional<Walker>& walker = walkers[number];
      if (!walker) walker.emplace(race.start(number));
      walker->walk(moves_a_level / num_walkers, race.enough(),
                   [&] { return first_done < number || race.search().is_over(); });
      made += moves_a_level / num_walkers;
      if (race.search().on_moves) {
        race.search().on_moves(static_cast<double>(made) / static_cast<double>(moves));
      }
      race.offer(*walker);
      if (walker->price() > race.enough()) return;
      for (std::size_t first = first_done; number < first;) {
        if (first_done.compare_exchange_weak(first, number)) break;
      }
    });
    // By number, so that it does not matter which thread was done first.
    for (std::size_t i = 0; i < num_walkers; ++i) {
      if (walkers[i]->price() < best.price()) best = *walkers[i];
    }
    for (std::size_t i = 0; i < num_walkers / 2; ++i) {
      const bool is_second = walkers[2 * i + 1]->price() < walkers[2 * i]->price();
      std::optional<Walker> winner = std::move(walkers[2 * i + (is_second ? 1 : 0)]);
      walkers[i] = std::move(winner);
    }
  }
  return best;
}

}  // namespace xorloom
