#pragma once

#include <string>

#include "cli/document/document.hpp"

namespace xorloom::cli {

/// A table as HTML, in a box of its own that scrolls on narrow screens. Labels break if the screen
/// is narrow, or if one of them is long.
std::string html_table(const Table& table);

}  // namespace xorloom::cli
