#include "codes/text/closest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// Most letters of a mistyped word; a longer text is not one.
constexpr std::size_t kLongestWord = 64;

/// Fewest letters of the beginning of a word; a shorter one says too little about the word.
constexpr std::size_t kShortestBeginning = 3;

std::string in_lower_case(std::string_view word) {
  std::string lower(word);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      const bool is_exchange = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchange) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > kLongestWord) return {};
  const std::string lower = in_lower_case(word);
  std::string_view nearest;
  std::size_t least = 0;
  for (const std::string_view each : known) {
    const std::size_t distance = edit_distance(lower, in_lower_case(each));
    if (distance * 3 > std::max(word.size(), each.size())) continue;
    if (!nearest.empty() && distance >= least) continue;
    nearest = each;
    least = distance;
  }
  if (nearest.empty() && word.size() >= kShortestBeginning) {
    const auto begins = [&](std::string_view each) {
      return each.starts_with(word) && each.size() <= 2 * word.size();
    };
    if (std::ranges::count_if(known, begins) == 1) nearest = *std::ranges::find_if(known, begins);
  }
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace xorloom
