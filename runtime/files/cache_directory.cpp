#include "runtime/files/cache_directory.hpp"

#include <cstdlib>

namespace xorloom {

std::filesystem::path user_cache_directory() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value != nullptr ? value : "");
  };
  constexpr const char* kName = "xorloom";
  const std::filesystem::path cache = variable("XDG_CACHE_HOME");
  if (cache.is_absolute()) return cache / kName;
  const std::filesystem::path home = variable("HOME");
  return home.empty() ? home : home / ".cache" / kName;
}

}  // namespace xorloom
