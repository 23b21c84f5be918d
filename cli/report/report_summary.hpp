#pragma once

#include <string>
#include <vector>

#include "cli/document/html_table.hpp"
#include "cli/report/report.hpp"

namespace xorloom::cli {

/// Columns for each code, which its spec names: its sets.
std::vector<ColumnGroup> columns_by_code(const Report& report);

/// The figures that people look for first, a row each, with all numbers of cores in one block;
/// report_blocks has all figures.
std::vector<TableBlock> summary_blocks(const Report& report);

}  // namespace xorloom::cli
