#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// Options of report --diff.
struct DiffOptions {
  bool is_asked = false;
  std::optional<double> tolerance;  ///< in percent; nullopt: the default
};

/// Adds --diff and --tolerance.
void add_diff_options(Command& command, DiffOptions& options);

/// Throws kInvalidArgument if --diff comes with an option that has no effect on a comparison, or if
/// --tolerance comes without --diff.
void check_diff_options(const Command& command, const DiffOptions& options);

/// Compares two reports and writes the differences. Throws FoundWorse if any figure got worse.
void run_diff(const DiffOptions& options, const std::vector<std::string>& reports,
              const std::string& format, const std::string& output);

}  // namespace xorloom::cli
