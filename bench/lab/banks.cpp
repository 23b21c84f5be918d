#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "bench/lab/bank_conflicts.hpp"
#include "bench/lab/lab.hpp"
#include "cli/document/figures.hpp"
#include "cli/document/writers.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kBanksAbout =
    "conflicts of memory banks, exactly\n"
    "Threads look up a table at random, and each memory bank delivers one word at a time. Prints "
    "the mean number of distinct words that the fullest bank has to deliver. Without options it "
    "prints the six designs that Gibraltar's paper simulated. docs/models.md has the formulas.";

constexpr const char* kBanksExamples =
    "xorloom-lab banks\n"
    "xorloom-lab banks --threads 32 --banks 32 --words 64";

struct BanksOptions {
  std::optional<std::size_t> threads;
  std::optional<std::size_t> banks;
  std::optional<std::size_t> words;
  std::string format = "table";
};

double mean_of(const BankDesign& design, std::size_t words) {
  return mean_fullest_bank({design.threads, design.banks, words});
}

Json json_of(const BankAccess& access) {
  return {{"threads", access.threads},
          {"banks", access.banks},
          {"words", access.words},
          {"mean", mean_fullest_bank(access)}};
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

/// Document of one access or, without `access`, of the designs in the paper beside its means.
Document banks_document(const std::optional<BankAccess>& access) {
  Document document{"Conflicts of memory banks",
                    {{"format", "xorloom-model-banks"}, {"version", 1}}};
  if (access) {
    document.data.update(json_of(*access));
    document.add(record_table(Json::array({document.data}), {"threads", "threads", in_full},
                              {{"",
                                {{"banks", "banks", in_full},
                                 {"words", "words", in_full},
                                 {"mean", "mean", to_two_decimals}}}}));
    return document;
  }
  document.data["designs"] = designs_json();
  document.add(record_table(document.data["designs"], {"design", "design"},
                            {{"",
                              {{"threads", "threads", in_full},
                               {"banks", "banks", in_full},
                               {"paper", "paper_mean", to_two_decimals}}},
                             {"table of",
                              {{"256 words", "mean_of_256_words", to_two_decimals},
                               {"64 words", "mean_of_64_words", to_two_decimals}}}}));
  document.add(
      Paragraph{"Each number is the mean of the distinct words that the fullest bank delivers. The "
                "paper simulated a table of 256 bytes. Its means are those of 256 words, each byte "
                "being a word of its own. In words of 32 bits the table has 64."});
  return document;
}

void run(const BanksOptions& options) {
  std::optional<BankAccess> access;
  if (options.threads || options.banks || options.words) {
    const BankAccess usual;
    access = BankAccess{options.threads.value_or(usual.threads),
                        options.banks.value_or(usual.banks), options.words.value_or(usual.words)};
  }
  print(written(banks_document(access), options.format));
}

}  // namespace

Command banks_command() {
  Command command{"banks", kBanksAbout, kBanksExamples};
  const auto options = std::make_shared<BanksOptions>();
  add_number(command, "--threads", options->threads, 1, kMostBankThreads,
             "threads that each read one word; default: 16");
  add_number(command, "--banks", options->banks, 1, kMostBanks,
             "banks of the memory: word a lies in bank a mod N; default: 16");
  add_number(command, "--words", options->words, 1, kMostTableWords,
             "words of the table, each as likely to be read as any other; default: 256");
  add_choice(command, "--format", options->format, {"table", "json", "html"},
             "output format; default: table");
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
