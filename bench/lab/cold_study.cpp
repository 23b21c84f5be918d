#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "bench/lab/peers.hpp"
#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"

#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "gen/pictures/heat_map_svg.hpp"

namespace xorloom::cli {
namespace {

constexpr std::array<std::size_t, 5> kSizes = {64, 1280, 4096, 65536, 1048576};
constexpr std::size_t kMostSets = 64;
constexpr std::size_t kFewSets = 12;  ///< limit for long calls
constexpr std::size_t kLongBytes = std::size_t{1} << 20;
constexpr std::size_t kCodecs = 9;
constexpr std::size_t kMostStripeBytes = std::size_t{512} << 20;
constexpr std::size_t kOften = 9;

/// A row of times: the first call, the next one, and one with machine code. `lost` 0: encoding.
Json cold_row(std::size_t chunk_bytes, std::size_t lost, double first, double again, double often) {
  return {{"chunk_bytes", chunk_bytes}, {"lost", lost},           {"first_seconds", first},
          {"again_seconds", again},     {"often_seconds", often}, {"peer_seconds", nullptr}};
}

double middle(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return share_of(seconds, 0.5);
}

template <typename Call>
double seconds_of(const Call& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

using Losses = std::vector<std::size_t>;

/// Up to `most` distinct random sets of `lost` locations with data, equal in every run.
std::vector<Losses> random_sets(const Code& code, std::size_t lost, std::size_t most) {
  Losses data;
  const std::vector<bool> has_data = holds_data(code);
  for (std::size_t l = 0; l < code.locations; ++l) {
    if (has_data[l]) data.push_back(l);
  }
  std::mt19937 random(1);
  std::set<Losses> known;
  std::vector<Losses> sets;
  for (std::size_t tries = 0; sets.size() < most && tries < 8 * most; ++tries) {
    std::ranges::shuffle(data, random);
    Losses set(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(lost));
    std::ranges::sort(set);
    if (known.insert(set).second) sets.push_back(std::move(set));
  }
  return sets;
}

class ColdStudy {
 public:
  explicit ColdStudy(const StudyTask& task)
      : of_(task.of), code_(task.code()), options_(task.run), peers_(built_peers()) {
    options_.wisdom = "";
    options_.improves_plans = false;
  }

  const std::vector<Peer>& peers() const { return peers_; }

  double seconds_of_making() const {
    std::vector<double> all;
    for (std::size_t i = 0; i < kCodecs; ++i) {
      all.push_back(seconds_of([&] { const Codec made = codec(); }));
    }
    return middle(std::move(all));
  }

  Json encoding(const BenchFixture& fixture) const {
    const std::size_t chunk_bytes = fixture.stripe.chunk_bytes();
    std::vector<double> first;
    std::vector<double> again;
    std::vector<double> often;
    for (std::size_t i = 0; i < kCodecs; ++i) {
      const Codec made = codec();
      const auto encode = [&] { check(made.encode(fixture.stripe.pointers(), chunk_bytes)); };
      ruin(fixture, CodecAccess::encoding_now(made), code_);
      first.push_back(seconds_of(encode));
      check_chunks(code_, fixture, CodecAccess::encoding_now(made).writes());
      again.push_back(seconds_of(encode));
      if (i + 1 < kCodecs) continue;
      (void)made.encoding();
      for (std::size_t turn = 0; turn < kOften; ++turn) often.push_back(seconds_of(encode));
    }
    return cold_row(chunk_bytes, 0, middle(std::move(first)), middle(std::move(again)),
                    middle(std::move(often)));
  }

  Json decoding(const BenchFixture& fixture, std::size_t lost) const {
    const std::size_t chunk_bytes = fixture.stripe.chunk_bytes();
    const bool is_long = code_.locations * chunk_bytes >= kLongBytes;
    const std::vector<Losses> sets = random_sets(code_, lost, is_long ? kFewSets : kMostSets);
    const Codec made = codec();
    const auto ours = [&](std::uint8_t* const* chunks, std::span<const std::size_t> set) {
      check(made.decode(chunks, set, chunk_bytes));
    };
    const double first = seconds_of_sets(fixture, sets, true, ours);
    const double again = seconds_of_sets(fixture, sets, true, ours);
    for (const Losses& set : sets) (void)made.decoding(set);
    (void)seconds_of_sets(fixture, sets, true, ours);  // machine code that was never run is cold
    Json row =
        cold_row(chunk_bytes, lost, first, again, seconds_of_sets(fixture, sets, true, ours));
    double fastest = 0;
    // Other libraries read the first k survivors, which need not suffice.
    const bool do_any_suffice = code_.k + code_.promised_losses == code_.locations;
    for (const Peer& peer : peers_) {
      const std::optional<PeerDecoder> decoder =
          do_any_suffice ? peer.decoder(code_, chunk_bytes, choose_isa(options_.isa))
                         : std::nullopt;
      if (!decoder) continue;
      const double seconds = seconds_of_sets(fixture, sets, decoder->gives_our_bytes, decoder->run);
      row["peer_seconds"][peer.name] = seconds;
      if (fastest == 0 || seconds < fastest) fastest = seconds;
    }
    if (fastest != 0) row["ratio"] = fastest / first;
    return row;
  }

 private:
  Codec codec() const { return bench_codec(of_, options_, 1); }

  /// Median seconds of a call, over one call per set.
  template <typename Decode>
  double seconds_of_sets(const BenchFixture& fixture, const std::vector<Losses>& sets,
                         bool is_checked, const Decode& decode) const {
    std::vector<double> all;
    for (const Losses& set : sets) {
      ruin(fixture, set);
      all.push_back(seconds_of([&] { decode(fixture.stripe.pointers(), set); }));
      if (is_checked) check_chunks(code_, fixture, set);
      for (const std::size_t location : set) {
        std::ranges::copy(fixture.expected.chunk(location), fixture.stripe.chunk(location).begin());
      }
    }
    return middle(std::move(all));
  }

  const BenchCode& of_;
  const Code& code_;
  Options options_;
  std::vector<Peer> peers_;
};

std::vector<std::size_t> cold_sizes(const StudyTask& task) {
  if (task.chunk_bytes != 0) return {task.chunk_bytes};
  const std::size_t unit = chunk_multiple(task.code());
  std::vector<std::size_t> sizes;
  for (const std::size_t wanted : kSizes) {
    const std::size_t bytes = (wanted + unit - 1) / unit * unit;
    if (bytes * task.code().locations > kMostStripeBytes && !sizes.empty()) break;
    if (sizes.empty() || sizes.back() != bytes) sizes.push_back(bytes);
  }
  return sizes;
}

Table table_of(const ColdStudy& study, const Json& data) {
  std::vector<FigureGroup> groups{{"", {{"chunk", "chunk_bytes", in_full}}},
                                  {"microseconds a call",
                                   {{"first", "first_seconds", in_micros},
                                    {"again", "again_seconds", in_micros},
                                    {"often", "often_seconds", in_micros}}}};
  for (const Peer& peer : study.peers()) {
    if (&peer == &study.peers().front()) groups.push_back({"others", {}});
    groups.back().figures.push_back(
        {peer.name, fmt::format("peer_seconds.{}", peer.name), in_micros});
  }
  if (!study.peers().empty()) groups.push_back({"", {{"ratio", "ratio", to_three_digits}}});
  return record_table(
      data["rows"],
      {"what", "lost",
       [](const Json& lost) { return lost.whole() == 0 ? "encode" : in_full(lost) + " lost"; }},
      groups);
}

/// Chart of the rows with most losses.
Picture chart_of(const StudyTask& task, const ColdStudy& study, const Json& all) {
  std::size_t lost = 0;
  for (const Json& row : all) lost = std::max<std::size_t>(lost, row["lost"].whole());
  std::map<std::size_t, Json> by_size;
  for (const Json& row : all) {
    if (row["lost"].whole() == lost) by_size[row["chunk_bytes"].whole()] = row;
  }
  Json rows = Json::array();
  for (auto& [size, row] : by_size) rows.push_back(std::move(row));
  Chart chart{
      fmt::format("{}: how long it takes to rebuild {} lost chunks", task.code().name(), lost),
      {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true, true},
      {"microseconds", ChartAxis::Scale::kLog10, false, false},
      {{"new", points_of(rows, "chunk_bytes", "first_seconds", kMicro)},
       {"often", points_of(rows, "chunk_bytes", "often_seconds", kMicro)}},
      "New: no call before had these losses. Often: machine code is made for them."};
  for (const Peer& peer : study.peers()) {
    auto points = points_of(rows, "chunk_bytes", fmt::format("peer_seconds.{}", peer.name), kMicro);
    if (!points.empty()) {
      chart.series.push_back({fmt::format("{}, new", peer.name), std::move(points)});
    }
  }
  return draw_chart(chart);
}

/// The ratios by size and number of lost chunks. Empty without another library that decodes.
std::vector<Picture> heat_map_of(const StudyTask& task, const Json& all) {
  std::map<std::size_t, std::map<std::size_t, double>> ratios;  // by lost chunks, then by size
  std::set<std::size_t> sizes;
  for (const Json& row : all) {
    const Json* const ratio = row.find("ratio");
    if (ratio == nullptr) continue;
    ratios[row["lost"].whole()][row["chunk_bytes"].whole()] = ratio->real();
    sizes.insert(row["chunk_bytes"].whole());
  }
  if (ratios.empty()) return {};
  HeatMap map{fmt::format("{}: first calls beside the fastest other library", task.code().name()),
              "Times as fast as it with losses that no call before had. Below 1, it is ahead.",
              "bytes of a chunk",
              {},
              {},
              {}};
  for (const std::size_t size : sizes) map.column_names.push_back(fmt::format("{}", size));
  for (const auto& [lost, of_lost] : ratios) {
    map.row_names.push_back(fmt::format("{} lost", lost));
    std::vector<std::optional<double>>& row = map.ratios.emplace_back();
    for (const std::size_t size : sizes) {
      const auto found = of_lost.find(size);
      row.push_back(found == of_lost.end() ? std::nullopt : std::optional(found->second));
    }
  }
  return {draw_heat_map(map)};
}

}  // namespace

StudyResult study_cold(const StudyTask& task) {
  const ColdStudy study(task);
  const double making = study.seconds_of_making();
  const std::size_t most = task.code().promised_losses;
  std::set<std::size_t> losses{1, 2, most / 2, most};
  std::vector<Json> rows;
  for (const std::size_t chunk_bytes : cold_sizes(task)) {
    const BenchFixture fixture =
        make_fixture(task.code(), chunk_bytes, Layout::kStaggered, task.run);
    rows.push_back(study.encoding(fixture));
    for (const std::size_t lost : losses) {
      if (lost > 0 && lost <= std::min(most, task.code().k)) {
        rows.push_back(study.decoding(fixture, lost));
      }
    }
  }
  std::ranges::stable_sort(rows, {}, [](const Json& row) {
    const Json* ratio = row.find("ratio");
    return ratio == nullptr ? std::numeric_limits<double>::max() : ratio->real();
  });
  const Json data{{"codec_seconds", making}, {"rows", rows}};
  std::vector<Picture> pictures = heat_map_of(task, data["rows"]);
  pictures.insert(pictures.begin(), chart_of(task, study, data["rows"]));
  return {
      data,
      {facts_of(data, {{"microseconds to make a codec", "codec_seconds", in_micros}}),
       Pictures{std::move(pictures), {}, {}, true}, table_of(study, data),
       Paragraph{"Each time is the median of several calls. first: by a codec that is new, or new "
                 "losses; again: the call after it; often: with machine code made. Other libraries "
                 "decode as for new losses. ratio: the fastest of them by first; the worst stands "
                 "first."}}};
}

}  // namespace xorloom::cli
