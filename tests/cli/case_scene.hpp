#pragma once

#include <string>

#include "tests/cli/mounted_image.hpp"

namespace xorloom::test {

// Names that differ in case alone, on a file system that takes them for one name.

/// decode unpacks none of such names in directories, or one of them on request. `make` is a line of
/// shell that makes two of them in the directory t.
void check_one_name(ImageKind kind, const std::string& make);

/// The same of files and directories whose names differ in the case of some letters.
void check_names_below(ImageKind kind);

/// The same of names at the top of an archive.
void check_names_at_top(ImageKind kind);

/// repair restores no protected file in the place of another.
void check_repaired_names(ImageKind kind);

}  // namespace xorloom::test
