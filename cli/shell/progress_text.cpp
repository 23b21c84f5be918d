#include "cli/shell/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace xorloom::cli {
namespace {

struct Unit {
  double bytes;
  const char* name;
};

Unit unit_for(double bytes) {
  if (bytes >= 0x1p40) return {0x1p40, "TiB"};
  if (bytes >= 0x1p30) return {0x1p30, "GiB"};
  if (bytes >= 0x1p20) return {0x1p20, "MiB"};
  return {0x1p10, "KiB"};
}

/// "0:01", "12:34", "1:02:03".
std::string clock_text(std::uint64_t seconds) {
  const std::uint64_t minutes = seconds / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, seconds % 60);
}

}  // namespace

std::string speed_of(double bytes_per_second) {
  return bytes_per_second >= 1e9 ? fmt::format("{:.2f} GB/s", bytes_per_second / 1e9)
                                 : fmt::format("{:.2f} MB/s", bytes_per_second / 1e6);
}

std::string progress_text(std::string_view phase, std::uint64_t done, std::uint64_t total,
                          double bytes_per_second, std::size_t columns) {
  constexpr double kLongest = 100 * 3600;  // seconds left; longer times are not shown
  const bool bounded = total != 0 && done <= total;
  const auto done_bytes = static_cast<double>(done);
  const auto total_bytes = static_cast<double>(total);
  const Unit unit = unit_for(bounded ? total_bytes : done_bytes);

  std::vector<std::string> parts;
  if (bounded) {
    parts.push_back(fmt::format("{} {:.2f} of {:.2f} {}", phase, done_bytes / unit.bytes,
                                total_bytes / unit.bytes, unit.name));
    parts.push_back(fmt::format("{:.0f} %", std::floor(100 * (done_bytes / total_bytes))));
  } else if (done == 0) {
    parts.emplace_back(phase);
  } else {
    parts.push_back(fmt::format("{} {:.2f} {}", phase, done_bytes / unit.bytes, unit.name));
  }
  if (bytes_per_second > 0) {
    parts.push_back(speed_of(bytes_per_second));
    const double left = std::ceil((total_bytes - done_bytes) / bytes_per_second);
    if (bounded && left <= kLongest) {
      parts.push_back(clock_text(static_cast<std::uint64_t>(left)) + " left");
    }
  }

  std::string text = std::move(parts.front());
  if (text.size() > columns) text = phase.substr(0, columns);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (text.size() + 2 + parts[i].size() > columns) break;
    text += ", " + parts[i];
  }
  return text;
}

}  // namespace xorloom::cli
