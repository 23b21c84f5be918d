#pragma once

#include <string>
#include <vector>

#include "cli/bench/bench_report.hpp"
#include "codes/code.hpp"

namespace xorloom::cli {

/// All that was measured, as a page that loads nothing: a verdict on each code, charts, one table,
/// the details in parts that fold, and the machine. Shape: each code has a measurement.
std::string bench_page(const std::vector<BenchResult>& codes, const SystemDescription& machine,
                       const MachineFacts& facts, const std::vector<Peer>& peers);

}  // namespace xorloom::cli
