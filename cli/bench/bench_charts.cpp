#include "cli/bench/bench_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "cli/measuring/level_speeds.hpp"
#include "cli/report/latency_curves.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kLeastPoints = 3;  ///< of a line; fewer are bars
constexpr const char* kSpeed = "GB/s of data";

/// Colors of what every chart of limits has.
constexpr std::size_t kOurInk = 0;
constexpr std::size_t kLimitInk = kInks - 1;

/// Of single calls, which no chart of speeds has.
constexpr std::size_t kEncodingCallsInk = 5;
constexpr std::size_t kDecodingCallsInk = 6;

/// A limit that several codes share: neither is of its color.
constexpr std::size_t kSharedInk = kInks - 1;

/// A speed by the bytes of a chunk.
struct SpeedSeries {
  std::string name;
  std::size_t ink;
  std::vector<std::pair<std::size_t, double>> points{};
  bool is_limit = false;
  std::set<std::size_t> unknown{};  ///< sizes at which it was disturbed: no line leads across them
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
      const auto found =
          std::ranges::find(series.points, size, &std::pair<std::size_t, double>::first);
      // Three digits, which fit above a bar.
      bars.values.push_back(found == series.points.end() ? std::numeric_limits<double>::quiet_NaN()
                                                         : std::stod(short_number(found->second)));
    }
  }
  return chart;
}

ChartSeries line_of(const SpeedSeries& series) {
  const auto form = series.is_limit ? ChartSeries::Form::kPlain : ChartSeries::Form::kLine;
  return {series.name, {}, form, series.is_limit, {}, series.ink};
}

/// The points of a series that a line may not lead to from the one before.
std::vector<std::size_t> breaks_of(const SpeedSeries& series) {
  std::vector<std::size_t> breaks;
  for (std::size_t i = 1; i < series.points.size(); ++i) {
    const auto next = series.unknown.upper_bound(series.points[i - 1].first);
    if (next != series.unknown.end() && *next < series.points[i].first) breaks.push_back(i);
  }
  return breaks;
}

/// Lines by size, or bars where there are few sizes: a line through two points says nothing. The
/// axis of speeds has room for one of `most`.
std::optional<Picture> speed_chart(const std::string& title, const std::string& note,
                                   std::vector<SpeedSeries> all, std::vector<ChartBand> bands,
                                   double most) {
  std::erase_if(all, [](const SpeedSeries& series) { return series.points.empty(); });
  if (all.empty()) return std::nullopt;
  all.resize(std::min(all.size(), kMostSeries));
  std::set<std::size_t> sizes;
  for (const SpeedSeries& series : all) {
    for (const auto& point : series.points) sizes.insert(point.first);
  }
  if (sizes.size() < kLeastPoints) return draw_bars(bars_of(title, note, all, sizes));
  Chart chart{title,
              {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true},
              {kSpeed, ChartAxis::Scale::kLinear, true, false},
              {},
              note,
              ChartSize::kSmall,
              std::move(bands)};
  chart.y.holds = {most};
  for (const SpeedSeries& series : all) {
    ChartSeries line = line_of(series);
    line.breaks = breaks_of(series);
    for (const auto& point : series.points) {
      line.points.emplace_back(static_cast<double>(point.first), point.second);
    }
    chart.series.push_back(std::move(line));
  }
  Picture picture = draw_chart(chart);
  picture.legend.clear();  // one legend is of all charts
  return picture;
}

/// Adds the speeds of a code to its series.
void add_speeds(const BenchResult& code, Coding coding, std::size_t threads, SpeedSeries& series) {
  for (const Json* m : shown(code, threads)) {
    const Json* operation = operation_of(*m, coding);
    if (operation == nullptr) continue;
    series.points.emplace_back(chunk_bytes(*m), speed(*operation));
  }
}

/// The series of a chart under the limit, without points.
std::vector<SpeedSeries> limit_series() {
  return {{"xorloom", kOurInk}, {"limit: plain XOR", kLimitInk, {}, true}};
}

/// Chunks that are read and written to encode and to decode most losses: codes that have the same
/// have the same limit.
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

/// The number of the first code with the same limit.
std::size_t first_with_limit_of(const std::vector<BenchResult>& codes, const BenchResult& code) {
  const auto first = std::ranges::find(codes, traffic_of(code), traffic_of);
  return static_cast<std::size_t>(first - codes.begin());
}

