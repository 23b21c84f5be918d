#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/bench/bench_charts.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/shell/running.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {
namespace {

using For = DocumentPart::For;

// The data.

/// Seconds, and speed in both units: data bytes, and all bytes of the stripe as ISA-L's tool
/// counts.
Json speed_json(const Measurement& m, double seconds) {
  return {{"seconds", seconds},
          {"data_gb_per_s", gigabytes_per_second(m.data_bytes, seconds)},
          {"stripe_gb_per_s", gigabytes_per_second(m.stripe_bytes, seconds)}};
}

Json to_json(const Latency& latency) {
  return {{"calls", latency.calls},        {"p50_seconds", latency.p50},
          {"p90_seconds", latency.p90},    {"p99_seconds", latency.p99},
          {"p99_9_seconds", latency.p999}, {"most_seconds", latency.most}};
}

Json to_json(const Measurement& m, const Operation& operation) {
  Json json{{"operation", operation.lost.empty() ? "encode" : "decode"},
            {"lost", operation.lost},
            {"chunks_read", operation.num_reads},
            {"chunks_written", operation.num_writes}};
  json.update(speed_json(m, operation.seconds));
  json["limit"] = nullptr;
  if (operation.limit.seconds != 0) {
    json["limit"] = speed_json(m, operation.limit.seconds);
    json["limit"]["variant"] = operation.limit.how;
    json["share"] = operation.limit.seconds / operation.seconds;
  }
  if (operation.latency.calls != 0) json["single_calls"] = to_json(operation.latency);
  return json;
}

Json to_json(const Measurement& m, const SystemDescription& machine) {
  Json operations = Json::array();
  for (const Operation& operation : m.operations) operations.push_back(to_json(m, operation));
  return {{"spec", m.info.spec},
          {"k", m.info.k},
          {"m", m.info.m},
          {"w", m.info.w},
          {"packet_bytes", m.info.packet_bytes},
          {"isa", to_string(m.info.isa)},
          {"executor", to_string(m.info.executor)},
          {"threads", m.threads},
          {"layout", to_string(m.layout)},
          {"level", level_of(m.stripe_bytes, machine.caches)},
          {"chunk_bytes", m.chunk_bytes},
          {"data_bytes", m.data_bytes},
          {"stripe_bytes", m.stripe_bytes},
          {"verified_by", m.verified_by},
          {"rounds", m.rounds},
          {"processor_share", m.processor_share},
          {"memcpy", speed_json(m, m.copy_seconds)},
          {"operations", std::move(operations)}};
}

/// Encoding, by threads.
Json to_json(const BenchResult& code, const ThreadSpeed& speed) {
  return {{"spec", code.measurements.front().info.spec},
          {"layout", to_string(speed.layout)},
          {"level", speed.level},
          {"chunk_bytes", speed.chunk_bytes},
          {"data_bytes", speed.data_bytes},
          {"threads", speed.threads},
          {"seconds", speed.seconds},
          {"data_gb_per_s", gigabytes_per_second(speed.data_bytes, speed.seconds)}};
}

Json results_json(const BenchResult& code, const SystemDescription& machine) {
  Json results = Json::array();
  for (const Measurement& m : code.measurements) results.push_back(to_json(m, machine));
  return results;
}

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

/// The speed over the limit, unless it says that the limit was disturbed.
std::string share_text(const Json& share) {
  return share.real() > kMostShare ? "-" : to_two_decimals(share);
}

std::vector<Figure> speed_and_share(const std::string& operation, const std::string& name) {
  return {{name, operation + ".data_gb_per_s", to_three_digits},
          {"of XOR", operation + ".share", share_text}};
}

/// All layouts, losses and numbers of threads of a code.
Table layouts_table(const Json& results) {
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
  return rows_of(results, {"", "", place_name}, groups);
}

/// Single calls; without rows if none were timed.
Table calls_table(const Json& results) {
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
  return rows_of(calls, {"", "name"},
                 {{"single calls, microseconds",
                   {{"calls", "calls", in_full},
                    {"p50", "p50_seconds", in_micros},
                    {"p90", "p90_seconds", in_micros},
                    {"p99", "p99_seconds", in_micros},
                    {"p99.9", "p99_9_seconds", in_micros},
                    {"longest", "most_seconds", in_micros}}}});
}

std::string decoding_name(const std::vector<BenchResult>& codes) {
  const Measurement& first = codes.front().measurements.front();
  for (const BenchResult& code : codes) {
    if (coding_text(code.measurements.front(), Coding::kDecoding) !=
        coding_text(first, Coding::kDecoding)) {
      return "decode most";
    }
  }
  return fmt::format("decode {} lost", first.operations.back().lost.size());
}

/// Encoding and the decoding of most losses by size, on each number of threads beside each other.
Table speeds_table(const std::vector<BenchResult>& codes, const SystemDescription& machine) {
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
  Table table{groups_of(groups), {}};
  for (const BenchResult& code : codes) {
    TableBlock& block = table.blocks.emplace_back();
    if (codes.size() > 1) block.heading = code.name;
    std::map<std::size_t, Json> by_size;
    for (const std::size_t count : threads) {
      for (const Measurement* m : shown(code, count)) {
        Json& row = by_size[m->chunk_bytes];
        Json result = to_json(*m, machine);
        row["name"] = size_name(result);
        Json& speeds = row[std::to_string(count)];
        speeds["encode"] = *result["operations"].begin();
        if (m->operations.size() > 1) {
          speeds["decode"] = result["operations"][m->operations.size() - 1];
        }
      }
    }
    for (const auto& [size, row] : by_size) {
      block.rows.push_back(row_of(row, row["name"].text(), groups));
    }
  }
  return table;
}

// What stands above the tables.

/// What the verdict looks at: one thread, or the fewest there are, and the caches that most work on
/// small objects goes through.
const Measurement& typical(const BenchResult& code, const SystemDescription& machine) {
  const std::vector<std::size_t> threads = threads_measured({code});
  const std::vector<const Measurement*> all = shown(code, threads.front());
  for (const Measurement* m : all) {
    if (level_of(m->stripe_bytes, machine.caches) == std::string_view("L2")) return *m;
  }
  return *all.front();
}

std::string place_text(const Measurement& m, const SystemDescription& machine) {
  const std::string_view level = level_of(m.stripe_bytes, machine.caches);
  return level == "DRAM" ? "from memory" : fmt::format("in {}", level);
}

/// "73.1 GB/s", to three digits.
std::string speed_text(const Measurement& m, const Operation& operation) {
  return fmt::format("{} GB/s",
                     short_number(gigabytes_per_second(m.data_bytes, operation.seconds)));
}

std::string ratio_text(double seconds, double ours) {
  return fmt::format("{:.2f}", seconds / ours);
}

std::string verdict(const BenchResult& code, const SystemDescription& machine) {
  const Measurement& m = typical(code, machine);
  const Operation& encode = m.operations.front();
  std::string text =
      fmt::format("{} encodes at {} {}", code.name, speed_text(m, encode), place_text(m, machine));
  if (encode.limit.seconds != 0) {
    text += fmt::format(", {} of plain XOR", ratio_text(encode.limit.seconds, encode.seconds));
  }
  if (const Operation* decode = operation_of(m, Coding::kDecoding)) {
    text += fmt::format(", and decodes {} lost chunk{} at {}", decode->lost.size(),
                        decode->lost.size() == 1 ? "" : "s", speed_text(m, *decode));
    if (decode->limit.seconds != 0) {
      text += fmt::format(" ({})", ratio_text(decode->limit.seconds, decode->seconds));
    }
  }
  text += fmt::format(", on {} of {}.", m.threads == 1 ? "one thread" : threads_text(m.threads),
                      machine.cpu);
  return text;
}

/// Encoding of the largest stripes that were measured on all threads. Empty if none were.
std::string threads_verdict(const BenchResult& code, const SystemDescription& machine) {
  const std::vector<std::size_t> threads = threads_measured({code});
  if (threads.size() < 2) return "";
  const std::vector<const Measurement*> one = shown(code, threads.front());
  const std::vector<const Measurement*> all = shown(code, threads.back());
  const auto same = std::ranges::find(one, all.back()->chunk_bytes, &Measurement::chunk_bytes);
  if (same == one.end()) return "";
  const Measurement& m = *all.back();
  return fmt::format("{} encodes at {} on {}, and at {} on {}.",
                     std::string_view(level_of(m.stripe_bytes, machine.caches)) == "DRAM"
                         ? "From memory it"
                         : fmt::format("With chunks of {} it", size_text(m.chunk_bytes)),
                     speed_text(**same, (*same)->operations.front()), threads_text(threads.front()),
                     speed_text(m, m.operations.front()), threads_text(m.threads));
}

double least_processor_share(const std::vector<BenchResult>& codes) {
  double least = 1;
  for (const BenchResult& code : codes) {
    for (const Measurement& m : code.measurements) {
      if (m.threads == 1) least = std::min(least, m.processor_share);
    }
  }
  return least;
}

/// The pictures that there are, side by side.
Pictures charts_of(std::vector<std::optional<Picture>> drawn, std::vector<LegendEntry> legend) {
  Pictures pictures{{}, std::move(legend)};
  for (auto& picture : drawn) {
    if (picture) pictures.pictures.push_back(*std::move(picture));
  }
  return pictures;
}

/// Draws an operation on a number of threads.
using DrawSpeeds = std::function<std::optional<Picture>(Coding, std::size_t threads)>;

/// Speeds on all numbers of threads beside each other, encoding above decoding. Behind them stand
/// speeds by threads, and single calls. One number of threads makes a single row.
void add_rows(Document& document, const std::vector<BenchResult>& codes,
              std::vector<LegendEntry> legend, const DrawSpeeds& draw) {
  const std::vector<std::size_t> all = threads_measured(codes);
  std::vector<std::optional<Picture>> encoding;
  std::vector<std::optional<Picture>> decoding;
  for (const std::size_t threads : all) {
    encoding.push_back(draw(Coding::kEncoding, threads));
    decoding.push_back(draw(Coding::kDecoding, threads));
  }
  std::optional<Picture> by_threads = threads_chart(codes);
  std::optional<Picture> calls = latency_chart(codes);
  if (all.size() == 1) {
    std::ranges::move(decoding, std::back_inserter(encoding));
    encoding.push_back(std::move(calls));
    return document.add(charts_of(std::move(encoding), std::move(legend)));
  }
  if (by_threads) {
    encoding.push_back(std::move(by_threads));
    decoding.push_back(std::move(calls));
  } else {
    encoding.push_back(std::move(calls));  // in a row that would have a gap
  }
  document.add(charts_of(std::move(encoding), std::move(legend)));
  document.add(charts_of(std::move(decoding), {}));
}

/// The charts of one of several codes in one row: decoding on the fewest threads alone.
Pictures charts_of_section(const BenchResult& code, const CacheSizes& caches) {
  std::vector<std::optional<Picture>> pictures;
  const std::vector<std::size_t> all = threads_measured({code});
  for (const std::size_t threads : all) {
    pictures.push_back(limit_chart(code, Coding::kEncoding, threads, caches));
  }
  pictures.push_back(limit_chart(code, Coding::kDecoding, all.front(), caches));
  return charts_of(std::move(pictures), limit_legend(code));
}

void add_charts(Document& document, const std::vector<BenchResult>& codes,
                const CacheSizes& caches) {
  if (codes.size() > 1) {
    return add_rows(document, codes, codes_legend(codes), [&](Coding coding, std::size_t threads) {
      return codes_chart(codes, coding, threads, caches);
    });
  }
  add_rows(document, codes, limit_legend(codes.front()), [&](Coding coding, std::size_t threads) {
    return limit_chart(codes.front(), coding, threads, caches);
  });
}

std::string layout_text(const std::vector<BenchResult>& codes) {
  if (shown_layout(codes.front()) == Layout::kAligned) {
    return "All chunks begin at the same place in a page of 4096 bytes.";
  }
  std::string text = fmt::format(
      "Chunks are staggered: each begins {} bytes further on in its page of {} bytes than the one "
      "before.",
      kStaggerBytes, kPageBytes);
  const auto& all = codes.front().measurements;
  if (std::ranges::find(all, Layout::kAligned, &Measurement::layout) != all.end()) {
    text += " The details also have aligned chunks, which all begin at pages.";
  }
  return text;
}

/// "k = 10, m = 4, w = 8; packets of 64 bytes; avx2 kernels; executor auto".
std::string about_text(const Info& info) {
  return fmt::format("k = {}, m = {}, w = {}; {}; instruction set {}; executor {}", info.k, info.m,
                     info.w,
                     info.packet_bytes == 0 ? std::string("words")
                                            : fmt::format("packets of {} bytes", info.packet_bytes),
                     to_string(info.isa), to_string(info.executor));
}

Fold details(const BenchResult& code, const Json& results) {
  const Info& info = code.measurements.front().info;
  Fold fold{fmt::format("All layouts, losses and single calls of {}", code.name), false, {}};
  fold.parts.emplace_back(Verbatim{info.spec});
  fold.parts.emplace_back(Paragraph{about_text(info)});
  fold.parts.emplace_back(layouts_table(results));
  Table calls = calls_table(results);
  if (!calls.blocks.front().rows.empty()) fold.parts.emplace_back(std::move(calls));
  return fold;
}

void add_explanation(Document& document, const std::vector<BenchResult>& codes) {
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
      "the caches; +512 prefetches so many bytes ahead; tiled takes slices of 4 KiB of eight "
      "chunks. " +
      std::string(threads_measured(codes).size() > 1
                      ? "Stripes in L1 are timed on one thread alone. "
                      : "") +
      layout_text(codes)});
}

