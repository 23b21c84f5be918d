#include "cli/shell/exit_status.hpp"

#include <unistd.h>

#include <array>

namespace xorloom::cli {

std::span<const StatusMeaning> exit_statuses() {
  static constexpr std::array kMeanings = {
      StatusMeaning{ExitStatus::kDone, "the work is done"},
      StatusMeaning{ExitStatus::kDamaged,
                    "something is damaged or missing, and all of it can be recovered", "report",
                    "report --diff: something got worse"},
      StatusMeaning{ExitStatus::kWrongCall,
                    "the command line, or a text that it names, is wrong, or asks for what this "
                    "code, machine or build cannot do, or --set names no set that is there"},
      StatusMeaning{ExitStatus::kLost, "data that was asked for is lost and cannot be recovered"},
      StatusMeaning{ExitStatus::kEnvironment,
                    "the system refused: no such file or directory, no set in a directory, no "
                    "permission, a full disk, not enough memory, or another program writes there",
                    "atlas", "atlas: it was stopped, and the same command goes on"}};
  return kMeanings;
}

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

int complain_of_memory() noexcept {
  constexpr std::string_view kSentence = "xorloom: error: there is not enough memory\n";
  static_cast<void>(::write(STDERR_FILENO, kSentence.data(), kSentence.size()) > 0);
  return static_cast<int>(ExitStatus::kEnvironment);
}

}  // namespace xorloom::cli
