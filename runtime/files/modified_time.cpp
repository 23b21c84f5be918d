#include "runtime/files/modified_time.hpp"

#include <array>

namespace xorloom {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Units of the times that file systems and archives keep, in nanoseconds, ascending. FAT: 2 s.
constexpr std::array<std::int64_t, 6> kTimeUnits = {100,        1000,    1'000'000,
                                                    10'000'000, kSecond, 2 * kSecond};

/// Cuts a time to whole units. Precondition: `unit` is one of kTimeUnits, each divides two seconds.
ModifiedTime cut_to(std::int64_t unit, const ModifiedTime& time) {
  const std::int64_t odd = time.first & 1;
  const std::int64_t behind = odd * kSecond + time.second;
  const std::int64_t kept = behind - behind % unit;
  return {time.first - odd + kept / kSecond, static_cast<std::uint32_t>(kept % kSecond)};
}

}  // namespace

ModifiedTime time_of(const struct stat& status) {
  return {status.st_mtim.tv_sec, static_cast<std::uint32_t>(status.st_mtim.tv_nsec)};
}

std::set<ModifiedTime> cut_times(const ModifiedTime& time) {
  std::set<ModifiedTime> cut;
  for (const std::int64_t unit : kTimeUnits) {
    // Two times in whole seconds are not taken for the same: the later one may be that of an edit.
    if (unit <= kSecond || time.second != 0) cut.insert(cut_to(unit, time));
  }
  cut.erase(time);
  return cut;
}

bool is_same_time(const ModifiedTime& a, const ModifiedTime& b) {
  return a == b || cut_times(a).contains(b) || cut_times(b).contains(a);
}

}  // namespace xorloom
