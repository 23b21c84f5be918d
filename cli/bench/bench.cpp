#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/bench_page.hpp"
#include "cli/bench/bench_report.hpp"
#include "cli/bench/executors.hpp"
#include "cli/bench/explain.hpp"
#include "cli/bench/study.hpp"
#include "cli/bench/study_page.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/shell/code_title.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/codec_access.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "measure how fast codes run on this machine\n"
    "Encodes and decodes random data in memory and reports the speed. Stripes range from half of "
    "L1 to several times the last cache. Each size is timed in two layouts, on one thread and on "
    "all; the smallest size on one thread only. Each speed is compared with a limit: the fastest "
    "plain XOR that reads and writes the same number of chunks. Measurements vary, so a share of "
    "the limit may exceed 1. memcpy is always measured, other libraries only with --against. Every "
    "output is verified before it is timed. Each SPEC takes about half a minute. With --explain, "
    "bench reports what is chosen and why, and does not time the code. With --study or several of "
    "--executor, it looks at encoding alone, and takes no --losses, --against, --explain "
    "or atlas.";

constexpr const char* kExamples =
    "xorloom bench cauchy-good:k=10,m=4,w=8\n"
    "xorloom bench isa-cauchy:k=10,m=4 --threads 1 --against isal\n"
    "xorloom bench rs:k=10,m=4 --chunk-bytes 65536 --layout aligned --losses 1\n"
    "xorloom bench cauchy-good:k=10,m=4,w=8 --executor ranges,graph,plan\n"
    "xorloom bench cauchy-good:k=10,m=4,w=8 --format html -o speed.html\n"
    "xorloom bench rs-poly:k=223,m=32 --study blocking\n"
    "xorloom bench cauchy-good:k=10,m=4,w=8 --explain";

constexpr int kNotGiven = -1;
constexpr int kAwakeMicroseconds = 100;  // bench has the processors to itself
constexpr std::size_t kScalingRounds = 9;
constexpr std::size_t kDecodings = 4;  // where a code survives more losses: some of them

struct BenchOptions {
  std::vector<std::string> specs;
  std::string equations;  ///< a file
  std::vector<std::size_t> chunk_bytes;
  std::vector<std::size_t> losses;
  std::vector<std::string> against;
  std::vector<std::string> executors;  ///< several are compared
  std::string layout;
  bool explains = false;
  std::string study;
  std::string format = "table";
  std::string output = "-";
  Options run;
};

/// What all of it is measured on, and where it goes.
struct Setting {
  const BenchOptions& options;
  SystemDescription machine;
  MachineFacts facts;
  Output output;

  bool is_table() const { return options.format == "table"; }
  void finish(const Json& json) { output.finish(json.dump(2) + "\n"); }
};

/// What is measured of a code.
struct Task {
  Code code;
  std::optional<GivenProgram> given;  ///< times this in place of what would be made
  std::vector<std::size_t> chunk_bytes;
  std::vector<std::size_t> losses;
};

/// The most locations, from the first on, that the code survives without.
std::size_t survived_losses(const Code& code) {
  std::vector<std::size_t> lost;
  for (std::size_t l = 0; l < code.promised_losses; ++l) lost.push_back(l);
  while (!is_recoverable(code, lost)) lost.pop_back();
  return lost.size();
}

std::vector<std::size_t> losses_of(const Code& code, std::vector<std::size_t> given) {
  const std::size_t most = survived_losses(code);
  std::ranges::sort(given);
  if (!given.empty() && given.back() > most) {
    fail(Status::kInvalidArgument, fmt::format("--losses = {} exceeds the {} that {} survives",
                                               given.back(), most, code.name()));
  }
  if (!given.empty()) return given;
  for (std::size_t count = 1; count <= most; ++count) {
    if (most <= kDecodings || count <= 2 || count == most / 2 || count == most) {
      given.push_back(count);
    }
  }
  return given;
}

