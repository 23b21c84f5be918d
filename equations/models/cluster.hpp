#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/models/group_losses.hpp"

namespace xorloom {

// A discrete-event simulation of many nodes that fail and repair at once.
//
// Each node holds chunks of many groups. A group is the stripes on the same n nodes, which are
// chosen at random. A node that fails is replaced by an empty one at once, and each of its groups
// has one more lost chunk. A group rebuilds one chunk after the other, each on a node that holds
// none of its other chunks. A node rebuilds one chunk at a time, so repairs wait for one another.
//
// Some nodes may be of a bad batch: they fail at another rate, and usual nodes replace them. Chunks
// may have unreadable bits, which lose data if no redundancy is left.

struct ClusterModel {
  std::size_t nodes = 0;
  std::size_t groups_per_node = 0;
  std::size_t locations = 0;  ///< n: chunks of a group
  double chunk_bytes = 0;     ///< bytes of a group on one of its nodes
  double mttf_hours = 0;
  std::vector<double> reads;         ///< bytes read per byte rebuilt, by lost chunks from 1 on
  std::vector<double> repair_hours;  ///< mean, without waiting, by lost chunks from 1 on
  RepairTimes times = RepairTimes::kExponential;
  double unreadable = 0;      ///< as in GroupModel
  std::size_t bad_nodes = 0;  ///< nodes of a bad batch at the beginning
  double bad_mttf_hours = 0;  ///< mean time until a bad node fails
};

struct ClusterRun {
  double hours = 0;  ///< simulated time
  std::size_t groups = 0;
  std::uint64_t failures = 0;      ///< node failures
  std::uint64_t repairs = 0;       ///< chunks rebuilt
  double bytes_read = 0;           ///< bytes read by repairs
  std::vector<double> waits;       ///< hours that a random sample of repairs waited
  double mean_repair_hours = 0;    ///< from the loss of a chunk until it is rebuilt
  double slow_repair_hours = 0;    ///< 99th percentile of the repair hours
  std::vector<double> shares;      ///< by number of lost chunks of a group: share of time
  std::uint64_t losses = 0;        ///< data losses of groups; a group then begins anew
  std::uint64_t batch_losses = 0;  ///< losses until all bad nodes have failed and are rebuilt
  std::size_t bad_nodes_left = 0;  ///< bad nodes at the end
};

/// Most nodes of a cluster, and most chunks on all of them.
inline constexpr std::size_t kMostClusterNodes = 100'000;
inline constexpr std::size_t kMostClusterChunks = 20'000'000;

/// Simulates `failures` failures of nodes, at their true rate.
///
/// Errors: throws kInvalidArgument for fewer nodes than a group has locations, for more nodes or
///         chunks than the bounds above, for times or sizes that are not above 0, and for more bad
///         nodes than nodes.
/// Cost:   some microseconds per rebuilt chunk.
ClusterRun simulate_cluster(const ClusterModel& model, LostSets& sets, std::uint64_t failures,
                            std::uint64_t seed);

}  // namespace xorloom
