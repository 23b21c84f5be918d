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

/// Walkers that race. Where a walk ends depends much on where it began, and shows early. Many
/// begin, the better of two goes on for twice as long, the better of two of these again, and so on.
///
/// A Walker has walk(moves, enough, stop_requested), and its `best` has xors() XORs and a price(),
/// which is the same number unless the best is not yet what is wanted.
///
/// Shape: the search outlives the race.
template <typename Walker>
class RestartRace {
 public:
  using Circuit = decltype(Walker::best);

  /// The walker of a number: the same for the same number.
  using Start = std::function<Walker(std::uint64_t number)>;

  /// Proves what is better than all before, and tells of it.
  using Take = std::function<void(const Walker& walker)>;

  /// `enough` XORs cannot be beaten. Of the search, its effort and steps do not matter.
  RestartRace(Start start, Take take, std::size_t enough, const Search& search)
      : start_(std::move(start)), take_(std::move(take)), enough_(enough), search_(search) {}

  Walker start(std::uint64_t number) const { return start_(number); }
  std::size_t enough() const { return enough_; }
  const Search& search() const { return search_; }

  /// After each walk, by any thread.
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

/// Moves before a start is judged for the first time, for each XOR.
inline constexpr std::uint64_t kFirstMoves = 1000;

/// Twice as many starts for each, of those that moves are shared among beforehand.
inline constexpr std::uint64_t kMostLevels = 5;

/// A level that no time is enough for.
inline constexpr std::uint64_t kNoLastLevel = 40;

inline void run_jobs(const Search& search, std::size_t n,
                     const std::function<void(std::size_t)>& job) {
  if (search.parallel) return search.parallel(n, job);
  for (std::size_t i = 0; i < n; ++i) job(i);
}

/// The winner of 2^level walkers, whose start numbers begin at `first` and go up by `stride`.
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
    // It meets the winner of as many others.
    std::optional<Walker> other = win(race, round, first + (stride << round), stride);
    if (!other) return winner;
    if (other->price() < winner->price()) winner = std::move(other);
  }
}

/// Runs until the search is told to stop, or an offer has no more XORs than `enough`. Returns the
/// best.
template <typename Walker>
auto run_until_stopped(RestartRace<Walker>& race) {
  race.offer(race.start(0));
  run_jobs(race.search(), race.search().threads,
           [&](std::size_t thread) { win(race, kNoLastLevel, thread, race.search().threads); });
  return race.best();
}

/// Runs that many moves in all and returns the best walker. The same moves and seed give the same.
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
    // Once one has enough, those after it end: that leaves the result the same at any pace.
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
    // Chosen in the order of their numbers, whoever was done first.
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
