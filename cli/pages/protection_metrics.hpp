#pragma once

#include <string>
#include <vector>

#include "cli/pages/protection_page.hpp"

namespace xorloom::cli {

/// Output of `verify` for protections as metrics, those of several together.
std::string protection_metrics(const std::vector<CheckedProtection>& all);

}  // namespace xorloom::cli
