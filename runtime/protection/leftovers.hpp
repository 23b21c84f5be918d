#pragma once

#include <filesystem>
#include <string>

namespace xorloom {

/// Whether a name is a hidden one that a file of this program has while it is written, or that of a
/// lock.
bool is_unfinished_name(const std::string& name);

/// Removes what a program that was killed left of a file that it was writing.
///
/// Shape: nobody else writes the file.
void remove_leftovers(const std::filesystem::path& path);

}  // namespace xorloom
