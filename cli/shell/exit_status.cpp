#include "cli/shell/exit_status.hpp"

namespace xorloom::cli {

ExitStatus exit_status(Status kind) {
  switch (kind) {
    case Status::kOk:
      return ExitStatus::kDone;
    case Status::kInvalidArgument:
    case Status::kParse:
    case Status::kUnsupported:
      return ExitStatus::kWrongCall;
    case Status::kDamaged:
      return ExitStatus::kLost;
    case Status::kIo:
    case Status::kInternal:
      break;
  }
  return ExitStatus::kEnvironment;
}

}  // namespace xorloom::cli
