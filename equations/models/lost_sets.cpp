#include "equations/models/lost_sets.hpp"

#include <bit>
#include <set>

#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"
#include "equations/ir/random.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "equations/reads/read_bound.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kSetsRead = 24;  ///< sets whose reads are planned, per number of losses

std::vector<std::size_t> locations_in(LostSet lost) {
  std::vector<std::size_t> locations;
  for (; lost != 0; lost &= lost - 1) {
    locations.push_back(static_cast<std::size_t>(std::countr_zero(lost)));
  }
  return locations;
}

LostSet random_set(Random& random, std::size_t locations, std::size_t losses) {
  LostSet lost = 0;
  while (static_cast<std::size_t>(std::popcount(lost)) < losses) {
    lost |= LostSet{1} << random.below(static_cast<std::uint32_t>(locations));
  }
  return lost;
}

}  // namespace

LostSets::LostSets(const Code& code) : code_(&code), is_mds_(is_proved_mds(code)) {
  if (code.locations > kMostSimulatedLocations) {
    fail(Status::kInvalidArgument,
         "n = {} locations exceed {}, the most whose losses are simulated", code.locations,
         kMostSimulatedLocations);
  }
  most_ = code.locations - (code.data.size() + code.subchunks - 1) / code.subchunks;
}

bool LostSets::survives(LostSet lost) {
  const auto losses = static_cast<std::size_t>(std::popcount(lost));
  if (losses <= code_->promised_losses) return true;
  if (is_mds_ || losses > most_) return false;
  const auto known = known_.find(lost);
  if (known != known_.end()) return known->second;
  return known_[lost] = is_recoverable(*code_, locations_in(lost));
}

double LostSets::share_survived(std::size_t losses) {
  if (losses <= code_->promised_losses) return 1;
  if (is_mds_ || losses > most_) return 0;
  std::size_t tried = 0;
  std::size_t survived = 0;
  if (sets_of(*code_, losses) <= static_cast<double>(kMostCounted)) {
    std::vector<std::size_t> lost = first_combination(losses);
    do {
      ++tried;
      LostSet set = 0;
      for (const std::size_t location : lost) set |= LostSet{1} << location;
      if (survives(set)) ++survived;
    } while (next_combination(lost, code_->locations));
  } else {
    Random random(losses);
    for (; tried < kMostCounted; ++tried) {
      if (survives(random_set(random, code_->locations, losses))) ++survived;
    }
  }
  return static_cast<double>(survived) / static_cast<double>(tried);
}

std::vector<double> reads_by_losses(const Code& code, LostSets& sets) {
  const Code cells = readable(code);
  std::vector<double> reads;
  for (std::size_t losses = 1; losses <= sets.most_losses(); ++losses) {
    if (cells.subchunks == 1 && is_proved_mds(cells)) {
      reads.push_back(static_cast<double>(cells.data.size()));
      continue;
    }
    Random random(losses);
    std::size_t planned = 0;
    std::size_t read = 0;
    for (std::size_t i = 0; i < 4 * kSetsRead && planned < kSetsRead; ++i) {
      const bool is_each = losses == 1 && code.locations <= kSetsRead;
      if (is_each && i == code.locations) break;
      const LostSet lost = is_each ? LostSet{1} << i : random_set(random, code.locations, losses);
      if (!sets.survives(lost)) continue;
      ReadRequest request{.lost = locations_in(lost)};
      const std::size_t wanted = request.lost[random.below(static_cast<std::uint32_t>(losses))];
      for (std::size_t c = 0; c < cells.subchunks; ++c) {
        request.wanted.push_back(static_cast<Cell>(wanted * cells.subchunks + c));
      }
      read += fewest_reads(cells, request).map.inputs.size();
      ++planned;
    }
    if (planned == 0) {
      reads.push_back(reads.empty() ? 0 : reads.back());
    } else {
      reads.push_back(static_cast<double>(read) / static_cast<double>(planned * cells.subchunks));
    }
  }
  return reads;
}

double mean_repair_reads(const Code& code, bool whole_chunks, std::uint64_t work) {
  if (code.locations > kMostMeanReadLocations) {
    fail(Status::kInvalidArgument,
         "n = {} locations exceed {}, the most whose repairs are planned one by one",
         code.locations, kMostMeanReadLocations);
  }
  const Code cells = whole_chunks ? code : readable(code);
  std::size_t read = 0;
  for (std::size_t location = 0; location < cells.locations; ++location) {
    const ReadRequest request{
        .lost = {location}, .whole_locations = whole_chunks && cells.subchunks > 1, .work = work};
    const LinearMap map = fewest_reads(cells, request).map;
    std::set<std::size_t> chunks;
    for (const Cell cell : map.inputs) chunks.insert(cells.location_of_cell(cell));
    read += whole_chunks ? chunks.size() * cells.subchunks : map.inputs.size();
  }
  return static_cast<double>(read) / static_cast<double>(cells.num_cells());
}

}  // namespace xorloom
