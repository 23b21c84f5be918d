#include "cli/pages/banks_page.hpp"

#include <fmt/format.h>

#include "cli/shell/help.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {
namespace {

double mean_of(const BankDesign& design, std::size_t words) {
  return mean_fullest_bank({design.threads, design.banks, words});
}

Json json_of(const BankAccess& access) {
  return {{"threads", access.threads},
          {"banks", access.banks},
          {"words", access.words},
          {"mean", mean_fullest_bank(access)}};
}

std::string table_of(const BankAccess& access) {
  return fmt::format(
      "threads  banks  words   mean\n"
      "{:>7}{:>7}{:>7}{:>7.2f}\n",
      access.threads, access.banks, access.words, mean_fullest_bank(access));
}

Json designs_json() {
  Json designs = Json::array();
  for (const BankDesign& design : kBankDesigns) {
    designs.push_back({{"design", design.name},
                       {"threads", design.threads},
                       {"banks", design.banks},
                       {"paper_mean", design.paper_mean},
                       {"mean_of_256_words", mean_of(design, kPaperTableWords)},
                       {"mean_of_64_words", mean_of(design, kTableWordsOf32Bits)}});
  }
  return designs;
}

std::string designs_table() {
  std::string text = fmt::format("{:<20}{:>7}{:>7}{:>8}{:>12}{:>11}\n", "design", "threads",
                                 "banks", "paper", "256 words", "64 words");
  for (const BankDesign& design : kBankDesigns) {
    text += fmt::format("{:<20}{:>7}{:>7}{:>8.2f}{:>12.2f}{:>11.2f}\n", design.name, design.threads,
                        design.banks, design.paper_mean, mean_of(design, kPaperTableWords),
                        mean_of(design, kTableWordsOf32Bits));
  }
  return text + "\n" +
         wrapped(
             "Each number is the mean of the distinct words that the fullest bank delivers. "
             "The paper simulated a table of 256 bytes. Its means are those of 256 words, each "
             "byte being a word of its own. In words of 32 bits the table has 64.",
             0) +
         "\n";
}

}  // namespace

std::string banks_page(const std::optional<BankAccess>& access, const std::string& format) {
  if (format == "table") return access ? table_of(*access) : designs_table();
  Json json{{"format", "xorloom-model-banks"}, {"version", 1}};
  if (access) {
    json.update(json_of(*access));
  } else {
    json["designs"] = designs_json();
  }
  return json.dump(2) + "\n";
}

}  // namespace xorloom::cli
