#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/commands/suggest.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "cli/shell/help.hpp"
#include "runtime/engine/cost_model.hpp"

namespace xorloom::cli {
namespace {

bool is_words(const Code& code) { return code.arrangement == Arrangement::kWord; }

double instructions_a_byte(const PlanExplanation& explanation) {
  return static_cast<double>(explanation.tile.instructions) /
         static_cast<double>(explanation.data_bytes);
}

/// For a vector of each chunk: machine code computes two at a time.
std::size_t multiplications(const CandidateOperation& operation) {
  const TileCounts& tile = operation.explanation.tile;
  return tile.multiplications * operation.cells / std::max<std::size_t>(1, tile.vectors_written);
}

/// XORs before and after the search, or multiplications.
std::string work(const Candidate& candidate) {
  const PlanExplanation& explanation = candidate.encode.explanation;
  if (is_words(candidate.code)) return fmt::format("{} mult.", multiplications(candidate.encode));
  return fmt::format("{:>6} {:>6}", explanation.direct_xors,
                     explanation.shared_xors ? fmt::format("{}", *explanation.shared_xors) : "-");
}

std::string memory_text(const CodeSpeed& speed) {
  return speed.memory ? fmt::format("{:.3g}", *speed.memory) : "-";
}

std::string row(const Candidate& candidate) {
  const Code& code = candidate.code;
  const PlanExplanation& explanation = candidate.encode.explanation;
  return fmt::format("{:<15} {:>2} {:<7} {:>13} {:<7} {:>6.3f} {:>5.3g} {:>5} {:>5.3g} {:>5}\n",
                     code.family, code.w, is_words(code) ? "words" : "packets", work(candidate),
                     to_string(explanation.engine), instructions_a_byte(explanation),
                     candidate.encode.speed.l2, memory_text(candidate.encode.speed),
                     candidate.decode.speed.l2, memory_text(candidate.decode.speed));
}

std::string introduction(const Suggestions& suggestions) {
  const std::string how = suggestions.source == SpeedSource::kMeasured
                              ? "Speeds were measured now, and every byte was compared before."
                              : "Speeds are predicted from counts; --measure measures them. " +
                                    prediction_error_text(suggestions.error);
  return wrapped(
      fmt::format("Codes with {} data and {} redundant chunks that survive any {} "
                  "losses, on one {} core. {} The fastest to encode comes first.",
                  suggestions.k, suggestions.m, suggestions.m, to_string(suggestions.isa), how),
      0);
}

std::string recommendation_text(const Suggestions& suggestions) {
  const Recommendation best = recommendation(suggestions);
  if (best.to_encode == nullptr) return "";
  std::string text = "\nIf no other software has to read the chunks, take\n";
  const auto line = [&](const char* what, const Candidate* candidate) {
    if (candidate == nullptr) return;
    text += fmt::format("  {:<15} {}\n", what, wrapped(candidate->code.spec, 18));
  };
  line("to encode fast", best.to_encode);
  line("to decode fast", best.to_decode);
  line("to use words", best.on_words);
  return text;
}

/// Each column that a choice may rest on, in a line.
std::string columns_text(const Suggestions& suggestions) {
  return fmt::format(
      "packets        chunks are a multiple of w packets, which XOR combines\n"
      "words          chunks have any whole number of symbols, which are multiplied\n"
      "XORs, shared   XORs of direct equations, and after a search if at most {}\n"
      "mult.          multiplications for a vector of each chunk\n"
      "/byte          instructions of encoding per byte of data\n"
      "encode         GB/s of data with the stripe in L2, and in memory\n"
      "decode         the same with {} chunk{} lost; - is too slow to be timed here\n",
      kQuicklyShared, suggestions.m, suggestions.m == 1 ? "" : "s");
}

Json json_of(const Candidate& candidate, const CandidateOperation& operation) {
  const PlanExplanation& explanation = operation.explanation;
  const TileCounts& tile = explanation.tile;
  Json json{{"lost", operation.lost},
            {"direct_xors", nullptr},
            {"shared_xors", nullptr},
            {"multiplications", multiplications(operation)},
            {"engine", to_string(explanation.engine)},
            {"code_bytes", tile.code_bytes},
            {"instructions", tile.instructions},
            {"loads", tile.loads},
            {"stores", tile.stores},
            {"tile_data_bytes", explanation.data_bytes},
            {"instructions_per_data_byte", instructions_a_byte(explanation)},
            {"l2_data_gb_per_s", operation.speed.l2},
            {"dram_data_gb_per_s", nullptr}};
  if (!is_words(candidate.code)) json["direct_xors"] = explanation.direct_xors;
  if (explanation.shared_xors) json["shared_xors"] = *explanation.shared_xors;
  if (operation.speed.memory) json["dram_data_gb_per_s"] = *operation.speed.memory;
  return json;
}

const char* name_of(SpeedSource source) {
  return source == SpeedSource::kMeasured       ? "measured"
         : source == SpeedSource::kMachineRates ? "predicted for this machine"
                                                : "predicted for an ordinary core";
}

}  // namespace

std::string suggestions_table(const Suggestions& suggestions) {
  std::string text = introduction(suggestions);
  text += fmt::format("\n\n{:55} {:>11} {:>11}\n", "", "encode",
                      fmt::format("decode {}", suggestions.m));
  text +=
      fmt::format("{:<15} {:>2} {:<7} {:>6} {:>6} {:<7} {:>6} {:>5} {:>5} {:>5} {:>5}\n", "family",
                  "w", "chunks", "XORs", "shared", "engine", "/byte", "L2", "DRAM", "L2", "DRAM");
  for (const Candidate& candidate : suggestions.candidates) text += row(candidate);
  text += recommendation_text(suggestions);
  text += "\n" + columns_text(suggestions);
  if (!suggestions.skipped.empty()) text += "\nLeft out:\n";
  for (const Skipped& skipped : suggestions.skipped) {
    text += fmt::format("  {}\n    {}\n", skipped.spec, wrapped(skipped.why, 4));
  }
  return text;
}

Json suggestions_json(const Suggestions& suggestions) {
  Json candidates = Json::array();
  for (const Candidate& candidate : suggestions.candidates) {
    candidates.push_back({{"spec", candidate.code.spec},
                          {"family", candidate.code.family},
                          {"w", candidate.code.w},
                          {"arrangement", is_words(candidate.code) ? "word" : "packet"},
                          {"encode", json_of(candidate, candidate.encode)},
                          {"decode", json_of(candidate, candidate.decode)}});
  }
  Json skipped = Json::array();
  for (const Skipped& one : suggestions.skipped) {
    skipped.push_back({{"spec", one.spec}, {"why", one.why}});
  }
  const Recommendation best = recommendation(suggestions);
  const auto spec = [](const Candidate* candidate) {
    return candidate == nullptr ? Json(nullptr) : Json(candidate->code.spec);
  };
  return {{"format", "xorloom-suggestions"},
          {"version", 2},
          {"k", suggestions.k},
          {"m", suggestions.m},
          {"isa", to_string(suggestions.isa)},
          {"speeds", name_of(suggestions.source)},
          {"prediction_error", prediction_error_json(suggestions.error)},
          {"recommended",
           {{"to_encode", spec(best.to_encode)},
            {"to_decode", spec(best.to_decode)},
            {"on_words", spec(best.on_words)}}},
          {"candidates", std::move(candidates)},
          {"skipped", std::move(skipped)}};
}

}  // namespace xorloom::cli
