#include <fmt/format.h>

#include <iterator>

#include "cli/commands/suggest.hpp"
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
std::size_t multiplications(const Candidate& candidate) {
  const TileCounts& tile = candidate.explanation.tile;
  return tile.multiplications * candidate.code.redundant.size() / tile.vectors_written;
}

/// XORs before and after the search, or multiplications.
std::string work(const Candidate& candidate) {
  const PlanExplanation& explanation = candidate.explanation;
  if (is_words(candidate.code)) return fmt::format("{} mult.", multiplications(candidate));
  return fmt::format("{:>6} {:>6}", explanation.direct_xors,
                     explanation.shared_xors ? fmt::format("{}", *explanation.shared_xors) : "-");
}

std::string row(const Candidate& candidate) {
  const Code& code = candidate.code;
  const PlanExplanation& explanation = candidate.explanation;
  return fmt::format("{:<15} {:>2} {:<7} {:>13} {:<7} {:>6} {:>6.3f} {:>5.3g} {:>5.3g} {:>5.3g}\n",
                     code.family, code.w, is_words(code) ? "words" : "packets", work(candidate),
                     to_string(explanation.engine), explanation.tile.instructions,
                     instructions_a_byte(explanation), candidate.l1_gigabytes,
                     candidate.l2_gigabytes, candidate.memory_gigabytes);
}

}  // namespace

std::string suggestions_table(const Suggestions& suggestions) {
  std::string text =
      wrapped(fmt::format("Codes with {} data and {} redundant chunks that survive any {} losses, "
                          "encoded on one {} core. XORs and instructions are counted, GB/s of data "
                          "are predicted. The fastest in L2 comes first.",
                          suggestions.k, suggestions.m, suggestions.m, to_string(suggestions.isa)),
              0);
  text += fmt::format("\n\n{:<15} {:>2} {:<7} {:>6} {:>6} {:<7} {:>6} {:>6} {:>5} {:>5} {:>5}\n",
                      "family", "w", "chunks", "XORs", "shared", "engine", "instr.", "/byte", "L1",
                      "L2", "DRAM");
  for (const Candidate& candidate : suggestions.candidates) text += row(candidate);
  if (!suggestions.candidates.empty()) {
    const Candidate& best = suggestions.candidates.front();
    text += "\nThe first is " + wrapped(best.code.spec, 13) + "\n";
  }
  if (!suggestions.skipped.empty()) text += "\nLeft out:\n";
  for (const Skipped& skipped : suggestions.skipped) {
    text += fmt::format("  {}\n    {}\n", skipped.spec, wrapped(skipped.why, 4));
  }
  text += '\n';
  text +=
      wrapped(
          fmt::format(
              "XORs: those of direct equations; shared: those after the fast search, which runs up "
              "to {} XORs; mult.: multiplications per vector of each chunk; instr.: instructions "
              "per tile; /byte: instructions per byte of data. L1, L2 and DRAM: GB/s if the bytes "
              "lie there; L1 shows what the core itself can do. arrangement=packet runs families "
              "of words on packets. xorloom bench measures the speed.",
              kQuicklyShared),
          0) +
      "\n";
  return text;
}

Json suggestions_json(const Suggestions& suggestions) {
  Json candidates = Json::array();
  for (const Candidate& candidate : suggestions.candidates) {
    const Code& code = candidate.code;
    const PlanExplanation& explanation = candidate.explanation;
    const TileCounts& tile = explanation.tile;
    Json entry{{"spec", code.spec},
               {"family", code.family},
               {"w", code.w},
               {"arrangement", is_words(code) ? "word" : "packet"},
               {"direct_xors", nullptr},
               {"shared_xors", nullptr},
               {"multiplications", multiplications(candidate)},
               {"engine", to_string(explanation.engine)},
               {"code_bytes", tile.code_bytes},
               {"instructions", tile.instructions},
               {"loads", tile.loads},
               {"stores", tile.stores},
               {"tile_data_bytes", explanation.data_bytes},
               {"instructions_per_data_byte", instructions_a_byte(explanation)},
               {"predicted_l1_data_gb_per_s", candidate.l1_gigabytes},
               {"predicted_l2_data_gb_per_s", candidate.l2_gigabytes},
               {"predicted_dram_data_gb_per_s", candidate.memory_gigabytes}};
    if (!is_words(code)) entry["direct_xors"] = explanation.direct_xors;
    if (explanation.shared_xors) entry["shared_xors"] = *explanation.shared_xors;
    candidates.push_back(std::move(entry));
  }
  Json skipped = Json::array();
  for (const Skipped& one : suggestions.skipped) {
    skipped.push_back({{"spec", one.spec}, {"why", one.why}});
  }
  return {{"format", "xorloom-suggestions"},
          {"version", 1},
          {"k", suggestions.k},
          {"m", suggestions.m},
          {"isa", to_string(suggestions.isa)},
          {"candidates", std::move(candidates)},
          {"skipped", std::move(skipped)}};
}

}  // namespace xorloom::cli
