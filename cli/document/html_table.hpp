#pragma once

#include <string>
#include <vector>

#include "cli/document/document.hpp"

namespace xorloom::cli {

/// A table as HTML, in a box of its own that scrolls on narrow screens. Labels break if the screen
/// is narrow, or if one of them is long.
std::string html_table(const Table& table);

/// Precondition: each row has one value per column, over all groups.
inline std::string html_table(std::vector<ColumnGroup> groups, std::vector<TableBlock> blocks) {
  return html_table(Table{std::move(groups), std::move(blocks)});
}

}  // namespace xorloom::cli
