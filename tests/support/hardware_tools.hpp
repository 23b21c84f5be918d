#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string>

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

/// Files of tests that need a tool hold no other tests, and each case begins with this.
#define SKIP_WITHOUT_TOOL(tool)                            \
  if (!is_on_path(tool)) {                                 \
    MESSAGE("SKIPPED: " << (tool) << " is not installed"); \
    return;                                                \
  }

}  // namespace xorloom
