#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/choosing/suggest_charts.hpp"
#include "cli/choosing/suggest_report.hpp"
#include "cli/shell/html_page.hpp"
#include "cli/shell/html_table.hpp"
#include "codes/tolerance.hpp"

namespace xorloom::cli {
namespace {

std::string rank_text(const CandidateOperation& operation) {
  return operation.rank == 0 ? "-" : fmt::format("{}", operation.rank);
}

/// How far the speeds can be trusted, where they are predicted.
std::string doubt_text(const Suggestions& suggestions) {
  if (suggestions.source == SpeedSource::kMeasured) return "";
  if (!suggestions.error) {
    return "This machine was not measured, so the error of these speeds is not known. ";
  }
  return fmt::format("Nine of ten such predictions are within {:.0f} %. ",
                     suggestions.error->held_out * 100);
}

/// The fastest code, and what it is compared with.
std::string speed_sentence(const Suggestions& suggestions, const Candidate& best) {
  const std::size_t codes = suggestions.candidates.size();
  const bool is_measured = suggestions.source == SpeedSource::kMeasured;
  return fmt::format(
      "Take {}: on {} core it {} at {} GB/s of data in L2 and at {} in memory, and {} {} lost "
      "chunk{} at {} and {}. {}{} {:.2f} bytes per byte of data and survive{} any {}.",
      best.spec, suggestions.source == SpeedSource::kOrdinaryCore ? "an ordinary" : "one",
      is_measured ? "encodes" : "is predicted to encode",
      speed_text(suggestions, best.encode.speed.l2),
      speed_text(suggestions, best.encode.speed.memory), is_measured ? "decodes" : "to decode",
      suggestions.m, suggestions.m == 1 ? "" : "s", speed_text(suggestions, best.decode.speed.l2),
      speed_text(suggestions, best.decode.speed.memory), doubt_text(suggestions),
      codes == 1 ? "It stores" : fmt::format("All {} ranked codes store", codes),
      best.tradeoffs.stored, codes == 1 ? "s" : "", losses_text(suggestions.m));
}

std::string decoding_sentence(const Suggestions& suggestions, const Candidate& best) {
  return fmt::format("To decode fast, take {}: it encodes at {} GB/s and decodes at {}.", best.spec,
                     speed_text(suggestions, best.encode.speed.l2),
                     speed_text(suggestions, best.decode.speed.l2));
}

/// The code that reads the least for a repair, of all that survive any m losses.
const Candidate& least_read(const Suggestions& suggestions, const Candidate& least) {
  const Candidate* found = &least;
  for (const Candidate& other : suggestions.others) {
    const bool survives = other.tradeoffs.survives >= suggestions.m;
    if (survives && other.tradeoffs.repair_reads < found->tradeoffs.repair_reads) found = &other;
  }
  return *found;
}

std::string repair_sentence(const Suggestions& suggestions, const Candidate& best,
                            const Candidate& least) {
  const double reads = best.tradeoffs.repair_reads;
  std::string text =
      least.tradeoffs.repair_reads >= reads
          ? fmt::format(
                "A repair of one chunk reads {} bytes per byte rebuilt. No code here "
                "that survives and stores the same reads less.",
                bytes_text(reads))
          : fmt::format(
                "If repairs count most, take {}: it reads {} bytes per byte rebuilt "
                "instead of {}. It encodes at {} GB/s.",
                least.spec, bytes_text(least.tradeoffs.repair_reads), bytes_text(reads),
                speed_text(suggestions, least.encode.speed.l2));
  const Candidate& larger = least_read(suggestions, least);
  if (&larger == &least) return text;
  return text + fmt::format(" {} reads {}, but stores {} bytes per byte.", larger.spec,
                            bytes_text(larger.tradeoffs.repair_reads),
                            bytes_text(larger.tradeoffs.stored));
}

/// For each other software the fastest code whose bytes it writes, `best` before all.
std::string software_sentence(const Suggestions& suggestions, const Candidate& best) {
  std::vector<const Candidate*> order{&best};
  for (const Candidate& candidate : suggestions.candidates) order.push_back(&candidate);
  std::vector<std::pair<std::string, std::string>> fastest;  // code, software
  std::set<std::string_view> done;
  for (const Candidate* candidate : order) {
    std::string names;
    for (const OtherSoftware& other : candidate->tradeoffs.software) {
      if (!other.is_compared || !done.insert(other.name).second) continue;
      names += fmt::format("{}{}", names.empty() ? "" : " and ", other.name);
    }
    if (!names.empty()) fastest.emplace_back(candidate->spec, names);
  }
  std::string text;
  for (const auto& [code, names] : fastest) {
    text += fmt::format("{}{} for {}", text.empty() ? "" : "; ", code, names);
  }
  return text.empty()
             ? text
             : fmt::format("If other software has to read the chunks, the fastest codes are {}.",
                           text);
}

std::vector<std::string> verdict(const Suggestions& suggestions) {
  const Recommendation best = recommendation(suggestions);
  if (best.to_encode == nullptr) {
    return {fmt::format("No code with {} + {} chunks was found that is proved to survive any {}.",
                        suggestions.k, suggestions.m, losses_text(suggestions.m))};
  }
  std::vector<std::string> lines{speed_sentence(suggestions, *best.to_encode)};
  if (best.to_decode != best.to_encode)
    lines.push_back(decoding_sentence(suggestions, *best.to_decode));
  lines.push_back(repair_sentence(suggestions, *best.to_encode, *best.to_repair));
  if (std::string software = software_sentence(suggestions, *best.to_encode); !software.empty()) {
    lines.push_back(std::move(software));
  }
  return lines;
}

TableRow row_of(const Suggestions& suggestions, const Candidate& candidate) {
  const Tradeoffs& tradeoffs = candidate.tradeoffs;
  const bool decodes = tradeoffs.survives >= suggestions.m;
  const std::string software = software_names(candidate);
  return {0,
          full_name(suggestions, candidate),
          {survival_text(tradeoffs), one_more_text(tradeoffs), bytes_text(tradeoffs.stored),
           bytes_text(tradeoffs.repair_reads), rank_text(candidate.encode),
           rank_text(candidate.decode), speed_text(suggestions, candidate.encode.speed.l2),
           decodes ? speed_text(suggestions, candidate.decode.speed.l2) : "-",
           speed_text(suggestions, candidate.encode.speed.memory),
           decodes ? speed_text(suggestions, candidate.decode.speed.memory) : "-",
           figure_text(tradeoffs.chunks_changed), figure_text(tradeoffs.cells_changed),
           software.empty() ? "-" : software}};
}

std::string table(const Suggestions& suggestions) {
  const std::vector<ColumnGroup> groups = {{"Survives the loss of", {"any", "one more"}},
                                           {"Bytes", {"stored per byte", "read per byte rebuilt"}},
                                           {"Rank", {"encode", "decode"}},
                                           {"GB/s in L2", {"encode", "decode"}},
                                           {"GB/s in memory", {"encode", "decode"}},
                                           {"An update changes", {"chunks", "cells"}},
                                           {"Same bytes as", {""}, true}};
  std::vector<TableBlock> blocks{{"", {}}};
  for (const Candidate& candidate : suggestions.candidates) {
    blocks.back().rows.push_back(row_of(suggestions, candidate));
  }
  if (!suggestions.others.empty()) blocks.push_back({"Not ranked", {}});
  for (const Candidate& candidate : suggestions.others) {
    blocks.back().rows.push_back(row_of(suggestions, candidate));
  }
  return html_table(groups, blocks);
}

/// What the columns say, and what was left out.
std::string details(const Suggestions& suggestions) {
  const auto item = [](const std::string& name, const std::string& text) {
    return fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(text));
  };
  return "<dl>\n" +
         item("packets, words",
              "Packets: chunks are a multiple of w packets, which XOR combines. Words: chunks have "
              "any whole number of symbols of w bits, which are multiplied.") +
         item("Survives the loss of",
              "Any: that many chunks, whichever they are. An asterisk: all sets were tried. "
              "Otherwise it is a theorem. One more: the share of the sets of one chunk more that "
              "are survived; a dash stands where these sets were not tried.") +
         item("Bytes",
              "Stored: per byte of data. Read: per byte rebuilt if one chunk is lost, the mean "
              "over all chunks. Packets below 4096 bytes are not read one by one from shards.") +
         item("Rank", fmt::format("Place by the speed in L2. Codes that have at least {} times the "
                                  "speed of the fastest of their place share it. Codes that store "
                                  "or survive something else, or lie in sub-chunks, are not "
                                  "ranked.",
                                  kNearlyAsFast)) +
         item("GB/s", fmt::format("Of data, on one core, with the stripe in L2 or in memory. "
                                  "Decoding is with {} chunk{} lost; a code that does not survive "
                                  "that has a dash.",
                                  suggestions.m, suggestions.m == 1 ? "" : "s")) +
         item("An update changes",
              "Chunks: chunks of redundancy to write if the data of one chunk changes. Cells: "
              "packets "
              "or symbols of redundancy to write if one of data changes.") +
         item("Same bytes as", "Software whose chunks were compared with those of Xorloom.") +
         "</dl>\n";
}

/// Whether what some code survives was found by trying all sets.
bool has_tried(const Suggestions& suggestions) {
  const auto is_tried = [](const Candidate& candidate) {
    return candidate.tradeoffs.sets_tried != 0;
  };
  return std::ranges::any_of(suggestions.candidates, is_tried) ||
         std::ranges::any_of(suggestions.others, is_tried);
}

std::string left_out(const Suggestions& suggestions) {
  std::string html = "<ul>\n";
  for (const Skipped& skipped : suggestions.skipped) {
    html += fmt::format("<li>{}: {}</li>\n", spec_code(skipped.spec), escaped(skipped.why));
  }
  return html + "</ul>\n";
}

}  // namespace

std::string suggestions_html(const Suggestions& suggestions) {
  HtmlPage page(
      fmt::format("Codes with {} data and {} redundant chunks", suggestions.k, suggestions.m));
  page.verdict(verdict(suggestions));
  page.legend(suggestion_legend(suggestions));
  page.charts(suggestion_charts(suggestions, ChartSize::kSmall));
  page.heading("All codes");
  page.raw(table(suggestions));
  if (has_tried(suggestions)) {
    page.paragraph(
        "An asterisk: all sets of that many lost chunks were tried, since there is no "
        "theorem.");
  }
  page.paragraph(fmt::format("All speeds are for one core with {}. {}", to_string(suggestions.isa),
                             speed_source_text(suggestions)));
  page.words("What the columns mean", details(suggestions));
  if (!suggestions.skipped.empty()) {
    page.foldable(fmt::format("Left out: {} code{}", suggestions.skipped.size(),
                              suggestions.skipped.size() == 1 ? "" : "s"),
                  left_out(suggestions), false);
  }
  return page.text();
}

}  // namespace xorloom::cli
