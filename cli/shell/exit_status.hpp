#pragma once

#include <stdexcept>
#include <string>

#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// What the program ends with. Scripts depend on these numbers.
enum class ExitStatus {
  kDone = 0,
  kDamaged = 1,      ///< something is damaged or missing, and all of it can be recovered
  kWorse = 1,        ///< of two reports the new one is worse
  kWrongCall = 2,    ///< the command line, or a text that it names, is wrong
  kLost = 3,         ///< data that was asked for cannot be recovered
  kEnvironment = 4,  ///< the system refused: no such file, no permission, a full disk, no memory
};

/// The status of an error.
ExitStatus exit_status(Status kind);

/// Damage that was found and can be recovered from.
struct RecoverableDamage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A worse report, of which the output says all.
struct FoundWorse {};

}  // namespace xorloom::cli
