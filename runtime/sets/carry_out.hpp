#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

/// A shard to be made what a committed journal says.
struct ShardToChange {
  std::filesystem::path path;
  FileIdentity identity;
  ShardHeader header;  ///< the one it gets
  std::shared_ptr<const Journal> journal;
};

/// What carrying out a change came to.
struct CarriedOut {
  std::vector<std::string> failures;     ///< a sentence each
  std::vector<std::uint32_t> locations;  ///< that failed, and still need their journals
  std::uint64_t bytes_written = 0;
};

/// Carries a committed change out. What is on the disk at any moment tells that a shard is on its
/// way: its first header is written, then its blocks, then its last header, and each is synced
/// before the next.
///
/// Shape:  with more than one thread, shards are synced side by side: each waits for its disk.
/// Errors: none; what fails on one shard is in the result, and the others are changed.
CarriedOut carry_out(std::span<const ShardToChange> shards, std::size_t threads);

/// Carries out the committed changes that interrupted programs left in some directories, which the
/// caller holds locked, and removes the journals that nothing needs any more.
///
/// Returns whether anything was changed: then the shards have to be found anew.
/// Errors: throws kIo if a change could not be carried out, and kDamaged if there is a journal of a
///         later version, so that the shards of its set must not be changed.
bool settle_journals(const FoundShards& found, std::span<const std::filesystem::path> directories);

}  // namespace xorloom
