#include "cli/bench/bench_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/bench/bench_charts.hpp"
#include "cli/bench/bench_tables.hpp"
#include "cli/document/html_page.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/shell/running.hpp"

namespace xorloom::cli {
namespace {

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

/// "It encodes 5.3 times as fast as isal (libisal 2.30.0), and decodes 5.0 times as fast."
std::string peer_verdict(const Measurement& m, const Peer& peer) {
  const auto ratio_of = [&](Coding coding) -> double {
    const Operation* operation = operation_of(m, coding);
    if (operation == nullptr) return 0;
    const auto found = std::ranges::find(operation->peers, peer.name, &Rival::name);
    return found == operation->peers.end() ? 0 : found->seconds / operation->seconds;
  };
  const double encode = ratio_of(Coding::kEncoding);
  const double decode = ratio_of(Coding::kDecoding);
  if (encode == 0) return "";
  std::string text = fmt::format(" It encodes {} times as fast as {} ({})", short_number(encode),
                                 peer.name, library_name(peer));
  if (decode != 0) text += fmt::format(", and decodes {} times as fast", short_number(decode));
  return text + ".";
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

/// What the largest stripes that were measured on all threads come to.
std::string threads_verdict(const BenchResult& code, const SystemDescription& machine) {
  const std::vector<std::size_t> threads = threads_measured({code});
  if (threads.size() < 2) return "";
  const std::vector<const Measurement*> one = shown(code, threads.front());
  const std::vector<const Measurement*> all = shown(code, threads.back());
  const auto same = std::ranges::find(one, all.back()->chunk_bytes, &Measurement::chunk_bytes);
  if (same == one.end()) return "";
  const Measurement& m = *all.back();
  return fmt::format(" {} encodes at {} on {}, and at {} on {}.",
                     std::string_view(level_of(m.stripe_bytes, machine.caches)) == "DRAM"
                         ? "From memory it"
                         : fmt::format("With chunks of {} it", size_text(m.chunk_bytes)),
                     speed_text(**same, (*same)->operations.front()), threads_text(threads.front()),
                     speed_text(m, m.operations.front()), threads_text(m.threads));
}

/// How it compares with other libraries and on all threads. Empty where nothing of this was timed.
std::string second_verdict(const BenchResult& code, const SystemDescription& machine,
                           const std::vector<Peer>& peers) {
  std::string text;
  for (const Peer& peer : peers) text += peer_verdict(typical(code, machine), peer);
  text += threads_verdict(code, machine);
  return text.empty() ? text : text.substr(1);
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

void add_charts(HtmlPage& page, const std::vector<std::optional<Picture>>& drawn) {
  std::vector<Picture> pictures;
  for (const auto& picture : drawn) {
    if (picture) pictures.push_back(*picture);
  }
  page.charts(pictures);
}

/// Draws an operation on a number of threads.
using DrawSpeeds = std::function<std::optional<Picture>(Coding, std::size_t threads)>;

/// Speeds on all numbers of threads beside each other, encoding above decoding. Behind them stand
/// speeds by threads, and single calls. One number of threads makes a single row.
void add_rows(HtmlPage& page, const std::vector<BenchResult>& codes, const DrawSpeeds& draw) {
  const std::vector<std::size_t> all = threads_measured(codes);
  std::vector<std::optional<Picture>> encoding;
  std::vector<std::optional<Picture>> decoding;
  for (const std::size_t threads : all) {
    encoding.push_back(draw(Coding::kEncoding, threads));
    decoding.push_back(draw(Coding::kDecoding, threads));
  }
  std::optional<Picture> by_threads = threads_chart(codes);
  const std::optional<Picture> calls = latency_chart(codes);
  if (all.size() == 1) {
    encoding.insert(encoding.end(), decoding.begin(), decoding.end());
    encoding.push_back(calls);
    return add_charts(page, encoding);
  }
  if (by_threads) {
    encoding.push_back(std::move(by_threads));
    decoding.push_back(calls);
  } else {
    encoding.push_back(calls);  // in a row that would have a gap
  }
  add_charts(page, encoding);
  add_charts(page, decoding);
}

/// Under the limit and beside other libraries.
void add_own_charts(HtmlPage& page, const BenchResult& code, const CacheSizes& caches) {
  page.legend(limit_legend(code));
  add_rows(page, {code}, [&](Coding coding, std::size_t threads) {
    return limit_chart(code, coding, threads, caches);
  });
}

/// The same of one of several codes, in one row: decoding on the fewest threads alone.
void add_charts_of_section(HtmlPage& page, const BenchResult& code, const CacheSizes& caches) {
  std::vector<std::optional<Picture>> pictures;
  const std::vector<std::size_t> all = threads_measured({code});
  for (const std::size_t threads : all) {
    pictures.push_back(limit_chart(code, Coding::kEncoding, threads, caches));
  }
  pictures.push_back(limit_chart(code, Coding::kDecoding, all.front(), caches));
  page.legend(limit_legend(code));
  add_charts(page, pictures);
}

void add_side_by_side(HtmlPage& page, const std::vector<BenchResult>& codes,
                      const CacheSizes& caches) {
  page.legend(codes_legend(codes));
  add_rows(page, codes, [&](Coding coding, std::size_t threads) {
    return codes_chart(codes, coding, threads, caches);
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

void add_explanation(HtmlPage& page, const std::vector<BenchResult>& codes, bool has_peers) {
  page.paragraph(fmt::format(
      "Sizes are those of a chunk; L1 to memory is where a whole stripe lies. GB/s is a billion "
      "bytes of data per second, redundancy not counted, for encoding and decoding alike. Each "
      "speed is the median of rounds. In a round, memcpy, plain XOR{} and Xorloom take turns on "
      "the same buffers. Caches are warm as far as the stripe fits them. Every byte was compared "
      "before and after.",
      has_peers ? ", the other libraries" : ""));
  page.paragraph(
      "The limit is the fastest plain XOR that reads and writes the same number of chunks. The "
      "column \"of XOR\" has the speed over this limit. It may exceed 1, because measurements "
      "vary; a dash stands where it exceeds 1.25, since the limit was disturbed there. " +
      std::string(threads_measured(codes).size() > 1
                      ? "Stripes in L1 are timed on one thread alone: their cells of more threads "
                        "are empty. "
                      : "") +
      layout_text(codes));
}

void add_details(HtmlPage& page, const BenchResult& code, const SystemDescription& machine,
                 const std::vector<Peer>& peers) {
  const std::string spec =
      fmt::format("<p>The code: {}</p>\n", spec_code(code.measurements.front().info.spec));
  page.foldable(fmt::format("All layouts, losses and single calls of {}", code.name),
                spec + details_tables(code, machine, peers), false);
}

/// The rate of memcpy on one thread, in the smallest and in the largest place.
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

std::string bench_page(const std::vector<BenchResult>& codes, const SystemDescription& machine,
                       const MachineFacts& facts, const std::vector<Peer>& peers) {
  const bool is_one = codes.size() == 1;
  HtmlPage page(is_one ? fmt::format("Measured speed of {}", codes.front().name)
                       : fmt::format("Measured speed of {} codes", codes.size()));
  std::vector<std::string> lines;
  for (const BenchResult& code : codes) {
    lines.push_back(verdict(code, machine));
    const std::string more = second_verdict(code, machine, peers);
    if (is_one && !more.empty()) lines.push_back(more);
  }
  page.caution(busy_text(least_processor_share(codes)));
  page.verdict(lines);
  if (is_one) {
    add_own_charts(page, codes.front(), machine.caches);
  } else {
    add_side_by_side(page, codes, machine.caches);
  }
  page.heading("All speeds");
  page.raw(speeds_table(codes, machine, peers));
  if (is_one) add_details(page, codes.front(), machine, peers);
  add_explanation(page, codes, !peers.empty());
  for (const BenchResult& code : codes) {
    if (is_one) break;
    page.heading(code.name);
    const std::string more = second_verdict(code, machine, peers);
    if (!more.empty()) page.paragraph(more);
    add_charts_of_section(page, code, machine.caches);
    add_details(page, code, machine, peers);
  }
  add_machine(page, machine, facts, copy_lines(codes.front(), machine));
  return page.text();
}

}  // namespace xorloom::cli
