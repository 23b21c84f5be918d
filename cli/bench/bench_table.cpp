#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>

#include "cli/bench/bench_charts.hpp"
#include "cli/bench/bench_report.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/system_description.hpp"

namespace xorloom::cli {
namespace {

constexpr int kMostDecimals = 2;  // so that columns stay narrow

constexpr std::size_t kDecodingsSideBySide = 4;

template <typename... Values>
void add(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
  text += fmt::format(format, std::forward<Values>(values)...);
}

std::string speed_text(const Measurement& m, double seconds) {
  return seconds == 0 ? "-"
                      : short_number(gigabytes_per_second(m.data_bytes, seconds), kMostDecimals);
}

/// One time over another, "-" where there is none.
std::string ratio(double seconds, double ours) {
  return seconds == 0 || ours == 0 ? "-" : fmt::format("{:.2f}", seconds / ours);
}

std::string heading(const Measurement& m) {
  const std::string arrangement =
      m.info.packet_bytes == 0 ? "words" : fmt::format("packets of {} bytes", m.info.packet_bytes);
  const std::string about = fmt::format(
      "k = {}, m = {}, w = {}; {}; {} {}; executor {}", m.info.k, m.info.m, m.info.w, arrangement,
      to_string(m.info.isa), m.info.code_memory == CodeMemory::kNoCode ? "kernels" : "machine code",
      to_string(m.info.executor));
  return wrapped(m.info.spec, 0) + "\n" + wrapped(about, 0) + "\n";
}

constexpr std::string_view kPlaceHeading = "cache    chunk  layout    thr";

std::string place(const Measurement& m, const SystemDescription& machine) {
  return fmt::format("{:<4}{:>10}  {:<9}{:>4}", level_of(m.stripe_bytes, machine.caches),
                     m.chunk_bytes, to_string(m.layout), m.threads);
}

std::string encoding_table(std::span<const Measurement> measurements,
                           const SystemDescription& machine) {
  std::string text = fmt::format("\n{} encode  limit share memcpy limit by\n", kPlaceHeading);
  for (const Measurement& m : measurements) {
    const Operation& encode = m.operations.front();
    add(text, "{} {:>6} {:>6} {:>5} {:>6} {}\n", place(m, machine), speed_text(m, encode.seconds),
        speed_text(m, encode.limit.seconds), ratio(encode.limit.seconds, encode.seconds),
        speed_text(m, m.copy_seconds), encode.limit.how);
  }
  return text;
}

/// Operations first … last-1, of decoding.
std::string decoding_table(std::span<const Measurement> measurements,
                           const SystemDescription& machine, std::size_t first, std::size_t last) {
  std::string text = fmt::format("\n{}", kPlaceHeading);
  for (std::size_t i = first; i < last; ++i) {
    add(text, "{:>11}", fmt::format("{} lost", measurements[0].operations[i].lost.size()));
  }
  text += '\n';
  for (const Measurement& m : measurements) {
    text += place(m, machine);
    for (std::size_t i = first; i < last; ++i) {
      const Operation& decode = m.operations[i];
      add(text, "{:>6} {:>4}", speed_text(m, decode.seconds),
          ratio(decode.limit.seconds, decode.seconds));
    }
    text += '\n';
  }
  return text;
}

std::string latency_table(std::span<const Measurement> measurements,
                          const SystemDescription& machine) {
  std::string text;
  for (const Measurement& m : measurements) {
    for (const Operation& operation : m.operations) {
      if (operation.latency.calls == 0) continue;
      if (text.empty()) {
        text = fmt::format("\n{}  microseconds per call   p50     p99   p99.9\n", kPlaceHeading);
      }
      const auto micros = [](double seconds) { return short_number(seconds * 1e6, kMostDecimals); };
      add(text, "{}  {:<19} {:>7} {:>7} {:>7}\n", place(m, machine),
          operation.lost.empty() ? "encode" : fmt::format("decode {} lost", operation.lost.size()),
          micros(operation.latency.p50), micros(operation.latency.p99),
          micros(operation.latency.p999));
    }
  }
  return text;
}

std::string peer_table(std::span<const Measurement> measurements, const SystemDescription& machine,
                       const Peer& peer) {
  std::string rows;
  for (const Measurement& m : measurements) {
    for (const Operation* shown : {&m.operations.front(), &m.operations.back()}) {
      const Operation& operation = *shown;
      for (const Rival& rival : operation.peers) {
        if (rival.name != peer.name) continue;
        add(rows, "{}  {:<8} {:>6} {:>6}  {}\n", place(m, machine),
            operation.lost.empty() ? "encode" : fmt::format("{} lost", operation.lost.size()),
            speed_text(m, rival.seconds), ratio(rival.seconds, operation.seconds), rival.how);
      }
    }
  }
  const std::string about = fmt::format(
      "\n{}\n",
      wrapped(fmt::format("against {}: {}; {}", peer.name, library_name(peer), peer.about), 0));
  if (rows.empty()) return about + "it does not have this code, or one thread was not timed\n";
  return fmt::format("{}{}          {:>7}  ratio  how\n{}", about, kPlaceHeading, peer.name, rows);
}

std::string share_note(std::span<const Measurement> measurements) {
  double least = 1;
  for (const Measurement& m : measurements) {
    if (m.threads == 1) least = std::min(least, m.processor_share);
  }
  return fmt::format(
      "\nWhile one thread was timed, it had a processor for at least {} % of the time.\n",
      static_cast<int>(std::floor(least * 100)));
}

}  // namespace

std::string bench_table(const std::vector<Measurement>& of_a_code, const SystemDescription& machine,
                        const std::vector<Peer>& peers) {
  const std::size_t num_operations = of_a_code.front().operations.size();
  std::string text = heading(of_a_code.front()) + encoding_table(of_a_code, machine);
  for (std::size_t first = 1; first < num_operations; first += kDecodingsSideBySide) {
    const std::size_t last = std::min(num_operations, first + kDecodingsSideBySide);
    text += decoding_table(of_a_code, machine, first, last);
  }
  text += latency_table(of_a_code, machine);
  for (const Peer& peer : peers) text += peer_table(of_a_code, machine, peer);
  return text + share_note(of_a_code) + "\n";
}

std::string machine_text(const SystemDescription& machine) {
  return wrapped(fmt::format("{}, {} thread{}; L1 {} and L2 {} per core, L3 {}; built by {}",
                             machine.cpu, machine.threads, machine.threads == 1 ? "" : "s",
                             cache_text(machine.caches.l1), cache_text(machine.caches.l2),
                             cache_text(machine.caches.l3), machine.compiler),
                 0) +
         "\n\n";
}

std::string bench_legend(bool with_peers) {
  std::string text =
      "GB/s is 10^9 bytes of data per second, redundancy not counted, for encoding and decoding "
      "alike. Speeds are medians of rounds in which all take turns on the same buffers, with "
      "caches warm as far as the stripe fits them. limit: the fastest plain XOR that reads and "
      "writes the same number of chunks. limit by: how it runs (\"4 lines NT +512\": four lines of "
      "a chunk at a time, stores past the caches, prefetching 512 bytes ahead). share: speed over "
      "limit; for decoding it follows each speed. aligned: all chunks begin at the same address "
      "mod 4096; staggered: 576 bytes apart mod 4096. Every byte was compared before and after "
      "with the oracle, or with the kernels of another instruction set. Decoding runs the plans "
      "that a codec has once it decoded much; with --effort fast, those it begins with. chunk is "
      "in bytes, thr is threads.";
  if (with_peers) text += " ratio: our speed over theirs, on one thread.";
  return wrapped(text, 0) + "\n";
}

}  // namespace xorloom::cli
