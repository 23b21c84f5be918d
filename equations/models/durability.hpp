#pragma once

#include <cstddef>

namespace xorloom {

// How long a group of disks keeps its data, from the times that disks take to fail and to be
// rebuilt. Disks fail independently, at a rate of one per MTTF. Disks of a bad batch fail at
// another rate, so several of them fail at about the same time. Bits that cannot be read lose data
// if nothing redundant is left.
//
// Source: Chen, Lee, Gibson, Katz and Patterson, RAID: high-performance, reliable secondary
//         storage, ACM Computing Surveys 26(2), 1994. Examples of Curry, Skjellum, Ward and
//         Brightwell, Gibraltar, Concurrency and Computation, 2011, section 2. For bits that cannot
//         be read: Dholakia, Eleftheriou, Hu, Iliadis, Menon and Rao, A new intra-disk redundancy
//         scheme for high-reliability RAID storage systems, ACM Transactions on Storage 4(1), 2008.
//         For batches: Pâris and Long, Using device diversity to protect data against
//         batch-correlated disk failures, StorageSS 2006.

/// A group whose data are lost as soon as more than `losses` of its locations are lost at once. A
/// code that survives some larger losses, too, keeps its data longer than this.
struct DiskGroup {
  std::size_t locations = 0;
  std::size_t losses = 0;     ///< any that many are survived
  double mttf_hours = 1.2e6;  ///< mean time until a disk fails
  double mttr_hours = 24;     ///< mean time until one lost disk is rebuilt
  double unreadable = 0;      ///< probability that a disk has a bit that cannot be read
};

inline constexpr double kHoursOfYear = 8766;  ///< 365.25 days
/// The largest mean time to data loss that is computed.
inline constexpr double kMostHours = 1e300;

/// Mean time to data loss in hours, n being the locations and m the losses survived:
/// MTTF^(m+1) / (n (n-1) … (n-m) · MTTR^m). For m = 2 it is the formula of Chen et al. for RAID 6.
/// It holds where MTTR is far below MTTF / n. If disks have unreadable bits, the factor
/// (n-m) · MTTR / MTTF of the last step grows by the probability that a repair with m lost disks
/// meets one. For m = 1 and 2 that is the formula of Dholakia et al. With m = 0 there is no repair.
///
/// Errors: throws kInvalidArgument if the losses are not below the locations, unless
///         0 < MTTR < MTTF and 0 <= unreadable <= 1, or if the result exceeds kMostHours.
double approximate_hours_to_loss(const DiskGroup& group);

/// The same, exactly, of the chain of states with 0, 1, … m lost locations. A repair rebuilds one
/// location after the other and takes an exponentially distributed time, of mean MTTR each. A
/// repair with m lost locations loses data if one of the others has an unreadable bit.
///
///     0 lost ⇄ 1 lost ⇄ … ⇄ m lost → data loss
///
/// Errors: as approximate_hours_to_loss.
double hours_to_loss(const DiskGroup& group);

/// The probability of losing data within a year, if that happens at a constant rate.
double loss_in_a_year(double hours_to_loss);

/// The same in nines: 3 if data survive a year with probability 0.999.
double nines_of_durability(double hours_to_loss);

/// Errors that a disk develops by itself. A scrub reads the disk every `scrub_hours`, and corrects
/// all of them.
struct LatentErrors {
  double mean_hours = 0;   ///< mean time until a disk develops one; 0: never
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

/// The probability that no bit is unreadable: (1 - P)^bits, and no disk has a latent error.
///
/// Errors: throws kInvalidArgument unless disk_bytes >= 0 and 0 <= P < 1, and as
///         latent_error_chance.
double clean_read_chance(const FullRead& read);

/// The same as the paper computes it: (1 - bits of a disk · P)^disks, which is 0 for disks of 1/P
/// bits and more. For latent errors each disk has a factor 1 - scrub / (2 · mean time).
///
/// Errors: as clean_read_chance.
double approximate_clean_read_chance(const FullRead& read);

/// Disks of a group that come from a bad batch. Each fails after an exponentially distributed time,
/// and is replaced by a disk of the usual MTTF.
struct BadBatch {
  std::size_t disks = 0;
  double mttf_hours = 0;
};

/// The probability that the group recovers from the failure of a disk of the batch: that all lost
/// disks are rebuilt before more than m are lost at once. It is exact for the chain of states (bad
/// disks left, lost disks), with exponentially distributed times and the group's unreadable bits.
///
/// Errors: as hours_to_loss, and throws kInvalidArgument unless the batch has 1 to n disks and a
///         mean time above 0.
/// Cost:   O(disks of the batch · m).
double recovery_chance(const DiskGroup& group, const BadBatch& batch);

/// The same, where the repair takes MTTR exactly, no other disk fails, and all bits are readable.
/// The b - 1 bad disks left then survive MTTR with probability q = e^(-MTTR / mean time) each, so
/// it is the sum over i < m of C(b-1, i) (1-q)^i q^(b-1-i).
///
/// Errors: as recovery_chance.
double approximate_recovery_chance(const DiskGroup& group, const BadBatch& batch);

/// The probability that the group keeps its data until every disk of the batch has failed and is
/// rebuilt, in the chain of recovery_chance.
///
/// Errors: as recovery_chance.
double batch_survival_chance(const DiskGroup& group, const BadBatch& batch);

}  // namespace xorloom
