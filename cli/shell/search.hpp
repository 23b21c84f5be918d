#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "cli/shell/stored_equations.hpp"
#include "codes/code.hpp"
#include "equations/cores/spread.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom::cli {

/// How a command looks for few XORs, as it is typed.
struct SearchOptions {
  std::string style = "direct";
  std::string effort = "normal";
  std::optional<std::size_t> seconds;
  std::optional<std::size_t> steps;
  std::size_t seed = 1;
  int threads = 1;

  std::size_t cores = 0;  ///< 0 for the fewest XORs and no plan
  bool is_atomic = false;
  /// What a plan is to be best at, steps or machine; or, without a plan, lut4 or lut6: gates of
  /// that many inputs are to be few, instead of XORs.
  std::string model = "steps";
  std::size_t levels = 0;                ///< of such gates that should do, 0 for any number
  std::function<CorePrices()> prices{};  ///< of this machine
  bool whole_front = false;

  StorePlaces store{};  ///< default: what comes with the library

  /// Where several searches share the seconds: when this one has to end. It holds for any effort.
  std::optional<std::chrono::steady_clock::time_point> end{};
  /// Called after a search that the time or Ctrl-C ended, if it is given.
  std::function<void()> on_cut_short{};
};

/// The seconds a search may take, none if it has another end: those of --seconds or, with the
/// effort max and no --steps, the default.
std::optional<std::size_t> seconds_of(const SearchOptions& options);

/// --cores, --model, --atomic and --front.
void add_cores(Command& command, SearchOptions& options);

/// --model and --levels where there are no plans: gates that are to be few.
void add_gate_model(Command& command, SearchOptions& options);

/// The inputs of the gates that are to be few, 0 if XORs are.
std::size_t gate_inputs(const SearchOptions& options);

/// --effort, --seconds, --steps, --seed, --threads and --store, with what is said of not giving
/// the first and the threads.
void add_search(Command& command, SearchOptions& options,
                const std::string& usual_effort = "normal", const std::string& usual_threads = "1");

/// --style direct|iterative and, for the latter, these.
void add_style_and_search(Command& command, SearchOptions& options);

/// The effort of its name. Shape: fast, normal or max.
Effort effort_of_search(const std::string& name);

/// Throws kInvalidArgument where the options contradict each other.
void check_search(const SearchOptions& options);

/// The same where there is a --style, which direct leaves nothing to search, unless the effort goes
/// into choosing what is read.
void check_style_and_search(const Command& command, const SearchOptions& options,
                            bool chooses_reads = false);

/// Equations with few XORs for what a program computes, and with cores their plans: one set, or
/// those of the whole front. Searches as the options say, with a line of progress, until the time
/// is over or Ctrl-C asks for what was found so far; `proved` makes a file of what was found.
///
/// What the store has is taken if as much was spent on it or no circuit has fewer XORs. Else the
/// search goes on from it if that is of any use, and the store keeps what is best then. A note says
/// what came from where. `question` says what is looked for; it is not asked if there is no store,
/// for fronts, and for plans for this machine.
std::vector<EquationFile> run_search(const SearchOptions& options, const Program& direct,
                                     const std::function<EquationFile(Program)>& proved,
                                     const std::function<StoreQuestion()>& question);

/// Gives equations the plan that the options ask for, if they do: of XORs or of whole equations, or
/// equations that compute the same with a plan for this machine.
void plan_on_cores(const SearchOptions& options, EquationFile& file);

/// The equations asked of a code, in the style that the options say, proved; one set of them, or
/// those of the whole front.
std::vector<EquationFile> equations_in_style(const SearchOptions& options, const Code& code,
                                             const Request& request);

}  // namespace xorloom::cli
