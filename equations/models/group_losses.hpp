#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/models/lost_sets.hpp"

namespace xorloom {

// Durability of one group: the stripes on the same n nodes. It loses one chunk with each of its
// nodes, and rebuilds chunks one after the other. Data are lost once the set of lost chunks cannot
// be rebuilt.
//
//     none lost ⇄ 1 lost ⇄ 2 lost ⇄ … → data loss
//
// The simulation follows the sets of lost chunks, takes fixed or exponential repair times, and
// gives a confidence interval. The Markov chain counts lost chunks only, and assumes exponential
// repair times.

/// Distribution of repair times around their mean.
enum class RepairTimes {
  kExponential,  ///< as Markov chains assume
  kFixed         ///< always the mean
};

struct GroupModel {
  std::size_t locations = 0;
  double mttf_hours = 0;             ///< mean time until a node fails
  std::vector<double> repair_hours;  ///< mean, by the number of lost chunks from 1 on
  RepairTimes times = RepairTimes::kExponential;
  /// Samples of the hours that repairs wait, all equally likely. Empty: no waiting.
  std::vector<double> waits{};
  /// Probability that a chunk has an unreadable bit. A repair loses data if the lost chunks and
  /// such a chunk together cannot be rebuilt.
  double unreadable = 0;
};

/// A simulated mean.
struct Estimate {
  double mean = 0;
  double half_width = 0;  ///< half the width of the 95 % confidence interval
};

/// Simulates the mean time to data loss of a group in hours.
///
/// Losses are too rare to wait for, so the simulation uses importance sampling by failure biasing.
/// It samples cycles, from the first lost chunk until all are rebuilt or data are lost. In a cycle,
/// nodes fail at a rate near that of repairs, and the cycle is weighted by its likelihood ratio.
/// The mean time to data loss is the mean time of a cycle divided by the probability of a loss in a
/// cycle.
///
/// Shape:  repair_hours has an entry for each number of losses up to sets.most_losses().
/// Source: Goyal, Shahabuddin, Heidelberger, Nicola and Glynn, A unified framework for simulating
///         Markovian models of highly dependable systems, IEEE Trans. Computers, 1992.
/// Cost:   some events per sample.
Estimate simulated_hours_to_loss(const GroupModel& model, LostSets& sets, std::size_t samples,
                                 std::uint64_t seed);

/// Mean time to data loss in hours of the Markov chain of 0, 1, … lost chunks, with exponential
/// repair times of the model's means, waiting included. A failure at i lost loses data with the
/// probability that a random set of i + 1 that contains a survived set of i is not survived. Exact
/// for codes that survive any m losses and no more; else approximate, since the chain does not know
/// which chunks are lost.
double chain_hours_to_loss(const GroupModel& model, LostSets& sets);

/// The probability that one of `chunks` chunks has an unreadable bit: 1 - (1 - unreadable)^chunks.
double unreadable_chance(double unreadable, double chunks);

/// Number of chunks that a repair of `lost` cannot do without: each of them, if lost too, loses
/// data.
std::size_t count_needed(std::size_t locations, LostSet lost, LostSets& sets);

/// By number of lost chunks: the share of time in the Markov chain, which begins anew after each
/// data loss.
std::vector<double> chain_shares(const GroupModel& model, LostSets& sets);

}  // namespace xorloom
