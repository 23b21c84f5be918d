#include "cli/choosing/suggest_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "cli/choosing/suggest_report.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/tolerance.hpp"

namespace xorloom::cli {
namespace {

/// Kind of a code; its value is the number of the color and marker.
enum Kind : std::size_t { kPackets, kWords, kOthersAsSafe, kOthersLessSafe };

Kind kind_of(const Suggestions& suggestions, const Candidate& candidate) {
  if (candidate.encode.rank != 0) return is_words(candidate.code) ? kWords : kPackets;
  return candidate.tradeoffs.survives >= suggestions.m ? kOthersAsSafe : kOthersLessSafe;
}

std::string name_of(const Suggestions& suggestions, Kind kind) {
  switch (kind) {
    case kPackets:
      return "ranked codes on packets";
    case kWords:
      return "ranked codes on words";
    case kOthersAsSafe:
      return fmt::format("other codes that survive any {}", losses_text(suggestions.m));
    case kOthersLessSafe:
      return "other codes that survive fewer";
  }
  return "";
}

/// All codes, the ones with the most important labels first.
std::vector<const Candidate*> charted(const Suggestions& suggestions) {
  const Recommendation best = recommendation(suggestions);
  std::vector<const Candidate*> chosen;
  const auto add = [&](const Candidate* candidate) {
    const bool is_new = std::ranges::find(chosen, candidate) == chosen.end();
    if (candidate != nullptr && is_new) chosen.push_back(candidate);
  };
  add(best.to_encode);
  for (const Candidate& candidate : suggestions.others) add(&candidate);
  add(best.on_words);
  add(best.to_decode);
  for (const Candidate& candidate : suggestions.candidates) add(&candidate);
  return chosen;
}

/// An axis reaches this many times the greatest value, so that labels have room right of marks.
constexpr double kRoomRight = 1.25;
constexpr double kRoomAbove = 1.08;

/// A mark: one code, or several at the same place.
struct Mark {
  double x;
  double y;
  Kind kind;
  std::string label;  ///< short name of the first code; may be empty
  std::string names;  ///< full names of all codes
  std::size_t codes = 1;
  bool is_recommended = false;
};

using Reading = std::function<double(const Candidate&)>;

struct ChartPlan {
  const char* title;
  ChartAxis x;
  ChartAxis y;
  Reading x_of;
  Reading y_of;
  bool is_speed_of_decoding = false;  ///< drops codes that survive fewer than m losses
};

/// True for codes that are recommended or not ranked. Other ranked codes lie too close together.
bool has_label(const Suggestions& suggestions, const Candidate& candidate) {
  const Recommendation best = recommendation(suggestions);
  return candidate.encode.rank == 0 || &candidate == best.to_encode ||
         &candidate == best.on_words || &candidate == best.to_decode;
}

std::vector<Mark> marks_of(const Suggestions& suggestions, const ChartPlan& plan) {
  std::vector<Mark> marks;
  const Recommendation best = recommendation(suggestions);
  for (const Candidate* candidate : charted(suggestions)) {
    if (plan.is_speed_of_decoding && candidate->tradeoffs.survives < suggestions.m) continue;
    Mark mark{plan.x_of(*candidate), plan.y_of(*candidate), kind_of(suggestions, *candidate),
              has_label(suggestions, *candidate) ? short_name(suggestions, *candidate) : "",
              full_name(suggestions, *candidate)};
    mark.is_recommended = candidate == best.to_encode;
    const auto same = std::ranges::find_if(marks, [&](const Mark& other) {
      return other.kind == mark.kind && std::abs(other.x - mark.x) < 0.005 * mark.x &&
             std::abs(other.y - mark.y) < 0.005 * mark.y;
    });
    if (same == marks.end()) {
      marks.push_back(std::move(mark));
      continue;
    }
    same->names += "; " + mark.names;
    ++same->codes;
  }
  return marks;
}

std::optional<Picture> chart_of(const Suggestions& suggestions, const ChartPlan& plan,
                                ChartSize size) {
  Chart chart{plan.title, plan.x, plan.y, {}, {}, size};
  chart.x.is_open = true;
  chart.y.is_open = true;
  std::map<Kind, ChartSeries> kinds;
  for (const Mark& mark : marks_of(suggestions, plan)) {
    // Keep marks off the frame, so that labels have room.
    chart.x.holds.push_back(chart.x.bound + kRoomRight * (mark.x - chart.x.bound));
    chart.y.holds.push_back(kRoomAbove * mark.y);
    ChartSeries& series = kinds[mark.kind];
    series.points.emplace_back(mark.x, mark.y);
    series.titles.push_back(mark.names);
    if (mark.is_recommended) series.ringed.push_back(series.points.size() - 1);
    const bool is_alone = mark.codes == 1 || mark.label.empty();
    series.labels.push_back(is_alone ? mark.label
                                     : fmt::format("{} and {} more", mark.label, mark.codes - 1));
  }
  for (auto& [kind, series] : kinds) {
    series.form = ChartSeries::Form::kMarkers;
    series.ink = kind;
    series.is_in_legend = false;
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return std::nullopt;
  return draw_chart(chart);
}

}  // namespace

std::vector<Picture> suggestion_charts(const Suggestions& suggestions, ChartSize size) {
  ChartAxis stored{"bytes stored per byte of data", ChartAxis::Scale::kLinear, true, false};
  stored.bound = 1;
  const ChartAxis read{"bytes read per byte rebuilt", ChartAxis::Scale::kLinear, true, false};
  const ChartAxis encode{"GB/s of encoding, in L2", ChartAxis::Scale::kLinear, true, false};
  const ChartAxis decode{"GB/s of decoding, in L2", ChartAxis::Scale::kLinear, true, false};
  const Reading stored_by = [](const Candidate& c) { return c.tradeoffs.stored; };
  const Reading read_by = [](const Candidate& c) { return c.tradeoffs.repair_reads; };
  // Three digits, as the tooltip of a mark shows.
  const auto short_of = [](double speed) { return std::stod(short_number(speed)); };
  const Reading encode_by = [=](const Candidate& c) { return short_of(c.encode.speed.l2); };
  const Reading decode_by = [=](const Candidate& c) { return short_of(c.decode.speed.l2); };
  std::vector<Picture> pictures;
  for (const ChartPlan& plan :
       {ChartPlan{"Storage and repair", stored, read, stored_by, read_by},
        ChartPlan{"Encoding and repair", encode, read, encode_by, read_by},
        ChartPlan{"Encoding and decoding", encode, decode, encode_by, decode_by, true}}) {
    if (auto picture = chart_of(suggestions, plan, size)) pictures.push_back(*std::move(picture));
  }
  return pictures;
}

std::vector<LegendEntry> suggestion_legend(const Suggestions& suggestions) {
  std::set<Kind> kinds;
  for (const Candidate* candidate : charted(suggestions)) {
    kinds.insert(kind_of(suggestions, *candidate));
  }
  std::vector<LegendEntry> legend;
  for (const Kind kind : kinds) {
    ChartSeries series;
    series.name = name_of(suggestions, kind);
    series.form = ChartSeries::Form::kMarkers;
    legend.push_back(legend_entry(series, kind));
  }
  if (const Candidate* best = recommendation(suggestions).to_encode) {
    legend.push_back(ring_entry("recommended to encode", kind_of(suggestions, *best)));
  }
  return legend;
}

}  // namespace xorloom::cli
