#pragma once

#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// File systems that lack what others have.
enum class ImageKind {
  kExfat,  ///< takes names that differ in case alone for equal; no links of either kind
  kNtfs,   ///< takes names that differ in case alone for equal; has links
  kExt4,   ///< like the file system of this kernel, but ignores case
};

/// Runs lines of shell in a folder, in which the directory "other" is such a file system of 32 MiB.
/// False if there is none to be had, and then says why the test is skipped.
bool run_on_image(const TemporaryFolder& folder, ImageKind kind, const std::string& lines,
                  Outcome& outcome);

}  // namespace xorloom::test
