#include "cli/bench/bench_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "cli/measuring/level_speeds.hpp"
#include "cli/report/latency_curves.hpp"
#include "codes/text/counted.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kLeastPoints = 3;  ///< points of a line; fewer become bars
constexpr const char* kSpeed = "GB/s of data";

/// Inks of single calls, which no chart of speeds uses.
constexpr std::size_t kEncodingCallsInk = 5;
constexpr std::size_t kDecodingCallsInk = 6;

/// Ink of a limit that codes share, or of the only code on a page: no code has it.
constexpr std::size_t kSharedInk = kInks - 1;

/// Speeds by chunk bytes.
struct SpeedSeries {
  std::string name;
  std::size_t ink;
  bool is_limit = false;
  std::map<std::size_t, double> points{};
  std::set<std::size_t> unknown{};  ///< sizes with a disturbed limit; no line crosses them
};

std::size_t chunk_bytes(const Json& m) { return m["chunk_bytes"].whole(); }

double speed(const Json& timed) { return timed["data_gb_per_s"].real(); }

BarChart bars_of(const std::string& title, const std::string& note,
                 const std::vector<SpeedSeries>& all, const std::set<std::size_t>& sizes) {
  BarChart chart{title, kSpeed, {}, {}, note, ChartSize::kSmall};
  for (const std::size_t size : sizes) chart.categories.push_back(size_text(size));
  for (const SpeedSeries& series : all) {
    BarChart::Series& bars =
        chart.series.emplace_back(BarChart::Series{series.name, {}, series.ink});
    for (const std::size_t size : sizes) {
      const auto found = series.points.find(size);
      // Three significant digits fit above a bar.
      bars.values.push_back(found == series.points.end() ? std::numeric_limits<double>::quiet_NaN()
                                                         : std::stod(short_number(found->second)));
    }
  }
  return chart;
}

/// The line of a series, with a break at each unknown size.
ChartSeries line_of(const SpeedSeries& series) {
  const auto form = series.is_limit ? ChartSeries::Form::kPlain : ChartSeries::Form::kLine;
  ChartSeries line{series.name, {}, form, series.is_limit, {}, series.ink};
  std::size_t before = 0;
  for (const auto& [size, value] : series.points) {
    const auto gap = series.unknown.upper_bound(before);
    if (!line.points.empty() && gap != series.unknown.end() && *gap < size) {
      line.breaks.push_back(line.points.size());
    }
    line.points.emplace_back(static_cast<double>(size), value);
    before = size;
  }
  return line;
}

/// Chunks read and written by encoding, then by decoding of most losses. Codes with equal numbers
/// share a limit.
std::vector<std::size_t> traffic_of(const BenchResult& code) {
  std::vector<std::size_t> chunks;
  for (const Coding coding : {Coding::kEncoding, Coding::kDecoding}) {
    const Json* operation = operation_of(code.measurements.front(), coding);
    if (operation == nullptr) continue;
    for (const char* member : {"chunks_read", "chunks_written"}) {
      chunks.push_back((*operation)[member].whole());
    }
  }
  return chunks;
}

/// "limit of 10 + 4: plain XOR". If codes with another limit encode the same k + m, names the code
/// instead.
std::string limit_name(const std::vector<BenchResult>& codes, const BenchResult& code) {
  if (codes.size() == 1) return "limit: plain XOR";
  const std::vector<std::size_t> traffic = traffic_of(code);
  const bool is_told = std::ranges::all_of(codes, [&](const BenchResult& other) {
    const std::vector<std::size_t> chunks = traffic_of(other);
    return chunks == traffic || chunks[0] != traffic[0] || chunks[1] != traffic[1];
  });
  return fmt::format("limit of {}: plain XOR",
                     is_told ? fmt::format("{} + {}", traffic[0], traffic[1]) : code.name);
}

