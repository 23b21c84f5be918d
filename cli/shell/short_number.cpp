#include "cli/shell/short_number.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace xorloom::cli {

std::string short_number(double value, int most_decimals) {
  const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return fmt::format("{:.{}f}", value, std::min(decimals, most_decimals));
}

}  // namespace xorloom::cli
