#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "equations/core_plan.hpp"
#include "equations/program.hpp"

namespace CLI {
class App;
}

namespace xorloom::cli {

/// How a command looks for few XORs, as it is typed.
struct SearchOptions {
  std::string effort = "normal";
  std::optional<std::size_t> seconds;
  std::optional<std::size_t> steps;
  std::size_t seed = 1;
  int threads = 1;
};

/// --effort, --seconds, --steps, --seed and --threads.
void add_search(CLI::App& app, SearchOptions& options);

/// Whether any of them was typed.
bool is_search_given(const CLI::App& app);

/// Throws kInvalidArgument where the options contradict each other.
void check_search(const SearchOptions& options);

/// Equations with few XORs for what a program computes, and with cores a plan with few steps.
struct Found {
  Program program;
  std::optional<CorePlan> plan;
};

/// Searches as the options say, with a line of progress, until the time is over or Ctrl-C asks for
/// what was found so far. `cores` is 0 for the fewest XORs.
Found run_search(const SearchOptions& options, const Program& direct, std::size_t cores);

}  // namespace xorloom::cli