void give(Task& task, const std::string& spec, const BenchOptions& options) {
  auto [code, file] = runnable_equations(options.equations, spec, options.run);
  task.code = *std::move(code);
  auto rebuilt = locations_rebuilt(task.code, file.program, options.equations);
  if (!rebuilt.empty() && (!options.study.empty() || options.executors.size() > 1)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} rebuilds, and {} looks at encoding", input_name(options.equations),
                     options.study.empty() ? "a comparison of executors" : "--study"));
  }
  task.given = GivenProgram{std::move(file.program), std::move(file.plan), std::move(rebuilt)};
}

Task task_of(const std::string& spec, const BenchOptions& options,
             const SystemDescription& machine) {
  Task task{
      options.equations.empty() ? code_of(spec, options.run) : Code(), {}, options.chunk_bytes, {}};
  if (!options.equations.empty()) give(task, spec, options);
  for (const std::size_t size : task.chunk_bytes) check_chunk_bytes(task.code, size);
  if (task.chunk_bytes.empty() && !options.study.empty()) {
    task.chunk_bytes = {0};
  } else if (task.chunk_bytes.empty() && options.executors.size() > 1) {
    task.chunk_bytes = executor_chunk_sizes(task.code);
  } else if (task.chunk_bytes.empty()) {
    task.chunk_bytes = chunk_sizes(task.code, machine.caches, machine.memory_bytes);
  }
  for (const std::size_t size : task.chunk_bytes) check_memory(2 * task.code.locations, size, 0);
  task.losses = losses_of(task.code, options.losses);
  return task;
}

std::vector<Layout> layouts_of(const std::string& given) {
  if (given.empty()) return {Layout::kAligned, Layout::kStaggered};
  return {given == "aligned" ? Layout::kAligned : Layout::kStaggered};
}

/// One thread and all, unless told; all are no use where one has too little to do.
std::vector<int> threads_of(int given, const char* level) {
  if (given != kNotGiven) return {given};
  const bool shares = machine_threads() > 1 && std::string_view(level) != "L1";
  return shares ? std::vector{1, 0} : std::vector{1};
}

