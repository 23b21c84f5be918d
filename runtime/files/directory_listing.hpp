#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace xorloom {

/// The names in a directory, ascending, so that what is made of them does not depend on the disk.
///
/// Errors: throws kIo.
std::vector<std::string> names_in(const std::filesystem::path& directory);

/// Like names_in(directory); sets `error` instead of throwing, and returns the names read before.
std::vector<std::string> names_in(const std::filesystem::path& directory, std::error_code& error);

}  // namespace xorloom
