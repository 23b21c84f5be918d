#pragma once

#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// File systems that lack what others have.
enum class ImageKind {
  kExfat,  ///< takes names for equal that differ in case alone; no links of either kind
  kNtfs,   ///< the same, with links
  kExt4,   ///< as the file system of this kernel, but that it ignores case
};

/// Runs lines of shell in a folder, in which the directory "other" is such a file system of 32 MiB.
/// False if there is none to be had, and then says why the test is skipped.
bool run_on_image(const TemporaryFolder& folder, ImageKind kind, const std::string& lines,
                  Outcome& outcome);

}  // namespace xorloom::test
