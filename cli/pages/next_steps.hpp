#pragma once

#include <string>

#include "cli/pages/protection_page.hpp"

namespace xorloom::cli {

/// Counts the files that are not as they were protected, and says what can be done. "" if all are.
std::string troubles_text(const CheckedProtection& checked);

}  // namespace xorloom::cli
