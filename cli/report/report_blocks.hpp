#pragma once

#include <string>
#include <vector>

#include "cli/document/html_table.hpp"
#include "cli/report/report.hpp"

namespace xorloom::cli {

/// The figures of a report as text, for any form that has them in a table.
std::vector<TableBlock> report_blocks(const Report& report);

/// "computing the redundant chunks from the data", or what is rebuilt.
std::string task_text(const Report& report);

/// Whether speeds were measured.
bool has_measured(const Report& report);

/// What the words of the table mean, and how far predictions can be trusted, unless that is said
/// elsewhere.
std::string report_legend(const Report& report, bool has_error = true);

}  // namespace xorloom::cli
