#pragma once

#include <cstddef>
#include <functional>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Three stages that each item passes in one of a few slots (buffers of the caller's):
///
///   begin(slot)    in order, one at a time; false if there is no further item
///   work(slot)     many at once
///   end(slot)      in order, one at a time
///
/// A slot is reused once end is done with it.
struct PipelineStages {
  std::function<bool(std::size_t slot)> begin;
  std::function<void(std::size_t slot)> work;
  std::function<void(std::size_t slot)> end;
};

/// Runs items through the stages until `begin` returns false. With one thread, or if no threads can
/// be had, items run one after the other on the calling thread, in slot 0.
///
/// Shape:  `threads` = 0: all that the machine offers. `num_slots` is at least 1.
/// Errors: throws what a stage throws, after all stages have come to rest.
void run_pipeline(std::size_t threads, std::size_t num_slots, const PipelineStages& stages);

/// Threads of a pipeline, and options for the codec that its stages use. With `auto`, one thread
/// codes each stripe and the pipeline's threads work on different stripes, since a stripe is too
/// little to share. So it is with executors on devices, except the hybrid one: each thread has its
/// own lanes there. Any other executor codes one stripe at a time on all threads.
std::size_t pipeline_threads(const Options& options);
Options codec_options(Options options);

/// Number of slots of `slot_bytes` each that keeps `threads` threads busy, within `bound_bytes` for
/// all slots; at least 1.
std::size_t slots_for(std::size_t threads, std::size_t slot_bytes, std::size_t bound_bytes);

}  // namespace xorloom