/// Adds the limits of a code to `limit`; of two for one size, the faster counts.
void add_limits(const BenchResult& code, Coding coding, std::size_t threads, SpeedSeries& limit) {
  for (const Json* m : shown(code, threads)) {
    const Json* operation = operation_of(*m, coding);
    if (operation == nullptr || (*operation)["limit"].is_null()) continue;
    if (!has_limit(*operation)) {
      limit.unknown.insert(chunk_bytes(*m));
    } else {
      double& value = limit.points[chunk_bytes(*m)];
      value = std::max(value, speed((*operation)["limit"]));
    }
  }
}

/// Series of a chart: the speed of each code on `threads` threads, then the limits.
std::vector<SpeedSeries> series_of(const std::vector<BenchResult>& codes, Coding coding,
                                   std::size_t threads) {
  std::vector<SpeedSeries> all;
  for (const BenchResult& code : codes) {
    SpeedSeries& series =
        all.emplace_back(SpeedSeries{codes.size() == 1 ? "xorloom" : code.name, all.size()});
    for (const Json* m : shown(code, threads)) {
      const Json* operation = operation_of(*m, coding);
      if (operation != nullptr) series.points[chunk_bytes(*m)] = speed(*operation);
    }
  }
  std::size_t shared = 0;
  std::set<std::vector<std::size_t>> done;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    const std::vector<std::size_t> traffic = traffic_of(codes[c]);
    if (!done.insert(traffic).second) continue;
    const bool has_own_color =
        codes.size() > 1 && std::ranges::count(codes, traffic, traffic_of) == 1;
    SpeedSeries limit{limit_name(codes, codes[c]),
                      has_own_color ? c : kSharedInk + kInks * shared++, true};
    for (const BenchResult& code : codes) {
      if (traffic_of(code) == traffic) add_limits(code, coding, threads, limit);
    }
    all.push_back(std::move(limit));
  }
  return all;
}

/// Says why a limit is missing at some sizes; "" if none is missing.
std::string limit_note(const std::vector<SpeedSeries>& all) {
  // If codes share a limit, another code may have supplied it.
  const bool has_all = std::ranges::all_of(all, [](const SpeedSeries& series) {
    return std::ranges::all_of(series.unknown,
                               [&](std::size_t size) { return series.points.contains(size); });
  });
  return has_all ? ""
                 : "The limit has a gap where the code was much faster than plain XOR: something "
                   "disturbed one of them.";
}

/// Common end of the speed axis of all charts: a little above the fastest series, for both
/// operations and all numbers of threads.
double top_of_axis(const std::vector<BenchResult>& codes) {
  constexpr double kRoom = 1.03;
  double most = 0;
  for (const std::size_t threads : threads_measured(codes)) {
    for (const Coding coding : {Coding::kEncoding, Coding::kDecoding}) {
      for (const SpeedSeries& series : series_of(codes, coding, threads)) {
        for (const auto& [size, value] : series.points) most = std::max(most, value);
      }
    }
  }
  return kRoom * most;
}

/// Bands of the memory levels, by chunk bytes.
std::vector<ChartBand> bands_of(const std::vector<BenchResult>& codes, const CacheSizes& caches) {
  std::vector<std::size_t> locations;
  for (const BenchResult& code : codes) {
    const Json& m = code.measurements.front();
    locations.push_back(m["stripe_bytes"].whole() / chunk_bytes(m));
  }
  return level_bands(caches, locations);
}

std::set<std::size_t> sizes_of(const std::vector<SpeedSeries>& all) {
  std::set<std::size_t> sizes;
  for (const SpeedSeries& series : all) {
    for (const auto& [size, value] : series.points) sizes.insert(size);
  }
  return sizes;
}

/// Title of a chart: "Encoding", "Decoding 4 lost"; "Decoding most losses" if codes differ.
std::string title_of(const std::vector<BenchResult>& codes, Coding coding) {
  const auto what = [&](const BenchResult& code) {
    return coding_text(code.measurements.front(), coding);
  };
  std::string title = what(codes.front());
  const auto same = std::ranges::count(codes, title, what);
  if (same != static_cast<std::ptrdiff_t>(codes.size())) return "Decoding most losses";
  title.front() = title.front() == 'e' ? 'E' : 'D';
  return title;
}

