#include "cli/shell/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <utility>

#include "cli/shell/interrupt.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/cores/spread.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/gate_search.hpp"
#include "equations/search/in_place_search.hpp"
#include "equations/search/optimize.hpp"
#include "runtime/machine/threads.hpp"
#include "runtime/store/store.hpp"

namespace xorloom::cli {
namespace {

/// Progress of a search; any thread may write it.
struct SearchProgress {
  std::atomic<std::size_t> best{0};
  std::atomic<std::size_t> bound{0};
  std::atomic<int> percent{-1};  ///< part of the moves that is done; -1: not known
};

/// Text of the progress line: "322 XORs, 12 of 60 s, at least 129 for these sums; encoding of
/// cauchy-good:k=10,m=4,w=8".
std::string search_text(const std::string& subject, const SearchProgress& progress, double seconds,
                        std::size_t of) {
  const std::size_t best = progress.best;
  const int percent = progress.percent;
  const std::string left = of != 0        ? fmt::format("{:.0f} of {} s", seconds, of)
                           : percent >= 0 ? fmt::format("{} % done", percent)
                                          : fmt::format("{:.0f} s", seconds);
  if (best == 0) return fmt::format("looking for common pairs, {}; {}", left, subject);
  return fmt::format("{}, {}, at least {} for these sums; {}", counted(best, "XOR"), left,
                     progress.bound.load(), subject);
}

/// Names the goal of a search: "encoding of CODE", "loss of locations 0-2 of CODE, location 0
/// wanted", "matrix on 6 cores", "matrix in 3 levels".
std::string subject_of(const StoreQuestion& question, const SearchOptions& options,
                       std::size_t depth = 0) {
  const Request& request = question.request;
  std::string text = question.subject;
  if (question.code != nullptr) {
    text = !request.erased.empty()    ? "loss of " + named_list("location", request.erased)
           : !request.updated.empty() ? "update of " + named_list("location", request.updated)
                                      : "encoding";
    text += " of " + (options.code_name.empty() ? question.code->name() : options.code_name);
  }
  if (!request.wanted.empty()) text += ", " + named_list("location", request.wanted) + " wanted";
  if (!request.rows.empty()) text += ", rows " + short_list(request.rows);
  if (request.reads_least) text += ", fewest reads";
  if (depth != 0) text += " in " + counted(depth, "level");
  if (question.cores != 0) text += " on " + counted(question.cores, "core");
  return text;
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
  if (asked.effort != "max") return {"fast", std::nullopt, std::nullopt, asked.seed, asked.depth};
  return {"max", std::nullopt, static_cast<std::size_t>(seconds), asked.seed, asked.depth};
}

/// Record of a search of `options` that took `took` seconds, once it is over. `is_over`: time ended
/// it. Says so if Ctrl-C ended it, but not if that had been asked for before it.
SearchRecord spent_on(const SearchOptions& options, const std::optional<std::size_t>& seconds,
                      bool is_over, bool was_requested, double took) {
  SearchRecord spent{options.effort, options.steps, seconds, options.seed, options.depth};
  const bool is_requested = EndOnRequest::is_requested();
  if (is_over) spent = ended_early(spent, static_cast<double>(seconds.value()));
  if (is_requested) spent = ended_early(spent, took);
  if (is_requested && !was_requested) {
    note(fmt::format(
        "xorloom: stopped on request after {:.0f} s; these are the best equations so far", took));
  }
  if ((is_over || is_requested) && options.on_cut_short) options.on_cut_short();
  return spent;
}

/// A search of `options` while it runs: with its end, its threads and, until it is spent, a line
/// of its progress.
class RunningSearch {
 public:
  RunningSearch(const SearchOptions& options, const std::string& subject)
      : options_(options),
        seconds_(seconds_left(options)),
        end_(end_of(options, seconds_)),
        was_requested_(EndOnRequest::is_requested()) {
    const std::size_t threads = usable_threads(checked_threads(options.threads));
    search.effort = effort_of_search(options.effort);
    search.seed = options.seed;
    search.steps = options.steps.value_or(0);
    search.depth = options.depth;
    search.threads = threads;
    search.parallel = [threads](std::size_t n, const std::function<void(std::size_t)>& job) {
      run_jobs(threads, n, job);
    };
    search.stop_requested = [this] {
      if (end_ && std::chrono::steady_clock::now() >= *end_) is_over_ = true;
      return is_over_ || EndOnRequest::is_requested();
    };
    search.on_better = [this](std::size_t xors, std::size_t lower_bound) {
      progress_.bound = lower_bound;
      progress_.best = xors;
    };
    search.on_moves = [this](double part) { progress_.percent = static_cast<int>(100 * part); };
    line_.emplace([this, subject](std::size_t columns) {
      return search_text(subject, progress_, watch_.seconds(), seconds_.value_or(0))
          .substr(0, columns);
    });
  }

