#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "equations/reads/write_choice.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/sets/set_transaction.hpp"

namespace xorloom {

/// Result of a change of a set in place.
struct ChangedSet {
  ShardHeader before;
  ShardHeader after;
  std::uint64_t bytes_changed = 0;  ///< bytes of the file
  std::uint64_t stripes = 0;        ///< stripes that were read or written
  std::uint64_t bytes_read = 0;     ///< bytes read from shards
  std::uint64_t bytes_written = 0;  ///< to journals and shards
  /// Locations without a shard that could be changed: they are left at an earlier generation.
  std::vector<std::size_t> left_behind;
  /// Failures to carry out the change, a sentence each. Journals tell what to do, and the next
  /// writer does it.
  std::vector<std::string> failures;
};

/// Fills a span with the next bytes of a stream; returns their number, smaller only at its end.
using ReadBytes = std::function<std::size_t(std::span<std::uint8_t>)>;

/// Overwrites the set's file from `offset` on with all bytes that `read` gives.
///
/// Each stripe is changed in the way that reads less: the difference of the data is added to the
/// redundancy, or the redundancy is encoded again. Whenever it is interrupted, the set is the one
/// before or the one after.
///
/// Errors: throws kInvalidArgument if a byte would lie behind the end of the file; kDamaged if a
///         stripe cannot be recovered; what SetTransaction and Codec throw. Then nothing is
///         changed.
/// Cost:   memory for a few stripes, and 24 bytes per changed block; on the disk a journal of what
///         changes.
ChangedSet patch_set(const ChangeRequest& request, std::uint64_t offset, const ReadBytes& read,
                     Progress& progress, WritePolicy policy = WritePolicy::kPlanned);

/// Adds the bytes of a stream behind the end of a set's file.
///
/// Errors and cost: as for patch_set(); the journals hold the last stripe alone.
ChangedSet append_to_set(const ChangeRequest& request, const ReadBytes& read, Progress& progress);

/// Cuts a set's file to its first `file_bytes` bytes.
///
/// Errors: throws kInvalidArgument if the file is shorter; else as for patch_set().
ChangedSet truncate_set(const ChangeRequest& request, std::uint64_t file_bytes, Progress& progress);

}  // namespace xorloom
