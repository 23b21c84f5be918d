#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

// Readers take no locks, and a set may change while it is read. What was read without any fault is
// of one version. A fault may come from a change: then the shards are looked at once more, and if
// they differ, all is read again.

/// One try of a reader: the shards that it was given, and its verdict on them.
class ReadAttempt {
 public:
  /// Shape: if `may_wait`, settle() also waits for a change that has begun and was not made yet.
  ReadAttempt(const FoundShards& found, const std::vector<std::filesystem::path>& paths,
              bool may_wait)
      : found_(found), paths_(paths), may_wait_(may_wait) {}

  const FoundShards& found() const { return found_; }

  /// States whether the shards are free of faults, before the reader uses what it read. If not, and
  /// the shards have changed since they were found, this does not return: the reader is called
  /// again.
  void settle(bool is_clean);

  /// Throws kIo if the shards have changed since they were found. For readers that have passed on a
  /// part of what they read.
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

/// Finds shards and calls `read` with them; calls it again if they change meanwhile.
///
/// Errors: throws kIo, "is being changed", if they change in every try; what find_shards throws;
///         and what the reader throws, if the shards have not changed or are settled.
void read_settled(std::span<const std::filesystem::path> paths,
                  const std::function<void(ReadAttempt&)>& read);

}  // namespace xorloom
