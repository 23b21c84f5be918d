#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/choosing/suggest_charts.hpp"
#include "cli/choosing/suggest_report.hpp"
#include "cli/document/figures.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/counted.hpp"
#include "codes/tolerance.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/sets/encode_set.hpp"

namespace xorloom::cli {
namespace {

/// A sentence on the error of the speeds of `code` as predicted; empty if they were measured.
std::string doubt_text(const Suggestions& suggestions, const Code& code) {
  if (suggestions.source == SpeedSource::kMeasured) return "";
  const auto rates =
      std::ranges::find(suggestions.rates, code.arrangement, &MachineRates::Of::arrangement);
  if (rates == suggestions.rates.end()) {
    const bool is_of_words = suggestions.measured_alone == Arrangement::kWord;
    return suggestions.measured_alone
               ? fmt::format(
                     "This machine was measured for codes on {0} alone, so the error of "
                     "these speeds is not known; report --measure of a code on {1}, such "
                     "as {2}, measures it for those on {1}. ",
                     is_of_words ? "words" : "packets", is_of_words ? "packets" : "words",
                     is_of_words ? "cauchy-good:4,2" : "rs:4,2")
               : "This machine was not measured, so the error of these speeds is not known. ";
  }
  return fmt::format("Nine of ten such predictions are within {:.0f} %. ",
                     rates->error.held_out * 100);
}

/// The recommended code with its speeds, storage and survived losses.
std::string speed_sentence(const Suggestions& suggestions, const Candidate& best) {
  const std::size_t codes = suggestions.candidates.size();
  const bool is_measured = suggestions.source == SpeedSource::kMeasured;
  return fmt::format(
      "Take {}: on {} core it {} at {} GB/s of data in L2 and at {} in memory, and {} {} at "
      "{} and {}. {}{} {} bytes per byte of data and survive{} any {}.",
      best.spec, suggestions.source == SpeedSource::kOrdinaryCore ? "an ordinary" : "one",
      is_measured ? "encodes" : "is predicted to encode",
      speed_text(suggestions, best.encode.speed.l2),
      speed_text(suggestions, best.encode.speed.memory), is_measured ? "decodes" : "to decode",
      counted(suggestions.m, "lost chunk"), speed_text(suggestions, best.decode.speed.l2),
      speed_text(suggestions, best.decode.speed.memory), doubt_text(suggestions, best.code),
      codes == 1 ? "It stores" : fmt::format("All {} ranked codes store", codes),
      stored_text(best.tradeoffs.stored), codes == 1 ? "s" : "", losses_text(suggestions.m));
}

std::string decoding_sentence(const Suggestions& suggestions, const Candidate& best) {
  return fmt::format("To decode fast, take {}: it encodes at {} GB/s and decodes at {}.", best.spec,
                     speed_text(suggestions, best.encode.speed.l2),
                     speed_text(suggestions, best.decode.speed.l2));
}

/// The code with the fewest repair reads among `least` and the others that survive any m losses.
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
                            stored_text(larger.tradeoffs.stored));
}

/// Names for each other software the fastest code with the same bytes; `best` comes first.
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

/// Survived losses: "4", or "4*" if they were proved by trying all sets.
std::string survival(const Json& tradeoffs) {
  const bool is_tried = tradeoffs["sets_tried"].whole() != 0;
  return in_full(tradeoffs["survives"]) + (is_tried ? "*" : "");
}

/// "99 %", rounded down, since 100 % would be a promise; "none" for 0.
std::string whole_share(const Json& share) {
  return share.real() == 0 ? "none" : fmt::format("{} %", std::floor(100 * share.real()));
}

std::string in_bytes_of_one(const Json& value) { return bytes_text(value.real()); }
std::string in_tenths(const Json& value) { return figure_text(value.real()); }

