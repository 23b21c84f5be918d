#include "equations/models/durability.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

void check(const DiskGroup& group) {
  if (group.locations <= group.losses) {
    fail(Status::kInvalidArgument, "n = {} locations do not exceed m = {} losses", group.locations,
         group.losses);
  }
  // Written so that NaN is refused, too.
  if (!(group.mttf_hours > 0) || std::isinf(group.mttf_hours)) {
    fail(Status::kInvalidArgument, "MTTF = {} hours is not a number above 0", group.mttf_hours);
  }
  if (!(group.mttr_hours > 0) || !(group.mttr_hours < group.mttf_hours)) {
    fail(Status::kInvalidArgument,
         "MTTR = {:.6g} hours is not above 0 and below MTTF = {:.6g} hours", group.mttr_hours,
         group.mttf_hours);
  }
  if (!(group.unreadable >= 0) || !(group.unreadable <= 1)) {
    fail(Status::kInvalidArgument, "a disk is unreadable with probability {}, not 0 to 1",
         group.unreadable);
  }
}

double checked_hours(const DiskGroup& group, double hours) {
  if (hours <= kMostHours) return hours;
  fail(Status::kInvalidArgument, "with m = {} the mean time to data loss exceeds {:g} hours",
       group.losses, kMostHours);
}

void check(const FullRead& read) {
  if (!(read.disk_bytes >= 0) || std::isinf(read.disk_bytes)) {
    fail(Status::kInvalidArgument, "a disk of {} bytes is not of 0 bytes or more", read.disk_bytes);
  }
  if (!(read.error_rate >= 0) || !(read.error_rate < 1)) {
    fail(Status::kInvalidArgument, "error_rate = {:.6g} is not below 1", read.error_rate);
  }
}

bool is_time(double hours) { return hours > 0 && !std::isinf(hours); }

void check(const LatentErrors& latent) {
  if (latent.mean_hours == 0 || (is_time(latent.mean_hours) && is_time(latent.scrub_hours))) return;
  fail(
      Status::kInvalidArgument,
      "a latent error after {:.6g} hours and a scrub every {:.6g} hours are not both times above 0",
      latent.mean_hours, latent.scrub_hours);
}

void check(const DiskGroup& group, const BadBatch& batch) {
  check(group);
  if (batch.disks == 0 || batch.disks > group.locations) {
    fail(Status::kInvalidArgument, "a bad batch of {} disks is not of 1 to n = {}", batch.disks,
         group.locations);
  }
  if (!is_time(batch.mttf_hours)) {
    fail(Status::kInvalidArgument, "batch_mttf = {} hours is not a number above 0",
         batch.mttf_hours);
  }
}

/// The probability that a repair with `lost` lost disks meets an unreadable bit and no redundancy
/// is left for it.
double fatal_read_chance(const DiskGroup& group, std::size_t lost) {
  if (lost == 0 || lost != group.losses) return 0;
  return 1 - std::pow(1 - group.unreadable, static_cast<double>(group.locations - lost));
}

/// Event that has to come before a data loss.
enum class BatchGoal { kOneRecovery, kEndOfBatch };

/// By number of lost disks, 0 … m + 1: the probability of reaching the goal, with `bad` disks of
/// the batch left. `fewer_bad`: the result for one bad disk less.
std::vector<double> chances_with(std::size_t bad, const std::vector<double>& fewer_bad,
                                 const DiskGroup& group, double batch_mttf, BatchGoal goal) {
  const std::size_t m = group.losses;
  const bool is_end = goal == BatchGoal::kOneRecovery || bad == 0;
  // Elimination from j = 0 up: chance at j lost = known[j] + share[j] · chance at j + 1 lost.
  std::vector<double> known(m + 1, 1);
  std::vector<double> share(m + 1, 0);
  for (std::size_t j = is_end ? 1 : 0; j <= m; ++j) {
    const double good = static_cast<double>(group.locations - std::min(group.locations, bad + j));
    const double bad_fails = static_cast<double>(bad) / batch_mttf;
    const double good_fails = good / group.mttf_hours;
    const double repaired = j == 0 ? 0 : 1 / group.mttr_hours;
    const double back = repaired * (1 - fatal_read_chance(group, j));
    const double rate = bad_fails + good_fails + repaired - back * (j == 0 ? 0 : share[j - 1]);
    known[j] =
        (back * (j == 0 ? 0 : known[j - 1]) + bad_fails * (bad == 0 ? 0 : fewer_bad[j + 1])) / rate;
    share[j] = good_fails / rate;
  }
  std::vector<double> chances(m + 2, 0);
  for (std::size_t j = m + 1; j-- > 0;) chances[j] = known[j] + share[j] * chances[j + 1];
  return chances;
}

