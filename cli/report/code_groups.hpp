#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/report/report_sets.hpp"

namespace xorloom::cli {

/// Puts sets of one code beside each other: codes in the order of their first sets, and the sets of
/// each in the order that they have.
void group_by_code(std::vector<ReportSet>& sets);

/// The sets of each code. Shape: sets of one code stand beside each other.
std::vector<std::span<const ReportSet>> code_groups(const std::vector<ReportSet>& sets);

/// "direct", "iterative for 6 cores", "FILE, iterative": how a set is called.
std::string set_name(const std::string& source, const std::string& style);
std::string set_name(const ReportSet& set);

/// The same, of a file without its folders, and cut if it is long.
std::string short_name(const ReportSet& set);

}  // namespace xorloom::cli