/// The rate of memcpy on one thread, in each place.
std::vector<MachineLine> copy_lines(const BenchResult& code, const SystemDescription& machine) {
  const std::vector<const Measurement*> all = shown(code, 1);
  if (all.empty()) return {};
  std::string text;
  for (const Measurement* m : all) {
    text += fmt::format("{}{} GB/s {}", text.empty() ? "" : ", ",
                        short_number(gigabytes_per_second(m->data_bytes, m->copy_seconds)),
                        place_text(*m, machine));
  }
  return {{"memcpy, 1 thread",
           text + ". It copies what encoding reads to other chunks, so that it writes a byte per "
                  "byte read and takes more room in caches. A code writes less: memcpy is no limit "
                  "of its speed"}};
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
  std::vector<Json> results;
  Verdict sentences;
  for (const BenchResult& code : codes) {
    results.push_back(results_json(code, machine));
    for (const Json& result : results.back()) document.data["results"].push_back(result);
    for (const ThreadSpeed& speed : code.by_threads) by_threads.push_back(to_json(code, speed));
    sentences.lines.push_back(verdict(code, machine));
    const std::string more = threads_verdict(code, machine);
    if (is_one && !more.empty()) sentences.lines.push_back(more);
  }
  document.data["by_threads"] = std::move(by_threads);
  document.add(Caution{busy_text(least_processor_share(codes))});
  document.add(std::move(sentences));
  add_charts(document, codes, machine.caches);
  document.add(Heading{"All speeds"}, For::kPage);
  document.add(speeds_table(codes, machine), For::kPage);
  if (is_one) document.add(details(codes.front(), results.front()));
  add_explanation(document, codes);
  for (std::size_t c = 0; c < codes.size() && !is_one; ++c) {
    document.add(Heading{codes[c].name}, For::kPage);
    const std::string more = threads_verdict(codes[c], machine);
    if (!more.empty()) document.add(Paragraph{more});
    document.add(charts_of_section(codes[c], machine.caches));
    document.add(details(codes[c], results[c]));
  }
  add_machine(document, machine, measured.facts, copy_lines(codes.front(), machine));
  return document;
}

}  // namespace xorloom::cli
