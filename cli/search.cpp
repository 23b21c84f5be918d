#include "cli/search.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/running.hpp"
#include "cli/streams.hpp"
#include "codes/error.hpp"
#include "equations/list_schedule.hpp"
#include "equations/optimize.hpp"
#include "equations/tailor.hpp"
#include "runtime/threads.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kSearchGroup = "How it is searched";
constexpr std::size_t kMaxSeconds = 31'536'000;
constexpr std::size_t kMaxSteps = std::size_t{1} << 50;
constexpr std::size_t kMaxSeed = std::size_t{1} << 53;
constexpr std::size_t kUsualSeconds = 60;

constexpr std::array kNames = {"--effort", "--seconds", "--steps", "--seed", "--threads"};

/// "322 XORs, 129 are needed at least, 12 of 60 s".
std::string search_text(std::size_t best, std::size_t bound, double seconds, std::size_t of) {
  if (best == 0) return fmt::format("looking for common pairs, {:.0f} s", seconds);
  const std::string xors =
      fmt::format("{} XORs, at least {} are needed, {:.0f}", best, bound, seconds);
  return of == 0 ? xors + " s" : fmt::format("{} of {} s", xors, of);
}

}  // namespace

void add_cores(CLI::App& app, SearchOptions& options) {
  add_number(app, "--cores", options.cores, 1, kMaxCores,
             "add a plan for so many cores: which one computes which XOR in which step; iterative "
             "equations then take the fewest steps first");
  app.add_flag("--atomic", options.is_atomic,
               "with --cores: each equation on one core, in steps without a break")
      ->disable_flag_override();
  app.add_flag("--front", options.whole_front,
               "with --cores: not the fewest steps alone, but each number of steps that saves XORs")
      ->disable_flag_override();
}

void add_search(CLI::App& app, SearchOptions& options) {
  add_choice(app, "--effort", options.effort, {"fast", "normal", "max"},
             "how long to look for fewer XORs: a moment, a second or two, or as --seconds or "
             "--steps say; not given: normal");
  add_number(app, "--seconds", options.seconds, 1, kMaxSeconds,
             fmt::format("with --effort max: end after so many seconds; not given: {}, without "
                         "--steps",
                         kUsualSeconds));
  add_number(app, "--steps", options.steps, 1, kMaxSteps,
             "with --effort max: end after so many moves; the same steps and seed give the same "
             "equations");
  add_number(app, "--seed", options.seed, 0, kMaxSeed,
             "another seed leads to other equations; not given: 1");
  add_threads(app, options.threads, "not given: 1");
  for (const char* name : kNames) app.get_option(name)->group(kSearchGroup);
}

void check_search(const SearchOptions& options) {
  for (const auto& [name, is_given] :
       {std::pair{"--atomic", options.is_atomic}, std::pair{"--front", options.whole_front}}) {
    if (is_given && options.cores == 0) {
      fail(Status::kInvalidArgument, fmt::format("{} is about a plan, and needs --cores", name));
    }
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

void add_style_and_search(CLI::App& app, SearchOptions& options) {
  add_choice(app, "--style", options.style, {"direct", "iterative"},
             "direct: each from the cells alone; iterative: with temporaries that equations share; "
             "not given: direct");
  add_search(app, options);
}

void check_style_and_search(const CLI::App& app, const SearchOptions& options) {
  const bool is_given =
      std::ranges::any_of(kNames, [&](const char* name) { return app.count(name) != 0; });
  if (options.style == "direct" && is_given) {
    fail(Status::kInvalidArgument,
         "how to search is for --style iterative: direct equations share nothing");
  }
  if (options.style == "direct" && options.whole_front) {
    fail(Status::kInvalidArgument,
         "--front is for --style iterative: direct equations have as many XORs in any plan");
  }
  check_search(options);
}

std::vector<EquationFile> run_search(const SearchOptions& options, const Program& direct,
                                     const std::function<EquationFile(Program)>& proved) {
  const Stopwatch watch;
  const bool is_max = options.effort == "max";
  const std::size_t seconds =
      options.seconds.value_or(is_max && !options.steps ? kUsualSeconds : 0);
  const std::size_t threads = usable_threads(checked_threads(options.threads));
  std::atomic<std::size_t> best = 0;
  std::atomic<std::size_t> bound = 0;

  Search search;
  search.effort = is_max                     ? Effort::kMax
                  : options.effort == "fast" ? Effort::kFast
                                             : Effort::kNormal;
  search.seed = options.seed;
  search.steps = options.steps.value_or(0);
  search.threads = threads;
  search.parallel = [threads](std::size_t n, const std::function<void(std::size_t)>& job) {
    run_jobs(threads, n, job);
  };
  search.is_over = [&] {
    return EndOnRequest::is_requested() ||
           (seconds != 0 && watch.seconds() >= static_cast<double>(seconds));
  };
  search.on_better = [&](std::size_t xors, std::size_t lower_bound) {
    bound = lower_bound;
    best = xors;
  };
  const EndOnRequest end_on_request;
  std::vector<EquationFile> found;
  const auto add = [&](TailoredProgram tailored) {
    found.push_back(proved(std::move(tailored.program)));
    found.back().plan = std::move(tailored.plan);
  };
  {
    const ProgressLine line([&](std::size_t columns) {
      return search_text(best, bound, watch.seconds(), seconds).substr(0, columns);
    });
    if (options.cores == 0) {
      found.push_back(proved(optimize(direct, search)));
    } else if (options.whole_front) {
      for (TailoredProgram& point : front_on_cores(direct, options.cores, search)) {
        add(std::move(point));
      }
    } else {
      add(tailor_to_cores(direct, options.cores, search));
    }
  }
  if (EndOnRequest::is_requested()) {
    note(fmt::format("xorloom: ended on request after {:.0f} s; these are the best so far",
                     watch.seconds()));
  }
  return found;
}

std::vector<EquationFile> equations_in_style(const SearchOptions& options, const Code& code,
                                             const Request& request) {
  if (options.style == "direct") {
    EquationFile file =
        proved_equations(code, direct_program(code, request), options.style, options.cores);
    if (options.is_atomic) file.plan = atomic_plan_on_cores(file.program, options.cores);
    return {std::move(file)};
  }
  return run_search(options, searched_program(code, request), [&](Program program) {
    return proved_equations(code, std::move(program), options.style);
  });
}

}  // namespace xorloom::cli
