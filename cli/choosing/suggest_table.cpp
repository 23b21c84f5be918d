#include <fmt/format.h>

#include <string>

#include "cli/choosing/suggest_report.hpp"
#include "cli/shell/help.hpp"
#include "codes/tolerance.hpp"
#include "runtime/engine/cost_model.hpp"

namespace xorloom::cli {
namespace {

/// XORs before and after the search, or multiplications.
std::string work(const Candidate& candidate) {
  const PlanExplanation& explanation = candidate.encode.explanation;
  if (is_words(candidate.code)) return fmt::format("{} mult.", multiplications(candidate.encode));
  return fmt::format("{:>6} {:>6}", explanation.direct_xors,
                     explanation.shared_xors ? fmt::format("{}", *explanation.shared_xors) : "-");
}

std::string rank_column(const CandidateOperation& operation) {
  return operation.rank == 0 ? "" : fmt::format("{}.", operation.rank);
}

/// "cauchy-good      4 packets", as both tables begin.
std::string name_columns(const Suggestions& suggestions, const Candidate& candidate) {
  return fmt::format("{:<15} {:>2} {:<7}", short_name(suggestions, candidate), candidate.code.w,
                     is_words(candidate.code) ? "words" : "packets");
}

std::string speed_row(const Suggestions& suggestions, const Candidate& candidate) {
  const CodeSpeed& encode = candidate.encode.speed;
  const CodeSpeed& decode = candidate.decode.speed;
  const bool decodes = candidate.tradeoffs.survives >= suggestions.m;
  return fmt::format(
      "{:>3} {:>3} {} {:>13} {:<7} {:>5} {:>5} {:>5} {:>5}\n", rank_column(candidate.encode),
      rank_column(candidate.decode), name_columns(suggestions, candidate), work(candidate),
      to_string(candidate.encode.explanation.engine), speed_text(suggestions, encode.l2),
      speed_text(suggestions, encode.memory), decodes ? speed_text(suggestions, decode.l2) : "-",
      decodes ? speed_text(suggestions, decode.memory) : "-");
}

std::string speed_table(const Suggestions& suggestions) {
  std::string text = fmt::format("{:7} {:26} {:13} {:7} {:>11} {:>11}\n", "rank", "", "", "",
                                 "encode", fmt::format("decode {}", suggestions.m));
  text += fmt::format("{:>3} {:>3} {:<15} {:>2} {:<7} {:>6} {:>6} {:<7} {:>5} {:>5} {:>5} {:>5}\n",
                      "enc", "dec", "family", "w", "chunks", "XORs", "shared", "engine", "L2",
                      "DRAM", "L2", "DRAM");
  for (const Candidate& candidate : suggestions.candidates) {
    text += speed_row(suggestions, candidate);
  }
  if (!suggestions.others.empty()) text += "not ranked:\n";
  for (const Candidate& candidate : suggestions.others) text += speed_row(suggestions, candidate);
  return text;
}

std::string tradeoff_row(const Suggestions& suggestions, const Candidate& candidate) {
  const Tradeoffs& tradeoffs = candidate.tradeoffs;
  std::string row =
      fmt::format("{} {:>4} {:>8} {:>5} {:>5} {:>6} {:>5} {}", name_columns(suggestions, candidate),
                  survival_text(tradeoffs) + (tradeoffs.sets_tried == 0 ? " " : ""),
                  one_more_text(tradeoffs), bytes_text(tradeoffs.stored),
                  bytes_text(tradeoffs.repair_reads), figure_text(tradeoffs.chunks_changed),
                  figure_text(tradeoffs.cells_changed), software_names(candidate));
  row.erase(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

std::string tradeoff_table(const Suggestions& suggestions) {
  std::string text = fmt::format("{:25} {:>13} {:>14} {:>9} {}\n", "", "survives", "bytes per byte",
                                 "changed", "same bytes");
  text += fmt::format("{:<15} {:>2} {:<7} {:>4} {:>8} {:>5} {:>5} {:>6} {:>5} {}\n", "family", "w",
                      "chunks", "any ", "one more", "store", "read", "chunks", "cells", "as");
  for (const Candidate& candidate : suggestions.candidates) {
    text += tradeoff_row(suggestions, candidate);
  }
  for (const Candidate& candidate : suggestions.others) {
    text += tradeoff_row(suggestions, candidate);
  }
  return text;
}

std::string introduction(const Suggestions& suggestions) {
  return wrapped(
      fmt::format("Codes with {} data and {} redundant chunks that survive any {}, on one {} core. "
                  "{} The fastest to encode comes first.",
                  suggestions.k, suggestions.m, losses_text(suggestions.m),
                  to_string(suggestions.isa), speed_source_text(suggestions)),
      0);
}

std::string recommendation_text(const Suggestions& suggestions) {
  const Recommendation best = recommendation(suggestions);
  if (best.to_encode == nullptr) return "";
  std::string text = "\nIf no other software has to read the chunks, take\n";
  const auto line = [&](const char* what, const Candidate* candidate) {
    if (candidate == nullptr) return;
    text += fmt::format("  {:<15} {}\n", what, wrapped(candidate->spec, 18));
  };
  line("to encode fast", best.to_encode);
  line("to decode fast", best.to_decode);
  line("to use words", best.on_words);
  line("to repair", best.to_repair);
  line("to update", best.to_update);
  return text;
}

std::string speed_columns(const Suggestions& suggestions) {
  return fmt::format(
      "rank           by the speed in L2 of encoding and of decoding; codes that have\n"
      "               0.95 of the fastest of a place share it\n"
      "packets        chunks are a multiple of w packets, which XOR combines\n"
      "words          chunks have any whole number of symbols, which are multiplied\n"
      "XORs, shared   XORs of direct equations, and after a search if at most {}\n"
      "mult.          multiplications for a vector of each chunk\n"
      "encode         GB/s of data with the stripe in L2, and in memory\n"
      "decode         the same with {} chunk{} lost; - is too slow to be timed here, or\n"
      "               the code does not survive that many\n"
      "not ranked     codes that store or survive something else, or lie in sub-chunks\n",
      kQuicklyShared, suggestions.m, suggestions.m == 1 ? "" : "s");
}

constexpr const char* kTradeoffColumns =
    "any            number of lost chunks that are survived, whichever they are;\n"
    "               * by trying all sets, else by theorem\n"
    "one more       the share of the sets of one lost chunk more that are survived;\n"
    "               - where these sets were not tried\n"
    "store          bytes stored per byte of data\n"
    "read           bytes read per byte rebuilt, if one chunk is lost: the mean;\n"
    "               packets below 4096 bytes are not read one by one from shards\n"
    "changed        chunks of redundancy to write if the data of one chunk changes;\n"
    "               packets or symbols of redundancy to write if one of data changes\n"
    "same bytes as  software whose chunks were compared with those of xorloom\n";

}  // namespace

std::string suggestions_table(const Suggestions& suggestions) {
  std::string text = introduction(suggestions) + "\n";
  text += recommendation_text(suggestions);
  text += "\n" + speed_table(suggestions) + "\n" + speed_columns(suggestions);
  text += "\n" + tradeoff_table(suggestions) + "\n" + kTradeoffColumns;
  if (!suggestions.skipped.empty()) text += "\nLeft out:\n";
  for (const Skipped& skipped : suggestions.skipped) {
    text += fmt::format("  {}\n    {}\n", skipped.spec, wrapped(skipped.why, 4));
  }
  return text;
}

}  // namespace xorloom::cli
