#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/report/report_sets.hpp"

namespace xorloom::cli {

/// Sorts the sets by code, stably: codes stand in the order of their first sets.
void group_by_code(std::vector<ReportSet>& sets);

/// A span of sets per code. Precondition: sets of one code stand side by side (group_by_code).
std::vector<std::span<const ReportSet>> code_groups(const std::vector<ReportSet>& sets);

/// Names the task of sets with the given verbs: "rebuilds location 0" with `rebuilds`, likewise
/// with `updates`; `encodes` if they encode.
std::string task_of(const std::vector<std::size_t>& erased, const std::vector<std::size_t>& updated,
                    const char* rebuilds, const char* updates, const char* encodes);

/// Display name: `source`, and `style` unless `source` contains it. "direct", "FILE, iterative".
std::string set_name(const std::string& source, const std::string& style);
std::string set_name(const ReportSet& set);

/// set_name without the folders of a path, shortened if longer than 40 bytes.
std::string short_name(const ReportSet& set);

}  // namespace xorloom::cli
