#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/report/report.hpp"

namespace xorloom::cli {

/// A line of the table.
struct ReportRow {
  std::size_t indent;  ///< 1 says more of a row of 0
  std::string label;
  std::vector<std::string> values;  ///< one per set, "-" where it has none
};

/// Lines below a heading; the first block has none.
struct ReportBlock {
  std::string heading;
  std::vector<ReportRow> rows;
};

/// The figures of a report as text, for any form that has them in a table.
std::vector<ReportBlock> report_blocks(const Report& report);

/// "direct", "iterative for 6 cores", "FILE, iterative": how a set is called.
std::string set_name(const ReportSet& set);

/// "computing the redundant chunks from the data", or what is rebuilt.
std::string task_text(const Report& report);

/// What the words of the table mean.
inline constexpr const char* kReportLegend =
    "A path is a chain of XORs that must run one after another. The longest path computes each "
    "equation at once; the critical path merges the operands of each in the best order. F is (XORs "
    "per bit + 1) / k; 1.00 means k - 1 XORs per bit, the fewest for a code that survives any m "
    "losses. A dash: there is no such number. Speedup compares with "
    "the direct equations on one core: it is their XORs over the steps. Efficiency is speedup over "
    "cores. A tile is what machine code computes in one turn.";

}  // namespace xorloom::cli
