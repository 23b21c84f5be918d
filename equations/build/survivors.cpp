#include "equations/build/survivors.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "equations/build/direct.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// Field operations that may go into the choice.
constexpr std::size_t kMaxWork = std::size_t{1} << 27;

/// The best maps so far, and what looks for better ones.
class SurvivorSearch {
 public:
  SurvivorSearch(const Code& code, std::span<const std::size_t> lost,
                 std::span<const std::size_t> wanted, std::span<const std::size_t> rows,
                 std::size_t most)
      : code_(code),
        lost_(lost),
        wanted_(wanted.empty() ? lost : wanted),
        rows_(rows),
        most_(most),
        candidates_(redundant_survivors(code, lost)) {
    LinearMap first = decoding_map(code, lost, wanted);
    const std::size_t xors = direct_xors(code, first, rows);
    best_.push_back({xors, std::move(first)});
    for (const std::size_t location : candidates_) {
      const bool used = std::ranges::any_of(best_.front().map.inputs, [&](Cell cell) {
        return code.location_of_cell(cell) == location && code.role(cell) == Role::kRedundant;
      });
      if (used) used_.push_back(location);
    }
  }

  std::vector<LinearMap> run() {
    if (!used_.empty() && candidates_.size() > 1) {
      left_ = std::min(kMaxSurvivorChoices, kMaxWork / work_of_a_choice());
      if (num_choices() <= left_) {
        try_all();
      } else {
        exchange();
      }
    }
    std::vector<LinearMap> maps;
    for (Choice& choice : best_) maps.push_back(std::move(choice.map));
    return maps;
  }

 private:
  struct Choice {
    std::size_t xors;
    LinearMap map;
  };

  /// Field operations to find the map of a choice and count its XORs, at least 1.
  std::size_t work_of_a_choice() const {
    const std::vector<bool> lost = location_flags(code_, lost_, "lost");
    const auto unknown = static_cast<std::size_t>(std::ranges::count_if(
        code_.data, [&](Cell cell) { return lost[code_.location_of_cell(cell)]; }));
    const std::size_t outputs = best_.front().map.outputs.size();
    const std::size_t inputs = code_.data.size() + unknown;
    return (unknown + outputs) * unknown * inputs + outputs * inputs * code_.field.w() + 1;
  }

  /// Sets of as many candidates as are used, or fewer; more than left_ are not counted.
  std::size_t num_choices() const {
    std::size_t sum = 0;
    std::size_t sets = 1;
    for (std::size_t size = 1; size <= used_.size() && sum <= left_; ++size) {
      sets = sets * (candidates_.size() - size + 1) / size;
      sum += sets;
    }
    return sum;
  }

  void try_all() {
    for (std::size_t size = 1; size <= used_.size(); ++size) {
      Locations index(size);
      std::iota(index.begin(), index.end(), std::size_t{0});
      for (bool more = true; more; more = next_set(index, candidates_.size())) {
        Locations choice;
        for (const std::size_t i : index) choice.push_back(candidates_[i]);
        consider(choice);
      }
    }
  }

  /// The next set of numbers below `end` in ascending order, if there is one.
  static bool next_set(Locations& set, std::size_t end) {
    for (std::size_t i = set.size(); i-- > 0;) {
      if (set[i] == end - set.size() + i) continue;
      std::iota(set.begin() + static_cast<std::ptrdiff_t>(i), set.end(), set[i] + 1);
      return true;
    }
    return false;
  }

  void exchange() {
    Locations choice = used_;
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i < choice.size(); ++i) {
        for (const std::size_t candidate : candidates_) {
          if (std::ranges::find(choice, candidate) != choice.end()) continue;
          if (left_ == 0) return;
          --left_;
          Locations exchanged = choice;
          exchanged[i] = candidate;
          std::ranges::sort(exchanged);
          if (!consider(exchanged)) continue;
          choice = std::move(exchanged);
          better = true;
        }
      }
    }
  }

  /// Keeps the map of a choice if it is one of the best; whether none so far has as few XORs.
  bool consider(const Locations& choice) {
    std::optional<LinearMap> map = recovery_map(code_, lost_, wanted_, choice);
    if (!map) return false;
    const std::size_t xors = direct_xors(code_, *map, rows_);
    const auto place = std::ranges::upper_bound(best_, xors, {}, &Choice::xors);
    const bool is_known = std::any_of(
        best_.begin(), place, [&](const Choice& known) { return known.map.inputs == map->inputs; });
    if (is_known) return false;
    const bool is_best = place == best_.begin();
    best_.insert(place, {xors, *std::move(map)});
    if (best_.size() > most_) best_.pop_back();
    return is_best;
  }

  const Code& code_;
  std::span<const std::size_t> lost_;
  std::span<const std::size_t> wanted_;
  std::span<const std::size_t> rows_;
  std::size_t most_;
  std::vector<Choice> best_;  // fewest XORs first
  Locations candidates_;
  Locations used_;
  std::size_t left_ = 0;  // choices that may still be tried
};

}  // namespace

LinearMap choose_survivors(const Code& code, std::span<const std::size_t> lost,
                           std::span<const std::size_t> wanted, std::span<const std::size_t> rows) {
  return std::move(best_survivors(code, lost, wanted, rows, 1).front());
}

std::vector<LinearMap> best_survivors(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> rows, std::size_t most) {
  return SurvivorSearch(code, lost, wanted, rows, most).run();
}

}  // namespace xorloom
