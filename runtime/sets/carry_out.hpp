#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

/// A shard that is to be changed as a committed journal says.
struct ShardToChange {
  std::filesystem::path path;
  FileIdentity identity;
  ShardHeader header;  ///< its header after the change
  std::shared_ptr<const Journal> journal;
};

/// Result of carrying out a change.
struct CarriedOut {
  std::vector<std::string> failures;     ///< a sentence each
  std::vector<std::uint32_t> locations;  ///< locations that failed, and still need their journals
  std::uint64_t bytes_written = 0;
};

/// Carries out a committed change. At any moment the disk tells that a shard is being changed:
/// first its first header is written, then its blocks, then its last header, and each is synced
/// before the next.
///
/// Shape:  with more than one thread, shards are synced side by side: each waits for its disk.
/// Errors: none; what fails on one shard is in the result, and the others are changed.
CarriedOut carry_out(std::span<const ShardToChange> shards, std::size_t threads);

/// Carries out the committed changes that interrupted programs left in some directories, and
/// removes the journals that nothing needs any more. Precondition: the caller has locked the
/// directories.
///
/// If a change gives a set another code, the old redundancy is removed once the data shards have
/// their headers, and the new redundancy gets its names.
///
/// Returns true if anything was changed: then the shards have to be found anew.
/// Errors: throws kIo if a change could not be carried out; kDamaged if there is a journal of a
///         later version, so that the shards of its set must not be changed.
bool settle_journals(const FoundShards& found, std::span<const std::filesystem::path> directories,
                     std::size_t threads = 1);

/// Throws kDamaged if the set may have got another code and nothing tells whether it has: its
/// shards must not be changed then.
void check_decided(const FoundShards& found, const SetId& set);

}  // namespace xorloom
