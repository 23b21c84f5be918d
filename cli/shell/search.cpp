#include "cli/shell/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <utility>

#include "cli/shell/interrupt.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/cores/spread.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/gate_search.hpp"
#include "equations/search/optimize.hpp"
#include "runtime/machine/threads.hpp"
#include "runtime/store/store.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kSearchGroup = "The search";
constexpr std::size_t kMaxSeconds = 31'536'000;
constexpr std::size_t kMaxSteps = std::size_t{1} << 50;
constexpr std::size_t kMaxLevels = 64;
constexpr std::size_t kMaxSeed = std::size_t{1} << 53;
constexpr std::size_t kUsualSeconds = 60;

constexpr std::array kNames = {"--effort", "--seconds", "--steps",
                               "--seed",   "--threads", "--store"};

/// Progress of a search; any thread may write it.
struct SearchProgress {
  std::atomic<std::size_t> best{0};
  std::atomic<std::size_t> bound{0};
  std::atomic<int> percent{-1};  ///< part of the moves that is done; -1: not known
};

/// Text of the progress line: "322 XORs, at least 129 are needed, 12 of 60 s; encoding of
/// cauchy-good:k=10,m=4,w=8".
std::string search_text(const std::string& subject, const SearchProgress& progress, double seconds,
                        std::size_t of) {
  const std::size_t best = progress.best;
  const int percent = progress.percent;
  const std::string left = of != 0        ? fmt::format("{:.0f} of {} s", seconds, of)
                           : percent >= 0 ? fmt::format("{} % done", percent)
                                          : fmt::format("{:.0f} s", seconds);
  if (best == 0) return fmt::format("looking for common pairs, {}; {}", left, subject);
  return fmt::format("{} XORs, at least {} are needed, {}; {}", best, progress.bound.load(), left,
                     subject);
}

/// Names the goal of a search: "encoding of CODE", "loss of locations 0-2 of CODE" or "matrix".
std::string subject_of(const StoreQuestion& question) {
  if (question.code == nullptr) return "matrix";
  const Request& request = question.request;
  const std::string what =
      !request.erased.empty()    ? "loss of locations " + short_list(request.erased)
      : !request.updated.empty() ? "update of locations " + short_list(request.updated)
                                 : "encoding";
  return fmt::format("{} of {}", what, question.code->name());
}

/// Whole seconds for this search: until the shared end, if there is one, else those of the options.
/// nullopt: not limited by time.
std::optional<std::size_t> seconds_left(const SearchOptions& options) {
  if (!options.end) return seconds_of(options);
  const std::chrono::duration<double> left = *options.end - std::chrono::steady_clock::now();
  return static_cast<std::size_t>(std::max(0.0, left.count()));
}

/// Time at which the search must end: the shared end, else now + `seconds`. nullopt: not limited.
std::optional<std::chrono::steady_clock::time_point> end_of(
    const SearchOptions& options, const std::optional<std::size_t>& seconds) {
  if (options.end || !seconds) return options.end;
  return std::chrono::steady_clock::now() + std::chrono::seconds(*seconds);
}

/// Record of a search that was ended by time or Ctrl-C: effort max for `seconds`, or fast if less
/// was asked for.
SearchRecord ended_early(const SearchRecord& asked, double seconds) {
  if (asked.effort != "max") return {"fast", std::nullopt, std::nullopt, asked.seed};
  return {"max", std::nullopt, static_cast<std::size_t>(seconds), asked.seed};
}

struct Searched {
  std::vector<EquationFile> files;
  SearchRecord spent;
};

/// Equations with a plan of least latency for this machine.
TailoredProgram spread_on_machine(const Program& direct, std::size_t cores,
                                  const CorePrices& prices, const Search& search) {
  const auto share = [&](const Program& program) { return optimize(program, search); };
  const SpreadProgram spread =
      spread_over_cores(share(direct), cores, prices, SpreadGoal::kLatency, share);
  return {spread.program, schedule_of(spread, cores)};
}

