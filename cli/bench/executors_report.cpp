#include <fmt/format.h>

#include "cli/bench/bench_charts.hpp"
#include "cli/bench/executors.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/running.hpp"

namespace xorloom::cli {
namespace {

constexpr int kFewDecimals = 2;  // so that columns stay narrow

/// Of one time: GB/s, GB/s as predicted, and the one over the other.
std::string cells(const ExecutorRow& row, const ExecutorTime& time) {
  const auto speed = [&](double seconds) {
    return short_number(gigabytes_per_second(row.data_bytes, seconds), kFewDecimals);
  };
  return fmt::format(" {:>5} {:>5} {:>4}", speed(time.measured), speed(time.predicted),
                     short_number(time.measured / time.predicted, kFewDecimals));
}

Json time_json(const ExecutorRow& row, const ExecutorTime& time) {
  return {{"seconds", time.measured},
          {"predicted_seconds", time.predicted},
          {"data_gb_per_s", gigabytes_per_second(row.data_bytes, time.measured)},
          {"predicted_data_gb_per_s", gigabytes_per_second(row.data_bytes, time.predicted)}};
}

}  // namespace

std::string executors_table(const ExecutorComparison& c) {
  std::string text = "\n" + wrapped(c.spec, 0) + "\n";
  text += fmt::format("encoding on {} thread{}, {} chunks, GB/s of data\n\n", c.threads,
                      c.threads == 1 ? "" : "s", to_string(c.layout));
  std::string names = fmt::format("{:12} {:^16}", "", "one thread");
  for (const Executor executor : c.executors) names += fmt::format(" {:^16}", to_string(executor));
  text += names.substr(0, names.find_last_not_of(' ') + 1);
  text += fmt::format("\n{:<5}{:>7}", "cache", "chunk");
  for (std::size_t i = 0; i <= c.executors.size(); ++i) {
    text += fmt::format(" {:>5} {:>5} {:>4}", "meas.", "pred.", "m/p");
  }
  text += '\n';
  for (const ExecutorRow& row : c.rows) {
    text += fmt::format("{:<4}{:>8}{}", row.level, row.chunk_bytes, cells(row, row.one_thread));
    for (const ExecutorTime& time : row.executors) text += cells(row, time);
    text += '\n';
  }
  if (!c.costs.is_measured) {
    text += "\n" +
            wrapped(
                "What threads take of each other could not be measured with so many or so "
                "few of them: predictions take what is usual of a server.",
                0) +
            "\n";
  }
  return text + "\n" + wrapped(prediction_error_text(c.error), 0) + "\n";
}

std::string executors_legend() {
  return "\n" +
         wrapped(
             "meas.: the median of turns of a few milliseconds; pred.: predicted from rates of "
             "this machine, which other codes were timed for, and from what threads take of "
             "each other; m/p: measured time over predicted time. GB/s is 10^9 bytes of data "
             "per second. Every byte was compared before and after. chunk is in bytes.",
             0) +
         "\n";
}

Json executors_json(const ExecutorComparison& c) {
  Json rows = Json::array();
  for (const ExecutorRow& row : c.rows) {
    Json executors = Json::array();
    for (std::size_t i = 0; i < row.executors.size(); ++i) {
      Json entry = time_json(row, row.executors[i]);
      entry["executor"] = to_string(c.executors[i]);
      executors.push_back(std::move(entry));
    }
    rows.push_back({{"chunk_bytes", row.chunk_bytes},
                    {"data_bytes", row.data_bytes},
                    {"level", row.level},
                    {"one_thread", time_json(row, row.one_thread)},
                    {"executors", std::move(executors)}});
  }
  return {{"spec", c.spec},
          {"threads", c.threads},
          {"layout", to_string(c.layout)},
          {"rounds", c.rounds},
          {"prediction_error", prediction_error_json(c.error)},
          {"costs",
           {{"start_seconds", c.costs.start},
            {"line_seconds", c.costs.line},
            {"call_seconds", c.costs.call},
            {"block_seconds", c.costs.block},
            {"far_share", c.costs.far_share},
            {"is_measured", c.costs.is_measured}}},
          {"rows", std::move(rows)}};
}

}  // namespace xorloom::cli
