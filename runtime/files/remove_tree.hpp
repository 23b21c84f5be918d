#pragma once

#include <filesystem>

namespace xorloom {

/// Removes a directory with all that is in it, also what is in directories that forbid it. Follows
/// no symbolic link, and leaves what is mounted there. False if something stays.
bool remove_tree(const std::filesystem::path& directory) noexcept;

}  // namespace xorloom
