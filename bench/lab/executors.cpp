#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/lab/lab.hpp"
#include "bench/lab/study.hpp"
#include "cli/bench/bench_charts.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/executor_prediction.hpp"
#include "cli/measuring/machine_rates.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/code_title.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
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
  Layout layout = Layout::kStaggered;
};

/// A contender: encoding by one thread, or by an executor on several.
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

/// Median seconds of a call of each way, which take turns in each round.
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

/// Times encoding by one thread and by each executor, in turns. Predicts their times from rates
/// that were measured on other codes. Every byte is compared before and after.
///
/// Shape:  no executor is kAuto or runs on devices. Chunk sizes are whole units of the code.
/// Cost:   about 0.3 s per size; the first time, also that of measured_rates().
/// Errors: throws kInternal if a byte differs.
Json compared(const BenchCode& of, const std::vector<Executor>& executors,
              const std::vector<std::size_t>& chunk_bytes, Layout layout, const Options& options) {
  const Code& code = of.code;
  const std::size_t threads =
      options.threads > 0 ? static_cast<std::size_t>(options.threads) : machine_threads();
  std::vector<Way> ways{way_of(of, Executor::kRanges, 1, options)};
  for (const Executor executor : executors) {
    ways.push_back(way_of(of, executor, threads, options));
  }
  MachineRates kept = kept_rates();
  const MachineRates::Of& rates = measured_rates(kept, choose_isa(options.isa), code.arrangement);
  const ThreadCosts costs = measured_thread_costs(threads);
  const CacheSizes caches = describe_system().caches;
  Json rows = Json::array();
  for (const std::size_t bytes : chunk_bytes) {
    const BenchFixture fixture = make_fixture(code, bytes, layout, options);
    const std::vector<double> seconds = timed(ways, code, fixture);
    const std::size_t data_bytes = data_capacity(code, bytes);
    const std::size_t stripe_bytes = bytes * code.locations;
    Json row{{"chunk_bytes", bytes},
             {"data_bytes", data_bytes},
             {"level", level_of(stripe_bytes, caches)},
             {"one_thread", nullptr},
             {"executors", Json::array()}};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Way& way = ways[i];
      const double predicted = predicted_seconds(
          way.explanation, way.executor, way.threads, bytes / units_of_chunk(code),
          costs_of(rates, costs, caches, stripe_bytes, code.locations, way.threads));
      Json time{{"seconds", seconds[i]},
                {"predicted_seconds", predicted},
                {"measured_over_predicted", seconds[i] / predicted},
                {"data_gb_per_s", gigabytes_per_second(data_bytes, seconds[i])},
                {"predicted_data_gb_per_s", gigabytes_per_second(data_bytes, predicted)}};
      if (i == 0) {
        row["one_thread"] = std::move(time);
      } else {
        time["executor"] = to_string(way.executor);
        row["executors"].push_back(std::move(time));
      }
    }
    rows.push_back(std::move(row));
  }
  return {{"spec", code.spec},
          {"threads", threads},
          {"layout", to_string(layout)},
          {"rounds", kExecutorRounds},
          {"prediction_error", prediction_error_json(rates.error)},
          {"costs",
           {{"start_seconds", costs.start},
            {"line_seconds", costs.line},
            {"call_seconds", costs.call},
            {"block_seconds", costs.block},
            {"far_share", costs.far_share},
            {"is_measured", costs.is_measured}}},
          {"rows", std::move(rows)}};
}

/// Sizes from 1 KiB to 1 MiB, rounded up to whole units of the code: executors differ there.
std::vector<std::size_t> executor_chunk_sizes(const Code& code) {
  const std::size_t unit = chunk_multiple(code);
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = std::size_t{1} << 10; bytes <= std::size_t{1} << 20; bytes *= 4) {
    const std::size_t size = (bytes + unit - 1) / unit * unit;
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

/// Names of the columns, one thread first, and the JSON paths of their times in a row.
std::vector<std::pair<std::string, std::string>> columns_of(
    const std::vector<Executor>& executors) {
  std::vector<std::pair<std::string, std::string>> columns{{"one thread", "one_thread"}};
  for (std::size_t i = 0; i < executors.size(); ++i) {
    columns.emplace_back(to_string(executors[i]), fmt::format("executors.{}", i));
  }
  return columns;
}

Table table_of(const std::vector<Executor>& executors, const Json& rows) {
  std::vector<FigureGroup> groups{{"", {{"chunk", "chunk_bytes", in_full}}}};
  for (const auto& [name, path] : columns_of(executors)) {
    groups.push_back({name,
                      {{"meas.", path + ".data_gb_per_s", to_three_digits},
                       {"pred.", path + ".predicted_data_gb_per_s", to_three_digits},
                       {"m/p", path + ".measured_over_predicted", to_two_decimals}}});
  }
  return record_table(rows, {"cache", "level"}, groups);
}

/// Chart of GB/s by chunk bytes.
Picture chart_of(const std::vector<Executor>& executors, const Json& code) {
  Chart chart{"Encoding on " + threads_text(code["threads"].whole()),
              {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true},
              {"GB/s of data", ChartAxis::Scale::kLinear, true, false},
              {},
              ""};
  for (const auto& [name, path] : columns_of(executors)) {
    chart.series.push_back({name, points_of(code["rows"], "chunk_bytes", path + ".data_gb_per_s")});
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
  const Layout layout = options.layout;
  const MeasuredMachine machine;
  Output output(options.output);
  Document document =
      measured_document("Measured: executors side by side", "xorloom-executors", 1, machine);
  document.data["codes"] = Json::array();
  for (const BenchCode& of : codes) {
    show_progress(fmt::format("{}: executors", code_title(of.code)));
    const std::vector<std::size_t> sizes =
        options.chunk_bytes.empty() ? executor_chunk_sizes(of.code) : options.chunk_bytes;
    const Json code = compared(of, executors, sizes, layout, options.run);
    show_progress("");
    document.add(Verbatim{short_spec(of.code)});
    document.add(Paragraph{fmt::format("encoding on {}, {} chunks, GB/s of data",
                                       threads_text(code["threads"].whole()), to_string(layout))});
    document.add(Pictures{{chart_of(executors, code)}, {}, {}, true});
    document.add(table_of(executors, code["rows"]));
    if (shown(code, {"", "costs.is_measured"}) == "no") {
      document.add(
          Paragraph{"What threads take of each other could not be measured with so many or so few "
                    "of them: predictions take what is usual of a server."});
    }
    document.add(Paragraph{
        prediction_error_text(PredictionError{code["prediction_error"]["residual"].real(),
                                              code["prediction_error"]["held_out"].real()})});
    document.data["codes"].push_back(code);
  }
  document.add(Paragraph{
      "meas.: the median of turns of a few milliseconds; pred.: predicted from rates of this "
      "machine, which other codes were timed for, and from what threads take of each other; m/p: "
      "measured time over predicted time. GB/s is 10^9 bytes of data per second. Every byte was "
      "compared before and after. chunk is in bytes."});
  finish(document, machine, options, output);
}

}  // namespace

Command executors_command() {
  Command command{"executors", kExecutorsAbout, kExecutorsExamples};
  const auto options = std::make_shared<ExecutorsOptions>();
  add_subject(command, *options, "1 KiB to 1 MiB");
  add_layout(command, options->layout);
  add_run_and_output(command, *options, "default: all");
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
