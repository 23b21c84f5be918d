#pragma once

#include <cstddef>

namespace xorloom {

// Durability of a group of disks, from the mean times until disks fail and are rebuilt. Disks fail
// independently, at the rate 1/MTTF. Disks of a bad batch fail at another rate, so several fail at
// about the same time. Unreadable bits lose data if no redundancy is left.
//
// Source: Chen, Lee, Gibson, Katz and Patterson, RAID: high-performance, reliable secondary
//         storage, ACM Computing Surveys 26(2), 1994. Examples of Curry, Skjellum, Ward and
//         Brightwell, Gibraltar, Concurrency and Computation, 2011, section 2. For bits that cannot
//         be read: Dholakia, Eleftheriou, Hu, Iliadis, Menon and Rao, A new intra-disk redundancy
//         scheme for high-reliability RAID storage systems, ACM Transactions on Storage 4(1), 2008.
//         For batches: Pâris and Long, Using device diversity to protect data against
//         batch-correlated disk failures, StorageSS 2006.

/// A group that loses data once more than `losses` of its locations are lost at once. A code that
/// also survives some larger losses keeps its data longer.
struct DiskGroup {
  std::size_t locations = 0;
  std::size_t losses = 0;     ///< m: the group survives any m lost locations
  double mttf_hours = 1.2e6;  ///< mean time until a disk fails
  double mttr_hours = 24;     ///< mean time until one lost disk is rebuilt
  double unreadable = 0;      ///< probability that a disk has an unreadable bit
};

inline constexpr double kHoursOfYear = 8766;  ///< 365.25 days
/// The largest mean time to data loss that is computed.
inline constexpr double kMostHours = 1e300;

/// Mean time to data loss in hours, n being the locations and m the losses survived:
/// MTTF^(m+1) / (n (n-1) … (n-m) · MTTR^m). For m = 2 it is the formula of Chen et al. for RAID 6.
/// It holds if MTTR is far below MTTF / n. If disks have unreadable bits, the factor
/// (n-m) · MTTR / MTTF of the last step grows by the probability that a repair with m lost disks
/// meets one. For m = 1 and 2 that is the formula of Dholakia et al. With m = 0 there is no repair.
///
/// Errors: throws kInvalidArgument if the losses are not below the locations, unless
///         0 < MTTR < MTTF and 0 <= unreadable <= 1, or if the result exceeds kMostHours.
double approximate_hours_to_loss(const DiskGroup& group);

/// Exact mean time to data loss in hours of the Markov chain of 0, 1, … m lost locations. Locations
/// are rebuilt one after the other, each in an exponentially distributed time of mean MTTR. A
/// repair with m lost locations loses data if another location has an unreadable bit.
///
///     0 lost ⇄ 1 lost ⇄ … ⇄ m lost → data loss
///
/// Errors: as approximate_hours_to_loss.
double hours_to_loss(const DiskGroup& group);

/// The probability of data loss within a year, at a constant rate.
double loss_in_a_year(double hours_to_loss);

/// Durability over a year in nines: 3 if data survive a year with probability 0.999.
double nines_of_durability(double hours_to_loss);

/// Errors that a disk develops by itself. A scrub reads the disk every `scrub_hours` and corrects
/// them.
struct LatentErrors {
  double mean_hours = 0;   ///< mean time until a disk develops an error; 0: never
  double scrub_hours = 0;  ///< from scrub to scrub
};

/// The probability that a disk has a latent error at a random time: 1 - (1 - e^-x) / x, with
/// x = scrub_hours / mean_hours. It is about x / 2.
///
/// Errors: throws kInvalidArgument unless both times are above 0, or the mean time is 0.
double latent_error_chance(const LatentErrors& latent);

/// Disks that are read from their first bit to their last.
struct FullRead {
  std::size_t disks = 0;
  double disk_bytes = 1e12;
  double error_rate = 1e-15;  ///< probability that a bit cannot be read
  LatentErrors latent{};
};

/// The probability that no bit is unreadable, (1 - P)^bits, and no disk has a latent error. P is
/// error_rate.
///
/// Errors: throws kInvalidArgument unless disk_bytes >= 0 and 0 <= P < 1, and as
///         latent_error_chance.
double clean_read_chance(const FullRead& read);

/// Approximates clean_read_chance as Curry et al. do: (1 - bits of a disk · P)^disks, which is 0
/// for disks of 1/P bits or more. For latent errors, each disk has a factor 1 - scrub / (2 · mean
/// time).
///
/// Errors: as clean_read_chance.
double approximate_clean_read_chance(const FullRead& read);

/// Disks of a group from a bad batch. Each fails after an exponentially distributed time, and is
/// replaced by a disk of the usual MTTF.
struct BadBatch {
  std::size_t disks = 0;
  double mttf_hours = 0;
};

/// The probability that the group recovers from the failure of a disk of the batch: all lost disks
/// are rebuilt before more than m are lost at once. Exact for the Markov chain of (bad disks left,
/// lost disks), with exponentially distributed times and the group's unreadable bits.
///
/// Errors: as hours_to_loss, and throws kInvalidArgument unless the batch has 1 to n disks and a
///         mean time above 0.
/// Cost:   O(disks of the batch · m).
double recovery_chance(const DiskGroup& group, const BadBatch& batch);

/// Approximates recovery_chance: the repair takes exactly MTTR, only bad disks fail, and all bits
/// are readable. Each of the b - 1 bad disks left survives MTTR with probability
/// q = e^(-MTTR / mean time), so the result is the sum over i < m of C(b-1, i) (1-q)^i q^(b-1-i).
///
/// Errors: as recovery_chance.
double approximate_recovery_chance(const DiskGroup& group, const BadBatch& batch);

/// The probability that the group keeps its data until every disk of the batch has failed and is
/// rebuilt, in the chain of recovery_chance.
///
/// Errors: as recovery_chance.
double batch_survival_chance(const DiskGroup& group, const BadBatch& batch);

}  // namespace xorloom
