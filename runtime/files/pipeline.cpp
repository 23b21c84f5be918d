#include "runtime/files/pipeline.hpp"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#include "runtime/engine/executor.hpp"
#include "runtime/machine/threads.hpp"

namespace xorloom {
namespace {

using oneapi::tbb::filter_mode;
using oneapi::tbb::make_filter;

void run_on_this_thread(const PipelineStages& stages) {
  while (stages.begin(0)) {
    stages.work(0);
    stages.end(0);
  }
}

}  // namespace

void run_pipeline(std::size_t threads, std::size_t num_slots, const PipelineStages& stages) {
  const std::size_t slots_of_threads = usable_threads(threads);
  if (slots_of_threads <= 1) return run_on_this_thread(stages);
  // Items end in order, so the slot of item i is free again when item i + num_slots begins: no more
  // than num_slots are under way.
  std::size_t next = 0;
  const auto begin = [&](oneapi::tbb::flow_control& control) -> std::size_t {
    const std::size_t slot = next % num_slots;
    if (!stages.begin(slot)) control.stop();
    ++next;
    return slot;
  };
  const auto work = [&](std::size_t slot) {
    stages.work(slot);
    return slot;
  };
  oneapi::tbb::task_arena arena(static_cast<int>(slots_of_threads));
  arena.execute([&] {
    oneapi::tbb::parallel_pipeline(
        num_slots, make_filter<void, std::size_t>(filter_mode::serial_in_order, begin) &
                       make_filter<std::size_t, std::size_t>(filter_mode::parallel, work) &
                       make_filter<std::size_t, void>(filter_mode::serial_in_order,
                                                      [&](std::size_t slot) { stages.end(slot); }));
  });
}

namespace {

bool has_a_thread_for_each_stripe(Executor executor) {
  return executor == Executor::kAuto ||
         (runs_on_devices(executor) && executor != Executor::kHybrid);
}

}  // namespace

std::size_t pipeline_threads(const Options& options) {
  const std::size_t threads = checked_threads(options.threads);
  return has_a_thread_for_each_stripe(options.executor) ? threads : 1;
}

Options codec_options(Options options) {
  if (has_a_thread_for_each_stripe(options.executor)) options.threads = 1;
  return options;
}

std::size_t slots_for(std::size_t threads, std::size_t slot_bytes, std::size_t bound_bytes) {
  // One item more than threads, so that the stage that waits for the disk can go on, and one to
  // spare.
  const std::size_t wanted = usable_threads(threads) + 2;
  return std::max<std::size_t>(
      1, std::min(wanted, bound_bytes / std::max<std::size_t>(1, slot_bytes)));
}

}  // namespace xorloom