Searched searched(const SearchOptions& options, const Program& direct,
                  const std::function<EquationFile(Program)>& proved, const StoreQuestion& question,
                  std::optional<Circuit> start) {
  const Stopwatch watch;
  const std::optional<std::size_t> seconds = seconds_left(options);
  const std::optional<std::chrono::steady_clock::time_point> end = end_of(options, seconds);
  std::atomic<bool> is_over = false;
  const std::size_t threads = usable_threads(checked_threads(options.threads));
  SearchProgress progress;

  Search search;
  search.effort = effort_of_search(options.effort);
  search.seed = options.seed;
  search.steps = options.steps.value_or(0);
  search.start = std::move(start);
  search.threads = threads;
  search.parallel = [threads](std::size_t n, const std::function<void(std::size_t)>& job) {
    run_jobs(threads, n, job);
  };
  search.stop_requested = [&] {
    if (end && std::chrono::steady_clock::now() >= *end) is_over = true;
    return is_over || EndOnRequest::is_requested();
  };
  search.on_better = [&](std::size_t xors, std::size_t lower_bound) {
    progress.bound = lower_bound;
    progress.best = xors;
  };
  search.on_moves = [&](double part) { progress.percent = static_cast<int>(100 * part); };
  const EndOnRequest end_on_request;
  const std::string subject = subject_of(question);
  std::vector<EquationFile> found;
  const auto add = [&](TailoredProgram tailored) {
    found.push_back(proved(std::move(tailored.program)));
    set_plan(found.back(), std::move(tailored.plan));
  };
  {
    const ProgressLine line([&](std::size_t columns) {
      return search_text(subject, progress, watch.seconds(), seconds.value_or(0))
          .substr(0, columns);
    });
    if (options.cores == 0) {
      found.push_back(proved(optimize(direct, search)));
    } else if (options.model == "machine") {
      add(spread_on_machine(direct, options.cores, options.prices(), search));
    } else if (options.whole_front) {
      for (TailoredProgram& point : front_on_cores(direct, options.cores, search)) {
        add(std::move(point));
      }
    } else {
      add(tailor_to_cores(direct, options.cores, search));
    }
  }
  SearchRecord spent{options.effort, options.steps, seconds, options.seed};
  if (is_over) spent = ended_early(spent, static_cast<double>(*seconds));
  if (EndOnRequest::is_requested()) {
    spent = ended_early(spent, watch.seconds());
    note(fmt::format(
        "xorloom: stopped on request after {:.0f} s; these are the best equations so far",
        watch.seconds()));
  }
  const bool is_cut_short = is_over || EndOnRequest::is_requested();
  if (is_cut_short && options.on_cut_short) options.on_cut_short();
  for (EquationFile& file : found) file.search = spent;
  return {std::move(found), spent};
}

/// From this effort on, a max search counts as a normal one, which takes fewer moves of any matrix.
constexpr std::size_t kAsNormalSteps = 20'000'000;
constexpr std::size_t kAsNormalSeconds = 5;

/// True if `spent` is at least the effort `asked` for. Only fast searches ignore the seed.
bool is_enough(const SearchRecord& spent, const SearchOptions& asked) {
  const bool was_max = spent.effort == "max";
  if (asked.effort == "fast") return true;
  if (spent.seed != asked.seed) return false;
  if (asked.effort == "normal") {
    return spent.effort == "normal" || (was_max && (spent.steps.value_or(0) >= kAsNormalSteps ||
                                                    spent.seconds.value_or(0) >= kAsNormalSeconds));
  }
  const std::optional<std::size_t> seconds = seconds_left(asked);
  return was_max &&
         ((asked.steps && spent.steps >= asked.steps) || (seconds && spent.seconds >= seconds));
}

/// True if reads are minimised and `kept` has more costly reads than a search would give.
bool reads_too_much(const EquationFile& kept, const StoreQuestion& question) {
  return question.request.reads_least &&
         cost_of_reads(*question.code, question.request, kept.program) >
             cost_of_reads(*question.code, question.request, question.direct);
}

/// Cost of equations: "335 XORs", or with a plan "55 XORs in 30 steps".
std::string count_text(const EquationFile& file) {
  const std::string text = fmt::format("{} XORs", xors(file.program));
  return file.plan ? fmt::format("{} in {} steps", text, makespan(*file.plan)) : text;
}

