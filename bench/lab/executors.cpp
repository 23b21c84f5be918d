#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/lab/lab.hpp"
#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/document/writers.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/executor_prediction.hpp"
#include "cli/measuring/machine_rates.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kExecutorsAbout =
    "compare executors side by side, measured and predicted\n"
    "Encodes random data in memory by one thread and by each executor on all of them, in turns. "
    "Beside each speed stands the one that is predicted from rates of this machine, which are "
    "measured once. Every byte is compared before and after.";

constexpr const char* kExecutorsExamples =
    "xorloom-lab executors cauchy-good:k=10,m=4,w=8\n"
    "xorloom-lab executors rs:k=10,m=4 --executor ranges,graph --threads 4";

constexpr std::size_t kExecutorRounds = 15;

struct ExecutorsOptions : BenchSubject {
  std::vector<std::string> executors;  ///< empty: all three
  std::string layout = "staggered";
};

/// One thread, or an executor on several. Units: seconds of a call.
struct ExecutorTime {
  double measured;
  double predicted;
};

/// What encoding chunks of one size took.
struct ExecutorRow {
  std::size_t chunk_bytes;
  std::size_t data_bytes;  ///< the user's, of one stripe
  const char* level;
  ExecutorTime one_thread;
  std::vector<ExecutorTime> executors;  ///< in the order they were asked for
};

/// Executors side by side.
struct ExecutorComparison {
  std::string spec;
  std::vector<Executor> executors;
  std::size_t threads;
  Layout layout;
  std::size_t rounds;
  ThreadCosts costs;      ///< what the predictions rest on, beside the rates of this machine
  PredictionError error;  ///< of those rates
  std::vector<ExecutorRow> rows;
};

/// A way to encode: one thread, or an executor on several.
struct Way {
  Executor executor;
  std::size_t threads;
  Codec codec;
  PlanExplanation explanation;
};

Way way_of(const BenchCode& of, Executor executor, std::size_t threads, Options options) {
  options.executor = executor;
  options.threads = static_cast<int>(threads);
  const PlanOptions plan = for_encoding(plan_options(options));
  const LinearMap map = encoding_map(of.code);
  Codec codec = bench_codec(of, options, threads);
  if (!of.given) return {executor, threads, std::move(codec), explanation_of(of.code, map, plan)};
  const CoreSchedule* on_cores = of.given->on_cores ? &*of.given->on_cores : nullptr;
  return {executor, threads, std::move(codec),
          explanation_of(of.code, map, of.given->program, on_cores, plan)};
}

void verify(const Code& code, const BenchFixture& fixture, Executor executor) {
  std::vector<std::size_t> all(code.locations);
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = l;
  if (const auto wrong = first_difference(fixture, all)) {
    fail(Status::kInternal, fmt::format("{}, executor {}: chunk {} is wrong; no time is reported",
                                        code.name(), to_string(executor), *wrong));
  }
}

/// Each way has its turn in each round.
std::vector<double> timed(const std::vector<Way>& ways, const Code& code,
                          const BenchFixture& fixture) {
  std::vector<Contender> contenders;
  for (const Way& way : ways) {
    Contender& contender = contenders.emplace_back(Contender{
        "", [&](std::size_t calls) {
          for (std::size_t i = 0; i < calls; ++i) {
            check(way.codec.encode(fixture.stripe.pointers(), fixture.stripe.chunk_bytes()));
          }
        }});
    ruin(fixture, way.codec.encoding(), code);
    contender.run(1);
    verify(code, fixture, way.executor);
    contender.threads = way.threads;
    warm_up(contender);
  }
  for (std::size_t round = 0; round < kExecutorRounds; ++round) {
    for (Contender& contender : contenders) {
      renew(fixture);
      take_turn(contender);
    }
  }
  verify(code, fixture, ways.back().executor);
  std::vector<double> seconds;
  for (const Contender& contender : contenders) seconds.push_back(median_seconds(contender));
  return seconds;
}

