#include "cli/shell/short_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace xorloom::cli {

std::string short_number(double value, int most_decimals) {
  const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return fmt::format("{:.{}f}", value, std::min(decimals, most_decimals));
}

std::string number(std::size_t value) { return fmt::format("{}", value); }

std::string ratio(double value) { return fmt::format("{:.2f}", value); }

std::string stored_text(double bytes) {
  std::string text = ratio(bytes);
  for (int decimals = 3; text == fmt::format("{:.{}f}", 1.0, decimals - 1) && bytes > 1; ++decimals)
    text = fmt::format("{:.{}f}", bytes, decimals);
  return text;
}

std::string rough_number(double value) {
  if (value >= 10) return fmt::format("{:.0f}", std::round(value));
  return fmt::format("{:.{}f}", value, value >= 1 ? 1 : 2);
}

}  // namespace xorloom::cli
