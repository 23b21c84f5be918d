#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// How report --diff was called.
struct DiffOptions {
  bool is_asked = false;
  std::optional<double> tolerance;  ///< in percent
};

/// --diff and --tolerance.
void add_diff_options(Command& command, DiffOptions& options);

/// Throws kInvalidArgument if an option is given that has no effect on a comparison or, without
/// one, an option of it.
void check_diff_options(const Command& command, const DiffOptions& options);

/// Compares two reports, writes what differs, and throws FoundWorse if something got worse.
void run_diff(const DiffOptions& options, const std::vector<std::string>& reports,
              const std::string& format, const std::string& output);

}  // namespace xorloom::cli
