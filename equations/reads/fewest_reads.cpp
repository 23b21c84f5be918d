#include "equations/reads/fewest_reads.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/build/solved_checks.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/reads/read_bound.hpp"

namespace xorloom {
namespace {

class Planner {
 public:
  Planner(const Code& code, const ReadRequest& request)
      : code_(code),
        request_(request),
        is_lost_(location_flags(code, request.lost, "lost")),
        costs_(costs_of(code, request)),
        uses_(code.num_cells(), CellUse::kSource) {
    for (std::size_t cell = 0; cell < uses_.size(); ++cell) {
      if (!is_lost_[code.location_of_cell(static_cast<Cell>(cell))]) continue;
      uses_[cell] = request.wanted.empty() ? CellUse::kTarget : CellUse::kUnknown;
    }
    for (const Cell cell : request.wanted) {
      if (cell >= uses_.size() || uses_[cell] == CellUse::kSource) {
        fail(Status::kInvalidArgument, "wanted cell {} is not in the lost locations {}", cell,
             set_text(request.lost));
      }
      if (uses_[cell] == CellUse::kTarget) {
        fail(Status::kInvalidArgument, "cell {} is wanted twice", cell);
      }
      uses_[cell] = CellUse::kTarget;
    }
    for (std::size_t cell = 0; cell < uses_.size(); ++cell) {
      if (uses_[cell] == CellUse::kTarget) wanted_.push_back(static_cast<Cell>(cell));
    }
    least_ = least_reads(code, request.lost, wanted_.size(), costs_);
  }

  Reads plan() {
    if (request_.whole_locations) {
      consider_whole_locations();
    } else if (checks_work(code_) <= kMostChecksWork) {
      search();
    } else {
      consider_known();
      if (!is_done()) consider_whole_locations();
    }
    if (!best_) search();  // some cells may be rebuilt though their locations cannot
    if (!best_) {
      fail(Status::kDamaged, cannot_rebuild_text(code_, request_.lost));
    }
    best_->least = std::min(least_, best_->cost);
    return *std::move(best_);
  }

 private:
  static std::vector<std::uint64_t> costs_of(const Code& code, const ReadRequest& request) {
    std::vector<std::uint64_t> costs = request.costs;
    if (costs.empty()) costs.assign(code.locations, 1);
    if (costs.size() != code.locations) {
      fail(Status::kInvalidArgument, "{} given for {}",
           counted(costs.size(), "read cost is", "read costs are"),
           counted(code.locations, "location"));
    }
    for (const std::uint64_t cost : costs) {
      if (cost <= kMostReadCost) continue;
      fail(Status::kInvalidArgument, "read cost {} exceeds {}", cost, kMostReadCost);
    }
    const std::vector<bool> is_lost = location_flags(code, request.lost, "lost");
    const std::vector<bool> at_hand = location_flags(code, request.at_hand, "at hand");
    for (std::size_t location = 0; location < code.locations; ++location) {
      if (!at_hand[location]) continue;
      if (is_lost[location]) {
        fail(Status::kInvalidArgument, "location {} is both at hand and lost", location);
      }
      costs[location] = 0;
    }
    return costs;
  }

  bool is_done() const { return best_ && best_->cost <= least_; }

  std::uint64_t cost_of(Cell cell) const { return costs_[code_.location_of_cell(cell)]; }

  void consider(LinearMap map) {
    map = without_unused(std::move(map));
    const std::uint64_t cost =
        std::accumulate(map.inputs.begin(), map.inputs.end(), std::uint64_t{0},
                        [&](std::uint64_t sum, Cell cell) { return sum + cost_of(cell); });
    if (!best_ || cost < best_->cost) best_ = Reads{std::move(map), cost, 0};
  }

  /// Surviving cells of Code::repair_cells for the lost locations, each taken as the only lost one;
  /// ascending. Empty if the family knows none for a location.
  std::vector<Cell> known_cells() const {
    if (code_.repair_cells.empty()) return {};
    std::set<Cell> known;
    for (const std::size_t location : request_.lost) {
      const std::vector<Cell>& cells = code_.repair_cells[location];
      if (cells.empty()) return {};
      std::ranges::copy_if(cells, std::inserter(known, known.end()),
                           [&](Cell cell) { return uses_[cell] == CellUse::kSource; });
    }
    return {known.begin(), known.end()};
  }

  void search() {
    const std::optional<SolvedChecks> checks = solved_checks(code_, uses_);
    if (!checks) return;
    ReadSearch search;
    search.least = least_;
    search.work = request_.work;
    for (const Cell cell : checks->sources) search.weights.push_back(cost_of(cell));
    std::vector<std::size_t> kept;
    for (const Cell cell : known_cells()) {
      const auto place = std::ranges::lower_bound(checks->sources, cell);
      kept.push_back(static_cast<std::size_t>(place - checks->sources.begin()));
    }
    if (!kept.empty()) search.keep.push_back(std::move(kept));
    FoundReads found = search_reads(code_.field, *checks, search);
    if (found.is_fewest) least_ = found.cost;
    consider({checks->sources, checks->targets, std::move(found.rows)});
  }

