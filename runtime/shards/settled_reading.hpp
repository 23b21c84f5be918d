#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

// Readers take no locks, and a set may change while it is read. What was read without any fault is
// of one version. A fault may be a change's doing: then the shards are looked at once more, and if
// they are not as they were, all is read again.

/// What a reader says of the shards that it was given.
class ReadAttempt {
 public:
  /// Shape: where it may wait, a change that has begun and not been made is awaited, too.
  ReadAttempt(const FoundShards& found, const std::vector<std::filesystem::path>& paths,
              bool may_wait)
      : found_(found), paths_(paths), may_wait_(may_wait) {}

  const FoundShards& found() const { return found_; }

  /// Says how the shards were found to be, before anything is made of it. Where it is not clean and
  /// the shards have changed since they were found, it does not return, and the reader is called
  /// again.
  void settle(bool is_clean);

  /// Throws kIo if the shards have changed since they were found: for a reader that has given away
  /// a part of what it read.
  void check_unchanged() const;

  bool is_settled() const { return is_settled_; }

 private:
  const FoundShards& found_;
  const std::vector<std::filesystem::path>& paths_;  ///< absolute, as readers may change directory
  bool may_wait_;
  bool is_settled_ = false;
};

/// Throws kIo if any of the shards of a set has changed since it was found.
void check_unchanged(const ShardSet& set);

/// Finds shards and calls a reader with them, again if they change meanwhile.
///
/// Errors: throws kIo, "is being changed", if they change whenever they are read; what find_shards
///         throws; and what the reader throws, if the shards have not changed or are settled.
void read_settled(std::span<const std::filesystem::path> paths,
                  const std::function<void(ReadAttempt&)>& read);

}  // namespace xorloom
