#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/shards/shard_header.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A file that is encoded, and the shards of it that are written.
struct ShardsToWrite {
  /// Fills a span with the next bytes of the file; fewer only at its end.
  std::function<std::size_t(std::span<std::uint8_t>)> read;
  const Code& code;
  Options options;      ///< threads are those of the pipeline; see run_pipeline
  std::uint32_t first;  ///< shards of this location and those behind it are written
  /// The stamp of the stripe that was read last; none: the generation of the header.
  std::function<std::uint64_t()> stamp = {};
};

/// Reads a file to its end and writes shards of it, stripe by stripe: reading, coding and writing
/// overlapped. Then the shards get their headers, and their files are finished.
///
/// Shape:  one file a location, from the first that is written. The header has no bytes of the file
///         yet; what only the end of the file tells is in it afterwards.
/// Errors: throws what `read` and Codec throw; kIo.
/// Cost:   memory for a few stripes: kStripeMemoryBytes.
PlanCounts write_shards(const ShardsToWrite& writing, ShardHeader& header,
                        std::vector<PendingFile>& files, Progress& progress);

}  // namespace xorloom
