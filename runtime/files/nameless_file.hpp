#pragma once

#include <sys/types.h>

#include <filesystem>

namespace xorloom {

/// Makes a file in a directory that has no name there and goes with its last descriptor, however
/// the program ends. Returns a descriptor, or -1 where the file system or the system makes none
/// that could be named later; what is wrong with the directory, if anything, an ordinary file
/// tells.
int open_nameless(const std::filesystem::path& directory, int access,
                  mode_t permissions = 0666) noexcept;

/// Gives a nameless file a name. Returns 0 or errno, EEXIST if the name is taken.
int name_nameless(int descriptor, const std::filesystem::path& name) noexcept;

}  // namespace xorloom
