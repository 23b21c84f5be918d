#pragma once

#include <cstddef>

namespace xorloom {

// How long a group of disks keeps its data, from the times that disks take to fail and to be
// rebuilt. Disks fail independently, at a rate of one per MTTF. This is what the formulas assume;
// real disks also fail together.
//
// Source: Chen, Lee, Gibson, Katz and Patterson, RAID: high-performance, reliable secondary
//         storage, ACM Computing Surveys 26(2), 1994. Examples of Curry, Skjellum, Ward and
//         Brightwell, Gibraltar, Concurrency and Computation, 2011, section 2.

/// A group whose data are lost as soon as more than `losses` of its locations are lost at once. A
/// code that survives some larger losses, too, keeps its data longer than this.
struct DiskGroup {
  std::size_t locations = 0;
  std::size_t losses = 0;     ///< any that many are survived
  double mttf_hours = 1.2e6;  ///< mean time until a disk fails
  double mttr_hours = 24;     ///< mean time until one lost disk is rebuilt
};

inline constexpr double kHoursOfYear = 8766;  ///< 365.25 days
/// The largest mean time to data loss that is computed.
inline constexpr double kMostHours = 1e300;

/// Mean time to data loss in hours, n being the locations and m the losses survived:
/// MTTF^(m+1) / (n (n-1) … (n-m) · MTTR^m). For m = 2 it is the formula of Chen et al. for RAID 6.
/// It holds where MTTR is far below MTTF / n.
///
/// Errors: throws kInvalidArgument if the losses are not below the locations, unless
///         0 < MTTR < MTTF, or if the result exceeds kMostHours.
double approximate_hours_to_loss(const DiskGroup& group);

/// The same, exactly, of the chain of states with 0, 1, … m lost locations. A repair rebuilds one
/// location after the other and takes an exponentially distributed time, of mean MTTR each.
///
///     0 lost ⇄ 1 lost ⇄ … ⇄ m lost → data loss
///
/// Errors: as approximate_hours_to_loss.
double hours_to_loss(const DiskGroup& group);

/// The probability of losing data within a year, if that happens at a constant rate.
double loss_in_a_year(double hours_to_loss);

/// The same in nines: 3 if data survive a year with probability 0.999.
double nines_of_durability(double hours_to_loss);

/// Disks that are read from their first bit to their last.
struct FullRead {
  std::size_t disks = 0;
  double disk_bytes = 1e12;
  double error_rate = 1e-15;  ///< probability that a bit cannot be read
};

/// The probability that no bit is unreadable: (1 - P)^bits.
///
/// Errors: throws kInvalidArgument unless disk_bytes >= 0 and 0 <= P < 1.
double clean_read_chance(const FullRead& read);

/// The same as the paper computes it: (1 - bits of a disk · P)^disks, which is 0 for disks of 1/P
/// bits and more.
///
/// Errors: as clean_read_chance.
double approximate_clean_read_chance(const FullRead& read);

}  // namespace xorloom
