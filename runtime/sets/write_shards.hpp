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

/// A file that is encoded, and the shards that are written of it.
struct ShardsToWrite {
  /// Fills a span with the next bytes of the file; returns their number, smaller only at its end.
  std::function<std::size_t(std::span<std::uint8_t>)> read;
  const Code& code;
  Options options;      ///< threads are those of the pipeline; see run_pipeline
  std::uint32_t first;  ///< first location whose shard is written; all behind it are, too
  /// Returns the stamp of the stripe that was read last. Not set: it is the header's generation.
  std::function<std::uint64_t()> stamp = {};
};

/// Reads a file to its end and writes shards of it, stripe by stripe; reading, coding and writing
/// overlap. Then the shards get their headers, and their files are finished.
///
/// Shape:  one file per location, from `writing.first` on. `header` comes with a file of 0 bytes,
///         and leaves with the lengths that only the end of the file tells.
/// Errors: throws what `read` and Codec throw; kIo.
/// Cost:   memory for a few stripes: kStripeMemoryBytes.
PlanCounts write_shards(const ShardsToWrite& writing, ShardHeader& header,
                        std::vector<PendingFile>& files, Progress& progress);

}  // namespace xorloom
