#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "equations/optimize.hpp"

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

/// Searches as the options say, with a line of progress, until the time is over or Ctrl-C asks for
/// what was found so far.
Program run_search(const SearchOptions& options,
                   const std::function<Program(const Search&)>& optimize);

}  // namespace xorloom::cli
