#include "cli/document/metrics.hpp"

#include <fmt/format.h>

#include <chrono>

namespace xorloom::cli {

void Metrics::begin(std::string_view name, std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP xorloom_{0} {1}\n# TYPE xorloom_{0} gauge\n", name, help);
}

void Metrics::add(std::string_view labels, std::string_view value) {
  text_ += fmt::format("xorloom_{}{{{}}} {}\n", name_, labels, value);
}

std::string unix_time() {
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return std::to_string(now.count());
}

}  // namespace xorloom::cli