/// The limits of several codes, without points, each behind the number of the first code that has
/// it. It has the color of its code if there is one alone.
std::vector<std::pair<std::size_t, SpeedSeries>> limits_of(const std::vector<BenchResult>& codes) {
  std::vector<std::pair<std::size_t, SpeedSeries>> limits;
  std::size_t shared = 0;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    if (first_with_limit_of(codes, codes[c]) != c) continue;
    const std::vector<std::size_t> traffic = traffic_of(codes[c]);
    const bool is_shared = std::ranges::count(codes, traffic, traffic_of) > 1;
    const bool is_told = std::ranges::all_of(codes, [&](const BenchResult& other) {
      const std::vector<std::size_t> chunks = traffic_of(other);
      return chunks == traffic || chunks[0] != traffic[0] || chunks[1] != traffic[1];
    });
    const std::string of = is_told ? fmt::format("{} + {}", traffic[0], traffic[1]) : codes[c].name;
    const std::size_t ink = is_shared ? kSharedInk + kInks * shared++ : c;
    limits.push_back({c, {fmt::format("limit of {}: plain XOR", of), ink, {}, true}});
  }
  return limits;
}

/// The series of a chart of several codes, and then their limits, without points.
std::vector<SpeedSeries> codes_series(const std::vector<BenchResult>& codes) {
  std::vector<SpeedSeries> series;
  for (const BenchResult& code : codes) series.push_back({code.name, series.size()});
  for (auto& [code, limit] : limits_of(codes)) series.push_back(std::move(limit));
  return series;
}

/// A limit is none if a speed exceeds it by much: something disturbed one of them.
bool has_limit(const Json& operation) {
  const Json* share = operation.find("share");
  return share != nullptr && share->real() <= kMostShare;
}

/// Adds a limit, the faster one where there is one of that size already.
void add_limit(const Json& m, const Json& operation, SpeedSeries& limit) {
  if (operation["limit"].is_null()) return;
  if (!has_limit(operation)) {
    limit.unknown.insert(chunk_bytes(m));
    return;
  }
  const double value = speed(operation["limit"]);
  const auto found =
      std::ranges::find(limit.points, chunk_bytes(m), &std::pair<std::size_t, double>::first);
  if (found == limit.points.end()) {
    limit.points.emplace_back(chunk_bytes(m), value);
  } else {
    found->second = std::max(found->second, value);
  }
}

/// Why a limit is missing at some sizes; empty where it is at all.
std::string limit_note(const std::vector<SpeedSeries>& all) {
  // Where several codes share a limit, one of them may have told it.
  const bool has_all = std::ranges::all_of(all, [](const SpeedSeries& series) {
    return std::ranges::all_of(series.unknown, [&](std::size_t size) {
      return std::ranges::find(series.points, size, &std::pair<std::size_t, double>::first) !=
             series.points.end();
    });
  });
  return has_all ? ""
                 : "The limit has a gap where the code was much faster than plain XOR: something "
                   "disturbed one of them.";
}

/// A little above the fastest of what charts show, of both operations and on any number of threads:
/// they have one axis.
double top_of_axis(const std::vector<BenchResult>& codes) {
  constexpr double kRoom = 1.03;
  double most = 0;
  for (const BenchResult& code : codes) {
    for (const Json& m : code.measurements) {
      if (m["layout"].text() != shown_layout(code)) continue;
      for (const Coding coding : {Coding::kEncoding, Coding::kDecoding}) {
        const Json* operation = operation_of(m, coding);
        if (operation == nullptr) continue;
        most = std::max(most, speed(*operation));
        if (has_limit(*operation)) most = std::max(most, speed((*operation)["limit"]));
      }
    }
  }
  return kRoom * most;
}

/// Levels of memory, by the bytes of a chunk.
std::vector<ChartBand> bands_of(const std::vector<BenchResult>& codes, const CacheSizes& caches) {
  std::vector<std::size_t> locations;
  for (const BenchResult& code : codes) {
    const Json& m = code.measurements.front();
    locations.push_back(m["stripe_bytes"].whole() / chunk_bytes(m));
  }
  return level_bands(caches, locations);
}

