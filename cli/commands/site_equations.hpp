#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "cli/shell/search.hpp"
#include "codes/code.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {

/// Adds --groups: the locations of each site.
void add_groups(Command& command, std::vector<std::vector<std::size_t>>& groups);

/// The equations of each site, and those that join what the sites send, as text or JSON; all are
/// proved together.
///
/// Errors: throws as split_equations(); kInvalidArgument for another format or a plan for cores.
std::string site_equations(const Code& code, const Request& request,
                           const std::vector<std::vector<std::size_t>>& groups,
                           const SearchOptions& search, const std::string& format);

}  // namespace xorloom::cli
