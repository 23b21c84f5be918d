#pragma once

#include <cstddef>
#include <functional>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Three stages that items go through, each in one of a few slots (buffers of the caller's):
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

/// Runs items through the stages until begin says there are no more. On one thread, or where
/// threads cannot be had, one after the other on the calling thread, in slot 0.
///
/// Shape:  threads of 0 are all the machine offers; num_slots is at least 1.
/// Errors: throws what a stage throws, after all stages have come to rest.
void run_pipeline(std::size_t threads, std::size_t num_slots, const PipelineStages& stages);

/// How options say it: on `auto`, each stripe is coded by one thread and the pipeline's threads
/// work on different stripes, since a stripe is too little to share. So it is where devices code:
/// each thread has lanes of its own on them. Any other executor codes one stripe at a time on all
/// threads.
std::size_t pipeline_threads(const Options& options);
Options codec_options(Options options);

/// Slots that keep that many threads busy, each of that many bytes, within a bound on all of them;
/// at least 1.
std::size_t slots_for(std::size_t threads, std::size_t slot_bytes, std::size_t bound_bytes);

}  // namespace xorloom