/// Whether charts by size have lines.
bool has_lines(const std::vector<BenchResult>& codes) {
  std::set<std::size_t> sizes;
  for (const BenchResult& code : codes) {
    for (const Json& m : code.measurements) sizes.insert(chunk_bytes(m));
  }
  return sizes.size() >= kLeastPoints;
}

std::vector<LegendEntry> legend_of(const std::vector<SpeedSeries>& all) {
  std::vector<LegendEntry> entries;
  for (const SpeedSeries& series : all) {
    entries.push_back(legend_entry(line_of(series), series.ink));
  }
  return entries;
}

std::string first_upper(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

/// If single calls were timed, the measurement whose stripe is largest: it lies in L2 if any does.
const Json* of_single_calls(const BenchResult& code) {
  const Json* found = nullptr;
  for (const Json& m : code.measurements) {  // they ascend in size
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

/// "chunks of 32 KiB", of all codes whose single calls were timed; "chunks of 32 KiB to 56 KiB".
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

/// Speeds of encoding on one thread, on those between, and on all, in one place.
std::optional<ChartSeries> series_by_threads(const BenchResult& code, std::string_view level,
                                             const std::string& name) {
  ChartSeries series{name, {}, ChartSeries::Form::kLine, false, {}};
  for (const Json& at : code.by_threads) {
    if (at["level"].text() != level) continue;
    series.points.emplace_back(at["threads"].real(), speed(at));
    if (series.points.size() > 1) continue;
    for (const Json& m : code.measurements) {  // of the same stripe: one thread, and all
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

std::string threads_text(std::size_t threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kKibi = 1024;
  if (bytes % (kKibi * kKibi) == 0) return fmt::format("{} MiB", bytes / (kKibi * kKibi));
  if (bytes % kKibi == 0) return fmt::format("{} KiB", bytes / kKibi);
  return fmt::format("{} bytes", bytes);
}

std::vector<LegendEntry> limit_legend(const BenchResult& code) {
  return has_lines({code}) ? legend_of(limit_series()) : std::vector<LegendEntry>();
}

std::vector<LegendEntry> codes_legend(const std::vector<BenchResult>& codes) {
  return has_lines(codes) ? legend_of(codes_series(codes)) : std::vector<LegendEntry>();
}

std::optional<Picture> limit_chart(const BenchResult& code, Coding coding, std::size_t threads,
                                   const CacheSizes& caches) {
  const std::vector<const Json*> all = shown(code, threads);
  if (all.empty()) return std::nullopt;
  std::vector<SpeedSeries> series = limit_series();
  add_speeds(code, coding, threads, series[0]);
  for (const Json* m : all) {
    const Json* operation = operation_of(*m, coding);
    if (operation == nullptr) return std::nullopt;
    add_limit(*m, *operation, series[1]);
  }
  const std::string note = limit_note(series);
  return speed_chart(first_upper(coding_text(*all.front(), coding)) + ", " + threads_text(threads),
                     note, std::move(series), bands_of({code}, caches), top_of_axis({code}));
}

std::optional<Picture> codes_chart(const std::vector<BenchResult>& codes, Coding coding,
                                   std::size_t threads, const CacheSizes& caches) {
  std::vector<SpeedSeries> series;
  for (const BenchResult& code : codes) {
    add_speeds(code, coding, threads, series.emplace_back(SpeedSeries{code.name, series.size()}));
  }
  for (auto& [first, limit] : limits_of(codes)) {
    for (const BenchResult& code : codes) {
      if (first_with_limit_of(codes, code) != first) continue;
      for (const Json* m : shown(code, threads)) {
        if (const Json* operation = operation_of(*m, coding)) add_limit(*m, *operation, limit);
      }
    }
    std::ranges::sort(limit.points);
    series.push_back(std::move(limit));
  }
  const std::string note = limit_note(series);
  const std::string what = coding_text(codes.front().measurements.front(), coding);
  const bool is_same = std::ranges::all_of(codes, [&](const BenchResult& code) {
    return coding_text(code.measurements.front(), coding) == what;
  });
  return speed_chart(fmt::format("{}, {}", is_same ? first_upper(what) : "Decoding most losses",
                                 threads_text(threads)),
                     note, std::move(series), bands_of(codes, caches), top_of_axis(codes));
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
