#include "cli/bench/bench_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "cli/measuring/level_speeds.hpp"
#include "cli/report/latency_curves.hpp"
#include "cli/shell/running.hpp"
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

double speed(const Measurement& m, double seconds) {
  return gigabytes_per_second(m.data_bytes, seconds);
}

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
  for (const Measurement* m : shown(code, threads)) {
    const Operation* operation = operation_of(*m, coding);
    if (operation == nullptr) continue;
    series.points.emplace_back(m->chunk_bytes, speed(*m, operation->seconds));
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
    const Operation* operation = operation_of(code.measurements.front(), coding);
    if (operation == nullptr) continue;
    chunks.insert(chunks.end(), {operation->num_reads, operation->num_writes});
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
bool has_limit(const Operation& operation) {
  return operation.limit.seconds != 0 && operation.limit.seconds <= kMostShare * operation.seconds;
}

/// Adds a limit, the faster one where there is one of that size already.
void add_limit(const Measurement& m, const Operation& operation, SpeedSeries& limit) {
  if (operation.limit.seconds == 0) return;
  if (!has_limit(operation)) {
    limit.unknown.insert(m.chunk_bytes);
    return;
  }
  const double value = speed(m, operation.limit.seconds);
  const auto found =
      std::ranges::find(limit.points, m.chunk_bytes, &std::pair<std::size_t, double>::first);
  if (found == limit.points.end()) {
    limit.points.emplace_back(m.chunk_bytes, value);
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
    for (const Measurement& m : code.measurements) {
      if (m.layout != shown_layout(code)) continue;
      for (const Coding coding : {Coding::kEncoding, Coding::kDecoding}) {
        const Operation* operation = operation_of(m, coding);
        if (operation == nullptr) continue;
        most = std::max(most, speed(m, operation->seconds));
        if (has_limit(*operation)) most = std::max(most, speed(m, operation->limit.seconds));
      }
    }
  }
  return kRoom * most;
}

/// Levels of memory, by the bytes of a chunk.
std::vector<ChartBand> bands_of(const std::vector<BenchResult>& codes, const CacheSizes& caches) {
  std::vector<std::size_t> locations;
  for (const BenchResult& code : codes) {
    const Measurement& m = code.measurements.front();
    locations.push_back(m.stripe_bytes / m.chunk_bytes);
  }
  return level_bands(caches, locations);
}

/// Whether charts by size have lines.
bool has_lines(const std::vector<BenchResult>& codes) {
  std::set<std::size_t> sizes;
  for (const BenchResult& code : codes) {
    for (const Measurement& m : code.measurements) sizes.insert(m.chunk_bytes);
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

/// "chunks of 32 KiB", of all codes whose single calls were timed; "chunks of 32 KiB to 56 KiB".
std::string chunks_of_calls(const std::vector<BenchResult>& codes) {
  std::set<std::size_t> sizes;
  for (const BenchResult& code : codes) {
    if (const Measurement* m = of_single_calls(code)) sizes.insert(m->chunk_bytes);
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
  for (const ThreadSpeed& at : code.by_threads) {
    if (at.level != level) continue;
    series.points.emplace_back(static_cast<double>(at.threads),
                               gigabytes_per_second(at.data_bytes, at.seconds));
    if (series.points.size() > 1) continue;
    for (const Measurement& m : code.measurements) {  // of the same stripe: one thread, and all
      if (m.chunk_bytes != at.chunk_bytes || m.layout != at.layout) continue;
      series.points.emplace_back(static_cast<double>(m.threads),
                                 speed(m, m.operations.front().seconds));
    }
  }
  if (series.points.size() < kLeastPoints) return std::nullopt;
  std::ranges::sort(series.points);
  return series;
}

}  // namespace

const Operation* operation_of(const Measurement& measurement, Coding coding) {
  if (coding == Coding::kEncoding) return &measurement.operations.front();
  return measurement.operations.size() > 1 ? &measurement.operations.back() : nullptr;
}

std::string coding_text(const Measurement& measurement, Coding coding) {
  const Operation* operation = operation_of(measurement, coding);
  if (coding == Coding::kEncoding || operation == nullptr) return "encoding";
  return fmt::format("decoding {} lost", operation->lost.size());
}

Layout shown_layout(const BenchResult& code) {
  const bool has_staggered = std::ranges::find(code.measurements, Layout::kStaggered,
                                               &Measurement::layout) != code.measurements.end();
  return has_staggered ? Layout::kStaggered : Layout::kAligned;
}

std::vector<const Measurement*> shown(const BenchResult& code, std::size_t threads) {
  std::vector<const Measurement*> all;
  for (const Measurement& m : code.measurements) {
    if (m.layout == shown_layout(code) && m.threads == threads) all.push_back(&m);
  }
  return all;
}

std::vector<std::size_t> threads_measured(const std::vector<BenchResult>& codes) {
  std::set<std::size_t> threads;
  for (const BenchResult& code : codes) {
    for (const Measurement& m : code.measurements) threads.insert(m.threads);
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
  const std::vector<const Measurement*> all = shown(code, threads);
  if (all.empty()) return std::nullopt;
  std::vector<SpeedSeries> series = limit_series();
  add_speeds(code, coding, threads, series[0]);
  for (const Measurement* m : all) {
    const Operation* operation = operation_of(*m, coding);
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
      for (const Measurement* m : shown(code, threads)) {
        if (const Operation* operation = operation_of(*m, coding)) add_limit(*m, *operation, limit);
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

const Measurement* of_single_calls(const BenchResult& code) {
  const Measurement* found = nullptr;
  for (const Measurement& m : code.measurements) {
    const bool has_calls = m.operations.front().latency.calls != 0;
    if (has_calls && m.layout == shown_layout(code)) found = &m;  // they ascend in size
  }
  return found;
}

std::optional<Picture> latency_chart(const std::vector<BenchResult>& codes) {
  const bool is_one = codes.size() == 1;
  std::vector<NamedLatency> all;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    const Measurement* m = of_single_calls(codes[c]);
    if (m == nullptr) continue;
    all.push_back({is_one ? "encoding" : codes[c].name, is_one ? kEncodingCallsInk : c,
                   m->operations.front().latency});
    if (!is_one || m->operations.size() < 2) continue;
    all.push_back(
        {coding_text(*m, Coding::kDecoding), kDecodingCallsInk, m->operations.back().latency});
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