  /// Ends the line, and says what was spent.
  SearchRecord spent() {
    line_.reset();
    return spent_on(options_, seconds_, is_over_, was_requested_, watch_.seconds());
  }

  Search search;

 private:
  const SearchOptions& options_;
  const Stopwatch watch_;
  const std::optional<std::size_t> seconds_;
  const std::optional<std::chrono::steady_clock::time_point> end_;
  std::atomic<bool> is_over_ = false;
  SearchProgress progress_;
  const bool was_requested_;
  const EndOnRequest end_on_request_;
  std::optional<ProgressLine> line_;
};

/// The circuit of stored equations, with which a search begins; nullopt if they read other cells.
std::optional<Circuit> start_of(const EquationFile& kept, const StoreQuestion& question) {
  const bool can_start = kept.program.is_xor() && kept.program.inputs == question.direct.inputs;
  return can_start ? std::optional(circuit_of(kept.program)) : std::nullopt;
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

Searched searched_gates(const SearchOptions& options, const StoreQuestion& question,
                        const EquationFile* known);

/// Searches anew, beginning with `known` if possible; null: nothing is known.
Searched searched(const SearchOptions& options, const StoreQuestion& question,
                  const EquationFile* known) {
  if (question.gates) return searched_gates(options, question, known);
  const Program& direct = question.direct;
  RunningSearch running(options, subject_of(question, options, options.depth));
  Search& search = running.search;
  if (known != nullptr) search.start = start_of(*known, question);
  std::vector<EquationFile> found;
  const auto add = [&](TailoredProgram tailored) {
    found.push_back(proved_answer(question, std::move(tailored.program)));
    set_plan(found.back(), std::move(tailored.plan));
  };
  if (options.cores == 0 && options.whole_front) {
    for (Program& program : front_of_depth(direct, search)) {
      found.push_back(proved_answer(question, std::move(program)));
    }
  } else if (options.cores == 0) {
    found.push_back(proved_answer(question, optimize(direct, search)));
  } else if (options.model == "machine") {
    add(spread_on_machine(direct, options.cores, options.prices(), search));
  } else if (options.whole_front) {
    for (TailoredProgram& point : front_on_cores(direct, options.cores, search)) {
      add(std::move(point));
    }
  } else {
    add(tailor_to_cores(direct, options.cores, search));
  }
  const SearchRecord spent = running.spent();
  for (EquationFile& file : found) {
    file.search = spent;
    if (options.whole_front && options.cores == 0) {
      file.search->depth = cost(file.program).critical_path;
    }
  }
  return {std::move(found), spent};
}

/// Cost of equations: "335 XORs", with a plan "55 XORs in 30 steps", as gates "12 gates of price
/// 25.4".
std::string count_text(const EquationFile& file, const StoreQuestion& question) {
  if (question.gates) {
    const GatePrices& prices = question.gates->prices;
    const GateCount count =
        count_gates(gate_trees(file.program, prices, question.gates->levels), prices);
    const std::size_t all = std::accumulate(count.by_inputs.begin(), count.by_inputs.end(), 0UL);
    return fmt::format("{} of price {} in all", counted(all, "gate"),
                       static_cast<double>(count.price) / kPricesOfUnit);
  }
  const std::string text = counted(xors(file.program), "XOR");
  return file.plan ? text + " in " + counted(makespan(*file.plan), "step") : text;
}

/// Searches one set of equations, starting from the stored ones if possible, and keeps the better.
EquationFile stored_or_searched(const SearchOptions& options, const StoreQuestion& question) {
  bool is_file_of_use = true;
  std::optional<StoredEquations> stored =
      stored_equations(options.store, question, &is_file_of_use);
  const Store store(options.store.place);
  const EquationFile* known = nullptr;
  const auto say = [&](const std::string& taken) {
    if (options.is_silent) return;
    const std::string unused =
        is_file_of_use ? "" : fmt::format("; {} holds nothing for this", options.store.file);
    note(printable(
        fmt::format("xorloom: {}: {}{}{}", subject_of(question, options), taken, unused,
                    options.begins_another ? "; the search for gates begins there" : "")));
  };
  if (stored) {
    const EquationFile& kept = stored->file;
    const SearchRecord asked{options.effort, options.steps, seconds_left(options), options.seed};
    if (are_enough(kept, asked, question)) {
      say(fmt::format("{}, from {}", count_text(kept, question), stored->from));
      const bool was_fast = !kept.search || kept.search->effort == "fast";
      if (stored->from == options.store.file && (options.store.has_directory() || !was_fast)) {
        keep_equations(store, question, kept);
      }
      return std::move(stored->file);
    }
    if (options.cores == 0) known = &kept;
  }
  std::optional<StoredEquations> few;
  if (options.cores != 0) {
    StoreQuestion without_plan = question;
    without_plan.cores = 0;
    few = stored_equations(options.store, without_plan);
    if (few) known = &few->file;
  }
  auto [files, spent] = searched(options, question, known);
  EquationFile found = std::move(files.front());
  const std::string count = count_text(found, question);
  std::string sentence = count + ", from this search";
  if (stored) {
    const std::string before = count_text(stored->file, question);
    sentence = is_better(found, stored->file, question)
                   ? fmt::format("{}; {} had {}", sentence, stored->from, before)
                   : fmt::format("{}, from {}; this search found {}", before, stored->from,
                                 count == before ? "none better" : count);
    found = better_of(std::move(stored->file), std::move(found), question);
  }
  // A fast search takes no longer than reading its result, so only a named directory keeps it.
  std::optional<std::string> kept;
  if (options.store.has_directory() || spent.effort != "fast") {
    kept = keep_equations(store, question, found);
  }
  if (options.store.are_named() && kept) sentence += "; " + *kept;
  if (options.store.are_named() || stored) say(sentence);
  return found;
}

/// Steps of the search for few XORs that take as long as one move of the search for few gates.
constexpr std::size_t kStepsOfMove = 5000;

/// Options of the next lower effort, until `end`; nullopt: there is none.
std::optional<SearchOptions> lower_effort(
    const SearchOptions& options, const std::optional<std::chrono::steady_clock::time_point>& end) {
  if (options.effort == "fast") return std::nullopt;
  SearchOptions lower = options;
  const bool is_normal =
      options.effort == "normal" || (options.steps && *options.steps < kAsNormalSteps);
  lower.effort = is_normal ? "fast" : "normal";
  lower.seconds.reset();
  lower.steps.reset();
  lower.end = end;
  lower.is_silent = true;
  lower.on_cut_short = nullptr;
  return lower;
}

/// Searches equations with few gates. Each effort begins with what the lower ones find, so that
/// more effort never finds worse. Half of it goes to equations with few XORs.
Searched searched_gates(const SearchOptions& options, const StoreQuestion& question,
                        const EquationFile* known) {
  const std::optional<std::size_t> seconds = seconds_left(options);
  const std::optional<std::chrono::steady_clock::time_point> end = end_of(options, seconds);
  const Stopwatch all;
  GateSearch search{
      .prices = question.gates->prices, .depth = question.gates->levels, .seed = options.seed};
  if (known != nullptr) search.known.push_back(known->program);
  if (const std::optional<SearchOptions> lower = lower_effort(options, end)) {
    search.known.push_back(searched_gates(*lower, question, known).files.front().program);
  }
  SearchOptions first = options;
  first.model.clear();
  first.gates.reset();
  first.levels = 0;
  first.begins_another = true;
  if (options.steps) first.steps = std::max<std::size_t>(1, *options.steps / 2);
  if (end) {
    const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    first.end = now + std::max(std::chrono::steady_clock::duration(0), *end - now) / 2;
  }
  first.on_cut_short = nullptr;
  StoreQuestion few_xors = question;
  few_xors.gates.reset();
  const EquationFile file = run_search(first, few_xors).front();
  const bool was_requested = EndOnRequest::is_requested();
  const EndOnRequest end_on_request;
  if (options.effort == "fast") search.moves = 1;
  if (options.steps) search.moves = std::max<std::size_t>(1, *options.steps / 2 / kStepsOfMove);
  search.is_endless = options.effort == "max" && !options.steps;
  const auto is_over = [&] { return end && std::chrono::steady_clock::now() >= *end; };
  search.stop_requested = [&] { return is_over() || EndOnRequest::is_requested(); };
  const Stopwatch watch;
  EquationFile result = [&] {
    const ProgressLine line([&](std::size_t columns) {
      return fmt::format("looking for few gates, {:.0f} s", watch.seconds()).substr(0, columns);
    });
    return proved_answer(question, search_gates(file.program, search));
  }();
  result.search = spent_on(options, seconds, is_over(), was_requested, all.seconds());
  const SearchRecord spent = *result.search;
  return {{std::move(result)}, spent};
}

/// True if a search neither begins with stored equations nor is kept.
bool is_without_store(const SearchOptions& options) {
  return options.whole_front || options.model == "machine" || options.depth != 0 ||
         (options.store.place == Store::kOff && options.store.file.empty());
}

/// Equations with few gates, counted; says if they are deeper than was asked for.
EquationFile few_gates(const SearchOptions& options, StoreQuestion question) {
  const FewGates gates{options.gates ? *options.gates : parse_gate_prices(options.model),
                       options.levels};
  question.gates = gates;
  require_xors(question.direct, kSearchForFewGates);
  check_gate_search(question.direct, {.prices = gates.prices, .depth = gates.levels});
  EquationFile file = is_without_store(options)
                          ? std::move(searched(options, question, nullptr).files.front())
                          : stored_or_searched(options, question);
  Program trees = gate_trees(file.program, gates.prices, gates.levels);
  file.gates = count_gates(trees, gates.prices);
  if (options.opens_gates) {
    const std::optional<SearchRecord> search = file.search;
    const std::optional<GateCount> count = file.gates;
    file = proved_answer(question, std::move(trees));
    file.search = search;
    file.gates = count;
  }
  if (gates.levels != 0 && file.gates->depth > gates.levels) {
    note(fmt::format("xorloom: no gates in {} were found; these have {}",
                     counted(gates.levels, "level"), file.gates->depth));
  }
  return file;
}

}  // namespace

std::vector<EquationFile> run_search(const SearchOptions& options, const StoreQuestion& question) {
  if (gate_inputs(options) != 0) return {few_gates(options, question)};
  if (is_without_store(options)) return searched(options, question, nullptr).files;
  return {stored_or_searched(options, question)};
}

InPlaceFile run_search_in_place(const SearchOptions& options, const BitMatrix& matrix) {
  RunningSearch running(options, "matrix in place");
  InPlaceCircuit circuit = search_in_place(matrix, running.search);
  return {std::move(circuit), running.spent()};
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
  return run_search(options, {&code, request, searched_program(code, request), options.cores});
}

}  // namespace xorloom::cli
