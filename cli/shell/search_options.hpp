#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "cli/shell/command.hpp"
#include "cli/shell/stored_equations.hpp"
#include "equations/cores/spread.hpp"
#include "equations/passes/gate_prices.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom::cli {

/// Options of a search for few XORs, as typed.
struct SearchOptions {
  std::string style = "direct";
  std::string effort = "normal";
  std::optional<std::size_t> seconds;
  std::optional<std::size_t> steps;
  std::size_t seed = 1;
  int threads = 1;

  std::size_t cores = 0;  ///< cores of the plan; 0: no plan, minimise XORs
  bool is_atomic = false;
  /// Objective of the plan: steps or machine. Without a plan, lut4 or lut6 minimises gates of 4 or
  /// 6 inputs instead of XORs.
  std::string model;                     ///< of --model; "": steps
  std::size_t levels = 0;                ///< wanted depth of these gates; 0: any
  std::optional<GatePrices> gates{};     ///< gates with prices, which are minimised instead of XORs
  std::function<CorePrices()> prices{};  ///< measures the prices of this machine
  bool whole_front = false;
  bool begins_another = false;  ///< a search for gates begins with what is found
  bool is_silent = false;       ///< no note says what is found
  std::size_t depth = 0;        ///< most levels of two-input XORs; 0: any number

  std::string code_name{};  ///< name of the code in notes; "": its own name
  StorePlaces store{};      ///< default: what comes with the library

  bool takes_gates = false;  ///< the command has --gates
  bool opens_gates = false;  ///< the command prints gates: equations then have one each
  /// End of this search if several searches share the seconds; it holds for any effort.
  std::optional<std::chrono::steady_clock::time_point> end{};
  /// Called, if set, after a search that time or Ctrl-C ended.
  std::function<void()> on_cut_short{};
};

/// Seconds that a search may take: --seconds or, for effort max without --tries, the default.
/// nullopt: not limited by time.
std::optional<std::size_t> seconds_of(const SearchOptions& options);

/// Adds --depth, --cores, --model, --levels, --atomic and --front.
void add_cores(Command& command, SearchOptions& options);

/// Adds --model and --levels for commands without plans, to search for few gates.
void add_gate_model(Command& command, SearchOptions& options);

/// Adds --gates.
void add_gates(Command& command, SearchOptions& options);

/// Prices of gates: "xor2=1,xor3=1.6", with up to three decimals, or a name: avx2, avx512, lut4,
/// lut6. Errors: throws kInvalidArgument.
GatePrices parse_gate_prices(const std::string& text);

/// Inputs of the gates to minimise, of the widest if they have prices; 0: XORs are minimised.
std::size_t gate_inputs(const SearchOptions& options);

/// Adds --effort, --seconds, --tries, --seed, --threads and --store. `usual_effort` and
/// `usual_threads` state the defaults in help.
void add_search(Command& command, SearchOptions& options,
                const std::string& usual_effort = "normal", const std::string& usual_threads = "1");

/// Adds --style direct|iterative and the search options, which need iterative.
void add_style_and_search(Command& command, SearchOptions& options);

/// Parses an effort. Shape: fast, normal or max.
Effort effort_of_search(const std::string& name);

/// Throws kInvalidArgument if options contradict each other.
void check_search(const SearchOptions& options);

/// Like check_search(), for commands with --style: direct refuses the search options. If
/// `chooses_reads`, --effort is accepted, as it also controls the choice of reads.
void check_style_and_search(const Command& command, const SearchOptions& options,
                            bool chooses_reads = false);

}  // namespace xorloom::cli
