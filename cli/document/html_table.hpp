#pragma once

#include <string>
#include <vector>

#include "cli/document/document.hpp"

namespace xorloom::cli {

/// A table as HTML. On a narrow screen it scrolls in a box of its own. Labels break where the
/// screen is narrow, or one of them is long.
std::string html_table(const Table& table);

/// Shape: each row has a value for each column of all groups.
inline std::string html_table(std::vector<ColumnGroup> groups, std::vector<TableBlock> blocks) {
  return html_table(Table{std::move(groups), std::move(blocks)});
}

}  // namespace xorloom::cli
