#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cli/bench/bench_documents.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/measure.hpp"
#include "cli/shell/code_title.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/gpu/device_computation.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "measure how fast codes run on this machine\n"
    "Encodes and decodes random data in memory, in stripes that fit each cache and in memory. Each "
    "speed is compared with a limit: the fastest plain XOR that reads and writes as many chunks. "
    "Every output is verified before it is timed. A SPEC takes about half a minute. xorloom-lab "
    "has studies and other libraries.";

constexpr const char* kExamples =
    "xorloom bench cauchy-good:k=10,m=4,w=8\n"
    "xorloom bench rs:k=10,m=4 --chunk-bytes 65536 --losses 1\n"
    "xorloom bench cauchy-good:k=10,m=4,w=8 --format html -o speed.html\n"
    "xorloom bench cauchy-good:k=10,m=4,w=8 --explain";

/// Short help for options that other commands explain at length.
constexpr std::pair<const char*, const char*> kShortHelp[] = {
    {"--executor", "how threads share the work; default: auto"},
    {"--isa", "instruction set; default: XORLOOM_ISA, or the best"},
    {"--threads", "0: all; default: measure with 1, then with all"},
    {"--awake", "microseconds that idle threads wait; default: 100"},
    {"--style", "whether equations share temporaries; default: auto"},
    {"--engine", "machine code or functions; default: auto"},
    {"--effort", "how long to search for equations; default: auto"},
    {"--store", "where equations are kept; default: user"}};

constexpr std::size_t kScalingRounds = 9;
constexpr std::size_t kDecodings = 4;  // if a code survives more losses, only some are decoded

struct BenchOptions : BenchSubject {
  std::vector<std::size_t> losses;
  std::string layout;
  bool explains = false;
};

std::vector<std::size_t> losses_of(const Code& code, std::vector<std::size_t> given) {
  const std::size_t most = survived_losses(code);
  std::ranges::sort(given);
  for (const std::size_t count : given) check_losses(code, count);
  if (!given.empty()) return given;
  for (std::size_t count = 1; count <= most; ++count) {
    if (most <= kDecodings || count <= 2 || count == most / 2 || count == most) {
      given.push_back(count);
    }
  }
  return given;
}

BenchTask task_of(BenchCode of, const BenchOptions& options, const SystemDescription& machine) {
  std::vector<std::size_t> sizes = options.chunk_bytes;
  if (sizes.empty()) sizes = chunk_sizes(of.code, machine.caches, machine.memory_bytes);
  std::vector<std::size_t> losses = losses_of(of.code, options.losses);
  for (const std::size_t size : sizes) check_memory(2 * of.code.locations, size, 0);
  return {std::move(of), std::move(sizes), std::move(losses)};
}

std::vector<Layout> layouts_of(const std::string& given) {
  if (given.empty()) return {Layout::kAligned, Layout::kStaggered};
  return {given == "aligned" ? Layout::kAligned : Layout::kStaggered};
}

/// `given`, if it is set. Else one thread and all (0); for L1, which has little work to share, one.
std::vector<int> threads_of(int given, const char* level) {
  if (given != kThreadsNotGiven) return {given};
  const bool shares = machine_threads() > 1 && std::string_view(level) != "L1";
  return shares ? std::vector{1, 0} : std::vector{1};
}

/// Losses to decode: the first chunks, or those that the given equations rebuild.
std::vector<std::vector<std::size_t>> lost_of(const BenchTask& task) {
  if (task.of.given && !task.of.given->rebuilt.empty()) return {task.of.given->rebuilt};
  std::vector<std::vector<std::size_t>> lost;
  for (const std::size_t count : task.losses) {
    lost.emplace_back(count);
    std::iota(lost.back().begin(), lost.back().end(), std::size_t{0});
  }
  return lost;
}

/// Numbers of threads between one and all, to show how encoding scales. Empty for stripes in L1 or
/// L2, if --threads is given, or for a table, which has no room for them.
std::vector<std::size_t> threads_between(const BenchOptions& options, std::string_view level) {
  std::vector<std::size_t> counts = thread_counts(0);
  if (options.run.threads != kThreadsNotGiven || options.format == "table" || counts.size() < 3 ||
      level == "L1" || level == "L2") {
    return {};
  }
  return {counts.begin() + 1, counts.end() - 1};
}

/// Says how devices and threads have split the work of encoding, if both did some.
void note_split(const Codec& codec, int threads) {
  const DeviceComputation* const on_devices = PlanAccess::impl_of(codec.encoding()).on_devices;
  if (codec.info().executor != Executor::kHybrid || on_devices == nullptr) return;
  const ColumnSplit split = on_devices->split();
  note(fmt::format("xorloom: {}: devices computed {:.0f} % of the bytes that were encoded",
                   how_text(codec.info(), threads),
                   100 * static_cast<double>(split.on_devices) /
                       static_cast<double>(std::max<std::size_t>(1, split.all))));
}

