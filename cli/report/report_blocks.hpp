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
std::string report_legend(const Report& report);

}  // namespace xorloom::cli
