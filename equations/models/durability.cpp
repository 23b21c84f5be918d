#include "equations/models/durability.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace

double approximate_hours_to_loss(const DiskGroup& group) {
  check(group);
  const auto n = static_cast<double>(group.locations);
  double hours = group.mttf_hours / n;
  for (std::size_t i = 1; i <= group.losses; ++i) {
    hours *= group.mttf_hours / ((n - static_cast<double>(i)) * group.mttr_hours);
    if (hours > kMostHours) break;
  }
  return checked_hours(group, hours);
}

double hours_to_loss(const DiskGroup& group) {
  check(group);
  // With i lost, n-i disks fail, at rate (n-i)/MTTF together. Before the next one fails, repairs
  // finish (n-i)/MTTF : 1/MTTR as often, and each of them has the way from i-1 to i begin again. So
  // all terms are positive, and nothing cancels.
  double to_next = 0;
  double hours = 0;
  for (std::size_t i = 0; i <= group.losses; ++i) {
    const double until_failure = group.mttf_hours / static_cast<double>(group.locations - i);
    to_next = until_failure * (1 + to_next / group.mttr_hours);
    hours += to_next;
    if (hours > kMostHours) break;
  }
  return checked_hours(group, hours);
}

double loss_in_a_year(double hours_to_loss) { return -std::expm1(-kHoursOfYear / hours_to_loss); }

double nines_of_durability(double hours_to_loss) {
  // Where loss is certain, -log10(1) is -0.
  return std::max(0.0, -std::log10(loss_in_a_year(hours_to_loss)));
}

double clean_read_chance(const FullRead& read) {
  check(read);
  const double bits = 8 * read.disk_bytes * static_cast<double>(read.disks);
  return std::exp(bits * std::log1p(-read.error_rate));
}

double approximate_clean_read_chance(const FullRead& read) {
  check(read);
  const double of_disk = std::max(0.0, 1 - 8 * read.disk_bytes * read.error_rate);
  return std::pow(of_disk, static_cast<double>(read.disks));
}

}  // namespace xorloom