/// Times encoding by one thread and by each executor, in turns, and predicts what each takes from
/// rates that are measured on other codes. Every byte is compared before and after.
///
/// Shape:  none of the executors is kAuto or runs on devices. Chunks have whole units of the code.
/// Cost:   some 0.3 s for each size; the first time, what measured_rates takes.
/// Errors: throws kInternal if a byte differs.
ExecutorComparison compared(const BenchCode& of, const std::vector<Executor>& executors,
                            const std::vector<std::size_t>& chunk_bytes, Layout layout,
                            const Options& options) {
  const Code& code = of.code;
  const std::size_t threads =
      options.threads > 0 ? static_cast<std::size_t>(options.threads) : machine_threads();
  std::vector<Way> ways{way_of(of, Executor::kRanges, 1, options)};
  for (const Executor executor : executors) {
    ways.push_back(way_of(of, executor, threads, options));
  }
  MachineRates kept = kept_rates();
  const MachineRates::Of& rates = measured_rates(kept, choose_isa(options.isa), code.arrangement);
  ExecutorComparison comparison{
      code.spec,   executors, threads, layout, kExecutorRounds, measured_thread_costs(threads),
      rates.error, {}};
  const CacheSizes caches = describe_system().caches;
  for (const std::size_t bytes : chunk_bytes) {
    const BenchFixture fixture = make_fixture(code, bytes, layout, options);
    const std::vector<double> seconds = timed(ways, code, fixture);
    const std::size_t stripe_bytes = bytes * code.locations;
    std::vector<ExecutorTime> times;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Way& way = ways[i];
      const ExecutorCosts costs =
          costs_of(rates, comparison.costs, caches, stripe_bytes, code.locations, way.threads);
      times.push_back({seconds[i], predicted_seconds(way.explanation, way.executor, way.threads,
                                                     bytes / units_of_chunk(code), costs)});
    }
    comparison.rows.push_back({bytes,
                               data_capacity(code, bytes),
                               level_of(stripe_bytes, caches),
                               times.front(),
                               {times.begin() + 1, times.end()}});
  }
  return comparison;
}

