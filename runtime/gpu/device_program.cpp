#include "runtime/gpu/device_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/machine/threads.hpp"

namespace xorloom {
namespace {

/// Copies that are shorter than this on average go through a lane's memory, all as one copy.
constexpr std::size_t kLongCopy = std::size_t{16} << 10;

bool are_direct(const Device& device, const std::vector<SliceCopy>& copies) {
  std::size_t bytes = 0;
  for (const SliceCopy& copy : copies) bytes += copy.bytes;
  return bytes >= kLongCopy * copies.size() &&
         std::ranges::all_of(
             copies, [&](const SliceCopy& copy) { return device.copies_directly(copy.host); });
}

/// A lane, and the slice that it computes.
class LaneInUse {
 public:
  LaneInUse(LanePool& pool, const DeviceKernel& kernel, std::size_t bytes)
      : pool_(pool), kernel_(kernel), lane_(pool.take(bytes)) {}
  LaneInUse(const LaneInUse&) = delete;
  LaneInUse& operator=(const LaneInUse&) = delete;

  /// Waits for the slice, which may write to the caller's chunks. Gives the lane back unless it has
  /// failed.
  ~LaneInUse() {
    try {
      lane_->finish();
      if (!has_failed_) pool_.give_back(std::move(lane_));
    } catch (...) {
      return;
    }
  }

  void begin(const KernelText& text, const SliceLayout& layout, const Slice& slice,
             std::uint8_t* const* chunks, std::size_t chunk_bytes) {
    has_failed_ = true;  // until every call has succeeded
    const Device& device = pool_.device();
    const std::vector<SliceCopy> reads = layout.reads(slice, chunks, chunk_bytes);
    if (are_direct(device, reads)) {
      for (const SliceCopy& copy : reads) lane_->copy_in(copy.place, copy.host, copy.bytes);
    } else {
      for (const SliceCopy& copy : reads) {
        std::memcpy(lane_->host() + copy.place, copy.host, copy.bytes);
      }
      lane_->copy_in(0, lane_->host(), slice.in_bytes);
    }
    lane_->launch({kernel_, slice.places, slice.pitch, slice.columns, text.items(slice.columns)});
    writes_ = layout.writes(slice, chunks, chunk_bytes);
    if (are_direct(device, writes_)) {
      for (const SliceCopy& copy : writes_) lane_->copy_out(copy.host, copy.place, copy.bytes);
      writes_.clear();
    } else {
      lane_->copy_out(lane_->host() + slice.out_begin, slice.out_begin,
                      slice.bytes - slice.out_begin);
    }
    lane_->flush();
    has_failed_ = false;
  }

  void complete() {
    has_failed_ = true;
    lane_->finish();
    for (const SliceCopy& copy : writes_) {
      std::memcpy(copy.host, lane_->host() + copy.place, copy.bytes);
    }
    writes_.clear();
    has_failed_ = false;
  }

