#include "cli/document/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "codes/text/split.hpp"

namespace xorloom::cli {

void Metrics::begin(std::string_view name, std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP xorloom_{0} {1}\n# TYPE xorloom_{0} gauge\n", name, help);
}

void Metrics::add(std::string_view labels, std::string_view value) {
  text_ += fmt::format("xorloom_{}{{{}}} {}\n", name_, labels, value);
}

std::string joined_metrics(const std::vector<std::string>& texts) {
  // Each metric is its two lines of comments with its samples behind them.
  std::vector<std::pair<std::string, std::string>> metrics;
  for (const std::string& text : texts) {
    std::string* samples = nullptr;
    std::string help;
    for (const std::string_view line : split(text, '\n')) {
      if (line.empty()) continue;
      if (line.starts_with("# HELP ")) {
        help = fmt::format("{}\n", line);
      } else if (line.starts_with("# TYPE ")) {
        const std::string head = fmt::format("{}{}\n", help, line);
        auto known = std::ranges::find(metrics, head, &decltype(metrics)::value_type::first);
        if (known == metrics.end()) known = metrics.insert(metrics.end(), {head, ""});
        samples = &known->second;
      } else if (samples != nullptr) {
        *samples += fmt::format("{}\n", line);
      }
    }
  }
  std::string joined;
  for (const auto& [head, samples] : metrics) joined += head + samples;
  return joined;
}

std::string unix_time() {
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return std::to_string(now.count());
}

}  // namespace xorloom::cli
