#pragma once

#include <filesystem>

namespace xorloom {

/// Where the user's programs keep what they can make again: xorloom in XDG_CACHE_HOME, if that is
/// an absolute path, or else in ~/.cache. It may not be there yet; "" if neither variable says
/// where.
std::filesystem::path user_cache_directory();

}  // namespace xorloom