/// Record of two searches; the second, `now`, started from the result of the first.
SearchRecord both(const SearchRecord& before, const SearchRecord& now, bool found_better) {
  const bool are_two = before.effort == "max" && now.effort == "max";
  if (are_two && before.seed == now.seed) {
    return {now.effort, std::max(before.steps, now.steps), std::max(before.seconds, now.seconds),
            now.seed};
  }
  if (now.effort == "max") return before.effort == "max" && !found_better ? before : now;
  if (before.effort != "max") return now;
  SearchOptions as_now;
  as_now.effort = now.effort;
  as_now.seed = before.seed;
  return is_enough(before, as_now) ? before : now;
}

/// True if stored equations need no search: their XORs equal the lower bound, or as much was spent
/// on them as is asked for. For rebuilds the bound proves nothing, as other survivors may take
/// fewer XORs.
bool are_enough(const EquationFile& kept, const SearchOptions& options,
                const StoreQuestion& question) {
  const bool is_least = kept.program.is_xor() && options.cores == 0 &&
                        question.request.erased.empty() &&
                        xors(kept.program) <= lower_bound(evaluate_symbolically(kept.program));
  return is_least ||
         (kept.search && is_enough(*kept.search, options) && !reads_too_much(kept, question));
}

/// Searches one set of equations, starting from the stored ones if possible, and keeps the better.
EquationFile stored_or_searched(const SearchOptions& options, const Program& direct,
                                const std::function<EquationFile(Program)>& proved,
                                const StoreQuestion& question) {
  std::optional<StoredEquations> stored = stored_equations(options.store, question);
  std::optional<Circuit> start;
  if (stored) {
    const EquationFile& kept = stored->file;
    if (are_enough(kept, options, question)) {
      note(fmt::format("xorloom: {}, from {}", count_text(kept), stored->from));
      if (stored->from == options.store.file) keep_equations(options.store, question, kept);
      return std::move(stored->file);
    }
    if (kept.program.is_xor() && options.cores == 0 && kept.program.inputs == direct.inputs) {
      start = circuit_of(kept.program);
    }
  }
  auto [files, spent] = searched(options, direct, proved, question, std::move(start));
  EquationFile found = std::move(files.front());
  const bool is_best = !stored || is_better(found, stored->file, question);
  std::string sentence = count_text(found);
  if (stored) {
    const bool had_search = stored->file.search.has_value();
    const SearchRecord record = had_search ? both(*stored->file.search, spent, is_best) : spent;
    sentence = is_best ? fmt::format("{} by this search; {}, from {}", sentence,
                                     count_text(stored->file), stored->from)
                       : fmt::format("{}, from {}; {} by this search", count_text(stored->file),
                                     stored->from,
                                     found.plan ? sentence : std::to_string(xors(found.program)));
    if (!is_best) found = std::move(stored->file);
    found.search = record;
  }
  // A fast search takes no longer than reading its result, so it is kept only in a named store.
  std::optional<std::string> kept;
  if (options.store.are_named() || spent.effort != "fast") {
    kept = keep_equations(options.store, question, found);
  }
  if (options.store.are_named()) {
    sentence +=
        "; " + kept.value_or(fmt::format("not kept: {} cannot be written", options.store.place));
  }
  if (options.store.are_named() || stored) note("xorloom: " + sentence);
  return found;
}

void add_levels(Command& command, SearchOptions& options) {
  add_number(command, "--levels", options.levels, 1, kMaxLevels,
             "with --model lut4 or lut6: look for tables that are at most N levels deep, as far as "
             "some are found; default: any depth");
}

/// Steps of the search for few XORs that take as long as one move of the search for few gates.
constexpr std::size_t kStepsOfMove = 5000;

