#include "cli/document/code_document.hpp"

#include <array>
#include <utility>

#include "codes/text/json.hpp"

namespace xorloom::cli {
namespace {

Json encoding_json(const Code& code, const CodeCosts& costs) {
  if (code.arrangement == Arrangement::kWord) {
    return {{"redundant_cells", costs.redundant},
            {"terms", costs.terms},
            {"multiplications", costs.multiplications}};
  }
  Json json{{"redundant_packets", costs.redundant}, {"direct_xors", costs.direct_xors}};
  if (costs.iterative_xors) {
    json["iterative_xors"] = *costs.iterative_xors;
    json["iterative_is_least"] = costs.is_least;
  }
  return json;
}

Json terms_json(const Code& code) {
  Json sums = Json::array();
  for (const CellSum& sum : sums_of_redundancy(code)) {
    Json terms = Json::array();
    for (const CellSum::Term& term : sum.terms)
      terms.push_back({{"cell", term.cell}, {"factor", term.factor}});
    sums.push_back({{"cell", sum.target}, {"terms", terms}});
  }
  return sums;
}

}  // namespace

std::string code_json(const Code& code, const Tolerance& tolerance,
                      const std::optional<CodeCosts>& costs) {
  constexpr std::array kAnswers = {"proved", "refuted", "undecided"};
  const bool is_proved = tolerance.answer == Tolerance::Answer::kProved;
  const std::optional<std::size_t> most =
      is_proved ? most_losses_survived(code, tolerance.losses) : std::nullopt;
  Json json{{"format", "xorloom-code-description"},
            {"version", 1},
            {"code", code.spec},
            {"locations", code.locations},
            {"subchunks", code.subchunks},
            {"symbol_bits", code.field.w()},
            {"polynomial", code.field.polynomial()},
            {"arrangement", code.arrangement == Arrangement::kPacket ? "packet" : "word"},
            {"packet_bytes", code.packet_bytes},
            {"chunk_multiple", chunk_multiple(code)},
            {"data_cells", code.data},
            {"redundant_cells", code.redundant},
            {"survives",
             {{"losses", tolerance.losses},
              {"answer", kAnswers[static_cast<std::size_t>(tolerance.answer)]},
              {"reason", tolerance.reason},
              {"most", most ? Json(*most) : Json(nullptr)}}},
            {"sums", terms_json(code)}};
  if (costs) {
    json["bytes_per_data_byte"] = costs->stored;
    json["encoding"] = encoding_json(code, *costs);
    json["update"] = {{"fewest_changed", costs->fewest_changed},
                      {"most_changed", costs->most_changed},
                      {"mean_changed", costs->mean_changed}};
  }
  if (const auto basis = code.field.basis(); !basis.empty()) {
    json["basis"] = std::vector<Field::Symbol>(basis.begin(), basis.end());
  }
  if (code.plane_bytes != 0) json["plane_bytes"] = code.plane_bytes;
  return json.dump(2, Json::Strings::kReplaced) + "\n";
}

}  // namespace xorloom::cli
