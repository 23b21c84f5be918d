#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "codes/text/counted.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/short_block.hpp"
#include "runtime/gpu/device_computation.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/machine/overlap.hpp"
#include "runtime/plans/device_choice.hpp"
#include "runtime/plans/plan.hpp"

// Plans at run time: their checks, their writes, their descriptions.

namespace xorloom {
namespace {

using Units = std::vector<std::uint32_t>;

/// Up to this many chunks are compared with each other, which is faster than sorting them.
constexpr std::size_t kFewWritten = 8;

/// Sets units that a plan clears to zero.
void clear_units(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                 std::size_t chunk_bytes) {
  const std::size_t unit_bytes =
      plan.packet_bytes != 0 ? plan.packet_bytes : chunk_bytes / plan.units_of_chunk;
  const std::size_t block_bytes = unit_bytes * plan.units_of_chunk;
  for (std::size_t i = 0; i < plan.cleared.size(); ++i) {
    for (const std::uint32_t unit : plan.cleared[i]) {
      std::uint8_t* const chunk = chunks[plan.writes[i]];
      for (std::size_t block = 0; block < chunk_bytes; block += block_bytes) {
        std::memset(chunk + block + unit * unit_bytes, 0, unit_bytes);
      }
    }
  }
}

/// True if one of few written chunks overlaps another chunk. Counts overlaps, of which each written
/// chunk has one with itself. Compares each pair as overlap() does, in a form that takes half its
/// time for 16 chunks.
bool any_overlap_of_few(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                        std::size_t chunk_bytes) {
  std::array<std::uintptr_t, kFewWritten> firsts{};
  for (std::size_t i = 0; i < plan.writes.size(); ++i) {
    firsts[i] = reinterpret_cast<std::uintptr_t>(chunks[plan.writes[i]]) - chunk_bytes;
  }
  std::size_t overlaps = 0;
  for (const std::size_t location : plan.needed) {
    const auto place = reinterpret_cast<std::uintptr_t>(chunks[location]);
    for (std::size_t i = 0; i < plan.writes.size(); ++i) {
      overlaps += static_cast<std::size_t>(place - firsts[i] - 1 < 2 * chunk_bytes - 1);
    }
  }
  return overlaps != plan.writes.size();
}

/// True if each chunk ends before the next one begins, as in one block of memory.
bool are_in_order(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                  std::size_t chunk_bytes) {
  std::size_t near = 0;
  std::uintptr_t last = reinterpret_cast<std::uintptr_t>(chunks[plan.needed.front()]);
  for (const std::size_t location : std::span(plan.needed).subspan(1)) {
    const auto place = reinterpret_cast<std::uintptr_t>(chunks[location]);
    near += static_cast<std::size_t>(place < last || place - last < chunk_bytes);
    last = place;
  }
  return near == 0;
}

/// True if a written chunk overlaps another chunk. Sorts some written chunks at a time: to compare
/// each pair of a wide code would take longer than its work.
bool any_overlap(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                 std::size_t chunk_bytes) {
  if (plan.writes.size() <= kFewWritten) return any_overlap_of_few(plan, chunks, chunk_bytes);
  if (are_in_order(plan, chunks, chunk_bytes)) return false;
  constexpr std::size_t kSorted = 2048;
  std::array<std::uintptr_t, kSorted> places;
  const auto place_of = [&](std::size_t location) {
    return reinterpret_cast<std::uintptr_t>(chunks[location]);
  };
  for (std::size_t first = 0; first < plan.writes.size(); first += kSorted) {
    const std::span writes =
        std::span(plan.writes).subspan(first, std::min(kSorted, plan.writes.size() - first));
    const auto end = std::ranges::transform(writes, places.begin(), place_of).out;
    std::sort(places.begin(), end);
    for (const std::size_t location : plan.needed) {
      const std::uintptr_t place = place_of(location);
      const std::uintptr_t before = place - std::min(place, chunk_bytes - 1);
      const auto from = std::lower_bound(places.begin(), end, before);
      const auto to = std::lower_bound(from, end, place + chunk_bytes);
      if (from == to) continue;
      const bool is_itself = std::ranges::binary_search(writes, location);
      if (to - from > (is_itself ? 1 : 0)) return true;
    }
  }
  return false;
}

/// The units of `location` if it is one of `locations`; else empty.
std::span<const std::uint32_t> of_location(const std::vector<std::size_t>& locations,
                                           const std::vector<Units>& units, std::size_t location) {
  const auto place = std::ranges::lower_bound(locations, location);
  if (place == locations.end() || *place != location || units.empty()) return {};
  return units[static_cast<std::size_t>(place - locations.begin())];
}

}  // namespace

Status check_chunks(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                    std::size_t chunk_bytes) noexcept try {
  if (plan.needed.empty()) return Status::kOk;
  if (chunks == nullptr) {
    return report(Status::kInvalidArgument, "the array of chunk pointers is null");
  }
  for (const std::size_t location : plan.needed) {
    if (chunks[location] != nullptr) continue;
    return report(Status::kInvalidArgument, "the pointer to chunk {} is null, and it is {}",
                  location, std::ranges::binary_search(plan.writes, location) ? "written" : "read");
  }
  if (!any_overlap(plan, chunks, chunk_bytes)) return Status::kOk;
  for (const std::size_t written : plan.writes) {
    for (const std::size_t other : plan.needed) {
      if (other == written || !overlap(chunks[written], chunks[other], chunk_bytes)) continue;
      return report(Status::kInvalidArgument,
                    "chunk {}, which is written, overlaps chunk {} within {}", written, other,
                    counted(chunk_bytes, "byte"));
    }
  }
  return Status::kOk;
} catch (...) {
  return report_exception();
}

Status run_checked(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                   std::size_t chunk_bytes) noexcept try {
  ShortBlock last(plan.plane_block_bytes, chunk_bytes, plan.locations, plan.needed);
  const std::size_t whole = last.whole_bytes();
  if (whole != 0 && (plan.choice == nullptr || !plan.choice->run(chunks, whole))) {
    const Stores stores = stores_for(this_machine(), plan.needed.size() * whole);
    execute(*plan.computation, plan.graph_runs.get(), plan.execution, chunks, whole, stores);
  }
  last.run(*plan.computation, chunks, plan.needed, plan.writes);
  clear_units(plan, chunks, chunk_bytes);
  return Status::kOk;
} catch (...) {
  return report_exception();
}

std::size_t memory_bytes(const Plan& plan) {
  const PlanAccess::Impl& impl = PlanAccess::impl_of(plan);
  const std::size_t locations = impl.reads.size() + impl.writes.size() + impl.needed.size();
  std::size_t unit_bytes = 0;
  for (const auto* units : {&impl.units, &impl.written, &impl.cleared}) {
    for (const Units& those : *units) unit_bytes += sizeof(Units) + those.size() * sizeof those[0];
  }
  std::size_t graph_bytes = 0;
  if (impl.graph_runs) {
    // Counts the ring of a kept run, at its longest.
    const TaskGraph& graph = impl.graph_runs->graph();
    const std::size_t block = graph.block_columns(wanted_block_columns(SIZE_MAX, true));
    graph_bytes = graph.memory_bytes() + graph.ring_bytes(block);
  }
  return sizeof impl + impl.computation->memory_bytes() + graph_bytes +
         (impl.choice != nullptr ? impl.choice->memory_bytes() : 0) +
         locations * sizeof(std::size_t) + unit_bytes;
}

Status Plan::run(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept {
  if (chunk_bytes % impl_->stripe_multiple != 0) {
    return report(Status::kInvalidArgument, "chunk_bytes = {} is not a multiple of {}", chunk_bytes,
                  impl_->stripe_multiple);
  }
  if (chunk_bytes == 0) return Status::kOk;
  const Status status = check_chunks(*impl_, chunks, chunk_bytes);
  return status == Status::kOk ? run_checked(*impl_, chunks, chunk_bytes) : status;
}

namespace {

/// Checks before a plan is put in a queue.
Status check_device_chunks(const PlanAccess::Impl& plan, const DeviceChunks& chunks,
                           std::size_t chunk_bytes) {
  if (plan.on_devices == nullptr) {
    return report(
        Status::kUnsupported, "the plan does not run on a device: {}",
        plan.why_no_device.empty() ? "its executor is one of threads" : plan.why_no_device.c_str());
  }
  if (std::ranges::any_of(plan.cleared, [](const Units& units) { return !units.empty(); })) {
    return report(Status::kUnsupported,
                  "a part of a split repair runs on memory of the host alone");
  }
  if (chunk_bytes == 0) return Status::kOk;
  if (chunks.places.size() != plan.locations) {
    return report(Status::kInvalidArgument, "{} places are not one for each of {} locations",
                  chunks.places.size(), plan.locations);
  }
  // Addresses that stand for places, far enough from the ends for sums and differences.
  std::vector<std::uint8_t*> pointers;
  for (const std::uint64_t place : chunks.places) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read or written there
    pointers.push_back(reinterpret_cast<std::uint8_t*>(place + chunk_bytes));
  }
  return check_chunks(plan, pointers.data(), chunk_bytes);
}

}  // namespace

Status Plan::run_device(const DeviceChunks& chunks, std::size_t chunk_bytes) const noexcept try {
  if (chunk_bytes % impl_->chunk_multiple != 0) {
    return report(Status::kInvalidArgument, "chunk_bytes = {} is not a multiple of {}", chunk_bytes,
                  impl_->chunk_multiple);
  }
  const Status status = check_device_chunks(*impl_, chunks, chunk_bytes);
  if (status != Status::kOk || chunk_bytes == 0) return status;
  impl_->on_devices->program().run_there({chunks.memory, chunks.queue}, chunks.places, chunk_bytes);
  return Status::kOk;
} catch (...) {
  return report_exception();
}

const std::vector<std::size_t>& Plan::reads() const noexcept { return impl_->reads; }

const std::vector<std::size_t>& Plan::writes() const noexcept { return impl_->writes; }

std::span<const std::uint32_t> Plan::units_read(std::size_t location) const noexcept {
  return of_location(impl_->reads, impl_->units, location);
}

std::span<const std::uint32_t> Plan::units_written(std::size_t location) const noexcept {
  return of_location(impl_->writes, impl_->written, location);
}

}  // namespace xorloom