/// Searches equations with few gates. Half of the effort goes to the equations with few XORs from
/// which it starts.
EquationFile few_gates(const SearchOptions& options, const Program& direct,
                       const std::function<EquationFile(Program)>& proved,
                       const std::function<StoreQuestion()>& question) {
  require_xors(direct, kSearchForFewGates);
  check_gate_search(direct);
  SearchOptions first = options;
  first.model = "steps";
  const std::optional<std::size_t> seconds = seconds_left(options);
  if (seconds) first.seconds = std::max<std::size_t>(1, *seconds / 2);
  if (options.steps) first.steps = std::max<std::size_t>(1, *options.steps / 2);
  const std::optional<std::chrono::steady_clock::time_point> end = end_of(options, seconds);
  if (options.end) {
    const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    first.end = now + std::max(std::chrono::steady_clock::duration(0), *options.end - now) / 2;
  }
  first.on_cut_short = nullptr;
  const EquationFile file = run_search(first, direct, proved, question).front();
  const EndOnRequest end_on_request;
  GateSearch search{.inputs = gate_inputs(options), .depth = options.levels, .seed = options.seed};
  if (options.effort == "fast") search.moves = 1;
  if (options.steps) search.moves = std::max<std::size_t>(1, *options.steps / 2 / kStepsOfMove);
  const bool has_end = end.has_value();
  search.is_endless = options.effort == "max" && !options.steps;
  search.stop_requested = [&] {
    return (has_end && std::chrono::steady_clock::now() >= *end) || EndOnRequest::is_requested();
  };
  const Stopwatch watch;
  EquationFile result = [&] {
    const ProgressLine line([&](std::size_t columns) {
      return fmt::format("looking for few gates, {:.0f} s", watch.seconds()).substr(0, columns);
    });
    return proved(search_gates(file.program, search));
  }();
  if (search.stop_requested() && options.on_cut_short) options.on_cut_short();
  result.search = {options.effort, options.steps, seconds, options.seed};
  return result;
}

}  // namespace

void add_gate_model(Command& command, SearchOptions& options) {
  add_choice(command, "--model", options.model, {"lut4", "lut6"},
             "write sums as lookup tables of 4 or 6 inputs, which no synthesiser takes apart; with "
             "--style iterative the search looks for few of them, instead of XORs");
  add_levels(command, options);
}

std::size_t gate_inputs(const SearchOptions& options) {
  return options.model == "lut4" ? 4 : options.model == "lut6" ? 6 : 0;
}

void add_cores(Command& command, SearchOptions& options) {
  const bool has_style = takes(command, "--style");
  add_number(
      command, "--cores", options.cores, 1, kMaxCores,
      fmt::format("add a plan for N cores: which core computes which XOR in which step; {} looks "
                  "for the fewest steps, not the fewest XORs",
                  has_style ? "--style iterative then" : "the search then"));
  add_choice(command, "--model", options.model, {"steps", "machine", "lut4", "lut6"},
             "with --cores: what the plan is made for. steps: the fewest steps, in each of which a "
             "core computes one XOR; machine: the least time on this machine, where loads and "
             "values that go to another core cost what is measured; default: steps. Without "
             "--cores: lut4 and lut6 look for few lookup tables of 4 or 6 inputs, instead of XORs");
  add_levels(command, options);
  add_flag(command, "--atomic", options.is_atomic,
           "with --cores: compute each equation on one core, in consecutive steps");
  add_flag(command, "--front", options.whole_front,
           fmt::format("with --cores{}: also print equations that take more steps but fewer XORs",
                       has_style ? " and --style iterative" : ""));
  for (const char* name : {"--model", "--levels", "--atomic", "--front"}) {
    option_of(command, name).group = "Plans for cores, and lookup tables";
  }
}

void add_search(Command& command, SearchOptions& options, const std::string& usual_effort,
                const std::string& usual_threads) {
  add_choice(command, "--effort", options.effort, {"fast", "normal", "max"},
             "how long to search for fewer XORs: fast takes a moment, normal a second or two, max "
             "searches until --seconds or --steps is reached; default: " +
                 usual_effort);
  add_number(
      command, "--seconds", options.seconds, 1, kMaxSeconds,
      fmt::format("with --effort max: stop after N seconds; default: {}, unless --steps is given",
                  kUsualSeconds));
  add_number(command, "--steps", options.steps, 1, kMaxSteps,
             "with --effort max: stop after N tries of the search. The same steps and seed give "
             "the same equations, with any number of threads. With --seconds too, the search stops "
             "at the first of both");
  add_number(command, "--seed", options.seed, 0, kMaxSeed,
             "seed of the search; another seed leads to other equations; default: 1");
  add_threads(command, options.threads, "default: " + usual_threads);
  add_store(command, options.store.place, &options.store.file, "--library");
  for (const char* name : kNames) option_of(command, name).group = kSearchGroup;
}

std::optional<std::size_t> seconds_of(const SearchOptions& options) {
  if (options.seconds || options.effort != "max" || options.steps) return options.seconds;
  return kUsualSeconds;
}

Effort effort_of_search(const std::string& name) {
  return name == "max" ? Effort::kMax : name == "fast" ? Effort::kFast : Effort::kNormal;
}

