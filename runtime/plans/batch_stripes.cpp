#include "runtime/plans/batch_stripes.hpp"

#include <algorithm>
#include <bit>

#include "runtime/engine/cost_model.hpp"

namespace xorloom {
namespace {

bool runs_alone_on(const PlanAccess::Impl& plan, std::size_t columns) {
  if (plan.choice != nullptr || plan.on_devices != nullptr) return true;
  if (std::ranges::any_of(plan.cleared, [](const auto& units) { return !units.empty(); })) {
    return true;
  }
  if (plan.execution.threads == 1) return false;
  return runs_a_graph(plan.execution.executor) ||
         columns >= columns_worth_sharing(plan.execution, plan.computation->cost());
}

std::uintptr_t address(const std::uint8_t* chunk) noexcept {
  return reinterpret_cast<std::uintptr_t>(chunk);
}

/// The addresses of written chunks in a hash table with open addressing. A bucket is a range of
/// addresses at least as long as a chunk, so that chunks that overlap begin in one bucket or in two
/// neighbours. Neighbours lie next to one another, eight to a cache line:
///
///     bucket   …  8  9 10 11 12 13 14 15 | 16 17 …     slot = 8·hash(bucket / 8) + bucket % 8
class WrittenChunks {
 public:
  struct Written {
    std::size_t stripe;
    std::size_t location;
  };

  /// Errors: throws std::bad_alloc.
  WrittenChunks(std::size_t count, std::size_t chunk_bytes)
      : chunk_bytes_(chunk_bytes),
        bucket_bits_(static_cast<int>(std::bit_width(chunk_bytes - 1))),
        hash_bits_(static_cast<int>(std::bit_width(std::max<std::size_t>(8, 2 * count) - 1)) - 3),
        places_(std::size_t{8} << hash_bits_),
        written_(places_.size()) {}

  /// Adds a chunk, unless three chunks of its bucket overlap it: its stripe is refused anyway, for
  /// these three. So a bucket has at most six chunks.
  void add(std::uintptr_t place, const Written& chunk) noexcept {
    constexpr int kEnough = 3;
    const std::uintptr_t bucket = bucket_of(place);
    std::size_t slot = slot_of(bucket);
    int overlaps = 0;
    for (; places_[slot] != 0; slot = next(slot)) {
      const bool overlaps_it = are_near(place, places_[slot]) && bucket_of(places_[slot]) == bucket;
      if (overlaps_it && ++overlaps == kEnough) return;
    }
    places_[slot] = place;
    written_[slot] = chunk;
  }

  /// Calls found(Written) for each chunk of the table that overlaps a chunk at `place`.
  template <typename Found>
  void for_each_overlap(std::uintptr_t place, const Found& found) const {
    const std::uintptr_t middle = bucket_of(place);
    for (const std::uintptr_t bucket : {middle - 1, middle, middle + 1}) {
      for (std::size_t slot = slot_of(bucket); places_[slot] != 0; slot = next(slot)) {
        if (are_near(place, places_[slot]) && bucket_of(places_[slot]) == bucket) {
          found(written_[slot]);
        }
      }
    }
  }

 private:
  bool are_near(std::uintptr_t a, std::uintptr_t b) const noexcept {
    return (a < b ? b - a : a - b) < chunk_bytes_;
  }

  std::uintptr_t bucket_of(std::uintptr_t place) const noexcept {
    return bucket_bits_ < 64 ? place >> bucket_bits_ : 0;
  }

  std::size_t slot_of(std::uintptr_t bucket) const noexcept {
    constexpr std::uint64_t kFraction = 0x9e3779b97f4a7c15;  // fraction of the golden ratio
    const std::uint64_t hash = hash_bits_ == 0 ? 0 : (bucket >> 3) * kFraction >> (64 - hash_bits_);
    return static_cast<std::size_t>(hash << 3 | (bucket & 7));
  }

  std::size_t next(std::size_t slot) const noexcept { return (slot + 1) & (places_.size() - 1); }

