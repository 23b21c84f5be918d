#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <set>
#include <utility>

namespace xorloom {

/// When a file was modified: seconds and nanoseconds since 1970.
using ModifiedTime = std::pair<std::int64_t, std::uint32_t>;

ModifiedTime time_of(const struct stat& status);

/// What is left of a time if it is cut to what some file system or archive keeps: whole units from
/// 100 ns to one second, or, if it has a fraction, to two seconds. Those that differ from it.
std::set<ModifiedTime> cut_times(const ModifiedTime& time);

/// True if two times are equal, or one is the other, cut.
bool is_same_time(const ModifiedTime& a, const ModifiedTime& b);

}  // namespace xorloom