 private:
  LanePool& pool_;
  const DeviceKernel& kernel_;
  std::unique_ptr<DeviceLane> lane_;
  std::vector<SliceCopy> writes_;  ///< copies out of the lane's memory, once the slice is done
  bool has_failed_ = false;
};

KernelText written_kernel(const Code& code, const Program& program, const DeviceSet& set) {
  if (set.pools.empty()) fail(Status::kUnsupported, set.why_none);
  KernelText text =
      emit_kernel(code, {"run", program},
                  {.language = set.pools.front()->device().language(), .name = "kernel"});
  if (text.source.size() > kMostKernelText) {
    fail(Status::kUnsupported,
         fmt::format("a kernel of {} bytes of text is longer than the {} that "
                     "are compiled for a device",
                     text.source.size(), kMostKernelText));
  }
  return text;
}

}  // namespace

DeviceProgram::DeviceProgram(const Code& code, const Program& program,
                             std::shared_ptr<const DeviceSet> set, KernelFiles files)
    : rows_(program.rows),
      is_packets_(code.arrangement == Arrangement::kPacket),
      text_(written_kernel(code, program, *set)),
      set_(std::move(set)),
      layout_(code, program, text_) {
  std::optional<Error> failed;
  for (const auto& pool : set_->pools) {
    if (pool->device().is_lost()) continue;
    try {
      loaded_.push_back({pool.get(), loaded_kernel(pool->shared_device(), text_, files)});
    } catch (const Error& error) {
      failed = error;
    }
  }
  if (!loaded_.empty()) return;
  if (failed) throw Error(*failed);
  fail(Status::kUnsupported, "no device is left that has not failed");
}

std::size_t DeviceProgram::run(std::uint8_t* const* chunks, std::size_t chunk_bytes,
                               std::size_t begin, std::size_t end, std::size_t threads,
                               const Computation* on_cpu, Stores stores) const {
  return run_with(loaded_, chunks, chunk_bytes, begin, end, threads, on_cpu, stores);
}

void DeviceProgram::run_on(std::size_t device, std::uint8_t* const* chunks, std::size_t chunk_bytes,
                           std::size_t begin, std::size_t end) const {
  run_with(std::span(loaded_).subspan(device, 1), chunks, chunk_bytes, begin, end, 1, nullptr,
           Stores::kOrdinary);
}

std::size_t DeviceProgram::run_with(std::span<const Loaded> devices, std::uint8_t* const* chunks,
                                    std::size_t chunk_bytes, std::size_t begin, std::size_t end,
                                    std::size_t threads, const Computation* on_cpu,
                                    Stores stores) const {
  if (begin == end || text_.chunks.empty()) return 0;
  for (const Loaded& device : devices) {
    if (device.pool->device().is_lost()) {
      fail(Status::kUnsupported, fmt::format("{} has failed", device.pool->device().name()));
    }
  }
  // Threads that compute, while one more drives the lanes.
  const std::size_t workers =
      on_cpu == nullptr ? 0
                        : std::max<std::size_t>(2, usable_threads(threads == 1 ? 2 : threads)) - 1;
  // Slices end at multiples of `multiple`, so that the first may have fewer than `step` columns.
  const std::size_t multiple =
      on_cpu == nullptr ? layout_.multiple()
                        : std::lcm(layout_.multiple(), std::lcm(on_cpu->facts().column_multiple,
                                                                on_cpu->facts().tile_columns));
  const std::size_t slices =
      num_slices(set_->sizes, (end - begin) * layout_.bytes_per_column(), devices.size(), workers);
  const std::size_t even = (end - begin + slices - 1) / slices;
  const std::size_t step = (even + multiple - 1) / multiple * multiple;
  const std::size_t first_end = begin / multiple * multiple + step;
  const std::size_t count = end <= first_end ? 1 : 1 + (end - first_end + step - 1) / step;
  const std::size_t num_lanes = std::min(count, set_->sizes.lanes * devices.size());
  const auto columns_of = [&](std::size_t i) {
    return ColumnRange{i == 0 ? begin : first_end + (i - 1) * step,
                       std::min(end, first_end + i * step)};
  };
  const auto slice = [&](std::size_t i) {
    return layout_.slice(columns_of(i).begin, columns_of(i).end);
  };
  if (on_cpu != nullptr && count == 1) {
    on_cpu->run(chunks, chunk_bytes, begin, end, stores);
    return 0;
  }
  std::atomic<std::size_t> next = 0;  // first slice that nobody has taken
  std::atomic<std::size_t> columns = 0;
  // Several threads help only if they copy. Else one starts the work of the lanes, and waits.
  const std::vector<SliceCopy> reads = layout_.reads(slice(0), chunks, chunk_bytes);
  const bool copies = !are_direct(devices.front().pool->device(), reads);
  const std::size_t helpers =
      copies && on_cpu == nullptr ? std::min(usable_threads(threads), num_lanes) : 1;
  // A helper drives lanes `first`, first + helpers, …
  const auto drive = [&](std::size_t first) {
    std::vector<std::unique_ptr<LaneInUse>> lanes;
    const std::size_t own_lanes = (num_lanes - first + helpers - 1) / helpers;
    std::size_t turn = 0;
    for (;; ++turn) {
      if (turn >= own_lanes) lanes[turn % own_lanes]->complete();
      const std::size_t i = next.fetch_add(1);
      if (i >= count) break;
      const Slice part = slice(i);
      if (turn < own_lanes) {
        // First one lane of each device, then a second one of each.
        const Loaded& device = devices[(first + turn * helpers) % devices.size()];
        lanes.push_back(std::make_unique<LaneInUse>(
            *device.pool, *device.kernel, std::max(part.bytes, layout_.slice(0, step).bytes)));
      }
      lanes[turn % own_lanes]->begin(text_, layout_, part, chunks, chunk_bytes);
      columns += part.end - part.begin;
    }
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[(turn + i) % lanes.size()]->complete();
  };
  // The calling thread takes job 0, and another one begins with the job in the middle. If threads
  // compute beside devices, the middle job drives the lanes, so that a thread that comes late holds
  // up no work.
  const std::size_t jobs = helpers + workers;
  run_jobs(jobs, jobs, [&](std::size_t job) {
    if (workers == 0 || job == jobs / 2) {
      try {
        return drive(workers == 0 ? job : 0);
      } catch (...) {
        next = count;  // ends the jobs: the whole call is computed anew
        throw;
      }
    }
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      on_cpu->run(chunks, chunk_bytes, columns_of(i).begin, columns_of(i).end, stores);
    }
  });
  return columns;
}

void DeviceProgram::run_there(const ForeignMemory& memory, std::span<const std::uint64_t> places,
                              std::size_t chunk_bytes) const {
  std::vector<std::uint64_t> of_chunks;
  for (const std::size_t location : text_.chunks) {
    const std::uint64_t place = places[location];
    if (place % 8 != 0) {
      fail(Status::kInvalidArgument,
           fmt::format("chunk {} begins at {:#x}, which is no multiple of 8", location, place));
    }
    of_chunks.push_back(place);
  }
  if (of_chunks.empty()) return;
  const std::size_t columns = chunk_bytes / rows_;
  if (!is_packets_ && columns % 8 != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("sub-chunks of {} bytes are no multiple of 8, as on a device they have to be",
                     columns));
  }
  for (const Loaded& loaded : loaded_) {
    const Device& device = loaded.pool->device();
    if (device.is_lost() || !device.owns(memory, of_chunks.front())) continue;
    return device.launch_on(memory, {*loaded.kernel, of_chunks, is_packets_ ? 0 : columns, columns,
                                     text_.items(columns)});
  }
  fail(Status::kInvalidArgument,
       "the chunks are in memory of a device that the codec does not use");
}

}  // namespace xorloom
