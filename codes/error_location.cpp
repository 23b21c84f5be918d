#include "codes/error_location.hpp"

#include <functional>

#include "codes/tolerance.hpp"

namespace xorloom {
namespace {

using Vector = Subspace::Vector;
using Locations = std::vector<std::size_t>;

/// By location: the columns of the parity checks for its cells.
std::vector<std::vector<Vector>> columns_of(const Code& code) {
  std::vector<std::vector<Vector>> columns(code.locations);
  const Matrix checks = parity_checks(code);
  for (Cell cell = 0; cell < code.num_cells(); ++cell) {
    Vector& column = columns[code.location_of_cell(cell)].emplace_back(checks.rows());
    for (std::size_t i = 0; i < checks.rows(); ++i) column[i] = checks(i, cell);
  }
  return columns;
}

void add_all(Subspace& space, const std::vector<Vector>& columns) {
  for (const Vector& column : columns) space.add(column);
}

}  // namespace

ErrorLocator::ErrorLocator(const Code& code, std::span<const std::size_t> lost)
    : code_(code),
      num_lost_(lost.size()),
      lost_(code.field, code.redundant.size()),
      syndromes_(code.field, code.redundant.size()),
      columns_(columns_of(code)) {
  for (const std::size_t location : lost) {
    add_all(lost_, columns_[location]);
    columns_[location].clear();
  }
  for (std::vector<Vector>& columns : columns_) {
    for (Vector& column : columns) column = lost_.reduced(column);
  }
}

void ErrorLocator::add(std::span<const Field::Symbol> syndrome) {
  if (!is_settled()) syndromes_.add(lost_.reduced({syndrome.begin(), syndrome.end()}));
}

bool ErrorLocator::is_settled() const { return syndromes_.dimension() == dimension(); }

/// Finds the set of `size` locations whose space contains all syndromes. False if there is more
/// than one, or if there are more than `sets_left` sets to try.
bool ErrorLocator::find_set(std::size_t size, std::size_t& sets_left,
                            std::optional<Locations>& found) const {
  Locations chosen;
  const std::function<bool(const Subspace&, std::size_t)> extend = [&](const Subspace& space,
                                                                       std::size_t from) {
    if (chosen.size() == size) {
      if (sets_left == 0) return false;
      --sets_left;
      if (!space.contains(syndromes_)) return true;
      if (found) return false;
      found = chosen;
      return true;
    }
    const std::size_t missing = size - chosen.size();
    for (std::size_t location = from; location + missing <= columns_.size(); ++location) {
      if (columns_[location].empty()) continue;
      Subspace more = space;
      add_all(more, columns_[location]);
      chosen.push_back(location);
      const bool goes_on = extend(more, location + 1);
      chosen.pop_back();
      if (!goes_on) return false;
    }
    return true;
  };
  return extend(Subspace(code_.field, symbols()), 0);
}

/// The locations whose space meets the space of the syndromes in more than the zero vector. All
/// wrong locations are among them if no wrong chunk's errors are combinations of those of others.
Locations ErrorLocator::meeting() const {
  Locations locations;
  for (std::size_t location = 0; location < columns_.size(); ++location) {
    if (columns_[location].empty()) continue;
    Subspace own(code_.field, symbols());
    add_all(own, columns_[location]);
    Subspace both = syndromes_;
    add_all(both, columns_[location]);
    if (both.dimension() < syndromes_.dimension() + own.dimension()) locations.push_back(location);
  }
  return locations;
}

/// The largest s such that any s locations, any other `size` locations and the lost ones together
/// have independent columns of H. Then no other set of at most s locations has the same syndromes.
/// 0 if s is below `size`.
std::size_t ErrorLocator::unique_up_to(std::size_t size) const {
  for (std::size_t all = code_.promised_losses; all >= 2 * size + num_lost_; --all) {
    const bool is_quick = !code_.proof.empty() || sets_of(code_, all) <= kMostSets;
    if (is_quick && decide_tolerance(code_, all).answer == Tolerance::Answer::kProved) {
      return all - num_lost_ - size;
    }
  }
  return 0;
}

ErrorLocation ErrorLocator::locate() const {
  using Verdict = ErrorLocation::Verdict;
  if (syndromes_.dimension() == 0) return {};
  ErrorLocation unknown{Verdict::kUnknown, {}, 0};
  if (is_settled()) return unknown;
  const auto located = [&](const Locations& wrong) {
    return ErrorLocation{Verdict::kLocated, wrong, unique_up_to(wrong.size())};
  };
  std::size_t sets_left = kMostSets;
  for (std::size_t size = 1; size + num_lost_ < code_.promised_losses || size == 1; ++size) {
    std::optional<Locations> found;
    const bool is_searched = find_set(size, sets_left, found);
    if (!is_searched && sets_left != 0) return unknown;
    if (!is_searched) break;
    if (found) return located(*found);
  }
  const Locations candidates = meeting();
  Subspace space(code_.field, symbols());
  for (const std::size_t location : candidates) add_all(space, columns_[location]);
  if (!space.contains(syndromes_) || space.dimension() == dimension()) return unknown;
  ErrorLocation answer = located(candidates);
  // If the dimensions are equal, no other set of the same size can explain the syndromes.
  const bool is_the_only_one = space.dimension() == syndromes_.dimension();
  return answer.is_smallest() || is_the_only_one ? answer : unknown;
}

}  // namespace xorloom
