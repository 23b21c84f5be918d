#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/measure.hpp"
#include "cli/options.hpp"
#include "cli/running.hpp"
#include "cli/streams.hpp"
#include "runtime/user_bytes.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "how fast codes run on this machine\n"
    "Encodes and decodes random data in memory and says how fast that went, for each executor, on "
    "one "
    "thread and on all, with stripes that stay in a core's cache and stripes that do not. Every "
    "output "
    "is verified first. It takes some ten seconds a code.";

constexpr const char* kExamples =
    "xorloom bench cauchy-good:k=10,m=4,w=8\n"
    "xorloom bench rs:k=10,m=4 --threads 1 --isa portable --chunk-bytes 65536";

constexpr std::size_t kInCache = std::size_t{512} << 10;  // bytes of a stripe
constexpr std::size_t kInMemory = std::size_t{64} << 20;  // bytes of data
constexpr int kNotGiven = -1;

struct BenchOptions {
  std::vector<std::string> specs;
  std::vector<std::size_t> chunk_bytes;
  std::string format = "table";
  Options run;
};

/// Chunk sizes to measure: those given, else one whose stripe stays in a core's cache and one whose
/// stripe does not.
std::vector<std::size_t> chunk_sizes(const Code& code, const std::vector<std::size_t>& given) {
  for (const std::size_t size : given) check_chunk_bytes(code, size);
  if (!given.empty()) return given;
  const std::size_t multiple = chunk_multiple(code);
  const std::size_t small =
      std::max<std::size_t>(1, kInCache / code.locations / multiple) * multiple;
  const std::size_t large = chunk_bytes_for(code, kInMemory);
  return small < large ? std::vector{small, large} : std::vector{small};
}

/// The options of each line of a spec's table: executors and thread counts, one and all unless told.
std::vector<Options> ways_to_run(const Options& given) {
  std::vector<std::string> executors{"ranges", "graph"};
  if (!given.executor.empty()) executors = {given.executor};
  std::vector<int> threads{1};
  if (machine_threads() > 1) threads.push_back(0);
  if (given.threads != kNotGiven) threads = {given.threads};
  std::vector<Options> ways;
  for (const std::string& executor : executors) {
    for (const int count : threads) {
      ways.push_back(given);
      ways.back().executor = executor;
      ways.back().threads = count;
    }
  }
  return ways;
}

std::string heading(const Measurement& m) {
  const std::string layout =
      m.info.packet_bytes == 0 ? "words" : fmt::format("packets of {} bytes", m.info.packet_bytes);
  const std::string about =
      fmt::format("k = {}, m = {}, w = {}; {}; {} kernels; decoding rebuilds locations {}",
                  m.info.k, m.info.m, m.info.w, layout, m.info.isa, short_list(m.lost));
  return fmt::format(
      "{}\n{}\n\nexecutor  threads  chunk bytes  stripe MiB  encode GB/s  decode GB/s\n",
      wrapped(m.info.spec, 0), wrapped(about, 0));
}

std::string line(const Measurement& m) {
  const auto speed = [&](double seconds) {
    return seconds == 0 ? "-" : fmt::format("{:.2f}", gigabytes_per_second(m.data_bytes, seconds));
  };
  return fmt::format("{:<8}  {:>7}  {:>11}  {:>10.2f}  {:>11}  {:>11}\n", m.info.executor,
                     m.threads, m.chunk_bytes, static_cast<double>(m.stripe_bytes) / (1 << 20),
                     speed(m.encode_seconds), speed(m.decode_seconds));
}

nlohmann::ordered_json to_json(const Measurement& m) {
  return {{"spec", m.info.spec},
          {"k", m.info.k},
          {"m", m.info.m},
          {"w", m.info.w},
          {"packet_bytes", m.info.packet_bytes},
          {"isa", m.info.isa},
          {"executor", m.info.executor},
          {"threads", m.threads},
          {"chunk_bytes", m.chunk_bytes},
          {"data_bytes", m.data_bytes},
          {"stripe_bytes", m.stripe_bytes},
          {"lost", m.lost},
          {"encode_seconds", m.encode_seconds},
          {"decode_seconds", m.decode_seconds},
          {"verified_by", m.verified_by}};
}

constexpr const char* kLegend =
    "GB/s is data bytes (those of the user, redundancy not counted) over time, 10^9 a second; the "
    "median of 5 repetitions, caches warm as far as the stripe fits them. Before anything was "
    "timed, "
    "every byte was compared with what the oracle or the kernels of another instruction set give.";

/// Shows on a terminal that work goes on where the output itself does not.
void show_progress(const std::string& text) {
  if (::isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

void run(const BenchOptions& options) {
  std::vector<Code> codes;
  for (const std::string& spec : options.specs) {
    codes.push_back(code_of(spec, options.run));
    for (const std::size_t size : chunk_sizes(codes.back(), options.chunk_bytes)) {
      check_memory(2 * codes.back().locations, size, data_capacity(codes.back(), size));
    }
  }
  const bool table = options.format == "table";
  auto json = nlohmann::ordered_json::array();
  for (const Code& code : codes) {
    Options given = options.run;
    given.allow_non_mds = true;  // looked at above
    bool first = true;
    for (const std::size_t chunk_bytes : chunk_sizes(code, options.chunk_bytes)) {
      if (!table) show_progress(fmt::format("{}, chunks of {} bytes", code.spec, chunk_bytes));
      Reference reference = make_reference(code, chunk_bytes, given);
      for (const Options& way : ways_to_run(given)) {
        const Measurement result = measure(code, reference, way);
        if (!table) {
          json.push_back(to_json(result));
          continue;
        }
        print((first ? heading(result) : "") + line(result));
        first = false;
      }
    }
    if (table) print("\n");
  }
  if (table) return print(wrapped(kLegend, 0) + "\n");
  show_progress("");
  const nlohmann::ordered_json whole{{"format", "xorloom-bench"},
                                     {"version", 1},
                                     {"repetitions", kRepetitions},
                                     {"caches", "warm"},
                                     {"results", std::move(json)}};
  print(whole.dump(2) + "\n");
}

}  // namespace

Command add_bench(CLI::App& program) {
  CLI::App* app = program.add_subcommand("bench", kAbout);
  const auto options = std::make_shared<BenchOptions>();
  options->run.executor.clear();
  options->run.threads = kNotGiven;
  add_specs(*app, options->specs, true);
  add_numbers(*app, "--chunk-bytes", options->chunk_bytes, 1, kMaxChunkBytes,
              "sizes of chunks; not given: one for the cache, one for memory");
  add_choice(*app, "--format", options->format, {"table", "json"}, "not given: table");
  add_run_options(*app, options->run, "not given: ranges, then graph", "not given: 1, then 0");
  app->footer(kExamples);
  return {app, [options] { run(*options); }};
}

}  // namespace xorloom::cli
