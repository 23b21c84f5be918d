#pragma once

#include <vector>

#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

/// Updates `found` for changes in place that were interrupted: a shard that a committed journal
/// covers joins the set after the change, and is read through the journal.
///
/// A change is committed if any of its journals has its own name, not a hidden one. Exception: no
/// shard shows that the change was carried out anywhere, and the shards after it do not suffice to
/// recover the file. Then the shards before it count: the change was never finished, and other
/// directories have dropped it.
///
/// A change of the code has no journal for the new redundancy: those shards are pending shards of
/// the set after the change, and count once it is made. The new code may survive fewer losses, so
/// the old shards may suffice if the new ones do not. Then the old ones are read, and the change
/// stays undecided if another directory may have made it.
///
/// Buffers: takes those shards out of `conflicting` that become shards of a set.
void apply_journals(FoundShards& found, std::vector<ShardFile>& conflicting);

}  // namespace xorloom