  /// Considers the known cells, solved by the code's sums. Then leaves out one location after the
  /// other, the dearest first, as long as the rest suffices.
  void consider_known() {
    std::vector<Cell> cells = known_cells();
    if (cells.empty() || !consider_cells(cells)) return;
    for (const std::size_t location : dear_first({})) {
      if (is_done()) return;
      std::vector<Cell> fewer = cells;
      std::erase_if(fewer, [&](Cell cell) { return code_.location_of_cell(cell) == location; });
      if (consider_cells(fewer)) cells = std::move(fewer);
    }
  }

  bool consider_cells(const std::vector<Cell>& cells) {
    std::optional<LinearMap> map = map_by_sums(code_, cells, wanted_);
    if (!map) return false;
    consider(*std::move(map));
    return true;
  }

  /// Considers whole locations: leaves the dearest unread, as long as the rest suffices.
  void consider_whole_locations() {
    const std::vector<std::size_t> unread = left_unread(dear_first(known_cells()));
    const std::vector<bool> is_unread = location_flags(code_, unread, "unread");
    std::vector<Cell> cells;
    for (std::size_t cell = 0; cell < uses_.size(); ++cell) {
      const auto number = static_cast<Cell>(cell);
      if (!is_unread[code_.location_of_cell(number)]) cells.push_back(number);
    }
    if (consider_cells(cells)) return;
    std::vector<std::size_t> locations = request_.lost;
    if (!request_.wanted.empty()) {
      locations.clear();
      for (const Cell cell : wanted_) {
        const std::size_t location = code_.location_of_cell(cell);
        if (locations.empty() || locations.back() != location) locations.push_back(location);
      }
    }
    if (std::optional<LinearMap> map = recovery_map(code_, unread, locations)) {
      consider(rows_of_wanted(*map));
    }
  }

  /// Returns the lost locations and the candidates that can be left unread, too, chosen greedily in
  /// order. Tries many at once, since candidates that can be left out together can be left out one
  /// by one.
  std::vector<std::size_t> left_unread(const std::vector<std::size_t>& candidates) const {
    std::vector<std::size_t> unread = request_.lost;
    const std::size_t most = (code_.redundant.size() + code_.subchunks - 1) / code_.subchunks;
    std::size_t count = candidates.size();
    for (std::size_t next = 0; next < candidates.size() && unread.size() < most;) {
      count = std::min({count, candidates.size() - next, most - unread.size()});
      const std::size_t before = unread.size();
      const auto first = candidates.begin() + static_cast<std::ptrdiff_t>(next);
      unread.insert(unread.end(), first, first + static_cast<std::ptrdiff_t>(count));
      if (is_recoverable(code_, unread)) {
        next += count;
        count *= 2;
        continue;
      }
      unread.resize(before);
      if (count == 1) ++next;
      count = std::max<std::size_t>(1, count / 2);
    }
    return unread;
  }

  LinearMap rows_of_wanted(const LinearMap& map) const {
    LinearMap part{map.inputs, wanted_, Matrix(wanted_.size(), map.inputs.size())};
    for (std::size_t o = 0; o < wanted_.size(); ++o) {
      const auto row = std::ranges::find(map.outputs, wanted_[o]) - map.outputs.begin();
      std::ranges::copy(map.coefficients.row(static_cast<std::size_t>(row)),
                        part.coefficients.row(o).begin());
    }
    return part;
  }

  /// The surviving locations, the dearest first. Of equal cost, first those whose repair_cells
  /// contain fewer of `cells`, then those of higher numbers.
  std::vector<std::size_t> dear_first(const std::vector<Cell>& cells) const {
    std::vector<std::size_t> shared(code_.locations);
    std::vector<std::size_t> locations;
    for (std::size_t location = code_.locations; location-- > 0;) {
      if (is_lost_[location]) continue;
      locations.push_back(location);
      if (cells.empty()) continue;
      shared[location] = static_cast<std::size_t>(std::ranges::count_if(
          code_.repair_cells[location],
          [&](Cell cell) { return std::ranges::binary_search(cells, cell); }));
    }
    std::ranges::stable_sort(locations, [&](std::size_t a, std::size_t b) {
      return costs_[a] != costs_[b] ? costs_[a] > costs_[b] : shared[a] < shared[b];
    });
    return locations;
  }

  const Code& code_;
  const ReadRequest& request_;
  std::vector<bool> is_lost_;
  std::vector<std::uint64_t> costs_;  ///< by location
  std::vector<CellUse> uses_;         ///< by cell
  std::vector<Cell> wanted_;
  std::uint64_t least_ = 0;
  std::optional<Reads> best_;
};

}  // namespace

Reads fewest_reads(const Code& code, const ReadRequest& request) {
  return Planner(code, request).plan();
}

}  // namespace xorloom
