#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <set>
#include <utility>

namespace xorloom {

/// Time of a file's last change: {seconds, nanoseconds} since 1970.
using ModifiedTime = std::pair<std::int64_t, std::uint32_t>;

ModifiedTime time_of(const struct stat& status);

/// The times that result if file systems or archives cut `time` to whole units from 100 ns to one
/// second or, if it has a fraction, to two seconds. Without `time` itself.
std::set<ModifiedTime> cut_times(const ModifiedTime& time);

/// True if two times are equal, or one is the other, cut.
bool is_same_time(const ModifiedTime& a, const ModifiedTime& b);

}  // namespace xorloom
