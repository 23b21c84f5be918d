#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace xorloom {

/// The folder of golden data made by other software, or an empty path: it does not come with the
/// project. Files of tests that read it hold no other tests, and each case begins with
/// SKIP_WITHOUT_GOLDEN_DATA(folder), which ctest reports as skipped.
inline std::filesystem::path golden_data(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(XORLOOM_GOLDEN_DATA) / folder;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

#define SKIP_WITHOUT_GOLDEN_DATA(path)                                    \
  if ((path).empty()) {                                                   \
    std::puts("SKIPPED: the golden data is not at " XORLOOM_GOLDEN_DATA); \
    return;                                                               \
  }

}  // namespace xorloom
