#include "codes/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "codes/linear_map.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::uint64_t kSampledSets = 100'000;

/// Most work of losses_survived() per number of losses, in operations of a field with tables.
constexpr double kMostWork = 1e10;

/// Most work of most_losses_survived() per number of losses, in operations of a field with tables.
constexpr double kQuickWork = 2e8;

/// C(n, r) as a double: exact if small, approximate if huge.
double binomial(std::size_t n, std::size_t r) {
  double result = 1;
  for (std::size_t i = 0; i < r; ++i) {
    result = result * static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return result;
}

/// Tries sets of `losses` locations with the fewest data locations first, up to `budget` sets.
struct LossSearch {
  const Code& code;
  std::uint64_t budget;
  std::uint64_t tried = 0;
  std::vector<std::vector<std::size_t>> columns = columns_by_location(code);

  std::optional<std::vector<std::size_t>> failing_set(std::size_t losses) {
    std::vector<std::size_t> data;
    std::vector<std::size_t> redundant;
    const std::vector<bool> has_data = holds_data(code);
    for (std::size_t location = 0; location < code.locations; ++location) {
      (has_data[location] ? data : redundant).push_back(location);
    }
    for (std::size_t d = 1; d <= std::min(losses, data.size()); ++d) {
      if (losses - d > redundant.size()) continue;
      std::vector<std::size_t> from_data = first_combination(d);
      do {
        std::vector<std::size_t> from_redundant = first_combination(losses - d);
        do {
          if (tried == budget) return std::nullopt;
          ++tried;
          std::vector<std::size_t> lost;
          for (const std::size_t i : from_data) lost.push_back(data[i]);
          for (const std::size_t i : from_redundant) lost.push_back(redundant[i]);
          std::ranges::sort(lost);
          if (!is_recoverable(code, lost, columns)) return lost;
        } while (next_combination(from_redundant, redundant.size()));
      } while (next_combination(from_data, data.size()));
    }
    return std::nullopt;
  }
};

void check_losses(const Code& code, std::size_t losses) {
  if (losses <= code.locations) return;
  fail(Status::kInvalidArgument, "{} exceed the {} locations of the code", losses_text(losses),
       code.locations);
}

/// Work of trying all sets of `losses` losses, in operations of a field with tables: each set
/// eliminates the cells of `losses` locations.
double work_of(const Code& code, std::size_t losses) {
  const auto cells = static_cast<double>(std::min(losses * code.subchunks, code.data.size()));
  return binomial(code.locations, losses) * cells * cells * cells * multiplication_cost(code.field);
}

}  // namespace

bool next_combination(std::vector<std::size_t>& chosen, std::size_t n) {
  const std::size_t r = chosen.size();
  for (std::size_t i = r; i-- > 0;) {
    if (chosen[i] == n - r + i) continue;
    std::iota(chosen.begin() + static_cast<std::ptrdiff_t>(i), chosen.end(), chosen[i] + 1);
    return true;
  }
  return false;
}

std::vector<std::size_t> first_combination(std::size_t r) {
  std::vector<std::size_t> chosen(r);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  return chosen;
}

std::string losses_text(std::size_t losses) {
  return fmt::format("{} {}", losses, losses == 1 ? "loss" : "losses");
}

double sets_of(const Code& code, std::size_t losses) { return binomial(code.locations, losses); }

std::vector<std::vector<std::size_t>> sets_not_rebuilt(const Code& code, std::size_t losses) {
  check_losses(code, losses);
  if (sets_of(code, losses) > static_cast<double>(kMostListed)) {
    fail(Status::kInvalidArgument, "{:.3g} sets of {} exceed the {} that are tried",
         sets_of(code, losses), losses_text(losses), kMostListed);
  }
  const std::vector<std::vector<std::size_t>> columns = columns_by_location(code);
  std::vector<std::vector<std::size_t>> result;
  std::vector<std::size_t> lost = first_combination(losses);
  do {
    if (!is_recoverable(code, lost, columns)) result.push_back(lost);
  } while (next_combination(lost, code.locations));
  return result;
}

Tolerance decide_tolerance(const Code& code, std::size_t losses) {
  check_losses(code, losses);
  Tolerance result{Tolerance::Answer::kProved, losses, {}, 0, sets_of(code, losses), {}};
  if (losses <= code.promised_losses && !code.proof.empty()) {
    result.reason = "by construction: " + code.proof;
    return result;
  }
  const bool exhaustive = result.sets_in_all <= static_cast<double>(kExhaustiveSets);
  LossSearch search{code, exhaustive ? kExhaustiveSets : kSampledSets};
  if (auto failing = search.failing_set(losses)) {
    result.answer = Tolerance::Answer::kRefuted;
    result.reason = fmt::format("the loss of {} cannot be rebuilt", set_text(*failing));
    result.failing = *std::move(failing);
  } else if (exhaustive) {
    result.reason = losses == 0 ? "nothing is lost"
                                : fmt::format("all {} of {} that include data were tried",
                                              counted(search.tried, "set"), losses_text(losses));
  } else {
    result.answer = Tolerance::Answer::kUndecided;
    result.reason = fmt::format("{:.3g} sets of {} exceed the {} tried exhaustively",
                                result.sets_in_all, losses_text(losses), kExhaustiveSets);
  }
  result.sets_tried = search.tried;
  return result;
}

std::size_t losses_survived(const Code& code) {
  std::size_t losses = 0;
  while (losses < code.locations && work_of(code, losses + 1) <= kMostWork &&
         decide_tolerance(code, losses + 1).answer == Tolerance::Answer::kProved) {
    ++losses;
  }
  return losses;
}

std::optional<std::size_t> most_losses_survived(const Code& code, std::size_t survived) {
  for (std::size_t losses = survived; losses < code.locations; ++losses) {
    const std::size_t next = losses + 1;
    const bool has_room = (code.locations - next) * code.subchunks >= code.data.size();
    if (!has_room) return losses;  // as in an MDS code
    const double sets = kQuickWork * sets_of(code, next) / work_of(code, next);
    LossSearch search{code, static_cast<std::uint64_t>(std::min(sets, 1e9))};
    if (search.failing_set(next)) return losses;
    if (search.tried == search.budget) return std::nullopt;
  }
  return code.locations;
}

}  // namespace xorloom
