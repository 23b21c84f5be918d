#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// What the program ends with; exit_statuses() says what each means. Scripts depend on these numbers.
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
};

/// What help, manual pages and docs/changing.md say of the exit statuses, ascending.
std::span<const StatusMeaning> exit_statuses();

/// The status of an error.
ExitStatus exit_status(Status kind);

/// Damage that was found and can be recovered from.
struct RecoverableDamage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A worse report, of which the output says all.
struct FoundWorse {};

}  // namespace xorloom::cli
