#include <utility>

#include "cli/choosing/suggest_report.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {
namespace {

Json operation_json(const Candidate& candidate, const CandidateOperation& operation) {
  const PlanExplanation& explanation = operation.explanation;
  const TileCounts& tile = explanation.work.tile;
  Json json{{"lost", operation.lost},
            {"direct_xors", nullptr},
            {"shared_xors", nullptr},
            {"multiplications", multiplications(operation)},
            {"engine", to_string(explanation.engine)},
            {"code_bytes", tile.code_bytes},
            {"instructions", tile.instructions},
            {"loads", tile.loads},
            {"stores", tile.stores},
            {"tile_data_bytes", explanation.work.data_bytes},
            {"instructions_per_data_byte", instructions_per_byte(operation)},
            {"rank", nullptr},
            {"l2_data_gb_per_s", operation.speed.l2},
            {"dram_data_gb_per_s", nullptr}};
  if (!is_words(candidate.code)) json["direct_xors"] = explanation.direct_xors;
  if (explanation.shared_xors) json["shared_xors"] = *explanation.shared_xors;
  if (operation.rank != 0) json["rank"] = operation.rank;
  if (operation.speed.memory) json["dram_data_gb_per_s"] = *operation.speed.memory;
  return json;
}

Json tradeoffs_json(const Tradeoffs& tradeoffs) {
  Json software = Json::array();
  for (const OtherSoftware& other : tradeoffs.software) {
    software.push_back(
        {{"name", other.name}, {"technique", other.technique}, {"compared", other.is_compared}});
  }
  Json json{{"survives", tradeoffs.survives},
            {"sets_tried", tradeoffs.sets_tried},
            {"survives_one_more", nullptr},
            {"stored_bytes_per_byte", tradeoffs.stored},
            {"repair_bytes_per_byte", tradeoffs.repair_reads},
            {"repair_bytes_per_byte_in_rows", tradeoffs.row_reads},
            {"chunks_changed", tradeoffs.chunks_changed},
            {"cells_changed", tradeoffs.cells_changed},
            {"same_bytes", std::move(software)}};
  if (tradeoffs.survives_one_more) json["survives_one_more"] = *tradeoffs.survives_one_more;
  return json;
}

Json candidates_json(const Suggestions& suggestions, const std::vector<Candidate>& candidates) {
  Json json = Json::array();
  for (const Candidate& candidate : candidates) {
    json.push_back({{"spec", candidate.code.spec},
                    {"name", full_name(suggestions, candidate)},
                    {"family", candidate.code.family},
                    {"w", candidate.code.w},
                    {"arrangement", is_words(candidate.code) ? "word" : "packet"},
                    {"chunks", candidate.code.locations},
                    {"encode", operation_json(candidate, candidate.encode)},
                    {"decode", operation_json(candidate, candidate.decode)},
                    {"tradeoffs", tradeoffs_json(candidate.tradeoffs)}});
  }
  return json;
}

}  // namespace

Json suggestions_json(const Suggestions& suggestions) {
  Json skipped = Json::array();
  for (const Skipped& one : suggestions.skipped) {
    skipped.push_back({{"spec", one.spec}, {"why", one.why}});
  }
  const Recommendation best = recommendation(suggestions);
  const auto spec = [](const Candidate* candidate) {
    return candidate == nullptr ? Json(nullptr) : Json(candidate->code.spec);
  };
  return {{"format", "xorloom-suggestions"},
          {"version", 3},
          {"k", suggestions.k},
          {"m", suggestions.m},
          {"isa", to_string(suggestions.isa)},
          {"speeds", name_of(suggestions.source)},
          {"machine", suggestions.machine.empty() ? Json(nullptr) : Json(suggestions.machine)},
          {"prediction_error", suggestions.rates.empty()
                                   ? Json(nullptr)
                                   : prediction_error_json(largest_error(suggestions.rates))},
          {"prediction_errors", prediction_errors_json(suggestions.rates)},
          {"recommended",
           {{"to_encode", spec(best.to_encode)},
            {"to_decode", spec(best.to_decode)},
            {"on_words", spec(best.on_words)},
            {"to_repair", spec(best.to_repair)},
            {"to_update", spec(best.to_update)}}},
          {"candidates", candidates_json(suggestions, suggestions.candidates)},
          {"others", candidates_json(suggestions, suggestions.others)},
          {"skipped", std::move(skipped)}};
}

}  // namespace xorloom::cli
