#pragma once

#include <filesystem>

namespace xorloom {

/// Directory for what the user's programs can make again: xorloom in XDG_CACHE_HOME, if that is an
/// absolute path, else in ~/.cache. It may not exist yet; "" if neither variable is set.
std::filesystem::path user_cache_directory();

}  // namespace xorloom
