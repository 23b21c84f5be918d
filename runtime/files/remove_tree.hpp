#pragma once

#include <filesystem>

namespace xorloom {

/// Removes a directory with its content, also that of directories without permissions. Follows no
/// symbolic link, and leaves what is mounted there. False if something stays.
bool remove_tree(const std::filesystem::path& directory) noexcept;

}  // namespace xorloom
