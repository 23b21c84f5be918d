#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace xorloom::ceph_plugin {

struct SharedCodec;

/// Sub-chunks to read of a chunk: runs of {first sub-chunk, number of sub-chunks}.
using Runs = std::vector<std::pair<int, int>>;

/// Number of sub-chunks in all runs.
int length_of(const Runs& runs);

/// A way to have chunks: what is read of each survivor, and the plan that rebuilds what is lost.
struct Reads {
  std::map<int, Runs> runs{};  ///< by position; the same number of sub-chunks of each, for Ceph
  std::optional<Plan> plan{};  ///< nullopt: nothing is lost
};

/// The cheapest reads of available chunks that yield the wanted chunks. If only the chunks that are
/// read are given as available, the answer is the same.
///
/// Shape:  costs has the cost of reading each available chunk.
/// Errors: throws Error: kDamaged if they do not suffice; kInvalidArgument for a position out of
///         range.
/// Cost:   one to three times that of Codec::repair.
Reads cheapest_reads(const SharedCodec& shared, const std::set<int>& wanted,
                     std::map<int, int> costs);

/// Answers of cheapest_reads at equal costs, kept for later calls by any thread.
class KeptReads {
 public:
  /// Errors: those of cheapest_reads.
  std::shared_ptr<const Reads> find(const SharedCodec& shared, const std::set<int>& wanted,
                                    const std::set<int>& available);

 private:
  using Key = std::pair<std::set<int>, std::set<int>>;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Reads>> kept_;
};

}  // namespace xorloom::ceph_plugin
