#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/models/group_losses.hpp"

namespace xorloom {

// Many nodes that fail and repair at once: a discrete simulation, event by event.
//
// Each node holds chunks of many groups. A group is the stripes that lie on the same n nodes; which
// nodes, is random. If a node fails, it is replaced by an empty one at once, and each of its groups
// has one more lost chunk. A group rebuilds one chunk after the other, each on a node that holds
// none of its other chunks. A node rebuilds one chunk at a time, so repairs wait for one another.
//
// Some nodes may be of a bad batch: they fail at another rate, and usual ones replace them. Chunks
// may have bits that cannot be read, which lose data if nothing redundant is left.

struct ClusterModel {
  std::size_t nodes = 0;
  std::size_t groups_per_node = 0;
  std::size_t locations = 0;  ///< of a group
  double chunk_bytes = 0;     ///< what a node holds of a group
  double mttf_hours = 0;
  std::vector<double> reads;         ///< bytes read per byte rebuilt, by lost chunks from 1 on
  std::vector<double> repair_hours;  ///< without waiting, by lost chunks from 1 on
  RepairTimes times = RepairTimes::kExponential;
  double unreadable = 0;      ///< as in GroupModel
  std::size_t bad_nodes = 0;  ///< of a bad batch, when the simulation begins
  double bad_mttf_hours = 0;  ///< mean time until one of them fails
};

struct ClusterRun {
  double hours = 0;  ///< simulated
  std::size_t groups = 0;
  std::uint64_t failures = 0;      ///< of nodes
  std::uint64_t repairs = 0;       ///< of chunks
  double bytes_read = 0;           ///< by repairs
  std::vector<double> waits;       ///< hours that repairs waited, a sample of all
  double mean_repair_hours = 0;    ///< from the loss of a chunk until it is rebuilt
  double slow_repair_hours = 0;    ///< 99 of 100 repairs are faster
  std::vector<double> shares;      ///< the share of time in which groups have 0, 1, … lost chunks
  std::uint64_t losses = 0;        ///< groups that lost data; they begin anew
  std::uint64_t batch_losses = 0;  ///< those until all bad nodes have failed and are rebuilt
  std::size_t bad_nodes_left = 0;  ///< when the simulation ended
};

/// The most nodes, and chunks on all of them.
inline constexpr std::size_t kMostClusterNodes = 100'000;
inline constexpr std::size_t kMostClusterChunks = 20'000'000;

/// Simulates that many failures of nodes, at the rate at which they happen.
///
/// Errors: throws kInvalidArgument for fewer nodes than a group has locations, or more than that,
///         for times or sizes that are not above 0, and for more bad nodes than nodes.
/// Cost:   some microseconds per chunk that is rebuilt.
ClusterRun simulate_cluster(const ClusterModel& model, LostSets& sets, std::uint64_t failures,
                            std::uint64_t seed);

}  // namespace xorloom
