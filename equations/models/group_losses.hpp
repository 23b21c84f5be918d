#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/models/lost_sets.hpp"

namespace xorloom {

// How long one group of chunks keeps its data: the stripes that lie on the same n nodes. It loses
// one chunk with each of its nodes, and rebuilds one after the other. Data are lost as soon as the
// lost set cannot be rebuilt.
//
//     none lost ⇄ 1 lost ⇄ 2 lost ⇄ … → data loss
//
// The simulation follows the sets of lost chunks, takes repair times of any distribution, and
// knows what it does not know: a confidence interval. The chain of states beside it assumes
// exponential repair times.

/// How long a repair takes that has a mean.
enum class RepairTimes {
  kExponential,  ///< as Markov chains assume
  kFixed         ///< always the mean
};

struct GroupModel {
  std::size_t locations = 0;
  double mttf_hours = 0;             ///< mean time until a node fails
  std::vector<double> repair_hours;  ///< mean, by the number of lost chunks from 1 on
  RepairTimes times = RepairTimes::kExponential;
  /// Hours that repairs had to wait, any of which is as likely as any other. None: no waiting.
  std::vector<double> waits{};
  /// Probability that a chunk has a bit that cannot be read. A repair loses data if the lost chunks
  /// and such a chunk together cannot be rebuilt.
  double unreadable = 0;
};

/// A mean that was simulated.
struct Estimate {
  double mean = 0;
  double half_width = 0;  ///< of the interval that contains the true mean with probability 0.95
};

/// Mean time to data loss of a group in hours, simulated.
///
/// Losses are too rare to wait for. So the simulation samples cycles, each from the first lost
/// chunk until all are rebuilt or the data are lost. In a cycle, nodes fail at a rate near that of
/// repairs, and each cycle is weighted by how much more likely that made it: importance sampling
/// by failure biasing. The mean time is that of a cycle over the probability of a loss in a cycle.
///
/// Shape:  repair_hours has an entry for each number of losses up to sets.most_losses().
/// Source: Goyal, Shahabuddin, Heidelberger, Nicola and Glynn, A unified framework for simulating
///         Markovian models of highly dependable systems, IEEE Trans. Computers, 1992.
/// Cost:   some events per sample.
Estimate simulated_hours_to_loss(const GroupModel& model, LostSets& sets, std::size_t samples,
                                 std::uint64_t seed);

/// The same of the chain of states 0, 1, … lost, with exponential repair times of the same means,
/// waiting included. From i lost, a failure loses data with the probability that a set of i + 1
/// that contains a survived set is not survived: exact for codes that survive any m losses and no
/// more, else approximate, as the chain does not know which chunks are lost.
double chain_hours_to_loss(const GroupModel& model, LostSets& sets);

/// The probability that one of `chunks` chunks has a bit that cannot be read: 1 - (1 - u)^chunks.
double unreadable_chance(double unreadable, double chunks);

/// The number of chunks without which the lost ones and that chunk cannot be rebuilt.
std::size_t count_needed(std::size_t locations, LostSet lost, LostSets& sets);

/// The share of time in which 0, 1, … chunks are lost, in that chain if it begins anew after each
/// loss.
std::vector<double> chain_shares(const GroupModel& model, LostSets& sets);

}  // namespace xorloom
