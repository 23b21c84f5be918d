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
/// Where a change gives a set another code, the redundancy of the code before goes once the data
/// shards have their headers, and that of the new one gets its names.
///
/// Returns whether anything was changed: then the shards have to be found anew.
/// Errors: throws kIo if a change could not be carried out; kDamaged if there is a journal of a
///         later version, so that the shards of its set must not be changed.
bool settle_journals(const FoundShards& found, std::span<const std::filesystem::path> directories,
                     std::size_t threads = 1);

/// Throws kDamaged if a set may have got another code where nothing can tell: its shards must not
/// be changed then.
void check_decided(const FoundShards& found, const SetId& set);

}  // namespace xorloom
