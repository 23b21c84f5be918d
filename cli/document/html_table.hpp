#pragma once

#include <string>

#include "cli/document/document.hpp"

namespace xorloom::cli {

/// A table as HTML. On a narrow screen it scrolls in a box of its own. Labels break where the
/// screen is narrow, or one of them is long.
std::string html_table(const Table& table);

}  // namespace xorloom::cli
