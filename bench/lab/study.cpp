#include "bench/lab/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "bench/lab/lab.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/shell/code_title.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/short_number.hpp"
#include "cli/shell/streams.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {
namespace {

constexpr std::array<Study, 7> kStudies = {
    {{"latency", "how long single calls take, on 1, 2, 4 … threads", false, study_latency},
     {"threads", "speed on 1, 2, 4 … threads, with cache hits and bytes from memory", false,
      study_threads},
     {"roofline", "operations a second against operations for each byte, under their limits", true,
      study_roofline},
     {"time", "what instructions, loads, stores and multiplications take of the time", true,
      study_time},
     {"energy", "joule for a GB of data, by a model and by counters of the processor", true,
      study_energy},
     {"cold", "what calls take that meet a code or a set of losses for the first time", true,
      study_cold},
     {"blocking", "speed with the matrix of a code on words cut into tiles of B x B", true,
      study_blocking}}};

constexpr const char* kStudyExamples =
    "xorloom-lab study roofline cauchy-good:k=10,m=4,w=8\n"
    "xorloom-lab study blocking rs-poly:k=223,m=32\n"
    "xorloom-lab study latency cauchy-good:k=10,m=4,w=8 --format svg -o latency.svg";

struct StudyOptions : BenchSubject {
  std::string name;
};

constexpr const char* kStudyAbout =
    "look at encoding as papers on codes do\n"
    "Encodes random data in memory, and shows one view on it. Every byte is compared before it is "
    "timed.";

/// All studies and what each shows, for help.
std::string studies() {
  std::string text = "the view on encoding. ";
  for (const Study& study : kStudies) text += fmt::format("{}: {}. ", study.name, study.help);
  text.resize(text.size() - 2);
  return text;
}

/// "latency, threads or cold": all studies.
std::string study_names() {
  std::string names;
  for (const Study& study : kStudies) {
    names += &study == &kStudies.front() ? "" : &study == &kStudies.back() ? " or " : ", ";
    names += study.name;
  }
  return names;
}

const Study& study_named(const std::string& name) {
  const auto found = std::ranges::find(kStudies, name, &Study::name);
  if (found != kStudies.end()) return *found;
  fail(Status::kInvalidArgument,
       fmt::format("there is no study '{}': it is {}", excerpt(name), study_names()));
}

/// Throws kInvalidArgument for options that the study does not use.
void check_options(const Command& given, const StudyOptions& options) {
  if (study_named(options.name).is_of_one_core) {
    for (const char* name : {"--threads", "--executor", "--awake"}) {
      if (!is_given(given, name)) continue;
      fail(Status::kInvalidArgument,
           fmt::format("study {} is of one core, and takes no {}", options.name, name));
    }
  }
  if (options.name == "blocking" && !options.equations.empty()) {
    fail(Status::kInvalidArgument,
         "study blocking cuts the matrix of a code, and takes no --equations");
  }
}

void run(const StudyOptions& options) {
  const Study& study = study_named(options.name);
  choose_isa(options.run.isa);
  const std::vector<BenchCode> codes = bench_codes(options);
  check_encodes(codes, options, "a study");
  Options how = options.run;
  if (how.threads == kThreadsNotGiven) how.threads = 0;
  std::vector<std::size_t> sizes = options.chunk_bytes;
  if (sizes.empty()) sizes = {0};
  const MeasuredMachine machine;
  Output output(options.output);
  Document document =
      measured_document(fmt::format("Measured: {}", study.name), "xorloom-study", 1, machine);
  document.data["study"] = study.name;
  document.data["results"] = Json::array();
  for (const BenchCode& code : codes) {
    for (const std::size_t size : sizes) {
      show_progress(fmt::format("{}: {}", code_title(code.code), study.name));
      StudyResult result = study.run({code, size, how, machine.system});
      show_progress("");
      result.data["spec"] = code.code.spec;
      document.data["results"].push_back(std::move(result.data));
      document.add(Verbatim{short_spec(code.code)});
      std::ranges::move(result.parts, std::back_inserter(document.parts));
    }
  }
  document.add(Paragraph{
      fmt::format("This shows {}. Every byte was compared before it was timed. GB/s is 10^9 bytes "
                  "per second.",
                  study.help)});
  finish(document, machine, options, output);
}

}  // namespace

std::vector<std::size_t> sizes_of(const StudyTask& task) {
  if (task.chunk_bytes != 0) return {task.chunk_bytes};
  return chunk_sizes(task.code(), task.machine.caches, task.machine.memory_bytes);
}

Paragraph executor_note(const StudyTask& task) {
  if (task.run.executor != Executor::kAuto) {
    return {fmt::format("executor {}", to_string(task.run.executor))};
  }
  return {"executor auto, which keeps to one thread if there is little work"};
}

std::string in_billions(const Json& value) { return short_number(value.real() / 1e9); }

std::vector<std::pair<double, double>> points_of(const Json& records, std::string_view x,
                                                 std::string_view y, double unit) {
  std::vector<std::pair<double, double>> points;
  for (const Json& record : records) {
    const Json& value = value_at(record, y);
    if (!value.is_null()) points.emplace_back(value_at(record, x).real(), value.real() * unit);
  }
  return points;
}

PlanExplanation encoding_explanation(const StudyTask& task) {
  const PlanOptions plan = for_encoding(plan_options(task.run));
  const LinearMap map = encoding_map(task.code());
  return task.of.given ? explanation_of(task.code(), map, task.of.given->program, nullptr, plan)
                       : explanation_of(task.code(), map, plan);
}

void check_encodes(const std::vector<BenchCode>& codes, const BenchSubject& subject,
                   const char* what) {
  if (!subject.run.atlas.empty()) {
    fail(Status::kInvalidArgument, fmt::format("{} looks at encoding, and takes no atlas", what));
  }
  for (const BenchCode& code : codes) {
    if (!code.given || code.given->rebuilt.empty()) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} rebuilds, and {} looks at encoding", input_name(subject.equations), what));
  }
}

Command study_command() {
  Command command{"study", kStudyAbout, kStudyExamples};
  const auto options = std::make_shared<StudyOptions>();
  CommandOption& name = add_argument(command, "NAME", options->name, studies());
  name.read = [options](const std::vector<std::string>& words) {
    options->name = study_named(words.front()).name;
  };
  add_subject(command, *options, "as the study likes them");
  add_run_and_output(command, *options, "default: all; studies of several numbers go up to it");
  command.run = [options](const Command& given) {
    check_options(given, *options);
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
