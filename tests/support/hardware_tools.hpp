#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "tests/support/sanitizers.hpp"

namespace xorloom {

/// Whether a program is on the PATH.
inline bool is_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream directories(path == nullptr ? "" : path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    if (::access((directory + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// Why a test that runs a tool of hardware does not run here; empty if it does. A sanitizer sees
/// nothing of a tool, and the ordinary suite has run it. XORLOOM_TEST_WHOLE runs it there too.
inline std::string reason_to_skip(const std::string& tool) {
#ifdef XORLOOM_IS_SANITIZED
  if (std::getenv("XORLOOM_TEST_WHOLE") == nullptr) return "hardware is tried without sanitizers";
#endif
  return is_on_path(tool) ? "" : tool + " is not installed";
}

/// Files of tests that need a tool hold no other tests, and each case begins with this.
#define SKIP_WITHOUT_TOOL(tool)                                           \
  if (const std::string reason = reason_to_skip(tool); !reason.empty()) { \
    MESSAGE("SKIPPED: " << reason);                                       \
    return;                                                               \
  }

}  // namespace xorloom
