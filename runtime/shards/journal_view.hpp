#pragma once

#include <vector>

#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

/// Makes shards what they are after changes in place that were interrupted: a shard that a
/// committed journal speaks for joins the set after the change, and is read through the journal.
///
/// Journals of one change belong together. The change is committed if any has its own name, not a
/// hidden one. If no shard shows that it was carried out anywhere, and the shards it has do not
/// suffice to recover the file, those before it count: then it was never finished, and other
/// directories have dropped it.
///
/// A change of the code has no journal for the shards of the new redundancy: they are pending
/// shards of the set after the change, and count once it is made. The shards before it may suffice
/// where those after it do not, as the code after it may survive less. Then those before it are
/// read, and the change stays undecided if another directory may have made it.
///
/// Buffers: takes those conflicting shards away that become shards of a set.
void apply_journals(FoundShards& found, std::vector<ShardFile>& conflicting);

}  // namespace xorloom
