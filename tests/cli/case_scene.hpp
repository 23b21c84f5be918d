#pragma once

#include <string>

#include "tests/cli/mounted_image.hpp"

namespace xorloom::test {

// Tests of names that differ in case alone, on a file system that takes them for one name.

/// Checks that decode refuses two such names below a directory, and unpacks one of them with
/// --keep-going. `make`: a shell line that makes both in the directory t.
void check_one_name(ImageKind kind, const std::string& make);

/// Runs check_one_name() for names of files and of directories.
void check_names_below(ImageKind kind);

/// Checks that decode refuses such names at the top of an archive, and overwrites no file by them.
void check_names_at_top(ImageKind kind);

/// repair restores no protected file in the place of another.
void check_repaired_names(ImageKind kind);

}  // namespace xorloom::test
