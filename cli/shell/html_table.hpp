#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace xorloom::cli {

/// A row of figures.
struct TableRow {
  std::size_t indent;  ///< 1 says more of a row of 0
  std::string label;
  std::vector<std::string> values;  ///< one for each column, "-" where there is none
};

/// Rows below a heading; the first block has none.
struct TableBlock {
  std::string heading;
  std::vector<TableRow> rows;
};

/// Columns of a table beside each other that have a name together.
struct ColumnGroup {
  std::string name;
  std::vector<std::string> columns;
  bool is_text = false;  ///< words, which begin at the left
};

/// A table as HTML. On a narrow screen it scrolls in a box of its own. Labels break where the
/// screen is narrow, or one of them is long.
///
/// Shape: each row has a value for each column of all groups.
std::string html_table(const std::vector<ColumnGroup>& groups,
                       const std::vector<TableBlock>& blocks);

}  // namespace xorloom::cli
