#include "cli/report/code_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {

void group_by_code(std::vector<ReportSet>& sets) {
  for (auto first = sets.begin(); first != sets.end();) {
    const std::string spec = first->code().spec;
    first = std::stable_partition(first, sets.end(),
                                  [&](const ReportSet& set) { return set.code().spec == spec; });
  }
}

std::vector<std::span<const ReportSet>> code_groups(const std::vector<ReportSet>& sets) {
  std::vector<std::span<const ReportSet>> groups;
  for (std::size_t first = 0; first < sets.size();) {
    std::size_t end = first + 1;
    while (end < sets.size() && sets[end].code().spec == sets[first].code().spec) ++end;
    groups.push_back(std::span(sets).subspan(first, end - first));
    first = end;
  }
  return groups;
}

std::string task_of(const std::vector<std::size_t>& erased, const std::vector<std::size_t>& updated,
                    const char* rebuilds, const char* updates, const char* encodes) {
  const std::vector<std::size_t>& locations = erased.empty() ? updated : erased;
  if (locations.empty()) return encodes;
  return fmt::format("{} {}", erased.empty() ? updates : rebuilds,
                     named_list("location", locations));
}

std::string set_name(const std::string& source, const std::string& style) {
  const bool says_style = source.find(style) != std::string::npos;
  return says_style ? source : source + ", " + style;
}

std::string set_name(const ReportSet& set) { return set_name(set.source, set.file.style); }

std::string short_name(const ReportSet& set) {
  const std::string name = set_name(set);
  constexpr std::size_t kMost = 40;
  return excerpt(name.substr(name.rfind('/') + 1), kMost);
}

}  // namespace xorloom::cli
