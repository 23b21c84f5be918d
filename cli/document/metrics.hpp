#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xorloom::cli {

/// Metrics for the textfile collector of Prometheus' node exporter.
class Metrics {
 public:
  /// Begins a gauge, `xorloom_NAME`, whose samples follow.
  void begin(std::string_view name, std::string_view help);

  /// Adds a sample. `labels` are as in `set="0f"`, or empty.
  void add(std::string_view labels, std::string_view value);

  const std::string& text() const { return text_; }

 private:
  std::string name_;
  std::string text_;
};

/// Metrics of several texts as one: samples of one name stand together.
std::string joined_metrics(const std::vector<std::string>& texts);

/// The seconds since 1970.
std::string unix_time();

}  // namespace xorloom::cli
