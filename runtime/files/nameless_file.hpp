#pragma once

#include <sys/types.h>

#include <filesystem>

namespace xorloom {

/// Makes a file without a name on the file system of `directory`. It is removed with its last
/// descriptor, however the program ends. Returns a descriptor, or -1 if no file can be made that
/// could be named later. Making an ordinary file then tells if something is wrong with the
/// directory.
int open_nameless(const std::filesystem::path& directory, int access,
                  mode_t permissions = 0666) noexcept;

/// Gives a nameless file a name. Returns 0 or errno, EEXIST if the name is taken.
int name_nameless(int descriptor, const std::filesystem::path& name) noexcept;

}  // namespace xorloom