BenchResult measure_all(const BenchTask& task, const BenchOptions& options,
                        const SystemDescription& machine) {
  const Code& code = task.of.code;
  BenchResult result{code_title(code), short_spec(code), {}, {}};
  std::vector<Json>& results = result.measurements;
  MeasureOptions how{1, lost_of(task)};
  std::map<int, Codec> codecs;  // by number of threads; making a plan may take seconds
  for (const std::size_t chunk_bytes : task.chunk_bytes) {
    const std::size_t stripe_bytes = chunk_bytes * code.locations;
    const char* level = level_of(stripe_bytes, machine.caches);
    how.level = level;
    how.small = stripe_bytes <= machine.caches.l2;
    how.cached = stripe_bytes <= machine.caches.l3;
    for (const Layout layout : layouts_of(options.layout)) {
      show_progress(fmt::format("{}: chunks of {}, {}", result.name, counted(chunk_bytes, "byte"),
                                to_string(layout)));
      BenchFixture fixture = make_fixture(code, chunk_bytes, layout, options.run);
      for (const int threads : threads_of(options.run.threads, level)) {
        how.threads = threads == 0 ? machine_threads() : static_cast<std::size_t>(threads);
        if (!codecs.contains(threads)) {
          codecs.emplace(threads, bench_codec(task.of, options.run, how.threads));
          for (const auto& lost : how.losses) CodecAccess::improve(codecs.at(threads), lost);
        }
        results.push_back(measure(code, codecs.at(threads), fixture, how));
      }
      if (layout != layouts_of(options.layout).back()) continue;
      for (const std::size_t threads : threads_between(options, level)) {
        const Codec codec = bench_codec(task.of, options.run, threads);
        const double seconds = seconds_of_encoding(code, codec.encoding(), fixture, !how.cached,
                                                   kScalingRounds, threads);
        const std::size_t data_bytes = data_capacity(code, chunk_bytes);
        result.by_threads.push_back({{"spec", code.spec},
                                     {"layout", to_string(layout)},
                                     {"level", level},
                                     {"chunk_bytes", chunk_bytes},
                                     {"data_bytes", data_bytes},
                                     {"threads", threads},
                                     {"seconds", seconds},
                                     {"data_gb_per_s", gigabytes_per_second(data_bytes, seconds)}});
      }
    }
  }
  if (!codecs.empty()) note_plans(options.run, codecs.begin()->second.plan_counts());
  for (const auto& [threads, codec] : codecs) note_split(codec, threads);
  // Sort the rows by size, then threads, then layout.
  std::ranges::stable_sort(results, {}, [](const Json& m) {
    return std::pair(m["chunk_bytes"].whole(), m["threads"].whole());
  });
  show_progress("");
  return result;
}

Document measured(const std::vector<BenchTask>& tasks, const BenchOptions& options,
                  const MeasuredMachine& machine) {
  std::vector<BenchResult> all;
  for (const BenchTask& task : tasks) all.push_back(measure_all(task, options, machine.system));
  return bench_document(all, machine);
}

void run(const BenchOptions& options) {
  if (!options.equations.empty() && (options.explains || !options.run.atlas.empty())) {
    fail(Status::kInvalidArgument, "--equations does not go with --explain or an atlas");
  }
  if (options.explains && !options.run.atlas.empty()) {
    fail(Status::kInvalidArgument,
         "an atlas does not go with --explain, which reports what is chosen without one");
  }
  if (options.explains && options.format == "svg") {
    fail(Status::kInvalidArgument, "--explain has no pictures, and no --format svg");
  }
  if (options.explains && !options.layout.empty()) {
    fail(Status::kInvalidArgument,
         "--layout says where chunks lie while they are timed, and --explain times none");
  }
  choose_isa(options.run.isa);  // checked before anything is printed
  const MeasuredMachine machine;
  std::vector<BenchTask> tasks;
  for (BenchCode& code : bench_codes(options)) {
    tasks.push_back(task_of(std::move(code), options, machine.system));
  }
  Output output(options.output);
  Options how = options.run;
  if (how.threads == kThreadsNotGiven) how.threads = 0;
  Document document = options.explains ? explanation_document(tasks, how, machine)
                                       : measured(tasks, options, machine);
  finish(document, machine, options, output);
}

}  // namespace

Command bench_command() {
  Command command{"bench", kAbout, kExamples};
  const auto options = std::make_shared<BenchOptions>();
  add_subject(command, *options, "one for each cache, and one for memory");
  add_choice(command, "--layout", options->layout, {"aligned", "staggered"},
             "chunks begin at the same place in their pages, or each 576 bytes later than the one "
             "before; default: both");
  add_numbers(command, "--losses", options->losses, 1, kMaxLocation,
              "decode with the first N chunks lost; default: 1, 2 and more, up to all that the "
              "code survives");
  add_flag(command, "--explain", options->explains,
           "report what is chosen for each size and why, without timing the code; with --executor, "
           "also predict its speed");
  add_run_and_output(command, *options, "");
  for (const auto& [name, help] : kShortHelp) option_of(command, name).help = help;
  auto& read_executor = option_of(command, "--executor").read;
  read_executor = [read = read_executor](const std::vector<std::string>& values) {
    if (values.front().find(',') != std::string::npos) {
      fail(
          Status::kInvalidArgument,
          fmt::format("--executor takes one executor: run xorloom-lab executors SPEC --executor {} "
                      "to compare them",
                      excerpt(values.front())));
    }
    read(values);
  };
  command.moved = {{"--study", "run xorloom-lab study NAME SPEC"},
                   {"--against", "run xorloom-lab compare SPEC --against NAME"}};
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
