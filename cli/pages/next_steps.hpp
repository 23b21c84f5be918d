#pragma once

#include <string>

#include "cli/pages/protection_page.hpp"

namespace xorloom::cli {

/// "as if --base were ./d", if that directory has all files that were found, whole or damaged,
/// under their names; "" if a file is in its place.
std::string other_base(const Protection& protection, const FoundSegments& found);

/// Says so if bytes are missing, and all that was found is in another base directory, maybe; else
/// "".
std::string elsewhere_text(const Protection& protection, const ProtectionCheck& check);

/// A way to bring lost bytes back, at the end of an error, and what was not searched for them.
std::string search_way(const ProtectionCheck& check);

/// Counts the files that are not as they were protected, and says what can be done. "" if all are.
std::string troubles_text(const CheckedProtection& checked);

}  // namespace xorloom::cli
