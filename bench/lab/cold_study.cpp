#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
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

namespace xorloom::cli {
namespace {

constexpr std::array<std::size_t, 5> kSizes = {64, 1280, 4096, 65536, 1048576};
constexpr std::size_t kMostSets = 64;
constexpr std::size_t kFewSets = 12;  ///< the most sets if calls are long
constexpr std::size_t kLongBytes = std::size_t{1} << 20;
constexpr std::size_t kCodecs = 9;
constexpr std::size_t kMostStripeBytes = std::size_t{512} << 20;
constexpr std::size_t kOften = 9;

/// Seconds of a call: the first of its kind, the next one, and one with machine code.
struct ColdRow {
  std::size_t chunk_bytes;
  std::size_t lost;  ///< 0: it encodes
  double first = 0;
  double again = 0;
  double often = 0;
  std::vector<std::optional<double>> peers{};

  /// Time of the fastest peer over that of our first call; nullopt without peers.
  std::optional<double> ratio() const {
    std::optional<double> fastest;
    for (const std::optional<double> seconds : peers) {
      if (seconds && (!fastest || *seconds < *fastest)) fastest = seconds;
    }
    return fastest ? std::optional(*fastest / first) : std::nullopt;
  }
};

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

/// Distinct random sets of `lost` locations with data, the same in every run.
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

  ColdRow encoding(const BenchFixture& fixture) const {
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
    return {chunk_bytes, 0, middle(std::move(first)), middle(std::move(again)),
            middle(std::move(often))};
  }

  ColdRow decoding(const BenchFixture& fixture, std::size_t lost) const {
    const std::size_t chunk_bytes = fixture.stripe.chunk_bytes();
    const bool is_long = code_.locations * chunk_bytes >= kLongBytes;
    const std::vector<Losses> sets = random_sets(code_, lost, is_long ? kFewSets : kMostSets);
    const Codec made = codec();
    const auto ours = [&](std::uint8_t* const* chunks, std::span<const std::size_t> set) {
      check(made.decode(chunks, set, chunk_bytes));
    };
    ColdRow row{chunk_bytes, lost};
    row.first = seconds_of_sets(fixture, sets, true, ours);
    row.again = seconds_of_sets(fixture, sets, true, ours);
    for (const Losses& set : sets) (void)made.decoding(set);
    row.often = seconds_of_sets(fixture, sets, true, ours);
    for (const Peer& peer : peers_) {
      const std::optional<PeerDecoder> decoder = peer.decoder(code_, chunk_bytes);
      row.peers.push_back(decoder ? std::optional(seconds_of_sets(
                                        fixture, sets, decoder->gives_our_bytes, decoder->run))
                                  : std::nullopt);
    }
    return row;
  }

 private:
  Codec codec() const { return bench_codec(of_, options_, 1); }

  /// Median time of a call, one call for each set.
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

Json json_of(const ColdStudy& study, double making, const std::vector<ColdRow>& rows) {
  Json list = Json::array();
  for (const ColdRow& row : rows) {
    Json one{{"chunk_bytes", row.chunk_bytes},
             {"lost", row.lost},
             {"first_seconds", row.first},
             {"again_seconds", row.again},
             {"often_seconds", row.often}};
    Json peers;
    for (std::size_t i = 0; i < row.peers.size(); ++i) {
      if (row.peers[i]) peers[study.peers()[i].name] = *row.peers[i];
    }
    one["peer_seconds"] = std::move(peers);
    if (const auto ratio = row.ratio()) one["ratio"] = *ratio;
    list.push_back(std::move(one));
  }
  return {{"codec_seconds", making}, {"rows", std::move(list)}};
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
  return rows_of(
      data["rows"],
      {"what", "lost",
       [](const Json& lost) { return lost.whole() == 0 ? "encode" : in_full(lost) + " lost"; }},
      groups);
}

/// A chart of the rows with the most losses.
Picture chart_of(const StudyTask& task, const ColdStudy& study, std::vector<ColdRow> rows) {
  const std::size_t lost = std::ranges::max(rows, {}, &ColdRow::lost).lost;
  std::erase_if(rows, [&](const ColdRow& row) { return row.lost != lost; });
  std::ranges::sort(rows, {}, &ColdRow::chunk_bytes);
  Chart chart{
      fmt::format("{}: how long it takes to rebuild {} lost chunks", task.code().name(), lost),
      {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true, true},
      {"microseconds", ChartAxis::Scale::kLog10, false, false},
      {},
      "New: no call before had these losses. Often: machine code is made for them."};
  const auto add = [&](const std::string& name, const auto& seconds) {
    ChartSeries series{name, {}, ChartSeries::Form::kLine, false, {}};
    for (const ColdRow& row : rows) {
      if (const std::optional<double> taken = seconds(row)) {
        series.points.emplace_back(static_cast<double>(row.chunk_bytes), *taken * kMicro);
      }
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  };
  add("new", [](const ColdRow& row) { return std::optional(row.first); });
  add("often", [](const ColdRow& row) { return std::optional(row.often); });
  for (std::size_t i = 0; i < study.peers().size(); ++i) {
    add(fmt::format("{}, new", study.peers()[i].name),
        [&](const ColdRow& row) { return row.peers.empty() ? std::nullopt : row.peers[i]; });
  }
  return draw_chart(chart);
}

}  // namespace

StudyResult study_cold(const StudyTask& task) {
  const ColdStudy study(task);
  const double making = study.seconds_of_making();
  std::set<std::size_t> losses{1, 2, task.code().promised_losses};
  std::vector<ColdRow> rows;
  for (const std::size_t chunk_bytes : cold_sizes(task)) {
    const BenchFixture fixture =
        make_fixture(task.code(), chunk_bytes, Layout::kStaggered, task.run);
    rows.push_back(study.encoding(fixture));
    for (const std::size_t lost : losses) {
      if (lost > 0 && lost <= std::min(task.code().promised_losses, task.code().k)) {
        rows.push_back(study.decoding(fixture, lost));
      }
    }
  }
  std::ranges::stable_sort(rows, {}, [](const ColdRow& row) {
    return row.ratio().value_or(std::numeric_limits<double>::max());
  });
  const Json data = json_of(study, making, rows);
  return {
      data,
      {facts_of(data, {{"microseconds to make a codec", "codec_seconds", in_micros}}),
       Pictures{{chart_of(task, study, rows)}, {}, {}, true}, table_of(study, data),
       Paragraph{"Each time is the median of several calls. first: by a codec that is new, or new "
                 "losses; again: the call after it; often: with machine code made. Other libraries "
                 "decode as for new losses. ratio: the fastest of them by first; the worst stands "
                 "first."}}};
}

}  // namespace xorloom::cli