/// 1 KiB … 1 MiB as whole units of the code: sizes at which executors differ.
std::vector<std::size_t> executor_chunk_sizes(const Code& code) {
  const std::size_t unit = chunk_multiple(code);
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = std::size_t{1} << 10; bytes <= std::size_t{1} << 20; bytes *= 4) {
    const std::size_t size = (bytes + unit - 1) / unit * unit;
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

Json time_json(const ExecutorRow& row, const ExecutorTime& time) {
  return {{"seconds", time.measured},
          {"predicted_seconds", time.predicted},
          {"measured_over_predicted", time.measured / time.predicted},
          {"data_gb_per_s", gigabytes_per_second(row.data_bytes, time.measured)},
          {"predicted_data_gb_per_s", gigabytes_per_second(row.data_bytes, time.predicted)}};
}

Json to_json(const ExecutorComparison& c) {
  Json rows = Json::array();
  for (const ExecutorRow& row : c.rows) {
    Json executors = Json::array();
    for (std::size_t i = 0; i < row.executors.size(); ++i) {
      Json entry = time_json(row, row.executors[i]);
      entry["executor"] = to_string(c.executors[i]);
      executors.push_back(std::move(entry));
    }
    rows.push_back({{"chunk_bytes", row.chunk_bytes},
                    {"data_bytes", row.data_bytes},
                    {"level", row.level},
                    {"one_thread", time_json(row, row.one_thread)},
                    {"executors", std::move(executors)}});
  }
  return {{"spec", c.spec},
          {"threads", c.threads},
          {"layout", to_string(c.layout)},
          {"rounds", c.rounds},
          {"prediction_error", prediction_error_json(c.error)},
          {"costs",
           {{"start_seconds", c.costs.start},
            {"line_seconds", c.costs.line},
            {"call_seconds", c.costs.call},
            {"block_seconds", c.costs.block},
            {"far_share", c.costs.far_share},
            {"is_measured", c.costs.is_measured}}},
          {"rows", std::move(rows)}};
}

Table table_of(const ExecutorComparison& comparison, const Json& rows) {
  std::vector<FigureGroup> groups{{"", {{"chunk", "chunk_bytes", in_full}}}};
  const auto add = [&](const std::string& name, const std::string& path) {
    groups.push_back({name,
                      {{"meas.", path + ".data_gb_per_s", to_three_digits},
                       {"pred.", path + ".predicted_data_gb_per_s", to_three_digits},
                       {"m/p", path + ".measured_over_predicted", to_two_decimals}}});
  };
  add("one thread", "one_thread");
  for (std::size_t i = 0; i < comparison.executors.size(); ++i) {
    add(to_string(comparison.executors[i]), fmt::format("executors.{}", i));
  }
  return rows_of(rows, {"cache", "level"}, groups);
}

/// GB/s by the bytes of a chunk: one thread, and each executor.
Picture chart_of(const ExecutorComparison& comparison) {
  Chart chart{fmt::format("Encoding on {} thread{}", comparison.threads,
                          comparison.threads == 1 ? "" : "s"),
              {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true},
              {"GB/s of data", ChartAxis::Scale::kLinear, true, false},
              {},
              ""};
  const auto add = [&](const std::string& name, const auto& time_of) {
    ChartSeries measured{name, {}, ChartSeries::Form::kLine, false, {}};
    for (const ExecutorRow& row : comparison.rows) {
      measured.points.emplace_back(static_cast<double>(row.chunk_bytes),
                                   gigabytes_per_second(row.data_bytes, time_of(row).measured));
    }
    chart.series.push_back(std::move(measured));
  };
  add("one thread", [](const ExecutorRow& row) { return row.one_thread; });
  for (std::size_t i = 0; i < comparison.executors.size(); ++i) {
    add(to_string(comparison.executors[i]),
        [i](const ExecutorRow& row) { return row.executors[i]; });
  }
  return draw_chart(chart);
}

void run(const ExecutorsOptions& options) {
  choose_isa(options.run.isa);
  const std::vector<BenchCode> codes = bench_codes(options);
  check_encodes(codes, options, "a comparison of executors");
  std::vector<Executor> executors;
  for (const std::string& name : options.executors) executors.push_back(parse_executor(name));
  if (executors.empty()) executors = {Executor::kRanges, Executor::kGraph, Executor::kPlan};
  const Layout layout = options.layout == "aligned" ? Layout::kAligned : Layout::kStaggered;
  const MeasuredMachine machine;
  Output output(options.output);
  Document document =
      measured_document("Measured: executors side by side", "xorloom-executors", 1, machine);
  document.data["codes"] = Json::array();
  for (const BenchCode& of : codes) {
    show_progress(fmt::format("{}: executors", of.code.name()));
    const std::vector<std::size_t> sizes =
        options.chunk_bytes.empty() ? executor_chunk_sizes(of.code) : options.chunk_bytes;
    const ExecutorComparison comparison = compared(of, executors, sizes, layout, options.run);
    show_progress("");
    const Json code = to_json(comparison);
    document.add(Verbatim{of.code.spec});
    document.add(Paragraph{fmt::format("encoding on {} thread{}, {} chunks, GB/s of data",
                                       comparison.threads, comparison.threads == 1 ? "" : "s",
                                       to_string(layout))});
    document.add(Pictures{{chart_of(comparison)}, {}, {}, true});
    document.add(table_of(comparison, code["rows"]));
    if (!comparison.costs.is_measured) {
      document.add(
          Paragraph{"What threads take of each other could not be measured with so many or so few "
                    "of them: predictions take what is usual of a server."});
    }
    document.add(Paragraph{prediction_error_text(comparison.error)});
    document.data["codes"].push_back(code);
  }
  document.add(Paragraph{
      "meas.: the median of turns of a few milliseconds; pred.: predicted from rates of this "
      "machine, which other codes were timed for, and from what threads take of each other; m/p: "
      "measured time over predicted time. GB/s is 10^9 bytes of data per second. Every byte was "
      "compared before and after. chunk is in bytes."});
  add_machine(document, machine.system, machine.facts);
  output.finish(written(document, options.format));
}

}  // namespace

Command executors_command() {
  Command command{"executors", kExecutorsAbout, kExecutorsExamples};
  const auto options = std::make_shared<ExecutorsOptions>();
  add_subject(command, *options, "1 KiB to 1 MiB");
  add_choice(command, "--layout", options->layout, {"aligned", "staggered"},
             "where chunks begin in a page of 4096 bytes, as xorloom bench has it; default: "
             "staggered");
  add_choice(command, "--format", options->format, {"table", "json", "svg", "html"},
             "output format; default: table");
  add_output(command, options->output);
  add_run_options(command, options->run, "", "default: all");
  remove_option(command, "--atlas");
  const std::string group = option_of(command, "--executor").group;
  remove_option(command, "--executor");
  add_words(command, "--executor", options->executors, {"ranges", "graph", "plan"},
            "how threads share the work. ranges: each takes a range of the bytes; graph: they take "
            "groups of equations; plan: each takes the equations of one core of a plan; default: "
            "all three");
  option_of(command, "--executor").group = group;
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
