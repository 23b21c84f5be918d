#pragma once

#include <string>

#include "cli/pages/protection_page.hpp"

namespace xorloom::cli {

/// "as if --base were ./d", if that directory has all files that were found, whole or damaged, under
/// their names; "" if a file is in its place.
std::string other_base(const Protection& protection, const FoundSegments& found);

/// Counts the files that are not as they were protected, and says what can be done. "" if all are.
std::string troubles_text(const CheckedProtection& checked);

}  // namespace xorloom::cli
