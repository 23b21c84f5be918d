#include "equations/build/sum_groups.hpp"

#include <map>
#include <utility>

namespace xorloom {
namespace {

/// In terms: what beginning with a group takes.
constexpr std::size_t kBeginning = 6;

/// A sum's terms as a map from cells to factors, of which none is 0.
using Factors = std::map<Cell, Field::Symbol>;

void add(Factors& factors, Cell cell, Field::Symbol factor) {
  const auto place = factors.try_emplace(cell, 0).first;
  place->second ^= factor;
  if (place->second == 0) factors.erase(place);
}

Factors factors_of(const CellSum& sum) {
  Factors factors;
  for (const CellSum::Term& term : sum.terms) add(factors, term.cell, term.factor);
  return factors;
}

/// Whether a cell of so many terms is less work written out in the so many sums that read it than
/// computed in a group of so many, stored and loaded again.
bool is_better_written_out(std::size_t terms, std::size_t group, std::size_t readers) {
  const std::size_t written_out = terms * (1 + readers);
  return group * written_out <= kBeginning + terms + group * (terms + 1 + 1 + readers);
}

}  // namespace

std::vector<std::vector<std::size_t>> groups_of(const std::vector<CellSum>& sums) {
  std::map<std::vector<Cell>, std::size_t> number_of;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t s = 0; s < sums.size(); ++s) {
    std::vector<Cell> cells;
    for (const auto& [cell, factor] : factors_of(sums[s])) cells.push_back(cell);
    const auto [known, is_new] = number_of.try_emplace(std::move(cells), groups.size());
    if (is_new) groups.emplace_back();
    groups[known->second].push_back(s);
  }
  return groups;
}

std::size_t work(const std::vector<CellSum>& sums) {
  std::size_t result = 0;
  for (const std::vector<std::size_t>& group : groups_of(sums)) {
    const std::size_t cells = sums[group.front()].terms.size();
    result += kBeginning + cells + group.size() * (cells + 1);
  }
  return result;
}

std::size_t terms(const std::vector<CellSum>& sums) {
  std::size_t count = 0;
  for (const CellSum& sum : sums) count += sum.terms.size();
  return count;
}

std::vector<CellSum> without_short_ones(const Code& code, const std::vector<CellSum>& sums) {
  const std::vector<std::vector<std::size_t>> groups = groups_of(sums);
  std::map<Cell, std::vector<std::size_t>> readers;  // groups
  std::vector<std::size_t> group_of(sums.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const auto& [cell, factor] : factors_of(sums[groups[g].front()])) {
      readers[cell].push_back(g);
    }
    for (const std::size_t s : groups[g]) group_of[s] = g;
  }
  const auto is_short = [&](std::size_t s, const Factors& factors) {
    const auto& reading = readers[sums[s].target];
    return sums[s].target >= code.num_cells() && reading.size() == 1 &&
           is_better_written_out(factors.size(), groups[group_of[s]].size(),
                                 groups[reading.front()].size());
  };
  std::map<Cell, Factors> hidden;  // those that are left out
  std::vector<CellSum> result;
  for (std::size_t s = 0; s < sums.size(); ++s) {
    Factors factors;
    for (const CellSum::Term& term : sums[s].terms) {
      const auto written_out = hidden.find(term.cell);
      if (written_out == hidden.end()) {
        add(factors, term.cell, term.factor);
        continue;
      }
      for (const auto& [cell, factor] : written_out->second) {
        add(factors, cell, code.field.multiply(term.factor, factor));
      }
    }
    if (is_short(s, factors)) {
      hidden[sums[s].target] = std::move(factors);
      continue;
    }
    CellSum& kept = result.emplace_back(CellSum{sums[s].target, {}});
    for (const auto& [cell, factor] : factors) kept.terms.push_back({cell, factor});
  }
  return result;
}

std::vector<CellSum> in_short_order(const Code& code, const std::vector<CellSum>& sums) {
  const std::vector<std::vector<std::size_t>> groups = groups_of(sums);
  std::map<Cell, std::vector<std::size_t>> readers;  // groups
  std::vector<std::size_t> waits_for(groups.size());
  std::vector<bool> is_done(groups.size());
  for (const CellSum& sum : sums) readers[sum.target];
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const CellSum::Term& term : sums[groups[g].front()].terms) {
      const auto made = readers.find(term.cell);
      if (made == readers.end()) continue;
      made->second.push_back(g);
      ++waits_for[g];
    }
  }
  const auto is_stored = [&](std::size_t g) {
    return sums[groups[g].front()].target < code.num_cells();
  };
  std::vector<CellSum> result;
  for (std::size_t first = 0; first < groups.size(); ++first) {
    std::vector<std::size_t> ready{first};
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (is_done[ready[i]]) continue;
      is_done[ready[i]] = true;
      for (const std::size_t s : groups[ready[i]]) {
        for (const std::size_t g : readers[sums[s].target]) {
          if (--waits_for[g] == 0 && is_stored(g)) ready.push_back(g);
        }
        result.push_back(sums[s]);
      }
    }
  }
  return result;
}

}  // namespace xorloom
