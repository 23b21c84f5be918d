#pragma once

#include <optional>
#include <string>

#include "cli/pages/protection_page.hpp"

namespace xorloom::cli {

/// The directory that has all files that were found, under their names; nullopt if a file is in
/// its place. The base directory may be the one that is returned.
std::optional<std::string> other_base(const Protection& protection, const FoundSegments& found);

/// Counts the files that are not as they were protected, and says what can be done. "" if all are.
std::string troubles_text(const CheckedProtection& checked);

}  // namespace xorloom::cli