/// The measurement of the largest stripe whose single calls were timed (in L2 if possible); null:
/// none.
const Json* of_single_calls(const BenchResult& code) {
  const Json* found = nullptr;
  for (const Json& m : code.measurements) {  // ascending in size
    const bool has_calls = operation_of(m, Coding::kEncoding)->contains("single_calls");
    if (has_calls && m["layout"].text() == shown_layout(code)) found = &m;
  }
  return found;
}

Latency single_calls(const Json& operation) {
  const Json& calls = operation["single_calls"];
  Latency latency{calls["calls"].whole(),        calls["p50_seconds"].real(),
                  calls["p90_seconds"].real(),   calls["p99_seconds"].real(),
                  calls["p99_9_seconds"].real(), calls["most_seconds"].real()};
  for (const Json& seconds : calls["curve_seconds"]) latency.curve.push_back(seconds.real());
  return latency;
}

/// Chunk sizes of single calls, over all codes: "chunks of 32 KiB" or "chunks of 32 KiB to 56 KiB".
std::string chunks_of_calls(const std::vector<BenchResult>& codes) {
  std::set<std::size_t> sizes;
  for (const BenchResult& code : codes) {
    if (const Json* m = of_single_calls(code)) sizes.insert(chunk_bytes(*m));
  }
  if (sizes.empty()) return "";
  const std::string least = size_text(*sizes.begin());
  return sizes.size() == 1 ? fmt::format("chunks of {}", least)
                           : fmt::format("chunks of {} to {}", least, size_text(*sizes.rbegin()));
}

/// Encoding speeds by number of threads, at one level of memory; nullopt if there are fewer than
/// kLeastPoints.
std::optional<ChartSeries> series_by_threads(const BenchResult& code, std::string_view level,
                                             const std::string& name) {
  ChartSeries series{name, {}, ChartSeries::Form::kLine, false, {}};
  for (const Json& at : code.by_threads) {
    if (at["level"].text() != level) continue;
    series.points.emplace_back(at["threads"].real(), speed(at));
    if (series.points.size() > 1) continue;
    for (const Json& m : code.measurements) {  // the same stripe on one thread, and on all
      if (chunk_bytes(m) != chunk_bytes(at) || m["layout"].text() != at["layout"].text()) continue;
      series.points.emplace_back(m["threads"].real(), speed(*operation_of(m, Coding::kEncoding)));
    }
  }
  if (series.points.size() < kLeastPoints) return std::nullopt;
  std::ranges::sort(series.points);
  return series;
}

}  // namespace

const Json* operation_of(const Json& measurement, Coding coding) {
  const Json& operations = measurement["operations"];
  if (coding == Coding::kEncoding) return operations.begin();
  return operations.size() > 1 ? operations.end() - 1 : nullptr;
}

bool has_limit(const Json& operation) {
  const Json* share = operation.find("share");
  return share != nullptr && share->real() <= kMostShare;
}

std::string coding_text(const Json& measurement, Coding coding) {
  const Json* operation = operation_of(measurement, coding);
  if (coding == Coding::kEncoding || operation == nullptr) return "encoding";
  return fmt::format("decoding {} lost", (*operation)["lost"].size());
}

std::string shown_layout(const BenchResult& code) {
  const bool has_staggered = std::ranges::any_of(
      code.measurements, [](const Json& m) { return m["layout"].text() == "staggered"; });
  return has_staggered ? "staggered" : "aligned";
}

std::vector<const Json*> shown(const BenchResult& code, std::size_t threads) {
  std::vector<const Json*> all;
  for (const Json& m : code.measurements) {
    if (m["layout"].text() == shown_layout(code) && m["threads"].whole() == threads) {
      all.push_back(&m);
    }
  }
  return all;
}

std::vector<std::size_t> threads_measured(const std::vector<BenchResult>& codes) {
  std::set<std::size_t> threads;
  for (const BenchResult& code : codes) {
    for (const Json& m : code.measurements) threads.insert(m["threads"].whole());
  }
  return {threads.begin(), threads.end()};
}

