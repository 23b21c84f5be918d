#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Exit statuses of the program; exit_statuses() explains them. Scripts depend on these numbers.
enum class ExitStatus {
  kDone = 0,
  kDamaged = 1,
  kWorse = 1,
  kWrongCall = 2,
  kLost = 3,
  kEnvironment = 4,
};

struct StatusMeaning {
  ExitStatus status;
  std::string_view meaning;
  std::string_view command{};  ///< a command that gives it another meaning, too; "": none does
  std::string_view there{};    ///< that command's meaning, "report --diff: something got worse"
};

/// All exit statuses, ascending, with their explanations for help, manual pages and
/// docs/changing.md.
std::span<const StatusMeaning> exit_statuses();

/// Exit status for an error of this kind.
ExitStatus exit_status(Status kind);

/// Damage was found, and all of it can be recovered (kDamaged).
struct RecoverableDamage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A report got worse (kWorse); the output has already explained how.
struct FoundWorse {};

/// Prints that memory ran out, without allocating, and returns the exit status for it.
int complain_of_memory() noexcept;

}  // namespace xorloom::cli