/// Shows on a terminal that work goes on.
void show_progress(const std::string& text) {
  if (is_quiet() || ::isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

/// What is lost: the first chunks, or what given equations rebuild.
std::vector<std::vector<std::size_t>> lost_of(const Task& task) {
  if (task.given && !task.given->rebuilt.empty()) return {task.given->rebuilt};
  std::vector<std::vector<std::size_t>> lost;
  for (const std::size_t count : task.losses) {
    lost.emplace_back(count);
    std::iota(lost.back().begin(), lost.back().end(), std::size_t{0});
  }
  return lost;
}

/// Numbers of threads between one and all of the machine, whose speed shows how encoding scales:
/// of stripes past L2, unless the number is given or a table is asked for, which has no room.
std::vector<std::size_t> threads_between(const BenchOptions& options, std::string_view level) {
  std::vector<std::size_t> counts = thread_counts(0);
  if (options.run.threads != kNotGiven || options.format == "table" || counts.size() < 3 ||
      level == "L1" || level == "L2") {
    return {};
  }
  return {counts.begin() + 1, counts.end() - 1};
}

BenchResult measure_all(const Task& task, const Setting& setting) {
  const BenchOptions& options = setting.options;
  const SystemDescription& machine = setting.machine;
  BenchResult result{code_title(task.code), {}, {}};
  std::vector<Measurement>& results = result.measurements;
  MeasureOptions how{1, lost_of(task), peers_named(options.against), false};
  Options run = options.run;
  std::map<int, Codec> codecs;  // by threads: with effort a plan takes seconds
  for (const std::size_t chunk_bytes : task.chunk_bytes) {
    const std::size_t stripe_bytes = chunk_bytes * task.code.locations;
    const char* level = level_of(stripe_bytes, machine.caches);
    how.small = stripe_bytes <= machine.caches.l2;
    how.cached = stripe_bytes <= machine.caches.l3;
    for (const Layout layout : layouts_of(options.layout)) {
      show_progress(fmt::format("{}: chunks of {} bytes, {}", task.code.name(), chunk_bytes,
                                to_string(layout)));
      BenchFixture fixture = make_fixture(task.code, chunk_bytes, layout, run);
      for (const int threads : threads_of(options.run.threads, level)) {
        run.threads = threads;
        if (!codecs.contains(threads)) {
          codecs.emplace(threads, task.given ? CodecAccess::codec_of(task.code, run, *task.given)
                                             : CodecAccess::codec_of(task.code, run));
          for (const auto& lost : how.losses) CodecAccess::improve(codecs.at(threads), lost);
        }
        const Codec& codec = codecs.at(threads);
        how.threads = threads == 0 ? machine_threads() : static_cast<std::size_t>(threads);
        results.push_back(measure(task.code, codec, fixture, how));
      }
      if (layout != layouts_of(options.layout).back()) continue;
      const StudyTask encoding{task.code, task.given, chunk_bytes, run, machine};
      for (const std::size_t threads : threads_between(options, level)) {
        const Codec codec = study_codec(encoding, threads);
        result.by_threads.push_back(
            {layout, level, chunk_bytes, data_capacity(task.code, chunk_bytes), threads,
             seconds_of_encoding(encoding, codec.encoding(), fixture, kScalingRounds, threads)});
      }
    }
  }
  if (!codecs.empty()) note_plans(run, codecs.begin()->second.plan_counts());
  // Rows of a kind stand together: by size, then threads, then layout.
  std::ranges::stable_sort(results, [](const Measurement& a, const Measurement& b) {
    return std::pair(a.chunk_bytes, a.threads) < std::pair(b.chunk_bytes, b.threads);
  });
  show_progress("");
  return result;
}

/// What would run, instead of running it.
void explain_all(const std::vector<Task>& tasks, Setting& setting) {
  Options how = setting.options.run;
  if (how.threads == kNotGiven) how.threads = 0;
  Json codes = Json::array();
  const bool table = setting.is_table();
  if (table) setting.output.write(machine_text(setting.machine));
  for (const Task& task : tasks) {
    const Explanation explanation = explain(task.code, task.losses, task.chunk_bytes, how);
    if (table) {
      setting.output.write((&task == &tasks.front() ? "" : "\n") + explanation_text(explanation));
    } else {
      codes.push_back(explanation_json(explanation));
    }
  }
  if (table) return setting.output.commit();
  setting.finish({{"format", "xorloom-explanation"},
                  {"version", 1},
                  {"machine", machine_json(setting.machine, setting.facts)},
                  {"codes", std::move(codes)}});
}

/// Executors side by side, instead of all else.
void compare_all(const std::vector<Task>& tasks, Setting& setting) {
  const BenchOptions& options = setting.options;
  std::vector<Executor> executors;
  for (const std::string& name : options.executors) executors.push_back(parse_executor(name));
  Options run = options.run;
  if (run.threads == kNotGiven) run.threads = 0;
  const Layout layout = layouts_of(options.layout).back();
  const bool table = setting.is_table();
  if (table) setting.output.write(machine_text(setting.machine));
  std::vector<ExecutorComparison> comparisons;
  for (const Task& task : tasks) {
    show_progress(fmt::format("{}: executors", task.code.name()));
    comparisons.push_back(
        compare_executors(task.code, task.given, executors, task.chunk_bytes, layout, run));
    show_progress("");
    if (table) setting.output.write(executors_table(comparisons.back()));
  }
  if (table) return setting.output.finish(executors_legend());
  if (options.format == "html") {
    return setting.output.finish(executors_page(comparisons, setting.machine, setting.facts));
  }
  Json codes = Json::array();
  for (const ExecutorComparison& comparison : comparisons) {
    codes.push_back(executors_json(comparison));
  }
  setting.finish({{"format", "xorloom-executors"},
                  {"version", 1},
                  {"machine", machine_json(setting.machine, setting.facts)},
                  {"codes", std::move(codes)}});
}

/// A study of each code, instead of all else.
void study_all(const std::vector<Task>& tasks, Setting& setting) {
  const BenchOptions& options = setting.options;
  const auto study = std::ranges::find(studies(), options.study, &Study::name);
  const bool table = setting.is_table();
  Options run = options.run;
  if (run.threads == kNotGiven) run.threads = 0;
  std::vector<StudyOfCode> all;
  for (const Task& task : tasks) {
    for (const std::size_t bytes : task.chunk_bytes) {
      show_progress(fmt::format("{}: {}", task.code.name(), study->name));
      StudyResult result = study->run({task.code, task.given, bytes, run, setting.machine});
      show_progress("");
      if (table && all.empty()) setting.output.write(machine_text(setting.machine));
      if (table) {
        setting.output.write("\n" + wrapped(task.code.spec, 0) + "\n" + result.table);
      }
      result.json["spec"] = task.code.spec;
      all.push_back({task.code.spec, std::move(result)});
    }
  }
  if (table) {
    return setting.output.finish(
        "\nEvery byte was compared before it was timed. GB/s is 10^9 bytes per second.\n");
  }
  if (options.format == "svg") return setting.output.finish(study_svg(all));
  if (options.format == "html") {
    return setting.output.finish(study_page(*study, all, setting.machine, setting.facts));
  }
  Json codes = Json::array();
  for (StudyOfCode& of : all) codes.push_back(std::move(of.result.json));
  setting.finish({{"format", "xorloom-study"},
                  {"version", 1},
                  {"study", study->name},
                  {"machine", machine_json(setting.machine, setting.facts)},
                  {"results", std::move(codes)}});
}

/// Throws kInvalidArgument for options that a study has no use for.
void check_study(const Command& command, const BenchOptions& options) {
  if (options.study.empty() && options.format == "svg") {
    fail(Status::kInvalidArgument, "--format svg draws a --study, and none is given");
  }
  if (options.study.empty()) return;
  for (const char* name : {"--against", "--losses", "--explain", "--layout"}) {
    if (!is_given(command, name)) continue;
    fail(Status::kInvalidArgument, fmt::format("--study encodes alone, and takes no {}", name));
  }
  if (!options.run.atlas.empty()) {
    fail(Status::kInvalidArgument, "--study encodes alone, and takes no atlas");
  }
  if (options.executors.size() > 1) {
    fail(Status::kInvalidArgument, "--study takes one executor");
  }
  if (std::ranges::find(studies(), options.study, &Study::name)->is_of_one_core) {
    for (const char* name : {"--threads", "--executor", "--awake"}) {
      if (!is_given(command, name)) continue;
      fail(Status::kInvalidArgument,
           fmt::format("--study {} is of one core, and takes no {}", options.study, name));
    }
  }
  if (options.study == "blocking" && !options.equations.empty()) {
    fail(Status::kInvalidArgument,
         "--study blocking cuts the matrix of a code, and takes no --equations");
  }
}

/// Throws kInvalidArgument for options that executors side by side have no use for.
void check_comparison(const Command& command, const BenchOptions& options) {
  if (options.executors.size() < 2) return;
  if (std::ranges::find(options.executors, "auto") != options.executors.end()) {
    fail(Status::kInvalidArgument,
         "--executor auto chooses between the others, and is not compared with them");
  }
  for (const char* name : {"opencl", "cuda"}) {
    if (std::ranges::find(options.executors, name) == options.executors.end()) continue;
    fail(Status::kInvalidArgument,
         fmt::format("--executor {} runs on a device, and is not compared with threads", name));
  }
  for (const char* name : {"--against", "--losses", "--explain"}) {
    if (!is_given(command, name)) continue;
    fail(Status::kInvalidArgument,
         fmt::format("several executors are compared by encoding alone, without {}", name));
  }
  if (!options.run.atlas.empty()) {
    fail(Status::kInvalidArgument,
         "several executors are compared by encoding alone, without an atlas");
  }
}

/// With equations from a file, the one code that they are for.
std::vector<std::string> specs_of(const BenchOptions& options) {
  if (options.equations.empty()) return options.specs;
  if (options.specs.size() > 1) {
    fail(Status::kInvalidArgument,
         fmt::format("--equations FILE is for one code, and {} SPECs are given",
                     options.specs.size()));
  }
  return {options.specs.empty() ? "" : options.specs.front()};
}

void run(const BenchOptions& options) {
  if (!options.equations.empty() && (options.explains || !options.run.atlas.empty())) {
    fail(Status::kInvalidArgument, "--equations does not go with --explain or an atlas");
  }
  if (options.explains && !options.run.atlas.empty()) {
    fail(Status::kInvalidArgument,
         "an atlas does not go with --explain, which reports what is chosen without one");
  }
  if (options.explains && options.format == "html") {
    fail(Status::kInvalidArgument, "--explain is a table or JSON, and has no --format html");
  }
  choose_isa(options.run.isa);  // both before anything is printed
  check_devices(options.run.executor);
  const std::vector<Peer> peers = peers_named(options.against);
  const SystemDescription machine = describe_system();
  std::vector<Task> tasks;
  for (const std::string& spec : specs_of(options)) {
    tasks.push_back(task_of(spec, options, machine));
  }
  Setting setting{options, machine, machine_facts(), Output(options.output)};
  if (options.explains) return explain_all(tasks, setting);
  if (!options.study.empty()) return study_all(tasks, setting);
  if (options.executors.size() > 1) return compare_all(tasks, setting);
  const bool table = setting.is_table();
  if (table) setting.output.write(machine_text(machine));
  std::vector<BenchResult> all;
  for (const Task& task : tasks) {
    all.push_back(measure_all(task, setting));
    if (table) setting.output.write(bench_table(all.back().measurements, machine, peers));
  }
  if (table) return setting.output.finish(bench_legend(!peers.empty()));
  if (options.format == "html") {
    return setting.output.finish(bench_page(all, machine, setting.facts, peers));
  }
  setting.finish(bench_json(all, machine, setting.facts, peers));
}

}  // namespace

Command bench_command() {
  Command command{"bench", kAbout, kExamples};
  const auto options = std::make_shared<BenchOptions>();
  options->run.threads = kNotGiven;
  options->run.awake_microseconds = kAwakeMicroseconds;
  add_specs(command, options->specs, false);
  add_given_equations(command, options->equations, "time");
  add_byte_list(command, "--chunk-bytes", options->chunk_bytes, 1, kMaxChunkBytes,
                "chunk sizes in bytes; default: one for each cache, and one for memory");
  add_choice(
      command, "--layout", options->layout, {"aligned", "staggered"},
      "aligned: all chunks begin at the same place in a page of 4096 bytes; staggered: each "
      "begins 576 bytes later in its page than the one before; default: both, or staggered where "
      "executors are compared");
  add_numbers(command, "--losses", options->losses, 1, kMaxLocation,
              "decode with the first N chunks lost; default: 1, 2 and more, up to all that the "
              "code survives");
  add_words(command, "--against", options->against, peer_names(),
            "other libraries to compare with, on one thread");
  add_flag(command, "--explain", options->explains,
           "report what is chosen for each size and why, without timing the code; with --executor, "
           "also predict its speed, from rates of this machine, or of its devices, that are "
           "measured once");
  std::string help = "instead of speeds by size, one view on encoding. ";
  std::vector<std::string> names;
  for (const Study& study : studies()) {
    names.emplace_back(study.name);
    help += fmt::format("{}: {}; ", study.name, study.help);
  }
  add_choice(command, "--study", options->study, names, help.substr(0, help.size() - 2));
  add_choice(command, "--format", options->format, {"table", "json", "svg", "html"},
             "output format; svg draws a --study; html is one page with charts and the machine, "
             "which loads nothing else; default: table");
  add_output(command, options->output);
  add_run_options(command, options->run, "default: auto",
                  "default: measure with 1, then with all; where executors are compared, with all");
  const std::string group = option_of(command, "--executor").group;
  remove_option(command, "--executor");
  add_words(command, "--executor", options->executors,
            {"ranges", "graph", "plan", "auto", "opencl", "cuda"},
            "how threads share the work. ranges: each takes a range of the bytes; graph: they take "
            "groups of equations; plan: each takes the equations of one core of a plan; auto: "
            "xorloom chooses; opencl and cuda: devices such as a GPU do it. Several, such as "
            "ranges,graph,plan: compare how fast they encode, "
            "measured and predicted; default: auto");
  option_of(command, "--executor").group = group;
  command.run = [options](const Command& given) {
    check_comparison(given, *options);
    check_study(given, *options);
    if (options->executors.size() == 1) {
      set_executor(options->run, options->executors.front());
    }
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
