#pragma once

#include <string>
#include <vector>

#include "cli/bench/bench_report.hpp"

namespace xorloom::cli {

// The tables of the page of a benchmark, as HTML.

/// A row for each code and size, with column groups by threads and by other libraries.
std::string speeds_table(const std::vector<BenchResult>& codes, const SystemDescription& machine,
                         const std::vector<Peer>& peers);

/// Everything of one code: both layouts, all losses, single calls, and how others were run.
std::string details_tables(const BenchResult& code, const SystemDescription& machine,
                           const std::vector<Peer>& peers);

}  // namespace xorloom::cli
