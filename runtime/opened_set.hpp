#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "runtime/shard_sets.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A set ready to be read: its code made ready for this machine, and its shards by location.
class OpenedSet {
 public:
  /// Buffers: keeps a reference to the set.
  /// Errors:  throws what Codec throws for the spec, and kDamaged if the header's sizes are not those the code has.
  OpenedSet(const ShardSet& set, const Options& options);

  const ShardHeader& header() const { return set_->header; }
  const ShardSet& set() const { return *set_; }
  const Code& code() const { return code_; }
  const Codec& codec() const { return codec_; }

  /// The copies of a location's shard: numbers of set().shards.
  std::span<const std::size_t> copies(std::size_t location) const { return copies_[location]; }

  /// Locations without any shard, ascending.
  const std::vector<std::size_t>& missing() const { return missing_; }

  /// Locations that hold any of the first so many bytes of a stripe with chunks of a size, ascending.
  std::vector<std::size_t> data_locations(std::uint64_t file_bytes, std::size_t chunk_bytes) const;

  /// A plan that rebuilds the wanted ones of the lost locations (both ascending), or none if they cannot be.
  /// Plans are kept and may be asked for by many threads.
  std::optional<Plan> plan(const std::vector<std::size_t>& lost,
                           const std::vector<std::size_t>& wanted) const;

  /// Whether the lost locations (ascending) can all be rebuilt. Answers are kept likewise.
  bool can_rebuild(const std::vector<std::size_t>& lost) const;

 private:
  using Pattern = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;

  const ShardSet* set_;
  Codec codec_;
  Code code_;
  std::vector<std::vector<std::size_t>> copies_;
  std::vector<std::size_t> missing_;
  mutable std::mutex mutex_;
  mutable std::map<Pattern, std::optional<Plan>> plans_;
  mutable std::map<std::vector<std::size_t>, bool> answers_;
};

/// Bytes of a block, those of a stripe and of the last block, for a file encoded by a code.
struct StripeSizes {
  std::uint64_t stripe_bytes;
  std::uint64_t block_bytes;
  std::uint64_t last_block_bytes;
};

/// Errors: throws kInvalidArgument if block_bytes is no multiple of chunk_multiple(code).
StripeSizes stripe_sizes(const Code& code, std::uint64_t block_bytes, std::uint64_t file_bytes);

}  // namespace xorloom