  std::size_t chunk_bytes_;
  int bucket_bits_;
  int hash_bits_;
  std::vector<std::uintptr_t> places_;  ///< 0: free; at most half are taken
  std::vector<Written> written_;
};

/// Calls visit(stripe, plan, chunks) for each stripe that runs.
template <typename Visit>
void for_each_stripe(const BatchStripes& stripes, const Visit& visit) {
  for (std::size_t s = 0; s < stripes.size(); ++s) {
    if (const BatchPlan* plan = stripes.plan(s)) visit(s, *plan->impl, stripes.chunks[s]);
  }
}

/// Range of the addresses at which the needed chunks of a batch begin.
struct AddressRange {
  std::uintptr_t first = UINTPTR_MAX;  ///< 0 if a pointer is null
  std::uintptr_t last = 0;
  std::size_t chunks = 0;
};

AddressRange address_range(const BatchStripes& stripes) {
  AddressRange range;
  for_each_stripe(stripes, [&](std::size_t, const PlanAccess::Impl& plan, auto* chunks) {
    if (chunks == nullptr) {
      range.first = 0;
      return;
    }
    for (const std::size_t location : plan.needed) {
      range.first = std::min(range.first, address(chunks[location]));
      range.last = std::max(range.last, address(chunks[location]));
    }
    range.chunks += plan.needed.size();
  });
  return range;
}

/// Chunks from which on stores past the caches pay in a batch: 4 KiB gain 10 to 25 %, 512 bytes lose
/// 20 to 40 %.
constexpr std::size_t kLongChunk = 4096;

/// The bytes of a location that decide about stores: of all stripes, or of one if chunks are short.
std::size_t bytes_of_each(std::size_t chunk_bytes, std::size_t stripes) noexcept {
  return chunk_bytes >= kLongChunk ? chunk_bytes * stripes : chunk_bytes;
}

}  // namespace

BatchPlan::BatchPlan(const PlanAccess::Impl& of, std::size_t chunk_bytes, std::size_t stripes)
    : impl(&of),
      columns(of.computation->columns(chunk_bytes)),
      work(columns * of.computation->cost()),
      stores(stores_for(this_machine(), of.needed.size() * bytes_of_each(chunk_bytes, stripes))),
      runs_alone(runs_alone_on(of, columns) ||
                 (of.plane_block_bytes != 0 && chunk_bytes % of.plane_block_bytes != 0)) {}

bool are_ascending(const BatchStripes& stripes) noexcept {
  std::uintptr_t end = 1;
  for (std::size_t s = 0; s < stripes.size(); ++s) {
    const BatchPlan* const plan = stripes.plan(s);
    if (plan == nullptr) continue;
    std::uint8_t* const* const chunks = stripes.chunks[s];
    if (chunks == nullptr) return false;
    std::size_t wrong = 0;
    for (const std::size_t location : plan->impl->needed) {
      wrong += static_cast<std::size_t>(address(chunks[location]) < end);
      end = address(chunks[location]) + stripes.chunk_bytes;
    }
    if (wrong != 0) return false;
  }
  return true;
}

bool are_ascending_by_location(const BatchStripes& stripes) {
  struct Room {
    std::uintptr_t begin = 0;  ///< 0: no chunk is needed
    std::uintptr_t end = 1;    ///< end of the last chunk so far
  };
  std::size_t locations = 0;
  for (const BatchPlan& plan : stripes.plans) {
    if (!plan.impl->needed.empty()) locations = std::max(locations, plan.impl->needed.back() + 1);
  }
  std::vector<Room> rooms(locations);
  for (std::size_t s = 0; s < stripes.size(); ++s) {
    const BatchPlan* const plan = stripes.plan(s);
    if (plan == nullptr) continue;
    std::uint8_t* const* const chunks = stripes.chunks[s];
    if (chunks == nullptr) return false;
    std::size_t wrong = 0;
    for (const std::size_t location : plan->impl->needed) {
      Room& room = rooms[location];
      const std::uintptr_t place = address(chunks[location]);
      wrong += static_cast<std::size_t>(place < room.end);
      room.begin = room.begin == 0 ? place : room.begin;
      room.end = place + stripes.chunk_bytes;
    }
    if (wrong != 0) return false;
  }
  std::erase_if(rooms, [](const Room& room) { return room.begin == 0; });
  std::ranges::sort(rooms, {}, &Room::begin);
  const auto runs_into = [](const Room& room, const Room& next) { return room.end > next.begin; };
  return std::ranges::adjacent_find(rooms, runs_into) == rooms.end();
}

// A cell is chunk_bytes of the address range. If written chunks do not overlap, each begins in a
// cell of its own. Only chunks that begin in the same cell or a neighbour can overlap a chunk:
//
//     cell         b - 1      b      b + 1
//                |   [-----)|  [----)|  [---     a chunk that begins in cell b at offset o overlaps
//                                                one of cell b - 1 whose offset is above o, any of
//                                                cell b, and one of b + 1 whose offset is below o
bool are_apart(const BatchStripes& stripes) {
  constexpr std::uint64_t kMostDistance = std::uint64_t{1} << 48;
  constexpr std::size_t kMostChunkBytes = std::size_t{1} << 16;
  constexpr std::size_t kMostCells = 16;  // for each chunk
  const std::size_t chunk_bytes = stripes.chunk_bytes;
  const AddressRange range = address_range(stripes);
  if (range.chunks == 0 || range.first == 0) return false;
  const std::uint64_t distance = range.last - range.first;
  if (distance >= kMostDistance || chunk_bytes >= kMostChunkBytes || chunk_bytes == 1) return false;
  if (distance / chunk_bytes > kMostCells * range.chunks) return false;
  // Division by multiplication. It is exact, as distance times chunk_bytes is less than 2^64.
  const std::uint64_t reciprocal = UINT64_MAX / chunk_bytes + 1;
  const auto cell_of = [&](std::uint64_t from_first) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>((Wide{from_first} * reciprocal) >> 64) + 1;
  };
  std::vector<std::uint32_t> cells(distance / chunk_bytes + 3);  // 0, or the offset from 1 on
  std::size_t overlaps = 0;
  for_each_stripe(stripes, [&](std::size_t, const PlanAccess::Impl& plan, auto* chunks) {
    for (const std::size_t location : plan.writes) {
      const std::uint64_t from_first = address(chunks[location]) - range.first;
      const std::size_t cell = cell_of(from_first);
      overlaps += static_cast<std::size_t>(cells[cell] != 0);
      cells[cell] = static_cast<std::uint32_t>(from_first - (cell - 1) * chunk_bytes + 1);
    }
  });
  if (overlaps != 0) return false;
  std::size_t itself = 0;
  for_each_stripe(stripes, [&](std::size_t, const PlanAccess::Impl& plan, auto* chunks) {
    itself += plan.writes.size();
    for (const std::size_t location : plan.needed) {
      const std::uint64_t from_first = address(chunks[location]) - range.first;
      const std::size_t cell = cell_of(from_first);
      const auto offset = static_cast<std::uint32_t>(from_first - (cell - 1) * chunk_bytes + 1);
      overlaps += static_cast<std::size_t>(cells[cell - 1] > offset) +
                  static_cast<std::size_t>(cells[cell] != 0) +
                  static_cast<std::size_t>(cells[cell + 1] - 1 < offset - 1);
    }
  });
  return overlaps == itself;
}

std::vector<StripeOverlap> find_overlaps(const BatchStripes& stripes) {
  std::size_t count = 0;
  for_each_stripe(stripes, [&](std::size_t, const PlanAccess::Impl& plan, auto*) {
    count += plan.writes.size();
  });
  WrittenChunks written(count, stripes.chunk_bytes);
  for_each_stripe(stripes, [&](std::size_t s, const PlanAccess::Impl& plan, auto* chunks) {
    for (const std::size_t location : plan.writes) {
      written.add(address(chunks[location]), {s, location});
    }
  });
  std::vector<StripeOverlap> overlaps;
  for_each_stripe(stripes, [&](std::size_t s, const PlanAccess::Impl& plan, auto* chunks) {
    for (const std::size_t location : plan.needed) {
      written.for_each_overlap(address(chunks[location]), [&](const WrittenChunks::Written& other) {
        if (other.stripe == s) return;
        overlaps.push_back({s, location, other.stripe, false});
        overlaps.push_back({other.stripe, other.location, s, true});
      });
    }
  });
  return overlaps;
}

}  // namespace xorloom