std::string threads_text(std::size_t threads) { return counted(threads, "thread"); }

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kKibi = 1024;
  if (bytes % (kKibi * kKibi) == 0) return fmt::format("{} MiB", bytes / (kKibi * kKibi));
  if (bytes % kKibi == 0) return fmt::format("{} KiB", bytes / kKibi);
  return counted(bytes, "byte");
}

std::vector<LegendEntry> speeds_legend(const std::vector<BenchResult>& codes) {
  std::vector<LegendEntry> entries;
  const auto all = series_of(codes, Coding::kEncoding, threads_measured(codes).front());
  if (sizes_of(all).size() < kLeastPoints) return entries;
  for (const SpeedSeries& series : all)
    entries.push_back(legend_entry(line_of(series), series.ink));
  return entries;
}

std::optional<Picture> speeds_chart(const std::vector<BenchResult>& codes, Coding coding,
                                    std::size_t threads, const CacheSizes& caches) {
  std::vector<SpeedSeries> all = series_of(codes, coding, threads);
  const std::string note = limit_note(all);
  std::erase_if(all, [](const SpeedSeries& series) { return series.points.empty(); });
  if (all.empty()) return std::nullopt;
  all.resize(std::min(all.size(), kMostSeries));
  const std::string title = fmt::format("{}, {}", title_of(codes, coding), threads_text(threads));
  const std::set<std::size_t> sizes = sizes_of(all);
  if (sizes.size() < kLeastPoints) return draw_bars(bars_of(title, note, all, sizes));
  Chart chart{title,
              {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true},
              {kSpeed, ChartAxis::Scale::kLinear, true, false},
              {},
              note,
              ChartSize::kSmall,
              bands_of(codes, caches)};
  chart.y.holds = {top_of_axis(codes)};
  for (const SpeedSeries& series : all) chart.series.push_back(line_of(series));
  Picture picture = draw_chart(chart);
  picture.legend.clear();  // all charts share one legend
  return picture;
}

std::optional<Picture> latency_chart(const std::vector<BenchResult>& codes) {
  const bool is_one = codes.size() == 1;
  std::vector<NamedLatency> all;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    const Json* m = of_single_calls(codes[c]);
    if (m == nullptr) continue;
    all.push_back({is_one ? "encoding" : codes[c].name, is_one ? kEncodingCallsInk : c,
                   single_calls(*operation_of(*m, Coding::kEncoding))});
    const Json* decoding = operation_of(*m, Coding::kDecoding);
    if (!is_one || decoding == nullptr) continue;
    all.push_back({coding_text(*m, Coding::kDecoding), kDecodingCallsInk, single_calls(*decoding)});
  }
  return latency_curves(
      "Single calls, " + chunks_of_calls(codes),
      is_one ? "All calls are on one thread." : "All calls encode, on one thread.", all);
}

std::optional<Picture> threads_chart(const std::vector<BenchResult>& codes) {
  Chart chart{"Encoding by threads",
              {"threads", ChartAxis::Scale::kLog2, false, false},
              {kSpeed, ChartAxis::Scale::kLinear, true, false},
              {},
              "",
              ChartSize::kSmall};
  for (std::size_t c = 0; c < codes.size(); ++c) {
    for (const bool is_memory : {false, true}) {
      if (chart.series.size() == kMostSeries) break;
      const char* place = is_memory ? "from memory" : "in L3";
      const std::string name =
          codes.size() == 1 ? place : fmt::format("{}, {}", codes[c].name, place);
      auto series = series_by_threads(codes[c], is_memory ? "DRAM" : "L3", name);
      if (!series) continue;
      series->ink = c;
      series->is_dashed = is_memory;
      chart.series.push_back(*std::move(series));
    }
  }
  if (chart.series.empty()) return std::nullopt;
  return draw_chart(chart);
}

}  // namespace xorloom::cli
