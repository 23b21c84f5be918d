#include "cli/shell/lack_of_memory.hpp"

#include <unistd.h>

#include <string_view>

#include "cli/shell/exit_status.hpp"

namespace xorloom::cli {

int complain_of_memory() noexcept {
  constexpr std::string_view kSentence = "xorloom: error: there is not enough memory\n";
  static_cast<void>(::write(STDERR_FILENO, kSentence.data(), kSentence.size()) > 0);
  return static_cast<int>(ExitStatus::kEnvironment);
}

}  // namespace xorloom::cli