/// By number of lost disks: the chances with `bad` disks of the batch left.
std::vector<double> batch_chances(const DiskGroup& group, std::size_t bad, double batch_mttf,
                                  BatchGoal goal) {
  std::vector<double> chances;
  for (std::size_t left = 0; left <= bad; ++left) {
    chances = chances_with(left, chances, group, batch_mttf, goal);
  }
  return chances;
}

}  // namespace

double approximate_hours_to_loss(const DiskGroup& group) {
  check(group);
  const auto n = static_cast<double>(group.locations);
  double hours = group.mttf_hours / n;
  for (std::size_t i = 1; i <= group.losses; ++i) {
    hours /= (n - static_cast<double>(i)) * group.mttr_hours / group.mttf_hours +
             fatal_read_chance(group, i);
    if (hours > kMostHours) break;
  }
  return checked_hours(group, hours);
}

double hours_to_loss(const DiskGroup& group) {
  check(group);
  // With i lost, the other n-i disks fail at the rate (n-i)/MTTF. A repair ends at the rate 1/MTTR;
  // then data are lost, or the way from i-1 to i begins again. All terms are positive: no
  // cancellation.
  double to_next = 0;
  double hours = 0;
  for (std::size_t i = 0; i <= group.losses; ++i) {
    const double fatal = fatal_read_chance(group, i);
    const double onward =
        static_cast<double>(group.locations - i) / group.mttf_hours + fatal / group.mttr_hours;
    to_next = (1 + (1 - fatal) * to_next / group.mttr_hours) / onward;
    hours += to_next;
    if (hours > kMostHours) break;
  }
  return checked_hours(group, hours);
}

double loss_in_a_year(double hours_to_loss) { return -std::expm1(-kHoursOfYear / hours_to_loss); }

double nines_of_durability(double hours_to_loss) {
  // max, because -log10(1) is -0 if loss is certain.
  return std::max(0.0, -std::log10(loss_in_a_year(hours_to_loss)));
}

double latent_error_chance(const LatentErrors& latent) {
  check(latent);
  if (latent.mean_hours == 0) return 0;
  const double x = latent.scrub_hours / latent.mean_hours;
  // For a small x the terms cancel, so use the series x/2 - x^2/6 + …
  return x < 1e-4 ? x / 2 - x * x / 6 : 1 + std::expm1(-x) / x;
}

double clean_read_chance(const FullRead& read) {
  check(read);
  const auto disks = static_cast<double>(read.disks);
  return std::exp(8 * read.disk_bytes * disks * std::log1p(-read.error_rate)) *
         std::pow(1 - latent_error_chance(read.latent), disks);
}

double approximate_clean_read_chance(const FullRead& read) {
  check(read);
  check(read.latent);
  double of_disk = std::max(0.0, 1 - 8 * read.disk_bytes * read.error_rate);
  if (read.latent.mean_hours > 0) {
    of_disk *= std::max(0.0, 1 - read.latent.scrub_hours / (2 * read.latent.mean_hours));
  }
  return std::pow(of_disk, static_cast<double>(read.disks));
}

double recovery_chance(const DiskGroup& group, const BadBatch& batch) {
  check(group, batch);
  return batch_chances(group, batch.disks - 1, batch.mttf_hours, BatchGoal::kOneRecovery)[1];
}

double approximate_recovery_chance(const DiskGroup& group, const BadBatch& batch) {
  check(group, batch);
  const auto others = static_cast<double>(batch.disks - 1);
  const double fails = -std::expm1(-group.mttr_hours / batch.mttf_hours);
  double ways = 1;  // C(b-1, i)
  double sum = 0;
  for (std::size_t i = 0; i < std::min(group.losses, batch.disks); ++i) {
    const auto failed = static_cast<double>(i);
    sum += ways * std::pow(fails, failed) * std::pow(1 - fails, others - failed);
    ways *= (others - failed) / (failed + 1);
  }
  return sum;
}

double batch_survival_chance(const DiskGroup& group, const BadBatch& batch) {
  check(group, batch);
  return batch_chances(group, batch.disks, batch.mttf_hours, BatchGoal::kEndOfBatch)[0];
}

}  // namespace xorloom
