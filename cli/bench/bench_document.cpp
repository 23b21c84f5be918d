#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/bench/bench_charts.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/placed_stripe.hpp"
#include "codes/text/counted.hpp"

namespace xorloom::cli {
namespace {

using For = DocumentPart::For;

// Tables of the data.

/// "L2, 32 KiB".
std::string size_name(const Json& result) {
  const std::string& level = result["level"].text();
  return fmt::format("{}, {}", level == "DRAM" ? "memory" : level,
                     size_text(result["chunk_bytes"].whole()));
}

/// "L2, 32 KiB, staggered, 2 threads".
std::string place_name(const Json& result) {
  return fmt::format("{}, {}, {}", size_name(result), result["layout"].text(),
                     threads_text(result["threads"].whole()));
}

/// Speed over limit; "-" if the limit was disturbed.
std::string share_text(const Json& share) {
  return share.real() > kMostShare ? "-" : to_two_decimals(share);
}

std::vector<Figure> speed_and_share(const std::string& operation, const std::string& name) {
  return {{name, operation + ".data_gb_per_s", to_three_digits},
          {"of XOR", operation + ".share", share_text}};
}

/// Table of all layouts, losses and numbers of threads of a code.
Table layouts_table(const std::vector<Json>& results) {
  std::vector<FigureGroup> groups;
  const Json& operations = (*results.begin())["operations"];
  for (std::size_t i = 0; i < operations.size(); ++i) {
    groups.push_back(
        {lost_text(operations[i]), speed_and_share(fmt::format("operations.{}", i), "GB/s")});
  }
  groups.push_back({"encoding limit",
                    {{"GB/s", "operations.0.limit.data_gb_per_s", to_three_digits},
                     {"by", "operations.0.limit.variant"}}});
  groups.push_back(
      {"", {{"memcpy", "memcpy.data_gb_per_s", to_three_digits}, {"rounds", "rounds", in_full}}});
  return record_table(results, {"", "", place_name}, groups);
}

/// Table of single calls; no rows if none were timed.
Table calls_table(const std::vector<Json>& results) {
  Json calls = Json::array();
  for (const Json& result : results) {
    for (const Json& operation : result["operations"]) {
      const Json* single = operation.find("single_calls");
      if (single == nullptr) continue;
      Json call = *single;
      call["name"] = fmt::format("{}, {}, {}", size_name(result), result["layout"].text(),
                                 lost_text(operation));
      calls.push_back(std::move(call));
    }
  }
  return record_table(calls, {"", "name"},
                      {{"single calls, microseconds",
                        {{"calls", "calls", in_full},
                         {"p50", "p50_seconds", in_micros},
                         {"p90", "p90_seconds", in_micros},
                         {"p99", "p99_seconds", in_micros},
                         {"p99.9", "p99_9_seconds", in_micros},
                         {"longest", "most_seconds", in_micros}}}});
}

std::string decoding_name(const std::vector<BenchResult>& codes) {
  const Json& first = codes.front().measurements.front();
  for (const BenchResult& code : codes) {
    if (coding_text(code.measurements.front(), Coding::kDecoding) !=
        coding_text(first, Coding::kDecoding)) {
      return "decode most";
    }
  }
  return "decode " + lost_text(*operation_of(first, Coding::kDecoding));
}

/// Table of encoding and of decoding most losses by size, with columns for each number of threads.
Table speeds_table(const std::vector<BenchResult>& codes) {
  const std::vector<std::size_t> threads = threads_measured(codes);
  std::vector<FigureGroup> groups;
  for (const std::size_t count : threads) {
    FigureGroup& group =
        groups.emplace_back(FigureGroup{fmt::format("{}, GB/s of data", threads_text(count)), {}});
    for (const char* const what : {"encode", "decode"}) {
      std::ranges::move(speed_and_share(fmt::format("{}.{}", count, what),
                                        *what == 'e' ? what : decoding_name(codes)),
                        std::back_inserter(group.figures));
    }
  }
  Table table{column_groups(groups), {}};
  for (const BenchResult& code : codes) {
    TableBlock& block = table.blocks.emplace_back();
    if (codes.size() > 1) block.heading = code.name;
    std::map<std::size_t, Json> by_size;
    for (const std::size_t count : threads) {
      for (const Json* m : shown(code, count)) {
        Json& row = by_size[(*m)["chunk_bytes"].whole()];
        row["name"] = size_name(*m);
        Json& speeds = row[std::to_string(count)];
        speeds["encode"] = *operation_of(*m, Coding::kEncoding);
        if (const Json* decode = operation_of(*m, Coding::kDecoding)) speeds["decode"] = *decode;
      }
    }
    for (const auto& [size, row] : by_size) {
      block.rows.push_back(record_row(row, row["name"].text(), groups));
    }
  }
  return table;
}

// Parts above the tables.

/// The measurement for the verdict: on the fewest threads, in L2 if there is one, as most work on
/// small objects runs there.
const Json& typical(const BenchResult& code) {
  const std::vector<const Json*> all = shown(code, threads_measured({code}).front());
  for (const Json* m : all) {
    if ((*m)["level"].text() == "L2") return *m;
  }
  return *all.front();
}

std::string place_text(const Json& m) {
  const std::string& level = m["level"].text();
  return level == "DRAM" ? "from memory" : "in " + level;
}

/// "73.1 GB/s".
std::string speed_text(const Json& timed) {
  return to_three_digits(timed["data_gb_per_s"]) + " GB/s";
}

std::string verdict(const BenchResult& code, const SystemDescription& machine) {
  const Json& m = typical(code);
  const Json& encode = *operation_of(m, Coding::kEncoding);
  std::string text =
      fmt::format("{} encodes at {} {}", code.name, speed_text(encode), place_text(m));
  if (has_limit(encode)) {
    text += fmt::format(", {} of plain XOR", to_two_decimals(encode["share"]));
  }
  if (const Json* decode = operation_of(m, Coding::kDecoding)) {
    const std::size_t lost = (*decode)["lost"].size();
    text += fmt::format(", and decodes {} at {}", counted(lost, "lost chunk"), speed_text(*decode));
    if (has_limit(*decode)) text += fmt::format(" ({})", to_two_decimals((*decode)["share"]));
  }
  const std::size_t threads = m["threads"].whole();
  return text + fmt::format(", on {} of {}.", threads == 1 ? "one thread" : threads_text(threads),
                            machine.cpu);
}

/// Compares encoding of the largest stripe on the fewest and on all threads; "" if there is only
/// one number.
std::string threads_verdict(const BenchResult& code) {
  const std::vector<std::size_t> threads = threads_measured({code});
  if (threads.size() < 2) return "";
  const Json& m = *shown(code, threads.back()).back();
  const std::string& level = m["level"].text();
  for (const Json* same : shown(code, threads.front())) {
    if ((*same)["chunk_bytes"].whole() != m["chunk_bytes"].whole()) continue;
    return fmt::format(
        "{} encodes at {} on {}, and at {} on {}.",
        level == "DRAM" ? "From memory it"
                        : fmt::format("With chunks of {} it", size_text(m["chunk_bytes"].whole())),
        speed_text(*operation_of(*same, Coding::kEncoding)), threads_text(threads.front()),
        speed_text(*operation_of(m, Coding::kEncoding)), threads_text(threads.back()));
  }
  return "";
}

double least_processor_share(const std::vector<BenchResult>& codes) {
  double least = 1;
  for (const BenchResult& code : codes) {
    for (const Json& m : code.measurements) {
      if (m["threads"].whole() == 1) least = std::min(least, m["processor_share"].real());
    }
  }
  return least;
}

/// Puts the pictures that exist side by side.
Pictures charts_of(std::vector<std::optional<Picture>> drawn, std::vector<LegendEntry> legend) {
  Pictures pictures{{}, std::move(legend)};
  for (auto& picture : drawn) {
    if (picture) pictures.pictures.push_back(*std::move(picture));
  }
  return pictures;
}

/// Adds the charts: encoding above decoding, with a column for each number of threads, then speed
/// by threads and single calls. With one number of threads, all are in one row.
void add_charts(Document& document, const std::vector<BenchResult>& codes,
                const CacheSizes& caches) {
  const std::vector<std::size_t> all = threads_measured(codes);
  std::vector<std::optional<Picture>> encoding;
  std::vector<std::optional<Picture>> decoding;
  for (const std::size_t threads : all) {
    encoding.push_back(speeds_chart(codes, Coding::kEncoding, threads, caches));
    decoding.push_back(speeds_chart(codes, Coding::kDecoding, threads, caches));
  }
  std::optional<Picture> by_threads = threads_chart(codes);
  if (all.size() == 1) {
    std::ranges::move(decoding, std::back_inserter(encoding));
    decoding.clear();
  }
  if (by_threads) encoding.push_back(by_threads);
  // Without the chart by threads, the row of encoding would have a gap.
  (by_threads && all.size() > 1 ? decoding : encoding).push_back(latency_chart(codes));
  document.add(charts_of(std::move(encoding), speeds_legend(codes)));
  if (!decoding.empty()) document.add(charts_of(std::move(decoding), {}));
}

/// Charts of one code of several, in one row; decoding only on the fewest threads.
Pictures charts_of_section(const BenchResult& code, const CacheSizes& caches) {
  std::vector<std::optional<Picture>> pictures;
  const std::vector<std::size_t> all = threads_measured({code});
  for (const std::size_t threads : all) {
    pictures.push_back(speeds_chart({code}, Coding::kEncoding, threads, caches));
  }
  pictures.push_back(speeds_chart({code}, Coding::kDecoding, all.front(), caches));
  return charts_of(std::move(pictures), speeds_legend({code}));
}

std::string layout_text(const std::vector<BenchResult>& codes) {
  if (shown_layout(codes.front()) == "aligned") {
    return "All chunks begin at the same place in a page of 4096 bytes.";
  }
  std::string text = fmt::format(
      "Chunks are staggered: each begins {} bytes further on in its page of {} bytes than the one "
      "before.",
      kStaggerBytes, kPageBytes);
  if (std::ranges::any_of(codes.front().measurements,
                          [](const Json& m) { return m["layout"].text() == "aligned"; })) {
    text += " Aligned chunks all begin at pages.";
  }
  return text;
}

/// "k = 10, m = 4, w = 8; packets of 64 bytes; avx2 machine code; executor auto".
std::string about_text(const Json& m) {
  const std::size_t packet_bytes = m["packet_bytes"].whole();
  return fmt::format(
      "k = {}, m = {}, w = {}; {}; {} {}; executor {}", in_full(m["k"]), in_full(m["m"]),
      in_full(m["w"]),
      packet_bytes == 0 ? std::string("words") : fmt::format("packets of {} bytes", packet_bytes),
      m["isa"].text(), m["engine"].text(), m["executor"].text());
}

Fold details(const BenchResult& code) {
  const Json& first = code.measurements.front();
  Fold fold{fmt::format("All layouts, losses and single calls of {}", code.name), false, {}};
  fold.parts.emplace_back(Verbatim{code.spec});
  fold.parts.emplace_back(Paragraph{about_text(first)});
  fold.parts.emplace_back(layouts_table(code.measurements));
  Table calls = calls_table(code.measurements);
  if (!calls.blocks.front().rows.empty()) fold.parts.emplace_back(std::move(calls));
  return fold;
}

/// True if encoding writes fewer chunks than it reads, for each code.
bool write_less_than_memcpy(const std::vector<BenchResult>& codes) {
  return std::ranges::all_of(codes, [](const BenchResult& code) {
    const Json& first = code.measurements.front();
    return first["m"].whole() < first["k"].whole();
  });
}

void add_explanation(Document& document, const std::vector<BenchResult>& codes) {
  const std::vector<std::size_t> threads = threads_measured(codes);
  document.add(Paragraph{
      "Sizes are those of a chunk; L1 to memory is where a whole stripe lies. GB/s is 10^9 bytes "
      "of data per second, redundancy not counted, for encoding and decoding alike. Each speed is "
      "the median of rounds. In a round, memcpy, plain XOR and Xorloom take turns on the same "
      "buffers. Caches are warm as far as the stripe fits them. Every byte was compared before "
      "and after, with the oracle or with the kernels of another instruction set. Decoding runs "
      "the plans that a codec has once it decoded much; with --effort fast, those it begins "
      "with."});
  document.add(Paragraph{
      "The limit is the fastest plain XOR that reads and writes the same number of chunks. The "
      "column \"of XOR\" has the speed over this limit. It may exceed 1, because measurements "
      "vary; a dash stands where it exceeds 1.25, since the limit was disturbed there. The limit "
      "is named by how it runs: so many lines of 64 bytes of a chunk at a time; NT stores past "
      "the caches; +512 prefetches so many bytes ahead; tiled takes 4 KiB of eight chunks at a "
      "time. memcpy copies what encoding reads to other chunks" +
      std::string(write_less_than_memcpy(codes)
                      ? "; a code writes less, so that memcpy is no limit of its speed. "
                      : ". ") +
      (threads.size() > 1 ? "Stripes in L1 are timed on one thread alone. " : "") +
      (threads.front() > 1 ? "Whether other programs were busy is judged on one thread alone: "
                             "nothing says so here. "
                           : "") +
      layout_text(codes)});
}

}  // namespace

Document bench_document(const std::vector<BenchResult>& codes, const MeasuredMachine& measured) {
  const SystemDescription& machine = measured.system;
  const bool is_one = codes.size() == 1;
  Document document =
      measured_document(is_one ? fmt::format("Measured speed of {}", codes.front().name)
                               : fmt::format("Measured speed of {} codes", codes.size()),
                        "xorloom-bench", 3, measured);
  document.data.update(
      {{"statistic", "median of rounds"}, {"caches", "warm"}, {"results", Json::array()}});
  Json by_threads = Json::array();
  Verdict sentences;
  for (const BenchResult& code : codes) {
    for (const Json& result : code.measurements) document.data["results"].push_back(result);
    for (const Json& speed : code.by_threads) by_threads.push_back(speed);
    sentences.lines.push_back(verdict(code, machine));
    if (is_one) sentences.lines.push_back(threads_verdict(code));
  }
  std::erase(sentences.lines, "");
  document.data["by_threads"] = std::move(by_threads);
  document.add(Caution{busy_text(least_processor_share(codes))});
  document.add(std::move(sentences));
  add_charts(document, codes, machine.caches);
  document.add(Heading{"All speeds"}, For::kPage);
  document.add(speeds_table(codes), For::kPage);
  if (is_one) document.add(details(codes.front()));
  add_explanation(document, codes);
  for (std::size_t c = 0; c < codes.size() && !is_one; ++c) {
    document.add(Heading{codes[c].name}, For::kPage);
    document.add(Paragraph{threads_verdict(codes[c])});
    document.add(charts_of_section(codes[c], machine.caches));
    document.add(details(codes[c]));
  }
  return document;
}

}  // namespace xorloom::cli