/// Software whose chunks were compared and are the same, each name once: "Jerasure, Ceph"; "-".
std::string compared_software(const Json& software) {
  std::string names;
  for (const Json& other : software) {
    const std::string& name = other["name"].text();
    const bool is_compared = other["compared"].dump() == "true";
    if (!is_compared || names.find(name) != std::string::npos) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  return names.empty() ? "-" : names;
}

std::vector<FigureGroup> columns(const Suggestions& suggestions) {
  const Show speed = suggestions.source == SpeedSource::kMeasured ? to_three_digits : to_two_digits;
  // Codes that survive fewer than m losses decode fewer, so their speed is not comparable.
  const auto decoding = [&](const char* member) -> Show {
    return [speed, member, m = suggestions.m](const Json& decode) {
      const Json& value = decode[member];
      return decode["lost"].size() < m || value.is_null() ? "-" : speed(value);
    };
  };
  const Show multiplied = [](const Json& count) {
    return count.whole() == 0 ? std::string("-") : in_full(count);
  };
  return {
      {"Rank", {{"encode", "encode.rank", in_full}, {"decode", "decode.rank", in_full}}},
      {"GB/s in L2",
       {{"encode", "encode.l2_data_gb_per_s", speed},
        {"decode", "decode", decoding("l2_data_gb_per_s")}}},
      {"in memory",
       {{"encode", "encode.dram_data_gb_per_s", speed},
        {"decode", "decode", decoding("dram_data_gb_per_s")}}},
      {"Encoding takes",
       {{"XORs", "encode.direct_xors", in_full},
        {"shared", "encode.shared_xors", in_full},
        {"mult.", "encode.multiplications", multiplied}}},
      {"by", {{"engine", "encode.engine"}}, true},
      {"Survives",
       {{"any", "tradeoffs", survival}, {"one more", "tradeoffs.survives_one_more", whole_share}}},
      {"Bytes to",
       {{"store", "tradeoffs.stored_bytes_per_byte", to_stored_bytes},
        {"read", "tradeoffs.repair_bytes_per_byte", in_bytes_of_one},
        {"read rows", "tradeoffs.repair_bytes_per_byte_in_rows", in_bytes_of_one}}},
      {"A change",
       {{"chunks", "tradeoffs.chunks_changed", in_tenths},
        {"cells", "tradeoffs.cells_changed", in_tenths}}},
      {"Same bytes", {{"as", "tradeoffs.same_bytes", compared_software}}, true}};
}

Table table(const Suggestions& suggestions, const Json& data) {
  const std::vector<FigureGroup> groups = columns(suggestions);
  Table table = record_table(data["candidates"], {"code", "name"}, groups);
  if (data["others"].size() == 0) return table;
  TableBlock& others = table.blocks.emplace_back(TableBlock{"Not ranked", {}});
  for (const Json& other : data["others"]) {
    others.rows.push_back(record_row(other, other["name"].text(), groups));
  }
  return table;
}

Facts recommended(const Suggestions& suggestions) {
  const Recommendation best = recommendation(suggestions);
  Facts facts;
  for (const auto& [name, candidate] :
       {std::pair{"to encode fast", best.to_encode}, std::pair{"to decode fast", best.to_decode},
        std::pair{"to use words", best.on_words}, std::pair{"to repair", best.to_repair},
        std::pair{"to update", best.to_update}}) {
    if (candidate != nullptr) facts.add(name, candidate->spec);
  }
  return facts;
}

Glossary words(const Suggestions& suggestions) {
  const std::string lost = counted(suggestions.m, "chunk");
  return {
      "What the columns mean",
      {{"Chunks",
        "Packets: chunks are a multiple of w packets, which XOR combines. Words: chunks have "
        "any whole number of symbols of w bits, which are multiplied."},
       {"Rank",
        fmt::format("Place by the speed in L2. Codes that have at least {} times the speed of "
                    "the fastest of their place share it. Codes that store or survive "
                    "something else, or lie in sub-chunks, are not ranked.",
                    kNearlyAsFast)},
       {"GB/s",
        fmt::format("Of data, on one core, if the stripe is in L2 or in memory. Decoding is "
                    "with {} lost; a dash: the code does not survive that, or it is too slow "
                    "to be timed here.",
                    lost)},
       {"Encoding takes",
        fmt::format(
            "XORs of the direct equations. Shared: XORs of the equations that encode, cut for "
            "machine code, if the direct ones have at most {}. On words: multiplications for a "
            "vector of each chunk, or the shuffles used in their place.",
            kQuicklyShared)},
       {"Survives",
        "Any: the number of chunks that may be lost, whichever they are, as the family promises. "
        "An asterisk: all sets were tried, since there is no theorem. A code may survive more. "
        "One more: the share of the sets of one chunk more that are survived; a dash: these sets "
        "were not tried."},
       {"Bytes to",
        fmt::format("Store: per byte of data. Read: per byte rebuilt if one chunk of a set "
                    "of shards is lost, the mean over all chunks. Read rows: the same if rows of "
                    "packets are read apart, as in shards with packet_bytes={} or more.",
                    kSmallestRows)},
       {"A change",
        "Chunks: chunks of redundancy to write if the data of one chunk changes. Cells: "
        "packets or symbols of redundancy to write if one of data changes."},
       {"Same bytes as", "Software whose chunks were compared with those of Xorloom."}}};
}

}  // namespace

Document suggestions_document(const Suggestions& suggestions) {
  Document document{
      fmt::format("Codes with {} data and {} redundant chunks", suggestions.k, suggestions.m),
      suggestions_json(suggestions)};
  document.add(Verdict{verdict(suggestions)});
  if (recommendation(suggestions).to_encode != nullptr) {
    document.add(Paragraph{"If no other software has to read the chunks, take"});
    document.add(recommended(suggestions));
  }
  document.add(
      Pictures{suggestion_charts(suggestions, ChartSize::kSmall), suggestion_legend(suggestions)});
  document.add(Heading{"All codes"});
  document.add(table(suggestions, document.data));
  document.add(Paragraph{fmt::format("All speeds are for one core with {}. {}",
                                     to_string(suggestions.isa), speed_source_text(suggestions))});
  document.add(words(suggestions));
  Fold left_out{
      fmt::format("Left out: {}", counted(suggestions.skipped.size(), "code")), false, {}};
  Facts skipped;
  for (const Skipped& one : suggestions.skipped) skipped.add(one.spec, one.why);
  left_out.parts.emplace_back(std::move(skipped));
  if (!suggestions.skipped.empty()) document.add(std::move(left_out));
  return document;
}

}  // namespace xorloom::cli