void check_search(const SearchOptions& options) {
  if (options.whole_front && options.store.are_named()) {
    fail(Status::kInvalidArgument, "--store keeps one set of equations, and --front gives several");
  }
  for (const auto& [name, is_given] :
       {std::pair{"--atomic", options.is_atomic}, std::pair{"--front", options.whole_front},
        std::pair{"--model machine", options.model == "machine"}}) {
    if (is_given && options.cores == 0) {
      fail(Status::kInvalidArgument, fmt::format("{} is about a plan, and needs --cores", name));
    }
  }
  if (options.model == "machine" &&
      (options.whole_front || options.is_atomic || options.store.are_named())) {
    fail(Status::kInvalidArgument, "--model machine does not go with --front, --atomic or --store");
  }
  const bool has_gates = gate_inputs(options) != 0;
  if (has_gates && options.cores != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("--model {} is about gates, and --cores about a plan: give one of them",
                     options.model));
  }
  if (options.levels != 0 && !has_gates) {
    fail(Status::kInvalidArgument, "--levels is about gates, and needs --model lut4 or lut6");
  }
  if (options.effort == "max") return;
  for (const auto& [name, value] :
       {std::pair{"--seconds", options.seconds}, std::pair{"--steps", options.steps}}) {
    if (value) {
      fail(Status::kInvalidArgument,
           fmt::format("{} = {} needs --effort max, since --effort {} ends by itself", name, *value,
                       options.effort));
    }
  }
}

void add_style_and_search(Command& command, SearchOptions& options) {
  add_choice(command, "--style", options.style, {"direct", "iterative"},
             "whether equations share temporaries, which a search finds. direct: each equation "
             "stands alone; iterative: they share; default: direct. The search options need "
             "iterative");
  add_search(command, options);
}

void check_style_and_search(const Command& command, const SearchOptions& options,
                            bool chooses_reads) {
  const bool is_any_given = std::ranges::any_of(kNames, [&](const std::string& name) {
    return is_given(command, name) && !(chooses_reads && name == "--effort");
  });
  if (options.style == "direct" && is_any_given) {
    fail(Status::kInvalidArgument,
         "search options need --style iterative: direct equations share nothing");
  }
  if (options.style == "direct" && options.whole_front) {
    fail(Status::kInvalidArgument,
         "--front needs --style iterative: direct equations have the same XORs in any plan");
  }
  check_search(options);
  if (options.style == "direct" && options.levels != 0) {
    fail(Status::kInvalidArgument,
         "--levels needs --style iterative: direct equations are not searched for");
  }
}

std::vector<EquationFile> run_search(const SearchOptions& options, const Program& direct,
                                     const std::function<EquationFile(Program)>& proved,
                                     const std::function<StoreQuestion()>& question) {
  if (gate_inputs(options) != 0) return {few_gates(options, direct, proved, question)};
  if (options.whole_front || options.model == "machine" ||
      (options.store.place == Store::kOff && options.store.file.empty())) {
    return searched(options, direct, proved, question(), std::nullopt).files;
  }
  return {stored_or_searched(options, direct, proved, question())};
}

void plan_on_cores(const SearchOptions& options, EquationFile& file) {
  if (options.cores == 0) return;
  if (options.model == "machine") {
    SpreadProgram spread = spread_over_cores(file.program, options.cores, options.prices(),
                                             SpreadGoal::kLatency, nullptr);
    CoreSchedule plan = schedule_of(spread, options.cores);
    file.program = std::move(spread.program);  // proved equal
    set_plan(file, std::move(plan));
  } else if (options.is_atomic) {
    set_plan(file, atomic_schedule_on_cores(file.program, options.cores));
  } else {
    set_plan(file, schedule_on_cores(file.program, options.cores));
  }
}

std::vector<EquationFile> equations_in_style(const SearchOptions& options, const Code& code,
                                             const Request& request) {
  if (options.style == "direct") {
    EquationFile file = proved_equations(code, direct_program(code, request), options.style);
    plan_on_cores(options, file);
    return {std::move(file)};
  }
  const Program direct = searched_program(code, request);
  return run_search(
      options, direct,
      [&](Program program) { return proved_equations(code, std::move(program), options.style); },
      [&] {
        return StoreQuestion{&code, request, direct, options.cores};
      });
}

}  // namespace xorloom::cli
